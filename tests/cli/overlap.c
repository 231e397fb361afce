/* SPDX-License-Identifier: BSD-3-Clause
 * overlap STEPS started|waited: the exchange of heat's blocks of 64 x 64 points on 2 x 2 ranks, in one call
 * or begun and waited for. */
#include "startune.h"

#include <mpi.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static void exchange(STAR_Request request, bool waited)
{
    if (!waited) {
        STAR_Request_run(request);
        return;
    }
    STAR_Request_begin(request);
    STAR_Request_wait(request);
}

int main(int argc, char **argv)
{
    static double block[34][34];
    int dims[2] = {2, 2}, periods[2] = {0, 0}, sizes[2] = {34, 34};
    MPI_Comm cart;
    STAR_Topology topology;
    STAR_Vector vector;
    STAR_Request request;
    MPI_Init(&argc, &argv);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &cart);
    STAR_Topology_create(cart, &topology);
    STAR_Vector_register(2, sizes, 1, MPI_DOUBLE, block, &vector);
    STAR_Request_create(vector, topology, STAR_FNCTSET_NEIGHBORHOOD, &request);
    for (int i = 0; argc > 2 && i < atoi(argv[1]); i++)
        exchange(request, strcmp(argv[2], "waited") == 0);
    STAR_Request_free(&request);
    STAR_Vector_deregister(&vector);
    STAR_Topology_free(&topology);
    MPI_Comm_free(&cart);
    MPI_Finalize();
    return 0;
}

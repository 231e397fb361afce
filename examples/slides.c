/* SPDX-License-Identifier: BSD-3-Clause
 * The sample of ADCL's slides (Gabriel and Huang, HIPS 2007, page 6), with what it leaves out around it: a
 * grid of points, each of which becomes the mean of its neighbours in every step. Prints the sum of all
 * points, which is the same whatever function exchanged the halos. Compiled with adcl.h and linked with
 * startune. */
#include "adcl.h"

#include <stdio.h>

#define HALO_WIDTH 1
#define NIT        200
#define POINTS     32

static double vector[POINTS + 2 * HALO_WIDTH][POINTS + 2 * HALO_WIDTH];

static void smooth(void)
{
    static double next[POINTS + 2 * HALO_WIDTH][POINTS + 2 * HALO_WIDTH];
    for (int i = 1; i <= POINTS; i++)
        for (int j = 1; j <= POINTS; j++)
            next[i][j] = (vector[i - 1][j] + vector[i + 1][j] + vector[i][j - 1] + vector[i][j + 1]) / 4;
    for (int i = 1; i <= POINTS; i++)
        for (int j = 1; j <= POINTS; j++)
            vector[i][j] = next[i][j];
}

int main(int argc, char **argv)
{
    int i, rank, size, ndims = 2, cart_dims[2] = {0, 0}, periods[2] = {1, 1};
    int vec_dims[2] = {POINTS + 2 * HALO_WIDTH, POINTS + 2 * HALO_WIDTH};
    double mine = 0, sum;
    MPI_Comm comm = MPI_COMM_WORLD, cart_comm;

    /* clang-format off */
    ADCL_Vector    vec;
    ADCL_Topology  topo;
    ADCL_Request   request;
    /* clang-format on */

    MPI_Init(&argc, &argv);
    MPI_Comm_size(comm, &size);
    MPI_Dims_create(size, 2, cart_dims);

    /* clang-format off */
    /* Generate a 2-D process topology */
    MPI_Cart_create ( comm, 2, cart_dims, periods, 0, &cart_comm);
    ADCL_Topology_create ( cart_comm, &topo );

    /* Register a 2D vector with ADCL */
    ADCL_Vector_register (ndims, vec_dims, HALO_WIDTH,
                         MPI_DOUBLE, vector, &vec);

    /* Match process topology, data item and function-set */
    ADCL_Request_create (vec, topo, ADCL_FNCTSET_NEIGHBORHOOD,
                        &request );
    /* clang-format on */

    MPI_Comm_rank(cart_comm, &rank);
    vector[1][1] = 1 + rank;
    /* clang-format off */
    for (i=0; i<NIT; i++ ) {
        /* Main application loop */
        ADCL_Request_start (request);
        smooth();
    }
    /* clang-format on */

    for (i = 1; i <= POINTS; i++)
        for (int j = 1; j <= POINTS; j++)
            mine += vector[i][j];
    MPI_Reduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, cart_comm);
    if (rank == 0)
        printf("slides: %d ranks, sum %.9f of %.9f\n", size, sum, size * (size + 1) / 2.0);
    ADCL_Request_free(&request);
    ADCL_Vector_deregister(&vec);
    ADCL_Topology_free(&topo);
    MPI_Comm_free(&cart_comm);
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Heat in a plate or a body (field.h): a request of startune exchanges the halos before each step. What it
 * prints is the same whatever the number of ranks and the function that exchanged the halos, but for the
 * time. heat_adcl is the same with ADCL's interface, heat_mpi by hand. */
#include "field.h"
#include "startune.h"

/* All that fails has said why. */
static void must(int error)
{
    if (error != STAR_SUCCESS)
        MPI_Abort(MPI_COMM_WORLD, 1);
}

static void solve(struct field *field)
{
    STAR_Topology topology;
    STAR_Vector vector;
    STAR_Request request;
    must(STAR_Topology_create(field->cart, &topology));
    must(STAR_Vector_register(field->dimensions, field->dims, 1, MPI_DOUBLE, field->points, &vector));
    must(STAR_Request_create(vector, topology, STAR_FNCTSET_NEIGHBORHOOD, &request));
    for (int i = 0; i < field->steps; i++) {
        must(STAR_Request_run(request));
        field_step(field);
    }
    field_print(field, "heat");
    must(STAR_Request_free(&request));
    must(STAR_Vector_deregister(&vector));
    must(STAR_Topology_free(&topology));
}

int main(int argc, char **argv)
{
    struct field field;
    MPI_Init(&argc, &argv);
    bool good = field_open(&field, argc, argv);
    if (good) {
        solve(&field);
        field_free(&field);
    }
    MPI_Finalize();
    return good ? 0 : 2;
}

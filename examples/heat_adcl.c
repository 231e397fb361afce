/* SPDX-License-Identifier: BSD-3-Clause
 * Heat in a plate or a body (field.h), with ADCL's interface, as in the sample of its slides (Gabriel and
 * Huang, HIPS 2007, page 6). Compiled with adcl.h and linked with startune. */
#include "adcl.h"
#include "field.h"

#define HALO_WIDTH 1

static void solve(struct field *field)
{
    ADCL_Topology topo;
    ADCL_Vector vec;
    ADCL_Request request;
    ADCL_Topology_create(field->cart, &topo);
    ADCL_Vector_register(field->dimensions, field->dims, HALO_WIDTH, MPI_DOUBLE, field->points, &vec);
    ADCL_Request_create(vec, topo, ADCL_FNCTSET_NEIGHBORHOOD, &request);
    for (int i = 0; i < field->steps; i++) {
        if (ADCL_Request_start(request) != ADCL_SUCCESS)
            MPI_Abort(MPI_COMM_WORLD, 1);
        field_step(field);
    }
    field_print(field, "heat_adcl");
    ADCL_Request_free(&request);
    ADCL_Vector_deregister(&vec);
    ADCL_Topology_free(&topo);
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

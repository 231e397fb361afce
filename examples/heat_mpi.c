/* SPDX-License-Identifier: BSD-3-Clause
 * Heat in a plate or a body (field.h), with halos exchanged by hand (halo.h): heat_mpi WAY and the options of
 * heat; WAY is isend_irecv or sendrecv. */
#include "field.h"
#include "halo.h"

#include <stdio.h>
#include <string.h>

/* NULL, and rank 0 has said why: there is none. */
static halo_exchange *way_of(const char *name)
{
    int rank;
    for (const struct halo_way *way = halo_ways; way->name != NULL; way++)
        if (name != NULL && strcmp(way->name, name) == 0)
            return way->exchange;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        fprintf(stderr, "usage: heat_mpi isend_irecv|sendrecv [options of heat]\n");
    return NULL;
}

static void solve(struct field *field, halo_exchange *exchange)
{
    struct halo halo;
    halo_make(&halo, field);
    for (int i = 0; i < field->steps; i++) {
        exchange(&halo);
        field_step(field);
    }
    field_print(field, "heat_mpi");
    halo_free(&halo);
}

int main(int argc, char **argv)
{
    struct field field;
    MPI_Init(&argc, &argv);
    halo_exchange *exchange = way_of(argv[1]);
    bool good = exchange != NULL && field_open(&field, argc - 1, argv + 1);
    if (good) {
        solve(&field, exchange);
        field_free(&field);
    }
    MPI_Finalize();
    return good ? 0 : 2;
}

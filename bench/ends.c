/* SPDX-License-Identifier: BSD-3-Clause
 * ends: how long MPI_Init and MPI_Finalize take, in milliseconds on rank 0, around some calls of
 * MPI_Alltoall. */
#include "util/clock.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    enum { CALLS = 300, BYTES = 8 };
    int rank, ranks;
    int64_t begin = star_now();
    MPI_Init(&argc, &argv);
    double init = (double)(star_now() - begin) * 1e-6;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    char *out = calloc((size_t)ranks, BYTES), *in = calloc((size_t)ranks, BYTES);
    if (out == NULL || in == NULL)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int call = 0; call < CALLS; call++)
        MPI_Alltoall(out, BYTES, MPI_CHAR, in, BYTES, MPI_CHAR, MPI_COMM_WORLD);
    begin = star_now();
    MPI_Finalize();
    if (rank == 0)
        printf("%.3f %.3f\n", init, (double)(star_now() - begin) * 1e-6);
    free(out);
    free(in);
    return 0;
}

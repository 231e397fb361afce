/* SPDX-License-Identifier: BSD-3-Clause
 * An ordinary program: sums of numbers that round, by each reduction. Prints a digest of all bits, and
 * whether all ranks have those of allreduce. */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { COUNT = 500, CALLS = 40 };

static uint64_t digest(uint64_t hash, const double *values, int count)
{
    for (int i = 0; i < count; i++) {
        uint64_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        hash = (hash ^ bits) * 1099511628211u;
    }
    return hash;
}

int main(int argc, char **argv)
{
    static double in[COUNT * 16], out[COUNT * 16];
    int rank, ranks, counts[16], own = 0;
    uint64_t mine = 14695981039346656037u, all, equal[2], found[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int i = 0; i < COUNT * ranks; i++)
        in[i] = 1.0 / (1 + (i * 31 + rank * 17) % 97) * (rank % 2 ? 1e-8 : 1e8);
    for (int r = 0; r < ranks; r++)
        counts[r] = COUNT - r;
    for (int call = 0; call < CALLS; call++) {
        memset(out, 0, sizeof out);
        MPI_Allreduce(in, out, COUNT, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        equal[0] = digest(0, out, COUNT);
        equal[1] = ~equal[0];
        MPI_Allreduce(equal, found, 2, MPI_UINT64_T, MPI_MAX, MPI_COMM_WORLD);
        own += found[0] != ~found[1];
        mine = digest(mine, out, COUNT);
        MPI_Reduce(in, out, COUNT, MPI_DOUBLE, MPI_SUM, call % ranks, MPI_COMM_WORLD);
        mine = digest(mine, out, COUNT);
        MPI_Reduce_scatter_block(in, out, COUNT, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        mine = digest(mine, out, COUNT);
        MPI_Reduce_scatter(in, out, counts, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        mine = digest(mine, out, counts[rank]);
        MPI_Scan(in, out, COUNT, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        mine = digest(mine, out, COUNT);
        memset(out, 0, sizeof out);
        MPI_Exscan(in, out, COUNT, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        mine = digest(mine, out, COUNT);
    }
    MPI_Reduce(&mine, &all, 1, MPI_UINT64_T, MPI_BXOR, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    if (rank == 0)
        printf("%016llx%s\n", (unsigned long long)all, own ? ", and ranks differ" : "");
    return 0;
}

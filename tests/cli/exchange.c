/* SPDX-License-Identifier: BSD-3-Clause
 * exchange [CALLS [STATUS [MILLISECONDS]]]: an ordinary MPI program that calls MPI_Alltoall, checks what
 * came, says so, and waits so long.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { MOST = 64 };

int main(int argc, char **argv)
{
    int rank, ranks, calls = argc > 1 ? atoi(argv[1]) : 100, status = argc > 2 ? atoi(argv[2]) : 0;
    int out[MOST], in[MOST], wrong = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (ranks > MOST)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int call = 0; call < calls; call++) {
        for (int r = 0; r < ranks; r++)
            out[r] = call + rank * MOST + r;
        MPI_Alltoall(out, 1, MPI_INT, in, 1, MPI_INT, MPI_COMM_WORLD);
        for (int r = 0; r < ranks; r++)
            wrong += in[r] != call + r * MOST + rank;
    }
    if (rank == 0)
        printf("%d calls on %d ranks, %d wrong\n", calls, ranks, wrong);
    if (argc > 3)
        usleep(1000 * (useconds_t)atoi(argv[3]));
    MPI_Finalize();
    return wrong ? 1 : status;
}

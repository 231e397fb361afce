/* SPDX-License-Identifier: BSD-3-Clause
 * Functions called by startune's names, on communicators that one rank frees before the others: it then sends
 * what they wait for before they free theirs. No MPI library waits there. freed [COMMUNICATORS] */
#include "startune.h"

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, wrong = 0, count = argc > 1 ? atoi(argv[1]) : 40;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < count; i++) {
        MPI_Comm comm;
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        for (int call = 0; call < 8; call++) {
            int sum = 0, value = rank == 0 ? call : -1;
            STAR_Allreduce(&call, &sum, 1, MPI_INT, MPI_SUM, comm);
            STAR_Bcast(&value, 1, MPI_INT, 0, comm);
            wrong += sum != size * call || value != call;
        }
        if (rank != 0)
            MPI_Recv(NULL, 0, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Comm_free(&comm);
        for (int other = 1; rank == 0 && other < size; other++)
            MPI_Send(NULL, 0, MPI_INT, other, 7, MPI_COMM_WORLD);
    }
    if (rank == 0)
        printf("freed %d\n", count);
    MPI_Finalize();
    return wrong != 0;
}

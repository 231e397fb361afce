/* SPDX-License-Identifier: BSD-3-Clause
 * A program that splits its domain: COMMUNICATORS of them live at the same time, and CALLS reductions are
 * made on each when it is made: many COMMUNICATORS CALLS. MPICH has about 2,000 to give. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    static MPI_Comm part[4000];
    int rank, size, made = 0, wanted = argc > 1 ? atoi(argv[1]) : 100, calls = argc > 2 ? atoi(argv[2]) : 6,
                    bad = 0;
    double one = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    while (made < wanted && MPI_Comm_split(MPI_COMM_WORLD, 0, rank, &part[made]) == MPI_SUCCESS) {
        for (int i = 0; i < calls; i++) {
            double sum = 0;
            MPI_Allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, part[made]);
            bad += sum != size;
        }
        made++;
    }
    if (rank == 0)
        printf("%d of %d communicators, %d sums wrong\n", made, wanted, bad);
    fflush(stdout);
    if (made < wanted)
        MPI_Abort(MPI_COMM_WORLD, 3);
    for (int i = 0; i < made; i++)
        MPI_Comm_free(&part[i]);
    MPI_Finalize();
    return bad != 0;
}

/* SPDX-License-Identifier: BSD-3-Clause
 * What startune adds to a call: MPI_Alltoall, which startune takes over, beside the MPI library's own, in
 * turns within one run. Prints the median over the turns, in nanoseconds a call. overhead
 * [world|self] [CALLS] [BYTES]: on MPI_COMM_WORLD, or on a communicator of size 1 */
#include "native.h"
#include "util/quantile.h"

#include <string.h>
#include <time.h>

enum { TURN = 1000 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

int main(int argc, char **argv)
{
    __typeof__(PMPI_Alltoall) *native;
    NATIVE_FIND("PMPI_Alltoall", native);
    MPI_Init(&argc, &argv);
    MPI_Comm comm = argc > 1 && strcmp(argv[1], "self") == 0 ? MPI_COMM_SELF : MPI_COMM_WORLD;
    int turns = (argc > 2 ? atoi(argv[2]) : 1000000) / TURN, bytes = argc > 3 ? atoi(argv[3]) : 8, rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(comm, &size);
    char *send = calloc((size_t)size, (size_t)bytes), *recv = calloc((size_t)size, (size_t)bytes);
    double *with = malloc((size_t)turns * sizeof *with), *without = malloc((size_t)turns * sizeof *without);
    double *added = malloc((size_t)turns * sizeof *added);
    for (int i = 0; i < 20 * TURN; i++) /* past the tuning */
        MPI_Alltoall(send, bytes, MPI_BYTE, recv, bytes, MPI_BYTE, comm);
    for (int turn = 0; turn < turns; turn++) {
        double begin = now();
        for (int i = 0; i < TURN; i++)
            MPI_Alltoall(send, bytes, MPI_BYTE, recv, bytes, MPI_BYTE, comm);
        double middle = now();
        for (int i = 0; i < TURN; i++)
            native(send, bytes, MPI_BYTE, recv, bytes, MPI_BYTE, comm);
        with[turn] = (middle - begin) / TURN;
        without[turn] = (now() - middle) / TURN;
        added[turn] = with[turn] - without[turn];
    }
    star_sort(with, turns);
    star_sort(without, turns);
    star_sort(added, turns);
    if (rank == 0)
        printf(
            "%d turns of %d calls: with %.1f ns, without %.1f ns, added %.1f ns (middle half %.1f to %.1f)\n",
            turns, TURN, star_quantile(with, turns, 0.5), star_quantile(without, turns, 0.5),
            star_quantile(added, turns, 0.5), star_quantile(added, turns, 0.25),
            star_quantile(added, turns, 0.75));
    free(send);
    free(recv);
    free(with);
    free(without);
    free(added);
    MPI_Finalize();
    return 0;
}

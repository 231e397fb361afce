/* SPDX-License-Identifier: BSD-3-Clause
 * Another tool of MPI's profiling interface, as programs are linked with or run under: counts calls, and says
 * on standard output at the end how many it saw, and what it was told. It stands in front of startune or
 * behind it. */
#include <mpi.h>
#include <stdarg.h>
#include <stdio.h>

enum { SEEN_INIT, SEEN_ALLTOALL, SEEN_ALLREDUCE, SEEN };
static int seen[SEEN], number;
static const char *label = "nothing";

int MPI_Init(int *argc, char ***argv)
{
    seen[SEEN_INIT]++;
    return PMPI_Init(argc, argv);
}

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    seen[SEEN_INIT]++;
    return PMPI_Init_thread(argc, argv, required, provided);
}

int MPI_Alltoall(const void *out, int sent, MPI_Datatype type, void *in, int received, MPI_Datatype into,
                 MPI_Comm comm)
{
    seen[SEEN_ALLTOALL]++;
    return PMPI_Alltoall(out, sent, type, in, received, into, comm);
}

int MPI_Allreduce(const void *out, void *in, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    seen[SEEN_ALLREDUCE]++;
    return PMPI_Allreduce(out, in, count, type, op, comm);
}

/* With a level of 2, a label and a number. */
int MPI_Pcontrol(const int level, ...)
{
    va_list more;
    va_start(more, level);
    if (level == 2) {
        label = va_arg(more, const char *);
        number = va_arg(more, int);
    }
    va_end(more);
    return PMPI_Pcontrol(level);
}

int MPI_Finalize(void)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        printf("tool: %d init, %d alltoall, %d allreduce, told %s %d\n", seen[SEEN_INIT], seen[SEEN_ALLTOALL],
               seen[SEEN_ALLREDUCE], label, number);
    fflush(stdout);
    return PMPI_Finalize();
}

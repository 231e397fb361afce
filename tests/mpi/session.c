/* SPDX-License-Identifier: BSD-3-Clause
 * MPI-4's sessions: a program that never calls MPI_Init. Exit status 77 where the MPI library has none. */
#include "each.h"

#include <stdio.h>

int main(void)
{
#if MPI_VERSION >= 4
    MPI_Session session;
    MPI_Group group;
    MPI_Comm comm;
    int rank, sum = 0;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
    MPI_Comm_create_from_group(group, "startune", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
    MPI_Comm_rank(comm, &rank);
    uint64_t number = 0;
    for (int round = 0; round < 50; round++)
        for (int which = 0; which < EACH_OPERATIONS; which++) {
            const struct each_call call = {.which = which, .comm = comm, .count = 3, .round = round};
            number = each_mix(number, each_make(&each_mpi, &call));
        }
    int mine = (int)(number >> 44);
    MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, comm);
    if (rank == 0)
        printf("session: %d\n", sum);
    MPI_Group_free(&group);
    MPI_Comm_free(&comm);
    MPI_Session_finalize(&session);
    return 0;
#else
    return 77;
#endif
}

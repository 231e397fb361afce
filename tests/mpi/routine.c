/* SPDX-License-Identifier: BSD-3-Clause
 * Customised routines against MPI's functions, on communicators of 1 rank, 2, 3, … and all: each turn is a
 * generated file with one method of each operation. They are compiled so that their host names and messages
 * come through here: two ranks share a host, and messages are counted, because a routine that leaves all to
 * the MPI library would be right, too. */
#include "each.h"

#include <stdio.h>
#include <string.h>

extern const struct each_functions *const turns[];
extern const int turn_count;
extern const unsigned long silent[]; /* a bit for each operation that sends no message */

static int rank;
static long messages;

int pretended_host(char *name, size_t room);
int pretended_host(char *name, size_t room)
{
    return snprintf(name, room, "n%d", rank / 2) < 0;
}

int counted_isend(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                  MPI_Request *request);
int counted_isend(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                  MPI_Request *request)
{
    messages++;
    return PMPI_Isend(buffer, count, type, to, tag, comm, request);
}

static bool has(const struct each_functions *turn, int which)
{
    void *function;
    memcpy(&function, (const char *)turn + (size_t)which * sizeof function, sizeof function);
    return function != NULL;
}

/* By both ways, with data and root of ROUND. */
static void compare(int turn, int which, MPI_Comm comm, int count, int round)
{
    int size;
    MPI_Comm_size(comm, &size);
    for (int form = 0; form < EACH_FORMS; form++) {
        /* MPICH's own reduce in place crashes at a root other than 0 past 512 elements. */
        if (which == EACH_Reduce && form == EACH_IN_PLACE && count > 512)
            continue;
        const struct each_call call = {
            .which = which, .form = (enum each_form)form, .comm = comm, .count = count, .round = round};
        if (each_make(turns[turn], &call) != each_make(&each_mpi, &call))
            fprintf(stderr,
                    "FAILED: %s of turn %d gives something else than MPI's on %d ranks, count %d, form %d\n",
                    each_name[which], turn, size, count, form);
    }
}

static void run_turn(int turn, const MPI_Comm *comms, int size)
{
    static const int counts[] = {1, 40, 3000};
    for (int which = 0; which < EACH_OPERATIONS; which++) {
        long all;
        if (!has(turns[turn], which))
            continue;
        messages = 0;
        for (int ranks = 1; ranks <= size; ranks++)
            if (comms[ranks] != MPI_COMM_NULL)
                compare(turn, which, comms[ranks], counts[(turn + ranks) % 3], turn + ranks / 3);
        MPI_Reduce(&messages, &all, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
        if (rank == 0 && all == 0 && !(silent[turn] >> which & 1))
            fprintf(stderr, "FAILED: %s of turn %d sends nothing\n", each_name[which], turn);
    }
}

int main(int argc, char **argv)
{
    enum { MOST = 64 };
    MPI_Comm comms[MOST + 1];
    int size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    size = size < MOST ? size : MOST;
    for (int ranks = 1; ranks <= size; ranks++)
        MPI_Comm_split(MPI_COMM_WORLD, rank < ranks ? 0 : MPI_UNDEFINED, rank, &comms[ranks]);
    each_begin();
    for (int turn = 0; turn < turn_count; turn++)
        run_turn(turn, comms, size);
    each_end();
    for (int ranks = 1; ranks <= size; ranks++)
        if (comms[ranks] != MPI_COMM_NULL)
            MPI_Comm_free(&comms[ranks]);
    MPI_Finalize();
    return 0;
}

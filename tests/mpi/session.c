/* SPDX-License-Identifier: BSD-3-Clause
 * MPI-4's sessions: session HOW, on 3 ranks or more. Exit status 77 where the MPI library has none. */
#include "each.h"

#include <stdio.h>
#include <string.h>

#if MPI_VERSION >= 4
static MPI_Session begin(void)
{
    MPI_Session session;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    return session;
}

/* Of all processes; or, in PARTS, of every so many, each of which has one. */
static MPI_Comm make(MPI_Session session, const char *tag, int parts)
{
    MPI_Group all, part;
    MPI_Comm comm;
    int rank, size;
    MPI_Group_from_session_pset(session, "mpi://WORLD", &all);
    MPI_Group_rank(all, &rank);
    MPI_Group_size(all, &size);
    int range[1][3] = {{rank % parts, size - 1, parts}};
    MPI_Group_range_incl(all, 1, range, &part);
    MPI_Comm_create_from_group(part, tag, MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
    MPI_Group_free(&part);
    MPI_Group_free(&all);
    return comm;
}

static void call(const char *what, MPI_Comm comm)
{
    int rank, sum = 0;
    uint64_t number = 0;
    MPI_Comm_rank(comm, &rank);
    for (int round = 0; round < 50; round++)
        for (int which = 0; which < EACH_OPERATIONS; which++) {
            const struct each_call call = {.which = which, .comm = comm, .count = 3, .round = round};
            number = each_mix(number, each_make(&each_mpi, &call));
        }
    int mine = (int)(number >> 44);
    MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, comm);
    if (rank == 0)
        printf("%s: %d\n", what, sum);
}

static void call_and_free(const char *what, MPI_Comm comm)
{
    call(what, comm);
    MPI_Comm_free(&comm);
}

static void one(void)
{
    MPI_Session session = begin();
    call_and_free("session", make(session, "one", 1));
    MPI_Session_finalize(&session);
}

/* Each communicator is called when those before it are gone, and with them the session of the first. */
static void several(void)
{
    MPI_Comm copy, split;
    MPI_Session first = begin();
    MPI_Comm comm = make(first, "first", 1);
    MPI_Session second = begin();
    MPI_Comm other = make(second, "second", 1);
    MPI_Comm_dup(other, &copy);
    MPI_Comm_split(other, 0, 0, &split);
    call_and_free("first", comm);
    MPI_Session_finalize(&first);
    call_and_free("second", other);
    call_and_free("copy", copy);
    call_and_free("split", split);
    MPI_Session_finalize(&second);
}

/* Rank 0 ends the first session before it sends what the others wait for, before they end it. No communicator
 * of that is left, so nobody needs the others. */
static void turns(int by_init)
{
    MPI_Session first = begin(), second = MPI_SESSION_NULL;
    MPI_Comm comm = make(first, "first", 1), other;
    int rank, size, number = 7;
    if (by_init)
        MPI_Init(NULL, NULL);
    else
        second = begin();
    if (by_init)
        MPI_Comm_dup(MPI_COMM_WORLD, &other);
    else
        other = make(second, "second", 1);
    MPI_Comm_rank(other, &rank);
    MPI_Comm_size(other, &size);
    call_and_free("first", comm);
    if (rank == 0)
        MPI_Session_finalize(&first);
    for (int r = 1; r < size; r++)
        if (rank == 0)
            MPI_Send(&number, 1, MPI_INT, r, 0, other);
        else if (rank == r)
            MPI_Recv(&number, 1, MPI_INT, 0, 0, other, MPI_STATUS_IGNORE);
    if (rank != 0)
        MPI_Session_finalize(&first);
    if (first != MPI_SESSION_NULL)
        printf("FAILED: the session has a handle still\n");
    call_and_free("second", other);
    if (by_init)
        MPI_Finalize();
    else
        MPI_Session_finalize(&second);
}

static void again(void)
{
    one();
    one();
}

/* Of some processes, before one of all. */
static void parts(void)
{
    MPI_Session session = begin();
    call_and_free("parts", make(session, "parts", 2));
    call_and_free("session", make(session, "one", 1));
    MPI_Session_finalize(&session);
}

/* Nothing is of all processes. */
static void alone(void)
{
    enum { MANY = 1000 };
    MPI_Session session = begin();
    MPI_Comm comm = make(session, "alone", MANY);
    int rank;
    MPI_Comm_rank(comm, &rank);
    MPI_Barrier(comm);
    printf("alone: %d\n", rank);
    MPI_Comm_free(&comm);
    MPI_Session_finalize(&session);
}

/* With MPI_Init, which comes first or last, and ends first or last. */
static void with_init(int comes_first, int ends_first)
{
    MPI_Session session;
    MPI_Comm comm;
    if (comes_first)
        MPI_Init(NULL, NULL);
    session = begin();
    comm = make(session, "with", 1);
    call("session", comm);
    if (!comes_first)
        MPI_Init(NULL, NULL);
    call("world", MPI_COMM_WORLD);
    call_and_free("session", comm);
    call_and_free("parts", make(session, "parts", 2));
    if (ends_first)
        MPI_Finalize();
    MPI_Session_finalize(&session);
    if (!ends_first)
        MPI_Finalize();
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "one";
    if (strcmp(how, "one") == 0)
        one();
    else if (strcmp(how, "several") == 0)
        several();
    else if (strcmp(how, "turns") == 0)
        turns(argc > 2);
    else if (strcmp(how, "again") == 0)
        again();
    else if (strcmp(how, "parts") == 0)
        parts();
    else if (strcmp(how, "alone") == 0)
        alone();
    else if (strcmp(how, "init") == 0 && argc > 3)
        with_init(strcmp(argv[2], "first") == 0, strcmp(argv[3], "first") == 0);
    else
        return 2;
    return 0;
}
#else
int main(void)
{
    return 77;
}
#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * Of the program `background`: wrong calls return an error, of the right class, and later ones are right. */
#include "background.h"

#include <stdio.h>

enum { WRONG_OP, OTHER_OP, WRONG_TYPE, WRONG_ROOT, NEGATIVE_ROOT, WRONG_COUNT, WRONG_COMM, MISTAKES };

static int wrong_call(int which, int mistake, MPI_Comm comm, MPI_Request *request)
{
    static int out[WORK_RANKS], in[WORK_RANKS];
    int n = mistake == WRONG_COUNT ? -1 : 1, root = mistake == WRONG_ROOT      ? size
                                                    : mistake == NEGATIVE_ROOT ? -7
                                                                               : 0;
    MPI_Datatype type = mistake == WRONG_TYPE ? MPI_DATATYPE_NULL : MPI_INT;
    MPI_Op op = mistake == WRONG_OP ? MPI_OP_NULL : mistake == OTHER_OP ? MPI_MAXLOC : MPI_SUM;
    comm = mistake == WRONG_COMM ? MPI_COMM_NULL : comm;
    switch (which) {
    case WORK_BARRIER:
        return MPI_Ibarrier(comm, request);
    case WORK_BCAST:
        return MPI_Ibcast(in, n, type, root, comm, request);
    case WORK_ALLREDUCE:
        return MPI_Iallreduce(out, in, n, type, op, comm, request);
    case WORK_REDUCE:
        return MPI_Ireduce(out, in, n, type, op, root, comm, request);
    case WORK_ALLGATHER:
        return MPI_Iallgather(out, n, type, in, n, type, comm, request);
    default:
        return MPI_Iscatter(out, n, type, in, n, type, root, comm, request);
    }
}

/* Open MPI 4.1 crashes in an allgather on no communicator, MPICH 4.0 in reductions of a negative count, MPICH
 * 5 in those of no datatype. */
static bool can_be(int which, int mistake)
{
    bool reduces = which == WORK_ALLREDUCE || which == WORK_REDUCE;
    if (mistake == WRONG_OP || mistake == OTHER_OP)
        return reduces;
    if (mistake == WRONG_ROOT || mistake == NEGATIVE_ROOT)
        return which == WORK_BCAST || which == WORK_REDUCE || which == WORK_SCATTER;
    if (mistake == WRONG_COMM)
        return which != WORK_ALLGATHER;
#ifndef OPEN_MPI
    if (mistake == WRONG_COUNT && reduces)
        return false;
    if (mistake == WRONG_TYPE && reduces)
        return MPI_VERSION < 5;
#endif
    return which != WORK_BARRIER;
}

/* No datatype may be told as one that the operator is not for. */
static bool is_class(int class, int mistake)
{
    static const int classes[MISTAKES] = {MPI_ERR_OP,   MPI_ERR_OP,    MPI_ERR_TYPE, MPI_ERR_ROOT,
                                          MPI_ERR_ROOT, MPI_ERR_COUNT, MPI_ERR_COMM};
    return class == classes[mistake] || (mistake == WRONG_TYPE && class == MPI_ERR_OP);
}

static void make_mistake(int which, int mistake, MPI_Comm comm, int round)
{
    struct work before, after;
    MPI_Request request = MPI_REQUEST_NULL;
    int class;
    begin(&before, which, comm, 0, 2, (uint64_t)round);
    int error = wrong_call(which, mistake, comm, &request);
    expect(error != MPI_SUCCESS, "a wrong call succeeds", which);
    expect(request == MPI_REQUEST_NULL, "a wrong call leaves the request alone", which);
    MPI_Error_class(error, &class);
    if (!is_class(class, mistake)) {
        char text[80];
        snprintf(text, sizeof text, "mistake %d is of class %d", mistake, class);
        expect(false, text, which);
    }
    begin(&after, which, comm, 1 % size, 3, (uint64_t)round);
    wait_and_check(&after, "after a wrong call");
    wait_and_check(&before, "begun before a wrong call");
}

void errors(void)
{
    static const enum work_kind those[] = {WORK_BARRIER, WORK_BCAST,     WORK_ALLREDUCE,
                                           WORK_REDUCE,  WORK_ALLGATHER, WORK_SCATTER};
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN); /* that of MPI_COMM_NULL */
    for (int round = 0; round < 40; round++)
        for (size_t i = 0; i < sizeof those / sizeof *those; i++)
            for (int mistake = 0; mistake < MISTAKES; mistake++)
                if (can_be((int)those[i], mistake))
                    make_mistake((int)those[i], mistake, comm, round);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    MPI_Comm_free(&comm);
}

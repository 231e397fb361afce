/* SPDX-License-Identifier: BSD-3-Clause
 * Wrong arguments, on all ranks alike, on a communicator that is tuned by then: prints which error came back,
 * and how often the program's handlers were called, to be compared with what the MPI library says by itself.
 */
#include "program.h"

#include <string.h>

enum { ROOM = 4096 };
static int out[ROOM], in[ROOM], handled, raised;

static void count(MPI_Comm *comm, int *error, ...)
{
    (void)comm;
    raised = *error;
    handled++;
}

static void say(const char *what, int error)
{
    int rank, class = MPI_SUCCESS, all = 0, guard = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (error == MPI_SUCCESS && handled > 0)
        error = raised; /* MPICH 5.0 by the standard ABI: the call itself returns MPI_SUCCESS then */
    if (error != MPI_SUCCESS)
        MPI_Error_class(error, &class);
    if (class == MPI_ERR_IN_STATUS)
        class = MPI_ERR_TRUNCATE; /* how MPICH 4.2 says it of several messages at once */
    for (int i = ROOM / 2; i < ROOM; i++)
        guard = guard && in[i] == -1;
    MPI_Allreduce(&guard, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%s: class %d, handlers called %d times%s\n", what, class, handled,
               all ? "" : ", and memory far behind the buffer is overwritten");
    handled = 0;
}

static void wrong_arguments(const char *where, MPI_Comm comm)
{
    MPI_Datatype raw;
    MPI_Type_contiguous(2, MPI_INT, &raw); /* not committed */
    struct {
        const char *what;
        void *out;
        int sent;
        MPI_Datatype type;
        void *in;
        int received;
        MPI_Datatype into;
        MPI_Comm comm;
    } calls[] = {
        {"negative send count", out, -1, MPI_INT, in, 1, MPI_INT, comm},
        {"negative receive count", out, 1, MPI_INT, in, -1, MPI_INT, comm},
        {"negative counts", out, -1, MPI_INT, in, -1, MPI_INT, comm},
        {"no send type", out, 1, MPI_DATATYPE_NULL, in, 1, MPI_INT, comm},
        {"no receive type", out, 1, MPI_INT, in, 1, MPI_DATATYPE_NULL, comm},
        {"no types", out, 1, MPI_DATATYPE_NULL, in, 1, MPI_DATATYPE_NULL, comm},
        {"send type not committed", out, 1, raw, in, 2, MPI_INT, comm},
        {"receive type not committed", out, 2, MPI_INT, in, 1, raw, comm},
        {"types not committed", out, 1, raw, in, 1, raw, comm},
        {"receive in place", out, 1, MPI_INT, MPI_IN_PLACE, 1, MPI_INT, comm},
        {"in place, negative count", MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, -1, MPI_INT, comm},
        {"in place, no type", MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, 1, MPI_DATATYPE_NULL, comm},
        {"more sent than received", out, 700, MPI_INT, in, 1, MPI_INT, comm},
        {"no communicator", out, 1, MPI_INT, in, 1, MPI_INT, MPI_COMM_NULL},
#if !defined OPEN_MPI && !defined MPI_H_ABI /* which looks at none of these */
        {"one buffer for both", in, 1, MPI_INT, in, 1, MPI_INT, comm},
        {"no send buffer", NULL, 1, MPI_INT, in, 1, MPI_INT, comm},
        {"no receive buffer", out, 1, MPI_INT, NULL, 1, MPI_INT, comm},
#endif
    };
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        char what[100];
        memset(in, -1, sizeof in);
        int error = MPI_Alltoall(calls[i].out, calls[i].sent, calls[i].type, calls[i].in, calls[i].received,
                                 calls[i].into, calls[i].comm);
        snprintf(what, sizeof what, "%s, %s", where, calls[i].what);
        say(what, error);
    }
    MPI_Type_free(&raw);
    for (int round = 0; round < 5; round++) /* it still works */
        for (int ints = 1; ints < 3; ints++)
            exchange(where, comm, ints, round % 2, round);
}

static void tune(MPI_Comm comm)
{
    for (int round = 0; round < 60; round++)
        for (int ints = 1; ints < 3; ints++)
            exchange("before any error", comm, ints, round % 2, round);
}

int main(int argc, char **argv)
{
    MPI_Comm comm, handling;
    MPI_Errhandler handler;
    MPI_Init(&argc, &argv);
    MPI_Comm_create_errhandler(count, &handler);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_dup(MPI_COMM_WORLD, &handling);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(handling, handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, handler);
    tune(comm);
    tune(handling);
    wrong_arguments("errors return", comm);
    wrong_arguments("own handler", handling);
    wrong_arguments("MPI_COMM_SELF", MPI_COMM_SELF);
#if !defined OPEN_MPI && !defined MPI_H_ABI /* which does not look whether a handle lives */
    MPI_Comm gone = comm;
    MPI_Comm_free(&comm);
    memset(in, -1, sizeof in);
    MPI_Alltoall(out, 1, MPI_INT, in, 1, MPI_INT, gone); /* MPICH 4.2 does not always find it out */
    handled = 0;
    say("a communicator that was freed", MPI_SUCCESS);
#else
    MPI_Comm_free(&comm);
#endif
    MPI_Comm_free(&handling);
    MPI_Errhandler_free(&handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    return finish();
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Each collective operation with one argument wrong, on all ranks alike, on communicators that are tuned by
 * then: prints which class of error came back and how often the program's handlers were called, to be
 * compared with what the MPI library says by itself. Only arguments that all ranks look at: an error of the
 * root alone leaves the others waiting. */
#include "each.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 1000 };

/* What an operation looks at on every rank. */
enum {
    OUT = 1,
    IN = 2,
    SENT = 4,     /* send count and datatype */
    RECEIVED = 8, /* receive count and datatype */
    ROOT = 16,
    OP = 32,
    SENT_EACH = 64,      /* counts for each rank */
    RECEIVED_EACH = 128, /* from each rank */
    BUFFER = 256,        /* the one of broadcasts */
};
static const int looks_at[EACH_OPERATIONS] = {
    [EACH_Alltoall] = OUT | IN | SENT | RECEIVED,
    [EACH_Alltoallv] = SENT_EACH | RECEIVED_EACH,
    [EACH_Alltoallw] = SENT_EACH | RECEIVED_EACH,
    [EACH_Allgather] = OUT | IN | SENT | RECEIVED,
    [EACH_Allgatherv] = OUT | IN | SENT | RECEIVED_EACH,
    [EACH_Allreduce] = OUT | IN | RECEIVED | OP,
    [EACH_Bcast] = BUFFER | RECEIVED | ROOT,
    [EACH_Reduce] = RECEIVED | ROOT | OP,
    [EACH_Reduce_scatter_block] = OUT | IN | RECEIVED | OP,
    [EACH_Reduce_scatter] = OUT | IN | RECEIVED_EACH | OP,
    [EACH_Gather] = SENT | ROOT,
    [EACH_Gatherv] = SENT | ROOT,
    [EACH_Scatter] = RECEIVED | ROOT,
    [EACH_Scatterv] = RECEIVED | ROOT,
    [EACH_Scan] = OUT | IN | RECEIVED | OP,
    [EACH_Exscan] = OUT | IN | RECEIVED | OP,
};

struct arguments {
    void *out, *in;
    int sent, received, root, sent_each[64], received_each[64], places[64];
    bool one; /* array of counts for what is sent and received */
    MPI_Datatype type, into;
    MPI_Op op;
    MPI_Comm comm;
};

static int rank, handled;
static MPI_Datatype raw; /* not committed */
static int out[ROOM], in[ROOM];

/* A type for each rank, and places in bytes. */
static int make_typed(struct arguments *a)
{
    int places[64];
    MPI_Datatype types[64], into[64];
    for (int i = 0; i < 64; i++) {
        places[i] = a->places[i] * (int)sizeof(int);
        types[i] = a->type;
        into[i] = a->into;
    }
    return MPI_Alltoallw(a->out, a->sent_each, places, types, a->in, a->one ? a->sent_each : a->received_each,
                         places, a->one ? types : into, a->comm);
}

static int make(int which, struct arguments *a)
{
    switch (which) {
    case EACH_Alltoall:
        return MPI_Alltoall(a->out, a->sent, a->type, a->in, a->received, a->into, a->comm);
    case EACH_Alltoallv:
        return MPI_Alltoallv(a->out, a->sent_each, a->places, a->type, a->in,
                             a->one ? a->sent_each : a->received_each, a->places, a->into, a->comm);
    case EACH_Alltoallw:
        return make_typed(a);
    case EACH_Allgather:
        return MPI_Allgather(a->out, a->sent, a->type, a->in, a->received, a->into, a->comm);
    case EACH_Allgatherv:
        return MPI_Allgatherv(a->out, a->sent, a->type, a->in, a->received_each, a->places, a->into, a->comm);
    case EACH_Allreduce:
        return MPI_Allreduce(a->out, a->in, a->received, a->into, a->op, a->comm);
    case EACH_Bcast:
        return MPI_Bcast(a->in, a->received, a->into, a->root, a->comm);
    case EACH_Reduce:
        return MPI_Reduce(a->out, a->in, a->received, a->into, a->op, a->root, a->comm);
    case EACH_Reduce_scatter_block:
        return MPI_Reduce_scatter_block(a->out, a->in, a->received, a->into, a->op, a->comm);
    case EACH_Reduce_scatter:
        return MPI_Reduce_scatter(a->out, a->in, a->received_each, a->into, a->op, a->comm);
    case EACH_Gather:
        return MPI_Gather(a->out, a->sent, a->type, a->in, a->received, a->into, a->root, a->comm);
    case EACH_Gatherv:
        return MPI_Gatherv(a->out, a->sent, a->type, a->in, a->received_each, a->places, a->into, a->root,
                           a->comm);
    case EACH_Scatter:
        return MPI_Scatter(a->out, a->sent, a->type, a->in, a->received, a->into, a->root, a->comm);
    case EACH_Scatterv:
        return MPI_Scatterv(a->out, a->sent_each, a->places, a->type, a->in, a->received, a->into, a->root,
                            a->comm);
    case EACH_Scan:
        return MPI_Scan(a->out, a->in, a->received, a->into, a->op, a->comm);
    case EACH_Exscan:
        return MPI_Exscan(a->out, a->in, a->received, a->into, a->op, a->comm);
    default:
        return MPI_Barrier(a->comm);
    }
}

static struct arguments right(MPI_Comm comm)
{
    int size;
    struct arguments a = {.out = out,
                          .in = in,
                          .sent = 1,
                          .received = 1,
                          .type = MPI_INT,
                          .into = MPI_INT,
                          .op = MPI_SUM,
                          .comm = comm};
    MPI_Comm_size(comm, &size);
    for (int i = 0; i < size; i++) {
        a.sent_each[i] = a.received_each[i] = 1;
        a.places[i] = i;
    }
    return a;
}

#define MISTAKE(name, change)                                                                                \
    static void name(struct arguments *a)                                                                    \
    {                                                                                                        \
        change;                                                                                              \
    }
MISTAKE(root_too_great, a->root = 1000)
MISTAKE(root_negative, a->root = -77)
MISTAKE(sent_negative, a->sent = -1)
MISTAKE(received_negative, a->received = -1)
MISTAKE(sent_each_negative, a->sent_each[0] = -1)
MISTAKE(received_each_negative, a->received_each[0] = -1)
MISTAKE(no_type, a->type = MPI_DATATYPE_NULL)
MISTAKE(no_into, a->into = MPI_DATATYPE_NULL)
MISTAKE(raw_type, a->type = raw)
MISTAKE(raw_into, a->into = raw)
MISTAKE(no_op, a->op = MPI_OP_NULL)
MISTAKE(op_of_integers, (a->op = MPI_BAND, a->into = MPI_DOUBLE))
MISTAKE(op_of_pairs, a->op = MPI_MAXLOC)
MISTAKE(op_of_truths, (a->op = MPI_LAND, a->into = MPI_INTEGER)) /* which C's integers have */
MISTAKE(op_of_windows, a->op = MPI_REPLACE)
MISTAKE(in_place_in, a->in = MPI_IN_PLACE)
MISTAKE(no_comm, a->comm = MPI_COMM_NULL)
#if !defined OPEN_MPI && !defined MPI_H_ABI /* which looks at none of these, or crashes */
MISTAKE(null_out, a->out = NULL)
MISTAKE(null_in, a->in = NULL)
MISTAKE(one_buffer, a->in = a->out)
MISTAKE(one_of_nothing, (a->one = true, a->in = a->out, memset(a->sent_each, 0, sizeof a->sent_each)))
#endif

static const struct {
    const char *name;
    void (*make)(struct arguments *);
    int of; /* what the operation must look at; 0: any */
} mistakes[] = {
    {"root too great", root_too_great, ROOT},
    {"root negative", root_negative, ROOT},
    {"send count negative", sent_negative, SENT},
    {"receive count negative", received_negative, RECEIVED},
    {"a send count negative", sent_each_negative, SENT_EACH},
    {"a receive count negative", received_each_negative, RECEIVED_EACH},
    {"no send type", no_type, SENT | SENT_EACH},
    {"no receive type", no_into, RECEIVED | RECEIVED_EACH},
    {"send type not committed", raw_type, SENT | SENT_EACH},
    {"receive type not committed", raw_into, RECEIVED | RECEIVED_EACH},
    {"no operator", no_op, OP},
    {"operator of integers for floating point", op_of_integers, OP},
    {"operator of pairs for integers", op_of_pairs, OP},
    {"logical operator for integers of Fortran", op_of_truths, OP},
    {"operator of windows", op_of_windows, OP},
    {"receive in place", in_place_in, IN},
    {"no communicator", no_comm, 0},
#if !defined OPEN_MPI && !defined MPI_H_ABI
    {"no send buffer", null_out, OUT},
    {"no receive buffer", null_in, IN | BUFFER},
    {"one buffer for both", one_buffer, OUT},
    {"one buffer and counts for both, of nothing", one_of_nothing, SENT_EACH},
#endif
};

/* Where the MPI library crashes by itself. It hangs or crashes too where datatypes and operators are used
 * that were freed, and, Open MPI, in scans between groups. */
static const struct {
    int which;
    const char *mistake;
} crashes[] = {
#if defined OPEN_MPI || defined MPI_H_ABI
    {EACH_Allgather, "no communicator"},
    {EACH_Allgatherv, "a receive count negative"},
    {EACH_Exscan, "receive in place"},
    /* Taken without a look; the methods' receives look at them. */
    {EACH_Allgather, "receive type not committed"},
    {EACH_Allgatherv, "receive type not committed"},
    {EACH_Scatter, "receive type not committed"},
    {EACH_Scatterv, "receive type not committed"},
#endif
#ifndef OPEN_MPI
    {EACH_Allgather, "one buffer for both"},  /* hangs */
    {EACH_Allgatherv, "one buffer for both"}, /* hangs */
    {EACH_Allreduce, "receive count negative"},
    {EACH_Reduce, "receive count negative"},
    {EACH_Reduce_scatter_block, "receive count negative"},
    {EACH_Scan, "receive count negative"},
    {EACH_Exscan, "receive count negative"},
#endif
};

static bool is_crash(int which, const char *mistake)
{
    for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++)
        if (crashes[i].which == which && strcmp(crashes[i].mistake, mistake) == 0)
            return true;
    return false;
}

static void count(MPI_Comm *comm, int *error, ...)
{
    (void)comm, (void)error;
    handled++;
}

static void try(const char *where, int which, const char *name, struct arguments *a)
{
    int class = MPI_SUCCESS;
    char line[200];
    handled = 0;
    int error = make(which, a);
    if (error != MPI_SUCCESS)
        MPI_Error_class(error, &class);
    snprintf(line, sizeof line, "%s, %s, %s: class %d, handlers called %d times", where, each_name[which],
             name, class, handled);
    each_say(line, each_mix((uint64_t) class, (uint64_t)handled));
}

static void refuse_on(const char *where, MPI_Comm comm)
{
    for (int which = 0; which < EACH_OPERATIONS; which++)
        for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
            if (mistakes[i].of != 0 && (looks_at[which] & mistakes[i].of) == 0)
                continue;
            if (is_crash(which, mistakes[i].name))
                continue;

            struct arguments a = right(comm);
            mistakes[i].make(&a);
            try(where, which, mistakes[i].name, &a);
            const struct each_call good = {.which = which, .comm = comm, .count = 1, .round = (int)i};
            each_say("it still works", each_make(&each_mpi, &good));
        }
}

static void tune(MPI_Comm comm, int rounds)
{
    for (int round = 0; round < rounds; round++)
        for (int which = 0; which < EACH_OPERATIONS; which++) {
            struct arguments a = right(comm);
            make(which, &a);
        }
}

#if !defined OPEN_MPI && !defined MPI_H_ABI
/* Of a tuned communicator. Its handle may come back at once, for another: it is tried before any is made. */
static void on_freed_communicator(void)
{
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    tune(comm, 10);
    struct arguments a = right(comm);
    MPI_Comm_free(&comm);
    for (int which = 0; which < EACH_OPERATIONS; which++)
        try("communicator freed", which, "all right else", &a);
}

/* Operations that no inter-communicator has. */
static void between_groups(MPI_Errhandler handler)
{
    int size;
    MPI_Comm part, both;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size < 2)
        return;
    MPI_Comm_split(MPI_COMM_WORLD, rank == 0, rank, &part);
    MPI_Intercomm_create(part, 0, MPI_COMM_WORLD, rank == 0 ? 1 : 0, 5, &both);
    MPI_Comm_set_errhandler(both, handler);
    struct arguments a = right(both);
    for (int round = 0; round < 3; round++) {
        try("between groups", EACH_Scan, "scan", &a);
        try("between groups", EACH_Exscan, "exscan", &a);
    }
    MPI_Comm_free(&both);
    MPI_Comm_free(&part);
}
#endif

int main(int argc, char **argv)
{
    MPI_Comm returning, handling;
    MPI_Errhandler handler;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    each_begin();
    MPI_Comm_create_errhandler(count, &handler);
    MPI_Comm_dup(MPI_COMM_WORLD, &returning);
    MPI_Comm_dup(MPI_COMM_WORLD, &handling);
    MPI_Type_contiguous(1, MPI_INT, &raw);
    MPI_Comm_set_errhandler(returning, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(handling, handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, handler);
    tune(returning, 40);
    tune(handling, 40);
    refuse_on("errors return", returning);
    refuse_on("own handler", handling);
    refuse_on("MPI_COMM_SELF", MPI_COMM_SELF);
#if !defined OPEN_MPI && !defined MPI_H_ABI
    between_groups(handler);
    on_freed_communicator();
#endif
    MPI_Comm_free(&returning);
    MPI_Comm_free(&handling);
    MPI_Errhandler_free(&handler);
    MPI_Type_free(&raw);
    each_end();
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    MPI_Finalize();
    return 0;
}

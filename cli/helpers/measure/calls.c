/* SPDX-License-Identifier: BSD-3-Clause */
#include "calls.h"
#include "algorithms/method.h"
#include "algorithms/operations.h"
#include "plan/plan.h"
#include "runtime/operations.h"
#include "runtime/runners.h"
#include "util/clock.h"
#include "util/why.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static MPI_Datatype type_of(const struct call_kind *kind)
{
    if (!star_operations[kind->operation].expected.reduces)
        return MPI_BYTE;
    return strcmp(kind->type, "int") == 0     ? MPI_INT
           : strcmp(kind->type, "float") == 0 ? MPI_FLOAT
                                              : MPI_DOUBLE;
}

/* What all blocks of a row are together, of which block K begins here: equal blocks, or, the greater SKEW,
 * the longer the later ones. */
static int64_t begin_of(int64_t total, int k, int size, double skew)
{
    double share = (double)k / size;
    return k == size ? total : (int64_t)((double)total * share * (1 - skew * (1 - share)) + 1e-6);
}

struct row {
    int64_t total; /* elements */
    int size;
    double skew;
};

static int length_of(const struct row *row, int k)
{
    return (int)(begin_of(row->total, k + 1, row->size, row->skew) -
                 begin_of(row->total, k, row->size, row->skew));
}

/* The counts and places of one buffer's blocks, the first of which has the length of block FIRST; returns
 * their elements. SIDE: 0 is the send buffer. */
static int64_t cut(struct call *c, int side, const struct row *row, int first)
{
    int *counts = c->counts[side] = calloc((size_t)row->size, sizeof *counts);
    int *displs = c->displs[side] = calloc((size_t)row->size, sizeof *displs);
    int64_t at = 0;
    for (int k = 0; counts && displs && k < row->size; k++) {
        counts[k] = length_of(row, (first + k) % row->size);
        displs[k] = (int)at;
        at += counts[k];
    }
    return at;
}

/* All are bytes. */
static int set_types(struct call *c, int size, struct star_why *why)
{
    c->types = malloc((size_t)size * sizeof *c->types);
    if (c->types == NULL)
        return star_because(why, STAR_EMEMORY, "out of memory");
    for (int k = 0; k < size; k++)
        c->types[k] = MPI_BYTE;
    c->call.sendtypes = c->call.recvtypes = c->types;
    return 0;
}

/* Calls whose blocks differ. Of a pair of ranks, the sum of them tells which block it is, so both know. */
static int set_uneven(struct call *c, const struct row *row, const struct star_communicator *state,
                      const int64_t *blocks, int64_t *elements, struct star_why *why)
{
    bool reduces = star_operations[c->call.operation].expected.reduces;
    bool of_pairs = c->call.operation == STAR_ALLTOALLV || c->call.operation == STAR_ALLTOALLW;
    int first = of_pairs ? state->rank : 0;
    if (row->total > INT32_MAX)
        return star_because(why, STAR_EINPUT, "%lld elements are too many for a call whose places are ints",
                            (long long)row->total);
    for (int side = 0; side < 2; side++) {
        bool all = blocks[side] == row->size;
        elements[side] = all ? cut(c, side, row, first) : blocks[side] ? length_of(row, state->rank) : 0;
        if (all && (!c->counts[side] || !c->displs[side]))
            return star_because(why, STAR_EMEMORY, "out of memory");
    }
    c->call.sendcount = elements[0];
    c->call.recvcount = elements[1];
    c->call.sendcounts = c->counts[0];
    c->call.senddispls = c->displs[0];
    c->call.recvcounts = reduces ? c->counts[0] : c->counts[1];
    c->call.recvdispls = c->displs[1];
    return c->call.operation == STAR_ALLTOALLW ? set_types(c, row->size, why) : 0;
}

/* Whole numbers, so small that sums are the same in whatever order. */
static void fill(char *buffer, int64_t bytes, MPI_Datatype type, int rank)
{
    for (int64_t i = 0, at = 0; at < bytes; i++) {
        int value = (int)((i + i / 251 + (int64_t)rank * 31) % 97);
        if (type == MPI_DOUBLE)
            ((double *)(void *)buffer)[i] = value, at += (int64_t)sizeof(double);
        else if (type == MPI_FLOAT)
            ((float *)(void *)buffer)[i] = (float)value, at += (int64_t)sizeof(float);
        else if (type == MPI_INT)
            ((int *)(void *)buffer)[i] = value, at += (int64_t)sizeof(int);
        else
            buffer[i] = (char)value, at++;
    }
}

static int make_buffers(struct call *c, int rank, bool one_buffer, struct star_why *why)
{
    MPI_Datatype type = c->call.recvtype;
    c->send = malloc((size_t)c->send_bytes + 1);
    c->recv = malloc((size_t)c->recv_bytes + 1);
    c->right = malloc((size_t)c->recv_bytes + 1);
    if (!c->send || !c->recv || !c->right)
        return star_because(why, STAR_EMEMORY, "out of memory for buffers of %lld bytes",
                            (long long)(c->send_bytes + 2 * c->recv_bytes));
    fill(c->send, c->send_bytes, type, rank);
    c->right_bytes = c->call.operation == STAR_EXSCAN && rank == 0 ? 0 : c->recv_bytes;
    c->sends_recv = one_buffer && rank == c->call.root;
    if (c->sends_recv)
        fill(c->recv, c->recv_bytes, type, rank);
    c->call.sendbuf = one_buffer ? NULL : c->send;
    c->call.recvbuf = c->recv;
    return 0;
}

int call_open(struct call *c, const struct call_kind *kind, int64_t bytes, const struct ground *ground,
              struct star_why *why)
{
    const struct star_communicator *state = &ground->here;
    const struct star_operation_info *info = &star_operations[kind->operation];
    struct star_shape shape = star_shape_of(state->size, 1);
    shape.root = kind->root;
    MPI_Datatype type = type_of(kind);
    *c = (struct call){.call = {.operation = kind->operation,
                                .sendtype = type,
                                .recvtype = type,
                                .op = strcmp(kind->operator, "max") == 0 ? MPI_MAX : MPI_SUM,
                                .root = kind->root,
                                .comm = ground->comm},
                       .facts = {.granule = 1, .commutative = true}};
    int element, error = 0;
    PMPI_Type_size(type, &element);
    int64_t blocks[2] = {info->expected.send_bytes(&shape, state->rank),
                         info->expected.recv_bytes(&shape, state->rank)};
    int64_t elements[2] = {blocks[0] * bytes / element, blocks[1] * bytes / element};
    struct row row = {bytes / element * (info->measure == STAR_OF_ALL ? 1 : state->size), state->size,
                      kind->skew};
    c->call.sendcount = c->call.recvcount = bytes / element;
    if (info->units)
        error = set_uneven(c, &row, state, blocks, elements, why);
    c->send_bytes = elements[0] * element;
    c->recv_bytes = elements[1] * element;
    if (!error)
        error = make_buffers(c, state->rank, info->expected.one_buffer, why);
    if (!error && !star_servers[kind->operation].facts(&c->call, state, &c->facts))
        error = star_because(why, STAR_EINPUT, "%lld bytes are nothing to tune", (long long)bytes);
    return error;
}

int call_learn(struct call *c)
{
    call_prepare(c);
    int error = star_servers[c->call.operation].native(&c->call);
    memcpy(c->right, c->recv, (size_t)c->right_bytes);
    return error;
}

void call_prepare(struct call *c)
{
    if (!c->sends_recv)
        memset(c->recv, 0, (size_t)c->recv_bytes);
}

void call_run(struct call *c, struct ground *ground, struct star_shared_runner *runner)
{
    int error = runner ? star_runner_run(&ground->here, runner, &c->call, &c->facts)
                       : star_servers[c->call.operation].native(&c->call);
    if (error)
        MPI_Abort(MPI_COMM_WORLD, 1);
}

double call_native_seconds(struct call *call, struct ground *ground, int times)
{
    double least = INFINITY;
    for (int i = 0; i < times; i++) {
        MPI_Barrier(ground->comm);
        int64_t begin = star_now();
        call_run(call, ground, NULL);
        double mine = (double)(star_now() - begin) * 1e-9, all;
        MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_MAX, ground->comm);
        least = fmin(least, all);
    }
    return least;
}

bool call_is_right(const struct call *c)
{
    return memcmp(c->recv, c->right, (size_t)c->right_bytes) == 0;
}

void call_close(struct call *c)
{
    free(c->send);
    free(c->recv);
    free(c->right);
    free(c->types);
    for (int side = 0; side < 2; side++) {
        free(c->counts[side]);
        free(c->displs[side]);
    }
}

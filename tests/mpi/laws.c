/* SPDX-License-Identifier: BSD-3-Clause
 * Laws of the architecture that can only be seen from inside of the runtime: laws NAME, on 4 ranks or so. */
#include "laws.h"
#include "algorithms/operations.h"
#include "check.h"
#include "runtime/call.h"
#include "runtime/communicator.h"
#include "runtime/dispatch.h"
#include "runtime/operations.h"
#include "runtime/session.h"
#include "runtime/start.h"
#include "util/settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int failures, rank, size;

struct star_communicator *state_of(MPI_Comm comm)
{
    struct star_communicator *state;
    return star_communicator_of(comm, &state) == MPI_SUCCESS ? state : NULL;
}

static int tuned_alltoall(const void *out, int sent, MPI_Datatype type, void *in, int received,
                          MPI_Datatype into, MPI_Comm comm)
{
    struct star_call call = {.operation = STAR_ALLTOALL,
                             .sendbuf = out,
                             .sendcount = sent,
                             .sendtype = type,
                             .recvbuf = in,
                             .recvcount = received,
                             .recvtype = into,
                             .comm = comm,
                             .site = __builtin_return_address(0)};
    struct star_communicator *state = state_of(comm);
    return state ? star_dispatch(&call, state) : star_servers[STAR_ALLTOALL].native(&call);
}

int number(int from, int to, int i, int round)
{
    return (from * RANKS_MOST + to) * 1000 + i + round;
}

/* INTS ints with a gap behind them, so that its extent is not its size. */
static MPI_Datatype block_with_gap(int ints)
{
    MPI_Datatype dense, block;
    PMPI_Type_contiguous(ints, MPI_INT, &dense);
    PMPI_Type_create_resized(dense, 0, (MPI_Aint)(ints + 1) * (MPI_Aint)sizeof(int), &block);
    PMPI_Type_commit(&block);
    PMPI_Type_free(&dense);
    return block;
}

void exchange(MPI_Comm comm, int ints, int round)
{
    enum { ROOM = RANKS_MOST * (INTS_MOST + 1) };
    int out[ROOM] = {0}, in[ROOM];
    MPI_Datatype block = block_with_gap(ints);
    bool odd = (rank + round) % 2;
    int sent_apart = odd ? ints + 1 : ints, received_apart = odd ? ints : ints + 1;
    memset(in, -1, sizeof in);
    for (int to = 0; to < size; to++)
        for (int i = 0; i < ints; i++)
            out[to * sent_apart + i] = number(rank, to, i, round);
    int error = tuned_alltoall(out, odd ? 1 : ints, odd ? block : MPI_INT, in, odd ? ints : 1,
                               odd ? MPI_INT : block, comm);
    PMPI_Type_free(&block);
    CHECK(error == MPI_SUCCESS, "round %d: error %d", round, error);
    for (int from = 0; from < size; from++)
        for (int i = 0; i < received_apart; i++)
            CHECK(in[from * received_apart + i] == (i < ints ? number(from, rank, i, round) : -1),
                  "round %d, %d ints from rank %d: number %d is wrong", round, ints, from, i);
}

bool is_equal_everywhere(uint64_t value)
{
    uint64_t mine[2] = {value, ~value}, all[2];
    PMPI_Allreduce(mine, all, 2, MPI_UINT64_T, MPI_MIN, MPI_COMM_WORLD);
    return all[0] == ~all[1];
}

struct star_context *only_context(struct star_communicator *state)
{
    return state->contexts.first;
}

void quick_settings(void)
{
    struct star_settings *s = &star_runtime.settings;
    s->iter = 2;
    s->delta = 1;
    s->delta_most = 4;
    s->epsilon = 0;
    s->tune_after = 2;
    s->sample = 1;   /* every call counts, so that agreements are many */
    s->budget = 1e6; /* the race need not wait */
}

void exchange_all(struct star_builder *b, const struct star_shape *shape)
{
    int64_t n = shape->block;
    for (int i = 0; i < shape->size; i++)
        if (i != shape->rank) {
            star_build_recv(b, i, star_at(STAR_RECVBUF, i * n), n);
            star_build_send(b, i, star_at(STAR_SENDBUF, i * n), n);
        }
    star_build_copy(b, star_at(STAR_RECVBUF, shape->rank * n), star_at(STAR_SENDBUF, shape->rank * n), n);
}

struct star_methods list_of(const struct star_method *methods, int count)
{
    struct star_methods list = {malloc((size_t)count * sizeof *methods), count};
    memcpy(list.at, methods, (size_t)count * sizeof *methods);
    return list;
}

static const struct law *const subjects[] = {together_laws, native_laws, beginning_laws,
                                             message_laws,  runner_laws, context_laws};

int main(int argc, char **argv)
{
    int all, found = 0;
    MPI_Init(&argc, &argv);
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &size);
    srand((unsigned)rank + 1);
    check_begin();
    for (size_t i = 0; i < sizeof subjects / sizeof *subjects; i++)
        for (const struct law *law = subjects[i]; law->name != NULL; law++)
            if (argc > 1 && strcmp(argv[1], law->name) == 0) {
                law->test();
                found = 1;
            }
    CHECK(found, "no law %s", argc > 1 ? argv[1] : "named");
    star_finish();
    PMPI_Allreduce(&failures, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    PMPI_Finalize();
    return all != 0;
}

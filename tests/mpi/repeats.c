/* SPDX-License-Identifier: BSD-3-Clause
 * Calls that come again go straight to native (runtime/repeat.h) on some ranks, and on others not: they must
 * count the same everywhere, each for the context that is its own, whatever handles were freed and used
 * again.
 */
#include "algorithms/methods.h"
#include "algorithms/operations.h"
#include "check.h"
#include "runtime/call.h"
#include "runtime/communicator.h"
#include "runtime/dispatch.h"
#include "runtime/operations.h"
#include "runtime/repeat.h"
#include "runtime/session.h"
#include "runtime/start.h"
#include "runtime/state.h"
#include "util/hash.h"
#include "util/random.h"
#include "util/why.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures, rank, size;

enum { RANKS_MOST = 16, INTS = 3, CALLS = 4000, SITES = 24 };

/* What is called, the same on all ranks. WRONG: with one buffer for both, of several ints, which both MPI
 * libraries refuse. */
struct kind {
    bool reduces, in_place, own_type, own_op, commutative, wrong;
    int ints, site;
};

/* Calls so far. */
static int64_t made[2][INTS + 1][2][2], repeats;

static int64_t *count_of(const struct kind *kind)
{
    return &made[kind->reduces][kind->ints][kind->in_place][kind->commutative];
}

/* Odd places far apart, so that some share what is remembered of them, and the last bits differ. */
static const void *site_of(const struct kind *kind)
{
    return (const char *)(uintptr_t)star_dispatch + (ptrdiff_t)37 * kind->site + kind->reduces;
}

static int serve(const struct star_call *call)
{
    struct star_communicator *state;
    if (star_communicator_of(call->comm, &state) != MPI_SUCCESS)
        return MPI_ERR_OTHER;
    if (state == NULL)
        return star_servers[call->operation].native(call);
    const struct star_repeat *known =
        rand() % 4 > 0 ? star_repeat_find(state, *call) : NULL; /* each rank for itself */
    repeats += known != NULL;
    if (known == NULL)
        return star_dispatch(call, state);
    return star_repeat_is_natives(state, known) ? star_servers[call->operation].native(call)
                                                : star_dispatch_again(call, state, known);
}

static void add(void *in, void *inout, int *count, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *count; i++)
        ((int *)inout)[i] += ((int *)in)[i];
}

static void exchange(MPI_Comm comm, const struct kind *kind, int round)
{
    int out[RANKS_MOST * INTS], in[RANKS_MOST * INTS];
    MPI_Datatype type = MPI_INT;
    if (kind->own_type) {
        PMPI_Type_contiguous(kind->ints, MPI_INT, &type);
        PMPI_Type_commit(&type);
    }
    for (int i = 0; i < size * kind->ints; i++)
        out[i] = 100 * rank + i + round;
    memcpy(in, out, sizeof in);
    int count = kind->own_type ? 1 : kind->ints;
    const struct star_call call = {.operation = STAR_ALLTOALL,
                                   .sendbuf = kind->in_place ? MPI_IN_PLACE : out,
                                   .sendcount = count,
                                   .sendtype = type,
                                   .recvbuf = in,
                                   .recvcount = count,
                                   .recvtype = type,
                                   .comm = comm,
                                   .site = site_of(kind)};
    CHECK(serve(&call) == MPI_SUCCESS, "round %d: error", round);
    for (int i = 0; i < size * kind->ints; i++)
        CHECK(in[i] == 100 * (i / kind->ints) + rank * kind->ints + i % kind->ints + round,
              "round %d: number %d of %d ints of each rank is wrong", round, i, kind->ints);
    if (kind->own_type)
        PMPI_Type_free(&type);
}

static void reduce(MPI_Comm comm, const struct kind *kind, int round)
{
    int out[INTS], in[INTS];
    MPI_Op op = MPI_SUM;
    if (kind->own_op)
        PMPI_Op_create(add, kind->commutative, &op);
    for (int i = 0; i < kind->ints; i++)
        in[i] = out[i] = rank + i + round;
    const struct star_call call = {.operation = STAR_ALLREDUCE,
                                   .sendbuf = kind->wrong      ? in
                                              : kind->in_place ? MPI_IN_PLACE
                                                               : out,
                                   .recvbuf = in,
                                   .recvcount = kind->ints,
                                   .recvtype = MPI_INT,
                                   .op = op,
                                   .comm = comm,
                                   .site = site_of(kind)};
    int error = serve(&call);
    CHECK((error == MPI_SUCCESS) == !kind->wrong, "round %d: error %d", round, error);
    for (int i = 0; i < kind->ints && !kind->wrong; i++)
        CHECK(in[i] == size * (size - 1) / 2 + size * (i + round), "round %d: sum %d is wrong", round, i);
    if (kind->own_op)
        PMPI_Op_free(&op);
}

/* What all ranks must have counted alike; SITES alone: where all call from the same places. */
static void compare(const struct star_communicator *state, int round)
{
    uint64_t digest = star_hash_add(star_hash_add(star_hash_empty, (uint64_t)state->calls), state->sites);
    for (const struct star_context *c = state->contexts.first; c; c = c->next) {
        digest = star_hash_add(star_hash_add(digest, (uint64_t)c->subject.calls), (uint64_t)c->current);
        if (c->candidates.count > 1) /* else sampling is each rank's own */
            digest = star_hash_add(star_hash_add(digest, (uint64_t)c->subject.skipped),
                                   (uint64_t)c->subject.untimed);
    }
    uint64_t mine[2] = {digest, ~digest}, all[2];
    PMPI_Allreduce(mine, all, 2, MPI_UINT64_T, MPI_MIN, MPI_COMM_WORLD);
    CHECK(all[0] == ~all[1], "round %d: ranks have counted different calls", round);
}

/* Each call was its own context's. */
static void tally(const struct star_communicator *state)
{
    for (const struct star_context *c = state->contexts.first; c; c = c->next) {
        const struct kind kind = {.reduces = c->operation == STAR_ALLREDUCE,
                                  .ints = (int)(c->facts.bytes / (int64_t)sizeof(int)),
                                  .in_place = c->facts.in_place,
                                  .commutative = c->facts.commutative};
        CHECK(kind.ints >= 1 && kind.ints <= INTS, "a context of %d ints", kind.ints);
        *count_of(&kind) -= c->subject.calls;
    }
    for (int i = 0; i < 2 * (INTS + 1) * 2 * 2; i++)
        CHECK((&made[0][0][0][0])[i] == 0, "%lld calls of kind %d are another's",
              (long long)(&made[0][0][0][0])[i], i);
}

/* Does the call go straight to native? */
static bool repeats_natively(struct star_communicator *state, struct star_call call)
{
    const struct star_repeat *known = star_repeat_find(state, call);
    return known != NULL && star_repeat_is_natives(state, known);
}

/* A call by a pointer to another function comes from the same place; and a method that is not native has
 * taken native's place since the call was remembered. */
static void only_what_is_natives_repeats(MPI_Comm comm, struct star_communicator *state)
{
    int both[2][12 * RANKS_MOST] = {{0}}, *one = both[0], *other = both[1]; /* apart by a multiple of ranks */
    struct star_call call = {.operation = STAR_ALLTOALL,
                             .sendbuf = one,
                             .sendcount = 1,
                             .sendtype = MPI_INT,
                             .recvbuf = other,
                             .recvcount = 1,
                             .recvtype = MPI_INT,
                             .comm = comm,
                             .site = (const void *)(uintptr_t)serve};
    struct star_context context = {.subject.untimed = 5, .straight = true};
    star_repeat_remember(state, &call, &context, &context.facts);
    call.operation = STAR_ALLGATHER;
    CHECK(!repeats_natively(state, call), "another operation is taken for the same");
    call.operation = STAR_ALLTOALL;
    call.root = 1;
    CHECK(!repeats_natively(state, call), "another root is taken for the same");
    call.root = 0;
    call.large = true;
    CHECK(!repeats_natively(state, call), "the binding of large counts is taken for the other");
    call.large = false;
    context.facts.bytes = rank > 0 ? (other - one) * (int64_t)sizeof(int) / rank : 0;
    star_repeat_remember(state, &call, &context, &context.facts);
    CHECK(repeats_natively(state, call) == (rank == 0),
          "one buffer where the own block lies is not looked at");
    call.operation = STAR_ALLREDUCE;
    star_repeat_remember(state, &call, &context, &context.facts);
    CHECK(repeats_natively(state, call), "where no rank has a block, two numbers side by side are looked at");
    call.operation = STAR_ALLTOALL;
    context.facts.bytes = 0;
    star_repeat_remember(state, &call, &context, &context.facts);
    context.subject.untimed = 5;
    CHECK(repeats_natively(state, call) && context.subject.untimed == 4, "a call does not repeat");
    context.straight = false;
    CHECK(!repeats_natively(state, call) && context.subject.untimed == 4,
          "a call of another method goes to native");
    star_repeats_forget(state);
    context.straight = true;
    CHECK(!repeats_natively(state, call), "a call is not forgotten");
    call.operation = STAR_ALLGATHERV; /* its size is told by what is in its counts */
    star_repeat_remember(state, &call, &context, &context.facts);
    CHECK(!repeats_natively(state, call), "a call is taken for one of other counts");
}

static struct kind draw(uint64_t *random, struct kind last)
{
    if (star_draw(random, 12) > 0)
        return last;
    struct kind kind = {.reduces = star_draw(random, 2),
                        .in_place = star_draw(random, 3) == 0,
                        .own_type = star_draw(random, 3) == 0,
                        .own_op = star_draw(random, 3) == 0,
                        .ints = 1 + (int)star_draw(random, INTS),
                        .site = star_draw(random, 2) ? (int)star_draw(random, SITES) : 0};
    kind.own_type = kind.own_type && !kind.reduces;
    kind.own_op = kind.own_op && kind.reduces;
    kind.commutative = !kind.own_op || star_draw(random, 2);
    return kind;
}

/* LEAST repeats at least: how many there are depends on times, where these decide. */
static void run(const char *methods, bool sites, int64_t least)
{
    struct star_why why = {""};
    star_runtime.only = (struct star_methods){0};
    CHECK(star_methods_parse(methods, &star_runtime.only, &why) == 0, "%s", why.text);
    star_runtime.settings.sites = sites;
    MPI_Comm comm;
    PMPI_Comm_dup(MPI_COMM_WORLD, &comm);
    memset(made, 0, sizeof made);
    repeats = 0;
    uint64_t random = 7;
    struct star_communicator *state = NULL;
    struct kind kind = {.ints = 1, .commutative = true};
    for (int round = 0; round < CALLS; round++) {
        kind = draw(&random, kind);
        kind.wrong = kind.reduces && kind.ints > 1 && !kind.in_place && star_draw(&random, 8) == 0;
        (kind.reduces ? reduce : exchange)(comm, &kind, round);
        *count_of(&kind) += !kind.wrong;
        star_communicator_of(comm, &state);
        if (round % 50 == 0)
            compare(state, round);
    }
    compare(state, CALLS);
    CHECK(!state->site_mismatch, "ranks call from different places");
    tally(state);
    only_what_is_natives_repeats(comm, state);
    CHECK(repeats >= least, "only %lld repeats", (long long)repeats);
    MPI_Comm_free(&comm);
    star_methods_free(&star_runtime.only);
}

int main(int argc, char **argv)
{
    int all;
    MPI_Init(&argc, &argv);
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &size);
    PMPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN); /* and of duplicates */
    srand((unsigned)rank + 1);
    check_begin();
    star_runtime.settings.tune_after = 0;
    star_runtime.settings.iter = 2;
    star_runtime.settings.delta_most = 4;
    for (int sites = 0; sites < 2; sites++) {
        star_runtime.settings.sample = 10000;
        run("alltoall:native;allreduce:native", sites, CALLS / 8);
        star_runtime.settings.sample = 16;
        run("alltoall:native;alltoall:ring;allreduce:native;allreduce:ring", sites, 0);
        run("", sites, 0);
    }
    star_finish();
    PMPI_Allreduce(&failures, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    PMPI_Finalize();
    return all != 0;
}

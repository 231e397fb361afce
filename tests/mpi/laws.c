/* SPDX-License-Identifier: BSD-3-Clause
 * Laws of the architecture that can only be seen from inside of the runtime: laws NAME, on 4 ranks or so. */
#include "algorithms/method.h"
#include "algorithms/methods.h"
#include "algorithms/operations.h"
#include "check.h"
#include "functions/forced.h"
#include "plan/build.h"
#include "plan/plan.h"
#include "runtime/call.h"
#include "runtime/communicator.h"
#include "runtime/dispatch.h"
#include "runtime/operations.h"
#include "runtime/runners.h"
#include "runtime/session.h"
#include "runtime/siblings.h"
#include "runtime/start.h"
#include "runtime/state.h"
#include "tuner/decision.h"
#include "tuner/tuner.h"
#include "tuner/tuning.h"
#include "util/settings.h"
#include "util/why.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct star_communicator *state_of(MPI_Comm comm)
{
    struct star_communicator *state;
    return star_communicator_of(comm, &state) == MPI_SUCCESS ? state : NULL;
}

static int failures, rank, size;

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

enum { RANKS_MOST = 16, INTS_MOST = 64 };

static int number(int from, int to, int i, int round)
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

/* A call of INTS ints a pair, checked. The datatypes are each rank's own: odd ranks send blocks with gaps,
 * the others receive them. */
static void exchange(MPI_Comm comm, int ints, int round)
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

static uint64_t mix(uint64_t digest, int64_t value)
{
    return (digest ^ (uint64_t)value) * 1099511628211u;
}

/* Where all tuners of a communicator stand. */
static uint64_t digest_of(const struct star_communicator *state, int *agreements)
{
    uint64_t digest = mix(14695981039346656037u, state->tuned);
    *agreements = 0;
    for (const struct star_context *c = state->contexts.first; c; c = c->next) {
        digest = mix(mix(mix(digest, c->facts.bytes), c->current), c->subject.calls);
        *agreements += (int)c->subject.agreements;
        if (c->subject.tuner == NULL)
            continue;
        digest = mix(mix(digest, star_tuner_candidate(c->subject.tuner)),
                     (int64_t)star_tuner_stage(c->subject.tuner));
        digest = mix(mix(digest, star_tuner_delta(c->subject.tuner)), star_tuner_counts(c->subject.tuner));
        for (int m = 0; m < c->candidates.count; m++)
            digest = mix(digest, star_tuner_is_shut_out(c->subject.tuner, m));
    }
    return digest;
}

static bool is_equal_everywhere(uint64_t value)
{
    uint64_t mine[2] = {value, ~value}, all[2];
    PMPI_Allreduce(mine, all, 2, MPI_UINT64_T, MPI_MIN, MPI_COMM_WORLD);
    return all[0] == ~all[1];
}

static void dawdle(void)
{
    if (rand() % 8 == 0)
        usleep((useconds_t)(rand() % 400));
}

static struct star_context *only_context(struct star_communicator *state)
{
    return state->contexts.first;
}

static void quick_settings(void)
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

/* Law 1: ranks that are late at random, with datatypes of their own, go through the same methods, call by
 * call. */
static void ranks_decide_together(void)
{
    quick_settings();
    for (int way = 0; way < 2 * STAR_STRATEGIES; way++) {
        MPI_Comm comm;
        int agreements = 0;
        PMPI_Comm_dup(MPI_COMM_WORLD, &comm);
        star_runtime.settings.strategy = way / 2;
        star_runtime.settings.estimator = way % 2 ? STAR_MAX_OF_FILTERED_MEAN : STAR_MIN_OF_MEAN;
        for (int round = 0; round < 250; round++) {
            dawdle();
            exchange(comm, round % 3 == 0 ? 1 : round % 3 == 1 ? 7 : 64, round);
            uint64_t digest = digest_of(state_of(comm), &agreements);
            bool equal = is_equal_everywhere(digest);
            CHECK(equal, "after call %d the ranks stand at different places", round);
        }
        CHECK(agreements >= 12, "only %d agreements", agreements);
        PMPI_Comm_free(&comm);
    }
}

static void exchange_all(struct star_builder *b, const struct star_shape *shape)
{
    int64_t n = shape->block;
    for (int i = 0; i < shape->size; i++)
        if (i != shape->rank) {
            star_build_recv(b, i, star_at(STAR_RECVBUF, i * n), n);
            star_build_send(b, i, star_at(STAR_SENDBUF, i * n), n);
        }
    star_build_copy(b, star_at(STAR_RECVBUF, shape->rank * n), star_at(STAR_SENDBUF, shape->rank * n), n);
}

/* Needs more than any bound on rank 1, and nothing elsewhere. */
static void build_unable(struct star_builder *b, const struct star_shape *shape)
{
    if (shape->rank == 1)
        star_build_temp(b, INT64_MAX / 2);
    exchange_all(b, shape);
}

/* Right, and slower than any native: many rounds that only wait. */
static void build_crawling(struct star_builder *b, const struct star_shape *shape)
{
    int64_t n = shape->block;
    struct star_place in = star_build_temp(b, n), out = star_build_temp(b, n);
    int me = shape->rank, all = shape->size;
    star_build_copy(b, out, star_at(STAR_SENDBUF, 0), n);
    for (int i = 0; i < 60; i++) {
        star_build_round(b);
        star_build_recv(b, (me + all - 1) % all, in, n);
        star_build_send(b, (me + 1) % all, out, n);
    }
    star_build_round(b);
    exchange_all(b, shape);
}

static const struct star_algorithm unable = {
    .operation = STAR_ALLTOALL, .name = "unable", .optimises = "node contention", .build = build_unable};
static const struct star_algorithm unable_alone = {
    .operation = STAR_ALLTOALL, .name = "unable-alone", .optimises = "nothing else", .build = build_unable};
static const struct star_algorithm crawling = {.operation = STAR_ALLTOALL,
                                               .name = "crawling",
                                               .optimises = "nothing",
                                               .knobs = {{.name = "sync", .is_sync = true}},
                                               .build = build_crawling};

static struct star_methods list_of(const struct star_method *methods, int count)
{
    struct star_methods list = {malloc((size_t)count * sizeof *methods), count};
    memcpy(list.at, methods, (size_t)count * sizeof *methods);
    return list;
}

/* The race tries what is worth it, by the machine's times: it may have to go on. */
static bool were_all_met(const struct star_context *context)
{
    return star_tuner_is_shut_out(context->subject.tuner, 1) &&
           star_tuner_is_shut_out(context->subject.tuner, 2) && context->subject.tally[3].calls > 0;
}

/* Law 1: a method that one rank cannot make is left out by all. */
static void all_leave_out_what_one_cannot_make(void)
{
    enum { ROUNDS = 60, ROUNDS_MOST = 100000 };
    struct star_method three[3] = {{.algorithm = &unable}, {.algorithm = &unable_alone}};
    star_method_parse("alltoall:ring", &three[2], NULL);
    star_runtime.only = list_of(three, 3);
    quick_settings();
    for (int strategy = STAR_EXHAUSTIVE; strategy < STAR_STRATEGIES; strategy++) {
        MPI_Comm comm;
        int agreements;
        star_runtime.settings.strategy = strategy;
        PMPI_Comm_dup(MPI_COMM_WORLD, &comm);
        const struct star_context *context = NULL;
        for (int round = 0;
             round < ROUNDS || (strategy == STAR_RACE && round < ROUNDS_MOST && !were_all_met(context));
             round++) {
            exchange(comm, 3, round);
            bool equal = is_equal_everywhere(digest_of(state_of(comm), &agreements));
            CHECK(equal, "after call %d the ranks stand at different places", round);
            context = round >= ROUNDS - 1 ? only_context(state_of(comm)) : NULL;
        }
        CHECK(context->candidates.count == 4, "%d candidates", context->candidates.count);
        for (int i = 0; i < 4; i++)
            CHECK(star_tuner_is_shut_out(context->subject.tuner, i) == (i == 1 || i == 2), "candidate %d", i);
        CHECK(context->subject.tally[3].calls > 0 && context->subject.tally[1].calls == 0,
              "the wrong ones ran");
        PMPI_Comm_free(&comm);
    }
    star_methods_free(&star_runtime.only);
    star_methods_parse("", &star_runtime.only, NULL);
}

/* The same where that method is forced: native on all. */
static void all_run_native_where_one_cannot_make_the_forced(void)
{
    struct star_method forced = {.algorithm = &unable};
    int agreements;
    star_runtime.force = list_of(&forced, 1);
    for (int round = 0; round < 20; round++)
        exchange(MPI_COMM_WORLD, 3, round);
    struct star_communicator *state = state_of(MPI_COMM_WORLD);
    const struct star_context *context = only_context(state);
    bool equal = is_equal_everywhere(digest_of(state, &agreements));
    CHECK(equal, "ranks differ");
    CHECK(context->runner == NULL && star_is_native(&context->candidates.at[0]), "it is not native");
}

/* Every method was tried, and one of them chosen. */
static bool is_decided(const struct star_context *context)
{
    for (int i = 0; i < context->candidates.count; i++)
        if (context->subject.tally[i].calls == 0)
            return false;
    return star_tuner_stage(context->subject.tuner) == STAR_MONITOR;
}

/* Law 3: native is the first one tried, and where all others are slower, it is what remains. The strategy is
 * one that tries them all, however much agreeing takes. */
static void native_is_first_and_last(void)
{
    struct star_method slow = {.algorithm = &crawling, .knob = {STAR_SYNC_BARRIER}};
    star_runtime.only = list_of(&slow, 1);
    quick_settings();
    star_runtime.settings.strategy = STAR_EXHAUSTIVE;
    star_runtime.settings.estimator = STAR_MIN_OF_MEAN;
    star_runtime.settings.iter = 5;
    star_runtime.settings.tune_after = 0;
    exchange(MPI_COMM_WORLD, 2, 0);
    const struct star_context *context = only_context(state_of(MPI_COMM_WORLD));
    CHECK(context->current == 0 && star_is_native(&context->candidates.at[0]), "native is not tried first");
    for (int round = 1; round < 100 && !is_decided(context); round++)
        exchange(MPI_COMM_WORLD, 2, round);
    CHECK(context->candidates.count == 2 && is_decided(context), "the slow one was not tried");
    exchange(MPI_COMM_WORLD, 2, 0);
    CHECK(context->current == 0, "native is not what remains");
}

/* Has the communicator begun to count what its calls take? */
static bool counts_calls(MPI_Comm comm)
{
    return state_of(comm)->contexts.first != NULL;
}

/* Nothing is set up before calls promise to pay for it; and communicators may be short-lived. */
static void set_up_when_it_pays(void)
{
    enum { FIRST_LOOK = 64 };
    MPI_Comm comm;
    star_runtime.settings.tune_after = -1;
    for (int round = 0; round < FIRST_LOOK; round++)
        exchange(MPI_COMM_WORLD, 2, round);
    struct star_communicator *world = state_of(MPI_COMM_WORLD);
    CHECK(!world->tuned && only_context(world)->early, "short calls are tuned at the first look");
    world->contexts.first->subject.nanoseconds += INT64_C(1000000000000); /* as if they had been long */
    for (int round = FIRST_LOOK; round < 2 * FIRST_LOOK - 1; round++)
        exchange(MPI_COMM_WORLD, 2, round);
    CHECK(!world->tuned, "the ranks do not wait for the second look");
    exchange(MPI_COMM_WORLD, 2, 0);
    CHECK(world->tuned && !only_context(world)->early, "long calls are not tuned at the second look");
    PMPI_Comm_dup(MPI_COMM_WORLD, &comm);
    star_communicator_made("MPI_Comm_dup", MPI_COMM_WORLD, comm, true);
    for (int round = 0; round < 3; round++)
        exchange(comm, 2, round);
    CHECK(!counts_calls(comm), "a communicator of three calls has a context");
    exchange(comm, 2, 3);
    CHECK(counts_calls(comm), "a communicator of four calls has none");
    MPI_Comm_free(&comm);
    for (int child = 1; child < 20; child++) { /* the last one is one of many */
        PMPI_Comm_dup(MPI_COMM_WORLD, &comm);
        star_communicator_made("MPI_Comm_dup", MPI_COMM_WORLD, comm, true);
        if (child < 19)
            MPI_Comm_free(&comm);
    }
    for (int round = 0; round < 100; round++)
        exchange(comm, 2, round);
    CHECK(!counts_calls(comm), "one of many communicators has a context after a hundred calls");
    exchange(comm, 2, 100);
    CHECK(counts_calls(comm), "one of many communicators has none after 101 calls");
    MPI_Comm_free(&comm);
}

/* A broadcast of INTS ints from rank 0, checked. */
static void broadcast(MPI_Comm comm, int ints, int round)
{
    int buffer[4096];
    for (int i = 0; i < ints; i++)
        buffer[i] = rank == 0 ? number(0, 0, i, round) : -1;
    const struct star_call call = {.operation = STAR_BCAST,
                                   .sendbuf = buffer,
                                   .sendcount = ints,
                                   .sendtype = MPI_INT,
                                   .recvbuf = buffer,
                                   .recvcount = ints,
                                   .recvtype = MPI_INT,
                                   .comm = comm,
                                   .site = __builtin_return_address(0)};
    CHECK(star_dispatch(&call, state_of(comm)) == MPI_SUCCESS, "a broadcast fails");
    for (int i = 0; i < ints; i++)
        CHECK(buffer[i] == number(0, 0, i, round), "round %d of %d ints: number %d is wrong", round, ints, i);
}

static const struct star_context *context_of(const struct star_communicator *state, int64_t bytes)
{
    for (const struct star_context *context = state->contexts.first; context; context = context->next)
        if (context->facts.bytes == bytes)
            return context;
    return NULL;
}

/* Where ranks talk, the first context of an operation talks at once, as do those of long messages; further
 * ones of short messages once they have had many calls. */
static void short_broadcasts_begin_late(void)
{
    enum { SHORT = 8, MIDDLE = 500, LONG = 4000, LATE = 64, LESS_LATE = 8 };
    struct star_communicator *world = state_of(MPI_COMM_WORLD);
    star_runtime.settings.tune_after = -1;
    broadcast(MPI_COMM_WORLD, 1, 0);
    CHECK(context_of(world, 4) != NULL && context_of(world, 4)->talks, "the first context does not talk");
    for (int round = 0; round < 40; round++)
        broadcast(MPI_COMM_WORLD, 1, round);
    broadcast(MPI_COMM_WORLD, LONG, 0);
    const struct star_context *of_short = NULL;
    CHECK(context_of(world, 4L * LONG) != NULL && context_of(world, 4L * LONG)->talks, "long messages wait");
    for (int round = 0; round < LATE; round++) {
        broadcast(MPI_COMM_WORLD, SHORT, round);
        of_short = context_of(world, 4L * SHORT);
        CHECK(of_short != NULL && of_short->early == (round < LATE - 1), "short ones at call %d", round + 1);
    }
    CHECK(of_short->candidates.count > 1 && of_short->talks, "they have nothing to choose from");
    for (int round = 0; round < LESS_LATE; round++)
        broadcast(MPI_COMM_WORLD, MIDDLE, round);
    CHECK(!context_of(world, 4L * MIDDLE)->early, "messages of middle length are early after 8 calls");
    for (int round = 0; round < 400; round++)
        broadcast(MPI_COMM_WORLD, SHORT, round);
    CHECK(!of_short->fresh && of_short->subject.tuner != NULL, "what they talk about is never settled");
}

/* Law 4: startune's messages travel where the program has no part, and those of communicators that live at
 * the same time have different tags. */
static void messages_are_private(void)
{
    enum { CYCLES = 20, ALIVE = 4 };
    MPI_Comm comm[ALIVE];
    star_runtime.settings.tune_after = 1;
    for (int cycle = 0; cycle < CYCLES; cycle++) {
        int alike;
        for (int i = 0; i < ALIVE; i++) {
            PMPI_Comm_dup(MPI_COMM_WORLD, &comm[i]);
            exchange(comm[i], 2, cycle);
            CHECK(!state_of(comm[i])->tuned, "it is tuned after one call");
            exchange(comm[i], 2, cycle);
            const struct star_communicator *state = state_of(comm[i]);
            PMPI_Comm_compare(comm[i], state->route.comm, &alike);
            CHECK(state->tuned && alike == MPI_CONGRUENT, "its messages have no communicator of their own");
            for (int k = 0; k < i; k++)
                CHECK(state_of(comm[k])->route.tag != state->route.tag, "two have one tag");
        }
        CHECK(star_runtime.tuned_communicators == ALIVE, "%d tuned", star_runtime.tuned_communicators);
        for (int i = 0; i < ALIVE; i++)
            PMPI_Comm_free(&comm[i]);
        CHECK(star_runtime.tuned_communicators == 0, "%d tuned after the end",
              star_runtime.tuned_communicators);
    }
}

/* Makes a runner of the method for blocks of BYTES, and leaves it idle. */
static void leave_idle(struct star_communicator *state, const char *spelling, int64_t bytes, int root)
{
    struct star_method method;
    struct star_why why = {""};
    struct star_facts facts = {.bytes = bytes, .granule = 1, .root = root, .commutative = true};
    CHECK(star_method_parse(spelling, &method, &why) == 0, "%s", why.text);
    struct star_shared_runner *runner = star_runner_acquire(state, &method, &facts);
    CHECK(runner != NULL, "%s cannot be made", spelling);
    star_runner_release(state, runner);
}

/* What idle runners keep, and how many of them do. */
static int64_t idle_of(const struct star_communicator *state, int *count)
{
    int64_t bytes = 0;
    *count = 0;
    for (const struct star_shared_runner *shared = state->runners.oldest; shared; shared = shared->behind) {
        CHECK(shared->users == 0, "%d use an idle runner", shared->users);
        bytes += (int64_t)star_shared_runner_bytes(shared);
        ++*count;
    }
    CHECK(bytes == state->runners.idle_bytes && *count == state->runners.idle,
          "%d runners of %lld bytes are idle, and %lld of %lld are counted", *count, (long long)bytes,
          (long long)state->runners.idle, (long long)state->runners.idle_bytes);
    return bytes;
}

/* Idle runners keep a bounded amount, however many methods and sizes there were; the same ones on all ranks,
 * which would wait for each other else. */
static void idle_runners_keep_little(void)
{
    enum { KEPT = 64 << 20, SIZES = 60 };
    static const char *const of_rank[] = {"allgather:bruck", "gather:knomial", "scatter:knomial",
                                          "reduce_scatter_block:halving"};
    int count;
    star_runtime.settings.tune_after = 0;
    exchange(MPI_COMM_WORLD, 2, 0);
    struct star_communicator *state = state_of(MPI_COMM_WORLD);
    for (int i = 0; i < 20; i++)
        leave_idle(state, of_rank[i % 4], (1 << 20) - i, i % size);
    idle_of(state, &count);
    CHECK(count <= 2, "%d runners of all-gathers and the like, of 4 MB all together, are idle", count);
    for (int i = 0; i < 3 * SIZES; i++) {
        leave_idle(state, "alltoall:bruck", (1 << 20) / size - i % SIZES, 0);
        int64_t bytes = idle_of(state, &count);
        bool equal = is_equal_everywhere((uint64_t)count);
        CHECK(bytes < KEPT + (8 << 20), "%lld bytes are idle", (long long)bytes);
        CHECK(equal, "after %d runners not all ranks keep as many", i);
    }
    CHECK(count > 5, "only %d runners are kept", count);
}

/* What was made lately is found again, and no rank makes it anew; what was used longest ago is forgotten. */
static void idle_runners_are_found(void)
{
    static const char *const methods[] = {"bcast:binomial", "bcast:chain", "reduce:binomial",
                                          "allgatherv:ring"};
    star_runtime.settings.tune_after = 0;
    exchange(MPI_COMM_WORLD, 2, 0);
    struct star_communicator *state = state_of(MPI_COMM_WORLD);
    const int64_t *made = &state->runners.made, most = 64 + 2 * size;
    for (int64_t i = 0; i < 8 * most; i++)
        leave_idle(state, methods[i / 2 % 3], 8 + i / 6, (int)(i % 2));
    int64_t before = *made;
    for (int64_t i = 7 * most; i < 8 * most; i++)
        leave_idle(state, methods[i / 2 % 3], 8 + i / 6, (int)(i % 2));
    CHECK(*made == before, "%lld of those used last were made anew", (long long)(*made - before));
    leave_idle(state, methods[0], 8, 0);
    CHECK(*made == before + 1, "one used long ago is kept");
    leave_idle(state, methods[3], 1000, 0);
    leave_idle(state, methods[3], 5000, 0);
    before = *made;
    for (int bytes = 4000; bytes > 2; bytes /= 2)
        leave_idle(state, methods[3], bytes, 0);
    CHECK(*made == before, "what a plan in units serves is made anew");
    leave_idle(state, methods[3], 10000, 0);
    CHECK(*made == before + 1, "a plan serves more bytes than its memory was agreed on for");
}

/* As a walk along all contexts would. */
static const struct star_context *nearest_of(const struct star_contexts *contexts,
                                             const struct star_context *wanted)
{
    const struct star_context *best = NULL;
    double least = INFINITY;
    for (const struct star_context *c = contexts->first; c; c = c->next) {
        double apart = fabs(log((double)c->facts.bytes / (double)wanted->facts.bytes));
        if (c->operation != wanted->operation || c->site != wanted->site ||
            c->facts.in_place != wanted->facts.in_place ||
            c->facts.commutative != wanted->facts.commutative || apart > least * (1 + 1e-12))
            continue;
        if (apart < least * (1 - 1e-12) || best == NULL || c->facts.bytes < best->facts.bytes)
            best = c;
        least = fmin(least, apart);
    }
    return best;
}

static struct star_context any_context(void)
{
    return (struct star_context){
        .operation = (enum star_operation)(rand() % 3),
        .site = (uint64_t)(rand() % 300),
        .facts = {.bytes = 1 + rand() % 40, .in_place = rand() % 4 == 0, .commutative = rand() % 4 > 0}};
}

static void contexts_are_found_among_thousands(void)
{
    enum { COUNT = 5000, ASKED = 5000 };
    struct star_context *all = calloc(COUNT, sizeof *all);
    struct star_contexts contexts = {0};
    int count = 0, known = 0;
    for (int i = 0; i < COUNT + ASKED; i++) {
        struct star_context one = any_context();
        const struct star_context *nearest = nearest_of(&contexts, &one),
                                  *found = star_contexts_find(&contexts, one.operation, &one.facts, one.site);
        bool is_known = nearest != NULL && nearest->facts.bytes == one.facts.bytes;
        CHECK(found == (is_known ? nearest : NULL), "a context is %sfound", found ? "" : "not ");
        CHECK(star_contexts_nearest(&contexts, one.operation, &one.facts, one.site) == nearest,
              "another context than the nearest one of %lld bytes is found", (long long)one.facts.bytes);
        known += is_known;
        if (found != NULL || i >= COUNT)
            continue;
        all[count] = one;
        int64_t before = star_contexts_count(&contexts, one.operation, one.site);
        CHECK(star_contexts_make_room(&contexts, one.operation, one.site), "out of memory");
        star_contexts_add(&contexts, &all[count++]);
        CHECK(star_contexts_count(&contexts, one.operation, one.site) == before + 1,
              "siblings are miscounted");
    }
    CHECK(known > 100 && count > COUNT / 2, "%d were known of %d", known, count);
    star_contexts_forget(&contexts);
    free(all);
}

static const struct {
    const char *name;
    void (*test)(void);
} laws[] = {
    {"ranks-decide-together", ranks_decide_together},
    {"all-leave-out-what-one-cannot-make", all_leave_out_what_one_cannot_make},
    {"all-run-native-where-one-cannot-make-the-forced", all_run_native_where_one_cannot_make_the_forced},
    {"native-is-first-and-last", native_is_first_and_last},
    {"set-up-when-it-pays", set_up_when_it_pays},
    {"short-broadcasts-begin-late", short_broadcasts_begin_late},
    {"messages-are-private", messages_are_private},
    {"idle-runners-keep-little", idle_runners_keep_little},
    {"idle-runners-are-found", idle_runners_are_found},
    {"contexts-are-found-among-thousands", contexts_are_found_among_thousands},
};

int main(int argc, char **argv)
{
    int all, found = 0;
    MPI_Init(&argc, &argv);
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &size);
    srand((unsigned)rank + 1);
    setenv("STARTUNE", "on", 1);
    setenv("STARTUNE_SUMMARY", "off", 1);
    star_start(star_forced_split);
    CHECK(star_active, "startune is not active");
    for (size_t i = 0; i < sizeof laws / sizeof *laws; i++)
        if (argc > 1 && strcmp(argv[1], laws[i].name) == 0) {
            laws[i].test();
            found = 1;
        }
    CHECK(found, "no law %s", argc > 1 ? argv[1] : "named");
    star_finish();
    PMPI_Allreduce(&failures, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    PMPI_Finalize();
    return all != 0;
}

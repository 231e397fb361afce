/* SPDX-License-Identifier: BSD-3-Clause
 * All ranks decide the same, call by call, whatever each has for itself. */
#include "laws.h"
#include "algorithms/method.h"
#include "algorithms/operations.h"
#include "check.h"
#include "runtime/session.h"
#include "tuner/decision.h"
#include "tuner/tuner.h"
#include "tuner/tuning.h"
#include "util/hash.h"
#include "util/settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static uint64_t add(uint64_t digest, const int64_t *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        digest = star_hash_add(digest, (uint64_t)values[i]);
    return digest;
}

/* Where all tuners of a communicator stand. */
static uint64_t digest_of(const struct star_communicator *state, int *agreements)
{
    uint64_t digest = star_hash_add(star_hash_empty, state->tuned);
    *agreements = 0;
    for (const struct star_context *c = state->contexts.first; c; c = c->next) {
        const struct star_tuner *tuner = c->subject.tuner;
        const int64_t calls[] = {c->facts.bytes, c->current, c->subject.calls};
        digest = add(digest, calls, sizeof calls / sizeof *calls);
        *agreements += (int)c->subject.agreements;
        if (tuner == NULL)
            continue;
        const int64_t stands[] = {star_tuner_candidate(tuner), star_tuner_stage(tuner),
                                  star_tuner_delta(tuner), star_tuner_counts(tuner)};
        digest = add(digest, stands, sizeof stands / sizeof *stands);
        for (int m = 0; m < c->candidates.count; m++)
            digest = star_hash_add(digest, star_tuner_is_shut_out(tuner, m));
    }
    return digest;
}

static void dawdle(void)
{
    if (rand() % 8 == 0)
        usleep((useconds_t)(rand() % 400));
}

/* Ranks that are late at random, with datatypes of their own, go through the same methods, call by
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

/* Needs more than any bound on rank 1, and nothing elsewhere. */
static void build_unable(struct star_builder *b, const struct star_shape *shape)
{
    if (shape->rank == 1)
        star_build_temp(b, INT64_MAX / 2);
    exchange_all(b, shape);
}

static const struct star_algorithm unable = {
    .operation = STAR_ALLTOALL, .name = "unable", .optimises = "node contention", .build = build_unable};
static const struct star_algorithm unable_alone = {
    .operation = STAR_ALLTOALL, .name = "unable-alone", .optimises = "nothing else", .build = build_unable};

/* The race tries what is worth it, by the machine's times: it may have to go on. */
static bool were_all_met(const struct star_context *context)
{
    return star_tuner_is_shut_out(context->subject.tuner, 1) &&
           star_tuner_is_shut_out(context->subject.tuner, 2) && context->subject.tally[3].calls > 0;
}

/* A method that one rank cannot make is left out by all. */
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

const struct law together_laws[] = {
    {"ranks-decide-together", ranks_decide_together},
    {"all-leave-out-what-one-cannot-make", all_leave_out_what_one_cannot_make},
    {"all-run-native-where-one-cannot-make-the-forced", all_run_native_where_one_cannot_make_the_forced},
    {NULL, NULL},
};

/* SPDX-License-Identifier: BSD-3-Clause
 * Native is tried first, and remains where nothing is faster. */
#include "laws.h"
#include "algorithms/method.h"
#include "algorithms/operations.h"
#include "check.h"
#include "runtime/session.h"
#include "tuner/tuner.h"
#include "tuner/tuning.h"
#include "util/settings.h"

#include <stdio.h>

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

static const struct star_algorithm crawling = {.operation = STAR_ALLTOALL,
                                               .name = "crawling",
                                               .optimises = "nothing",
                                               .knobs = {{.name = "sync", .is_sync = true}},
                                               .build = build_crawling};

/* Every method was tried, and one of them chosen. */
static bool is_decided(const struct star_context *context)
{
    for (int i = 0; i < context->candidates.count; i++)
        if (context->subject.tally[i].calls == 0)
            return false;
    return star_tuner_stage(context->subject.tuner) == STAR_MONITOR;
}

/* Native is the first one tried, and where all others are slower, it is what remains. The strategy is
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

const struct law native_laws[] = {
    {"native-is-first-and-last", native_is_first_and_last},
    {NULL, NULL},
};

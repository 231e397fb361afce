/* SPDX-License-Identifier: BSD-3-Clause */
#include "runs.h"
#include "algorithms/forecast.h"
#include "algorithms/method.h"
#include "algorithms/operations.h"
#include "cli/common/progress.h"
#include "plan/cost.h"
#include "plan/plan.h"
#include "replay/run.h"
#include "replay/trace.h"
#include "replay/truth.h"
#include "topology/network.h"
#include "tuner/networks.h"
#include "tuner/strategies.h"
#include "util/clock.h"
#include "util/prospect.h"
#include "util/why.h"
#include "wisdom/fact.h"

#include <math.h>
#include <stdlib.h>

struct star_moment *cli_replay_moments(const struct cli_replay *replay, int trace, int contender, int repeat)
{
    return replay->at +
           (((ptrdiff_t)trace * replay->contenders + contender) * replay->repeats + repeat) * replay->moments;
}

/* What an earlier run of so many CALLS would have left behind. */
static int learn(const struct star_replay_run *run, int64_t calls, struct star_replay_seen *seen,
                 struct star_why *why)
{
    struct star_replay_run earlier = *run;
    struct star_moment end = {.calls = calls};
    earlier.seed += 1u << 20;
    earlier.seen = seen;
    int error = star_replay(&earlier, &end, 1, why);
    for (int i = 0; i < seen->count; i++)
        seen->of[i].count = fmin(seen->of[i].count, STAR_FACT_RUN);
    return error;
}

/* What a program's first context, that of the trace before it of as many ranks and another operation, finds
 * out of the network. */
static int look_around(const struct cli_replay *replay, int trace, const struct star_replay_run *run,
                       struct star_networks *networks, struct star_why *why)
{
    int other = trace, count = replay->traces.count;
    do
        other = (other + count - 1) % count;
    while (other != trace && (replay->traces.at[other].ranks != replay->traces.at[trace].ranks ||
                              replay->traces.at[other].operation == replay->traces.at[trace].operation));
    if (other == trace)
        return 0;
    struct star_replay_run first = *run;
    struct star_moment end = {.calls = replay->earlier};
    first.truth = &replay->truth[other];
    first.forecast = replay->predicts ? replay->traces.at[other].predicted : NULL;
    first.seed += 1u << 21;
    first.networks = networks;
    return star_replay(&first, &end, 1, why);
}

static int run_one(const struct cli_replay *replay, int trace, int contender, int repeat,
                   struct star_why *why)
{
    struct star_replay_seen seen;
    struct star_moment *moments = cli_replay_moments(replay, trace, contender, repeat);
    /* Of two seeds no run is the same. */
    uint64_t seed = (uint64_t)(replay->seed - 1) * (uint64_t)replay->repeats + 1 + (uint64_t)repeat;
    struct star_replay_run run = {.truth = &replay->truth[trace], .tuning = replay->tuning, .seed = seed};
    run.forecast = replay->predicts ? replay->traces.at[trace].predicted : NULL;
    run.tuning.strategy = replay->contender[contender].strategy;
    run.tuning.estimator = star_estimator_of(run.tuning.strategy, replay->tuning.estimator);
    for (int i = 0; i < replay->moments; i++)
        moments[i].calls = replay->moment_calls[i];
    int error = 0;
    struct star_networks networks = {.contexts = 0};
    if (replay->contender[contender].kind == CLI_SECOND) {
        error = look_around(replay, trace, &run, &networks, why);
        run.networks = &networks;
    }
    if (replay->contender[contender].kind == CLI_ONCE) {
        star_replay_once(run.truth, moments, replay->moments);
        return 0;
    }
    if (replay->contender[contender].kind == CLI_WISDOM) {
        error = learn(&run, replay->earlier, &seen, why);
        run.known = &seen;
        double share = (double)seen.count / replay->traces.at[trace].methods.count;
        run.confidence = share * share;
    }
    return error ? error : star_replay(&run, moments, replay->moments, why);
}

int cli_replay_find_truth(struct cli_replay *replay, struct star_why *why)
{
    int error = 0;
    replay->truth = calloc((size_t)replay->traces.count, sizeof *replay->truth);
    if (replay->truth == NULL)
        return star_because(why, STAR_EMEMORY, "out of memory for a replay");
    for (int t = 0; !error && t < replay->traces.count; t++)
        error = star_truth_make(&replay->truth[t], &replay->traces.at[t], why);
    return error;
}

int cli_replay_run(struct cli_replay *replay, struct star_why *why)
{
    size_t runs = (size_t)replay->traces.count * (size_t)replay->contenders * (size_t)replay->repeats;
    int64_t begin = star_now();
    replay->at = calloc(runs * (size_t)replay->moments, sizeof *replay->at);
    if (replay->at == NULL)
        return star_because(why, STAR_EMEMORY, "out of memory for a replay");
    int error = cli_replay_find_truth(replay, why);
    for (int t = 0; !error && t < replay->traces.count; t++) {
        for (int c = 0; !error && c < replay->contenders; c++)
            for (int r = 0; !error && r < replay->repeats; r++)
                error = run_one(replay, t, c, r, why);
        cli_progress("", (double)(t + 1) / replay->traces.count, begin);
    }
    cli_progress_end();
    return error;
}

/* Of all methods of a trace, in seconds: a trace is of a few ranks. */
static const double patience = 3600;

static void foresee(const struct star_trace *trace, const struct star_network *network, const int *node)
{
    const struct star_forecast_terms terms = {
        .parameters = star_cost_presets, .temp_limit = INT64_MAX, .patience = patience, .parts = true};
    struct star_shape shape = star_shape_of(trace->ranks, trace->bytes);
    shape.units = star_operations[trace->operation].units;
    shape.network = network;
    shape.node = node;
    for (int i = 0; i < trace->methods.count; i++)
        trace->predicted[i] = STAR_NO_PROSPECT;
    star_forecast(&trace->methods, &shape, &terms, trace->predicted);
}

static int foresee_on(struct cli_placed *on, const struct star_trace *trace, struct star_why *why)
{
    if (trace->ranks > on->slots)
        return star_because(why, STAR_EINPUT, "%s: its %d ranks need more than the %lld slots of %s",
                            trace->from, trace->ranks, (long long)on->slots, on->file);
    int error = cli_placed_put(on, trace->ranks, why);
    if (!error)
        foresee(trace, on->network, on->node);
    cli_placed_clear(on);
    return error;
}

int cli_replay_foresee(struct cli_replay *replay, struct star_why *why)
{
    int error = cli_placed_read(&replay->on, why);
    for (int t = 0; !error && t < replay->traces.count; t++)
        error = foresee_on(&replay->on, &replay->traces.at[t], why);
    cli_placed_free(&replay->on);
    return error;
}

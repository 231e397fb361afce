/* SPDX-License-Identifier: BSD-3-Clause */
#include "foresee.h"
#include "algorithms/forecast.h"
#include "plan/cost.h"

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

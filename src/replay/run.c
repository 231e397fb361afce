/* SPDX-License-Identifier: BSD-3-Clause
 * One run. All ranks but one are taken to be alike: the slowest of each call is one rank, and the others make
 * up the mean. */
#include "replay/replay.h"
#include "util/random.h"

#include <math.h>
#include <string.h>

const double star_replay_near = 0.05;

enum { OTHERS, SLOWEST, TUNERS };

struct state {
    const struct star_run *run;
    struct star_tuner *tuner[TUNERS];
    uint64_t random;
    double begin;       /* the share of the trace at which the run begins */
    int64_t calls, row; /* in all; of the current method in a row, from 1 on */
    int method, burst, position;
    int untimed; /* calls until the next one that is timed */
    bool made[STAR_CANDIDATES_MAX];
    double spread[STAR_CANDIDATES_MAX]; /* of what was seen: the sum of squared differences from the mean */
    struct star_moment now;
};

static double along(const struct state *state)
{
    double all;
    return modf(state->begin + (double)state->calls / state->run->truth->trace->samples, &all);
}

/* One of the method's bursts that were recorded about now. */
static void enter_burst(struct state *state, bool first)
{
    const struct star_truth *truth = state->run->truth;
    int first_of = truth->first[state->method], count = truth->first[state->method + 1] - first_of;
    int here = (int)(along(state) * count), moved = here + (int)star_draw(&state->random, 3) - 1;
    int chosen = moved < 0 ? 0 : moved >= count ? count - 1 : moved;
    state->burst = truth->its_burst[first_of + chosen];
    int calls = truth->trace->burst[state->burst].count, half = calls / 2;
    state->position = first ? 0 : half + (int)star_draw(&state->random, (uint32_t)(calls - half));
}

static struct star_sample next_sample(struct state *state)
{
    const struct star_trace *trace = state->run->truth->trace;
    int method = star_tuner_candidate(state->tuner[SLOWEST]);
    if (method != state->method || state->calls == 0) {
        state->now.switches += state->calls > 0;
        state->method = method;
        state->row = 0;
        enter_burst(state, true);
    } else if (++state->position >= trace->burst[state->burst].count) {
        enter_burst(state, false);
    }
    state->row++;
    return trace->sample[trace->burst[state->burst].first + state->position];
}

static void spend(struct state *state, double seconds)
{
    state->now.seconds += seconds;
    for (int i = 0; i < TUNERS; i++)
        star_tuner_spend(state->tuner[i], seconds);
}

static void agree(struct state *state)
{
    struct star_tuner *leader = state->tuner[OTHERS];
    struct star_decision decision;
    int ranks = state->run->truth->trace->ranks;
    size_t sum_count = star_tuner_sums(leader), max_count = star_tuner_maxima(leader);
    double *sums = star_tuner_scratch(leader), *maxima = sums + sum_count,
           *most = star_tuner_scratch(state->tuner[SLOWEST]), *most_maxima = most + sum_count;
    star_tuner_figures(leader, sums, maxima);
    star_tuner_figures(state->tuner[SLOWEST], most, most_maxima);
    for (size_t i = 0; i < sum_count; i++)
        sums[i] = sums[i] * (ranks - 1) + most[i];
    for (size_t i = 0; i < max_count; i++)
        maxima[i] = fmax(maxima[i], most_maxima[i]);
    star_tuner_decide(leader, sums, maxima, ranks, &decision);
    for (int i = 0; i < TUNERS; i++)
        star_tuner_apply(state->tuner[i], &decision);
    spend(state, state->run->truth->trace->agreement);
}

/* Wisdom's statistics of a candidate: running mean and squares (Welford). */
static void see(struct state *state, double seconds)
{
    struct star_recollection *seen = &state->run->seen->of[state->method];
    double before = seconds - seen->mean;
    seen->candidate = state->method;
    seen->count++;
    seen->mean += before / seen->count;
    state->spread[state->method] += before * (seconds - seen->mean);
    seen->deviation = seen->count > 1 ? sqrt(state->spread[state->method] / (seen->count - 1)) : 0;
}

static void record(struct state *state, struct star_sample sample)
{
    int ranks = state->run->truth->trace->ranks;
    double mean = (double)sample.mean, most = (double)sample.most,
           others = ranks > 1 ? fmax((mean * ranks - most) / (ranks - 1), 0) : mean;
    if (state->run->seen != NULL && star_tuner_counts(state->tuner[OTHERS]))
        see(state, mean);
    bool due = star_tuner_record(state->tuner[OTHERS], others);
    star_tuner_record(state->tuner[SLOWEST], most);
    if (due)
        agree(state);
    bool stays = star_tuner_candidate(state->tuner[OTHERS]) == state->method;
    state->untimed = stays ? star_tuner_stride(state->tuner[OTHERS]) - 1 : 0;
}

static void note(struct state *state)
{
    const struct star_truth *truth = state->run->truth;
    int64_t early = state->row - 1;
    state->now.seconds += early < truth->early_calls
                              ? truth->early[state->method * truth->early_calls + early]
                              : truth->steady[state->method];
    if (star_tuner_stage(state->tuner[OTHERS]) == STAR_MONITOR)
        state->now.chosen = star_tuner_candidate(state->tuner[OTHERS]);
    if (star_truth_distance(truth, state->now.chosen) > star_replay_near)
        state->now.settled = state->calls + 1;
}

static void call(struct state *state)
{
    struct star_sample sample = next_sample(state);
    if (!state->made[state->method]) {
        spend(state, state->run->truth->trace->making[state->method]);
        state->made[state->method] = true;
    }
    if (state->untimed > 0)
        state->untimed--;
    else
        record(state, sample);
    note(state);
    state->now.calls = ++state->calls;
}

static bool begin(struct state *state, const struct star_run *run)
{
    const struct star_trace *trace = run->truth->trace;
    const struct star_traits traits = {run->truth->attributes, run->truth->trait};
    memset(state, 0, sizeof *state);
    state->run = run;
    state->random = run->seed;
    state->begin = star_draw_share(&state->random);
    for (int i = 0; i < TUNERS; i++) {
        state->tuner[i] =
            star_tuner_new(&run->tuning, run->truth->group, &traits, trace->methods.count, true);
        if (state->tuner[i] != NULL && run->known != NULL)
            star_tuner_recall(state->tuner[i], run->known->of, run->known->count, run->confidence);
    }
    if (run->seen != NULL)
        memset(run->seen, 0, sizeof *run->seen);
    return state->tuner[OTHERS] && state->tuner[SLOWEST];
}

static void end(struct state *state)
{
    struct star_seen *seen = state->run->seen;
    for (int i = 0; i < TUNERS; i++)
        star_tuner_free(state->tuner[i]);
    for (int i = 0; seen != NULL && i < state->run->truth->trace->methods.count; i++)
        if (seen->of[i].count > 0)
            seen->of[seen->count++] = seen->of[i];
}

int star_replay(const struct star_run *run, struct star_moment *moments, int count, struct star_why *why)
{
    struct state state;
    bool good = begin(&state, run);
    for (int i = 0; good && i < count; i++) {
        while (state.calls < moments[i].calls)
            call(&state);
        moments[i] = state.now;
    }
    end(&state);
    return good ? 0 : star_because(why, STAR_EMEMORY, "out of memory for a replay");
}

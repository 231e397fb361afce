/* SPDX-License-Identifier: BSD-3-Clause */
#include "replay/run.h"
#include "algorithms/alike.h"
#include "algorithms/forecast.h"
#include "subject/subject.h"
#include "tuner/decide.h"
#include "util/random.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

const double star_replay_near = 0.05;
const char *const star_spent_names[] = {"running", "trying", "agreeing", "planning", "asking"};

/* Running mean, and the sum of squared differences from it (Welford). */
struct spread {
    double mean, squares;
};

struct state {
    const struct star_replay_run *run;
    struct star_tuner *tuner[STAR_TRACE_RANKS]; /* the first one leads */
    int tuners;
    uint64_t random;
    double begin;       /* the share of the trace at which the run begins */
    int64_t calls, row; /* in all; of the current method in a row, from 1 on */
    int method, burst, position;
    int untimed;          /* calls until the next one that is timed */
    bool compared, asked; /* all that the cost model can say was said */
    struct star_prospect foreseen[STAR_CANDIDATES_MAX];
    double patience; /* that asking it had */
    bool made[STAR_CANDIDATES_MAX];
    /* Of what was seen on each rank, and behind them in the mean over ranks. */
    struct spread spread[STAR_CANDIDATES_MAX][STAR_TRACE_RANKS + 1];
    struct star_moment now;
    struct star_subject *books; /* of each rank, where an account is asked for; they hold no tuner */
    float scaled[STAR_TRACE_RANKS];
};

static double scale_of(const struct state *state)
{
    return state->run->scale ? state->run->scale[state->method] : 1;
}

static int64_t nanoseconds(double seconds)
{
    return llround(seconds * 1e9);
}

static double along(const struct state *state)
{
    double all;
    return modf(state->begin + (double)state->calls / state->run->truth->trace->calls, &all);
}

/* One of the method's bursts that were recorded about now. */
static void enter_burst(struct state *state, bool first)
{
    const struct star_truth *truth = state->run->truth;
    int first_of = truth->first[state->method], count = truth->first[state->method + 1] - first_of;
    int here = (int)(along(state) * count), moved = here + (int)star_draw(&state->random, 3) - 1;
    int chosen = moved < 0 ? 0 : moved >= count ? count - 1 : moved;
    state->burst = truth->its_burst[first_of + chosen];
    state->position = first ? 0 : truth->early_calls;
}

/* The seconds of the next call on each rank. */
static const float *next_call(struct state *state)
{
    const struct star_trace *trace = state->run->truth->trace;
    int method = star_tuner_candidate(state->tuner[0]);
    if (method != state->method || state->calls == 0) {
        state->now.switches += state->calls > 0;
        state->method = method;
        state->row = 0;
        enter_burst(state, true);
    } else if (++state->position >= trace->burst[state->burst].count) {
        enter_burst(state, false);
    }
    state->row++;
    const float *seconds = star_trace_call(trace, trace->burst[state->burst].first + state->position);
    for (int r = 0; r < state->tuners; r++)
        state->scaled[r] = (float)(scale_of(state) * (double)seconds[r]);
    return state->scaled;
}

static void cost(struct state *state, double seconds, enum star_spent what)
{
    state->now.seconds += seconds;
    state->now.spent[what] += seconds;
}

/* All ranks wait meanwhile. */
static void write_down(struct state *state, double seconds)
{
    for (int r = 0; state->books != NULL && r < state->tuners; r++)
        state->books[r].agreement_nanoseconds += nanoseconds(seconds);
}

static void spend(struct state *state, double seconds, enum star_spent what)
{
    cost(state, seconds, what);
    write_down(state, seconds);
    for (int r = 0; r < state->tuners; r++)
        star_tuner_spend(state->tuner[r], seconds);
}

/* As a run does. */
static void compare(struct state *state)
{
    const struct star_truth *truth = state->run->truth;
    const struct star_tuning *tuning = &state->run->tuning;
    double seconds = star_alike_seconds(truth->trace->methods.count, truth->trace->ranks);
    if (state->compared || tuning->strategy != STAR_RACE || !(seconds > 0) ||
        seconds > star_tuner_patience(state->tuner[0], false))
        return;
    state->compared = true;
    cost(state, seconds, STAR_SPENT_ASKING);
    write_down(state, seconds);
    star_tuner_spend_once(state->tuner[0], seconds);
    star_tuner_alike(state->tuner[0], truth->alike);
}

/* Of each method of which nothing is foreseen yet; returns the seconds that this takes. */
static double ask_the_model(struct state *state, double patience)
{
    const struct star_truth *truth = state->run->truth;
    int count = truth->trace->methods.count;
    double spent = 0;
    state->asked = true;
    for (int i = 0; i < count; i++) {
        double part = star_forecast_part(patience - spent, count - i), needed = truth->foreseeing[i];
        if (star_is_known(state->foreseen[i].seconds) || !star_is_known(state->run->forecast[i].seconds))
            continue;
        if (needed <= part)
            state->foreseen[i] = state->run->forecast[i];
        spent += fmin(needed, part);
        state->asked = state->asked && needed <= part;
    }
    return spent;
}

/* As a run does, where what it finds out stands in the trace. */
static void foresee(struct state *state)
{
    const struct star_replay_run *run = state->run;
    const struct star_trace *trace = run->truth->trace;
    double patience = star_tuner_patience(state->tuner[0], true);
    if (state->asked || run->forecast == NULL || run->tuning.strategy != STAR_RACE ||
        patience < star_forecast_seconds(trace->methods.count, trace->ranks) ||
        patience < 2 * state->patience)
        return;
    double seconds = ask_the_model(state, patience);
    state->patience = patience;
    cost(state, seconds, STAR_SPENT_ASKING);
    write_down(state, seconds);
    star_tuner_spend_once(state->tuner[0], seconds);
    star_tuner_forecast(state->tuner[0], state->foreseen, run->networks);
}

static void expect(void *whom)
{
    compare(whom);
    foresee(whom);
}

static void agree(struct state *state)
{
    struct star_tuner *leader = state->tuner[0];
    struct star_decision decision;
    struct star_figure *all = star_tuner_scratch(leader);
    star_tuner_tell(leader, all);
    for (int r = 1; r < state->tuners; r++) {
        struct star_figure *own = star_tuner_scratch(state->tuner[r]);
        star_tuner_tell(state->tuner[r], own);
        for (size_t i = 0; i < star_tuner_figures(leader); i++)
            all[i] = (struct star_figure){all[i].sum + own[i].sum, fmax(all[i].most, own[i].most)};
    }
    star_tuner_consult(leader, expect, state);
    star_tuner_decide(leader, all, state->tuners, &decision);
    for (int r = 0; r < state->tuners; r++)
        star_tuner_apply(state->tuner[r], &decision);
    spend(state, state->run->truth->trace->agreement, STAR_SPENT_AGREEING);
}

static void widen(struct spread *spread, double seconds, double count)
{
    double before = seconds - spread->mean;
    spread->mean += before / count;
    spread->squares += before * (seconds - spread->mean);
}

/* Wisdom's statistics of a candidate: of means over ranks, or of the slowest rank where ranks run ahead. */
static void see(struct state *state, const float *seconds)
{
    struct star_recollection *seen = &state->run->seen->of[state->method];
    struct spread *spread = state->spread[state->method], *kept = &spread[state->tuners];
    double sum = 0;
    seen->candidate = state->method;
    seen->count++;
    for (int r = 0; r < state->tuners; r++) {
        widen(&spread[r], (double)seconds[r], seen->count);
        sum += (double)seconds[r];
    }
    widen(kept, sum / state->tuners, seen->count);
    for (int r = 0; state->run->truth->ahead && r < state->tuners; r++)
        kept = spread[r].mean > kept->mean ? &spread[r] : kept;
    seen->mean = kept->mean;
    seen->deviation = seen->count > 1 ? sqrt(kept->squares / (seen->count - 1)) : 0;
}

/* The books have the tuner only then, as they would pay it. True: an agreement is due. */
static bool record_on(struct state *state, int rank, double seconds)
{
    if (state->books == NULL)
        return star_tuner_record(state->tuner[rank], seconds);
    struct star_subject *books = &state->books[rank];
    books->tuner = state->tuner[rank];
    star_subject_renew(books);
    bool due = star_subject_count(books, state->method, nanoseconds(seconds));
    books->tuner = NULL;
    return due;
}

static void record(struct state *state, const float *seconds)
{
    bool due = false;
    if (state->run->seen != NULL && star_tuner_counts(state->tuner[0]))
        see(state, seconds);
    for (int r = 0; r < state->tuners; r++)
        due = record_on(state, r, (double)seconds[r]);
    if (due)
        agree(state);
    bool stays = star_tuner_candidate(state->tuner[0]) == state->method;
    state->untimed = stays ? star_tuner_gap(state->tuner[0]) : 0;
}

static void note(struct state *state, enum star_spent what)
{
    const struct star_truth *truth = state->run->truth;
    int64_t before = state->row - 1;
    const double *first = truth->early + (ptrdiff_t)state->method * truth->early_calls;
    double seconds = before < truth->early_calls   ? first[before]
                     : before < truth->burst_calls ? truth->rest[state->method]
                                                   : truth->steady[state->method];
    seconds *= scale_of(state);
    state->now.seconds += seconds;
    state->now.spent[what] += seconds - truth->steady[truth->best];
    if (star_tuner_stage(state->tuner[0]) == STAR_MONITOR)
        state->now.chosen = star_tuner_candidate(state->tuner[0]);
    if (star_truth_distance(truth, state->now.chosen) > star_replay_near)
        state->now.settled = state->calls + 1;
}

static void call(struct state *state)
{
    const float *seconds = next_call(state);
    bool tries = star_tuner_stage(state->tuner[0]) == STAR_MEASURE && state->method > 0;
    enum star_spent what = tries ? STAR_SPENT_TRYING : STAR_SPENT_RUNNING;
    if (!state->made[state->method]) {
        spend(state, state->run->truth->trace->making[state->method], STAR_SPENT_PLANNING);
        state->made[state->method] = true;
    }
    for (int r = 0; state->untimed > 0 && state->books != NULL && r < state->tuners; r++)
        star_subject_pass(&state->books[r]);
    if (state->untimed > 0)
        state->untimed--;
    else
        record(state, seconds);
    note(state, what);
    state->now.calls = ++state->calls;
}

static bool open_books(struct state *state)
{
    const struct star_replay_run *run = state->run;
    bool good = true;
    state->books = calloc((size_t)state->tuners, sizeof *state->books);
    for (int r = 0; state->books != NULL && r < state->tuners; r++) {
        good = star_subject_make(&state->books[r], run->truth->trace->methods.count) && good;
        state->books[r].meets = !run->truth->ahead;
        if (good && run->known != NULL)
            star_subject_recalled(&state->books[r], run->known->of, run->known->count, run->confidence);
    }
    return good && state->books != NULL;
}

static void close_books(struct state *state, bool good)
{
    for (int r = 0; state->books != NULL && r < state->tuners; r++) {
        struct star_subject *books = &state->books[r];
        books->tuner = state->tuner[r];
        if (good) {
            star_subject_renew(books);
            struct star_balance balance = star_balance_of(books, true);
            star_balance_add(&state->run->account[r], &balance);
        }
        books->tuner = NULL;
        star_subject_free(books);
    }
    free(state->books);
}

static bool begin(struct state *state, const struct star_replay_run *run)
{
    const struct star_trace *trace = run->truth->trace;
    const struct star_traits traits = {run->truth->attributes, run->truth->trait};
    struct star_tuning tuning = run->tuning;
    tuning.ranks = run->truth->ahead ? STAR_RANKS_AHEAD : STAR_RANKS_MEET;
    memset(state, 0, sizeof *state);
    state->run = run;
    state->random = run->seed;
    state->begin = star_draw_share(&state->random);
    state->tuners = star_trace_ranks(trace);
    for (int i = 0; i < trace->methods.count; i++)
        state->foreseen[i] = STAR_NO_PROSPECT;
    bool good = true;
    for (int r = 0; r < state->tuners; r++) {
        state->tuner[r] = star_tuner_new(&tuning, run->truth->group, &traits, trace->methods.count, r == 0);
        good = good && state->tuner[r] != NULL;
        if (state->tuner[r] != NULL && run->known != NULL)
            star_tuner_recall(state->tuner[r], run->known->of, run->known->count, run->confidence);
    }
    if (run->seen != NULL)
        memset(run->seen, 0, sizeof *run->seen);
    if (run->account != NULL)
        good = open_books(state) && good;
    return good;
}

static void end(struct state *state, bool good)
{
    struct star_replay_seen *seen = state->run->seen;
    close_books(state, good);
    for (int r = 0; r < state->tuners; r++)
        star_tuner_free(state->tuner[r]);
    for (int i = 0; seen != NULL && i < state->run->truth->trace->methods.count; i++)
        if (seen->of[i].count > 0)
            seen->of[seen->count++] = seen->of[i];
}

int star_replay(const struct star_replay_run *run, struct star_moment *moments, int count,
                struct star_why *why)
{
    struct state state;
    bool good = begin(&state, run);
    for (int i = 0; good && i < count; i++) {
        while (state.calls < moments[i].calls)
            call(&state);
        moments[i] = state.now;
    }
    end(&state, good);
    return good ? 0 : star_because(why, STAR_EMEMORY, "out of memory for a replay");
}

void star_replay_once(const struct star_truth *truth, struct star_moment *moments, int count)
{
    const struct star_trace *trace = truth->trace;
    struct star_moment now = {0};
    int method = 0;
    for (int i = 0; i < count; i++) {
        for (; now.calls < moments[i].calls && method < trace->methods.count; method++) {
            if (truth->alike[method] != method)
                continue;
            double call = truth->early[(ptrdiff_t)method * truth->early_calls];
            now.calls++;
            now.seconds += trace->making[method] + call;
            now.spent[STAR_SPENT_PLANNING] += trace->making[method];
            now.spent[STAR_SPENT_TRYING] += call - truth->steady[truth->best];
            if (truth->steady[method] < truth->steady[now.chosen])
                now.chosen = method;
            now.switches += method > 0;
            if (star_truth_distance(truth, now.chosen) > star_replay_near)
                now.settled = now.calls;
        }
        now.seconds += (double)(moments[i].calls - now.calls) * truth->steady[truth->best];
        now.calls = moments[i].calls;
        moments[i] = now;
    }
}

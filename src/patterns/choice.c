/* SPDX-License-Identifier: BSD-3-Clause */
#include "patterns/choice.h"
#include "functions/object.h"
#include "patterns/choice_figures.h"
#include "patterns/log.h"
#include "runtime/agree.h"
#include "runtime/context.h"
#include "runtime/session.h"
#include "runtime/state.h"
#include "startune_patterns.h"
#include "tuner/candidates.h"
#include "tuner/decide.h"
#include "tuner/decision.h"
#include "tuner/strategy.h"
#include "tuner/tuner.h"
#include "tuner/tuning.h"
#include "util/clock.h"
#include "util/fpenv.h"
#include "util/seconds.h"

#include <stdlib.h>
#include <string.h>

/* After whatever may change it: what is read at each run lies ready. */
static void renew(struct star_choice *choice)
{
    choice->now = choice->tuner ? choice->taking_part[star_tuner_candidate(choice->tuner)] : choice->only;
}

static bool fill(struct star_choice *choice, const int *groups, const struct star_traits *traits, int forced)
{
    struct star_tuning tuning = star_tuning_of(&star_runtime.settings, STAR_RANKS_APART);
    choice->tally = calloc((size_t)choice->count, sizeof *choice->tally);
    choice->taking_part = calloc((size_t)choice->count, sizeof *choice->taking_part);
    if (choice->tally == NULL || choice->taking_part == NULL)
        return false;
    for (; choice->candidates < choice->count; choice->candidates++)
        choice->taking_part[choice->candidates] = (int16_t)choice->candidates;
    if (choice->rank == 0)
        choice->history = calloc(STAR_HISTORY_MAX, sizeof *choice->history);
    choice->only = forced < 0 ? 0 : forced;
    bool tuned = star_active_by_name && choice->count > 1 && forced < 0;
    if (tuned)
        choice->tuner = star_tuner_new(&tuning, groups, traits, choice->count, choice->rank == 0);
    return (choice->rank != 0 || choice->history != NULL) && (!tuned || choice->tuner != NULL);
}

struct star_choice *star_choice_make(struct star_private *private, const int *groups,
                                     const struct star_traits *traits, int count, int forced,
                                     void (*destroy)(struct star_object *object))
{
    struct star_choice *made = star_object_new(STAR_KIND_NONE, sizeof *made, destroy);
    if (made == NULL)
        return NULL;
    star_object_keep(private);
    made->private = private;
    made->count = count;
    made->foretold = -1;
    PMPI_Comm_rank(private->comm, &made->rank);
    PMPI_Comm_size(private->comm, &made->size);
    if (fill(made, groups, traits, forced)) {
        renew(made);
        return made;
    }
    star_object_release(made);
    return NULL;
}

void star_choice_empty(struct star_choice *choice)
{
    star_tuner_free(choice->tuner);
    free(choice->tally);
    free(choice->taking_part);
    free(choice->history);
    star_object_release(choice->private);
}

bool star_choice_narrow(struct star_choice *choice, const int16_t *list, int count)
{
    if (choice->tuner == NULL)
        return true;
    if (!star_tuner_order(choice->tuner, list, count))
        return false;
    memcpy(choice->taking_part, list, (size_t)count * sizeof *list);
    choice->candidates = count;
    renew(choice);
    return true;
}

static void note(struct star_choice *choice, enum star_reason reason)
{
    struct star_switch made =
        star_switch_of(choice->tuner, reason, choice->now, &choice->seen,
                       (struct star_seen){choice->runs, choice->runs - choice->skipped, choice->nanoseconds});
    if (choice->history != NULL && choice->switches < STAR_HISTORY_MAX)
        choice->history[choice->switches++] = made;
    if (!star_choice_is_open(choice))
        choice->chosen = choice->now;
}

void star_choice_recall(struct star_choice *choice, const struct star_recollection *known, int count,
                        double confidence)
{
    if (count == 0 || !star_tuner_recall(choice->tuner, known, count, confidence))
        return;
    choice->recalled = count;
    choice->confidence = confidence;
    renew(choice);
    if (star_choice_is_open(choice))
        return;
    const struct star_decision recalled = {.stage = STAR_MONITOR,
                                           .reason = STAR_RECALLED,
                                           .count = 1,
                                           .list = {(int16_t)star_tuner_candidate(choice->tuner)}};
    star_choice_log(choice, &recalled);
    note(choice, STAR_RECALLED);
}

/* Of the function that runs from now on. */
static void begin_period(struct star_choice *choice)
{
    renew(choice);
    choice->period_began = choice->tally[choice->now].runs;
}

/* Of the function that has run until now: it was the chosen one, if ranks told SPREAD of it. */
static void note_watched(const struct star_choice *choice, struct star_choice_tally *watched,
                         const struct star_spread *spread)
{
    STAR_FPENV_DEFAULT;
    int64_t runs = watched->runs - choice->period_began;
    if (!(spread->mean > 0) || runs <= 0)
        return;
    watched->watched_runs += runs;
    watched->watched += spread->counted * (double)runs;
}

static void agree(struct star_choice *choice)
{
    struct star_decision decision;
    int64_t begin = star_now();
    struct star_choice_tally *watched =
        &choice->tally[choice->taking_part[star_tuner_candidate(choice->tuner)]];
    struct star_spread spread =
        star_agree_tuner(choice->private->comm, choice->rank, choice->size, choice->tuner, &decision);
    note_watched(choice, watched, &spread);
    int64_t spent = star_since(begin);
    choice->agreements++;
    choice->agreement_nanoseconds += spent;
    star_tuner_spend(choice->tuner, star_seconds(spent));
    star_choice_log(choice, &decision);
    begin_period(choice);
    note(choice, (enum star_reason)decision.reason);
}

/* What cannot be made ready never runs again: a forced function gives way to the first one. False: there is
 * nothing else. */
static bool leave_out(struct star_choice *choice)
{
    if (choice->tuner == NULL) {
        bool forced = choice->only != 0;
        choice->only = choice->now = 0;
        return forced;
    }
    star_choice_log_left_out(choice, choice->now, STAR_UNABLE);
    if (star_tuner_shut_out(choice->tuner)) {
        agree(choice);
    } else {
        begin_period(choice);
        note(choice, STAR_UNABLE);
    }
    return true;
}

static int settle(struct star_choice *choice, int *ready, star_preparer *prepare, void *what)
{
    int error = STAR_SUCCESS;
    /* Each function can be left out once. */
    for (int turns = choice->count; *ready != choice->now && turns > 0; turns--) {
        *ready = -1;
        error = prepare(what, choice->now);
        if (error == STAR_SUCCESS)
            *ready = choice->now;
        else if (!leave_out(choice))
            return error;
    }
    return error;
}

int star_choice_settle(struct star_choice *choice, int *ready, star_preparer *prepare, void *what)
{
    int64_t begin = star_now(), before = choice->agreement_nanoseconds;
    int error = settle(choice, ready, prepare, what);
    int64_t spent = star_since(begin), agreeing = choice->agreement_nanoseconds - before;
    choice->agreement_nanoseconds = before + spent;
    if (choice->tuner != NULL)
        star_tuner_spend(choice->tuner, star_seconds(spent - agreeing));
    return error;
}

/* Without a tuner no rank follows another's times: short runs are timed as seldom as a tuner would have it.
 * Of a timer, whose regions all ranks must count alike, each is. */
static void sample(struct star_choice *choice, int64_t nanoseconds)
{
    STAR_FPENV_DEFAULT;
    int32_t stride = star_stride_of(star_runtime.settings.sample, star_seconds(nanoseconds));
    choice->untimed = choice->timer ? 0 : stride - 1;
}

bool star_choice_took(struct star_choice *choice, int function, int64_t nanoseconds)
{
    struct star_choice_tally *tally = &choice->tally[function];
    bool now = function == choice->now,
         counts = now && (choice->tuner == NULL || star_tuner_counts(choice->tuner));
    choice->runs++;
    choice->nanoseconds += nanoseconds;
    if (choice->tuner != NULL && function == choice->taking_part[0]) {
        choice->first_runs++;
        choice->first_nanoseconds += nanoseconds;
    }
    tally->runs += counts;
    tally->nanoseconds += counts ? nanoseconds : 0;
    if (choice->tuner == NULL)
        sample(choice, nanoseconds);
    if (choice->tuner == NULL || !now) /* it began before a request like it ended, and ranks agreed */
        return false;
    if (star_choice_is_open(choice)) {
        choice->tuning_runs++;
        choice->tuning_nanoseconds += nanoseconds;
    }
    bool due = star_tuner_record(choice->tuner, star_seconds(nanoseconds));
    renew(choice);
    if (due)
        agree(choice);
    bool stays = function == choice->now;
    choice->untimed = stays ? star_tuner_gap(choice->tuner) : 0;
    return due;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "patterns/choice.h"
#include "runtime/agree.h"
#include "startune_patterns.h"
#include "util/clock.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Statistics are ADCL's: outliers dropped, mean of each rank, maximum over ranks. */
static struct star_tuning tuning_of(const struct star_settings *settings)
{
    struct star_tuning tuning = star_tuning_of(settings);
    tuning.estimator = STAR_MAX_OF_FILTERED_MEAN;
    return tuning;
}

bool star_choice_make(struct star_choice *choice, MPI_Comm comm, const int *groups,
                      const struct star_traits *traits, int count)
{
    struct star_tuning tuning = tuning_of(&star_runtime.settings);
    *choice = (struct star_choice){.comm = comm, .count = count, .current = -1, .size = 1};
    if (comm != MPI_COMM_NULL) {
        PMPI_Comm_rank(comm, &choice->rank);
        PMPI_Comm_size(comm, &choice->size);
    }
    choice->tally = calloc((size_t)count, sizeof *choice->tally);
    choice->taking_part = calloc((size_t)count, sizeof *choice->taking_part);
    bool made = choice->tally != NULL && choice->taking_part != NULL;
    for (choice->candidates = 0; made && choice->candidates < count; choice->candidates++)
        choice->taking_part[choice->candidates] = (int16_t)choice->candidates;
    if (choice->rank == 0) {
        choice->history = calloc(STAR_HISTORY_MAX, sizeof *choice->history);
        made = made && choice->history != NULL;
    }
    if (star_active_by_name && count > 1) {
        choice->tuner = star_tuner_new(&tuning, groups, traits, count, choice->rank == 0);
        made = made && choice->tuner != NULL;
    }
    return made;
}

void star_choice_free(struct star_choice *choice)
{
    star_tuner_free(choice->tuner);
    free(choice->tally);
    free(choice->taking_part);
    free(choice->history);
    *choice = (struct star_choice){.current = -1};
}

bool star_choice_narrow(struct star_choice *choice, const int16_t *list, int count)
{
    if (choice->tuner == NULL)
        return true;
    if (!star_tuner_order(choice->tuner, list, count))
        return false;
    memcpy(choice->taking_part, list, (size_t)count * sizeof *list);
    choice->candidates = count;
    return true;
}

/* The tuner's candidate that a function is; −1: it does not take part. */
static int candidate_of(const struct star_choice *choice, int function)
{
    for (int i = 0; choice->tuner != NULL && i < choice->candidates; i++)
        if (choice->taking_part[i] == function)
            return i;
    return -1;
}

const double *star_choice_samples(const struct star_choice *choice, int function, int *count)
{
    int candidate = candidate_of(choice, function);
    *count = 0;
    return candidate < 0 ? NULL : star_tuner_samples(choice->tuner, candidate, count);
}

double star_choice_estimate(const struct star_choice *choice, int function)
{
    int candidate = candidate_of(choice, function);
    return candidate < 0 ? NAN : star_tuner_estimate(choice->tuner, candidate);
}

bool star_choice_is_left_out(const struct star_choice *choice, int function)
{
    int candidate = candidate_of(choice, function);
    return choice->tuner != NULL && (candidate < 0 || star_tuner_is_shut_out(choice->tuner, candidate));
}

int star_choice_now(const struct star_choice *choice)
{
    return choice->tuner ? choice->taking_part[star_tuner_candidate(choice->tuner)] : 0;
}

bool star_choice_is_open(const struct star_choice *choice)
{
    return choice->tuner != NULL && star_tuner_stage(choice->tuner) == STAR_MEASURE;
}

static void note(struct star_choice *choice, enum star_reason reason)
{
    if (choice->history != NULL && choice->switches < STAR_HISTORY_MAX)
        choice->history[choice->switches] =
            (struct star_switch){.call = choice->runs,
                                 .method = star_choice_now(choice),
                                 .reason = (int16_t)reason,
                                 .stage = (int16_t)star_tuner_stage(choice->tuner),
                                 .delta = star_tuner_delta(choice->tuner)};
    choice->switches++;
}

static void agree(struct star_choice *choice)
{
    struct star_decision decision;
    int64_t begin = star_now();
    star_agree_tuner(choice->comm, choice->rank, choice->size, choice->tuner, &decision);
    int64_t spent = star_now() - begin;
    choice->agreements++;
    choice->agreement_nanoseconds += spent;
    star_tuner_spend(choice->tuner, (double)spent * 1e-9);
    note(choice, (enum star_reason)decision.reason);
}

static int settle(struct star_choice *choice, star_preparer *prepare, void *what)
{
    int error = STAR_SUCCESS;
    /* Each function can be left out once. */
    for (int turns = choice->count; choice->current != star_choice_now(choice) && turns > 0; turns--) {
        choice->current = -1;
        error = prepare(what, star_choice_now(choice));
        if (error == STAR_SUCCESS) {
            choice->current = star_choice_now(choice);
            return error;
        }
        if (choice->tuner == NULL)
            return error;
        if (star_tuner_shut_out(choice->tuner))
            agree(choice);
        else
            note(choice, STAR_UNABLE);
    }
    return error;
}

int star_choice_settle(struct star_choice *choice, star_preparer *prepare, void *what)
{
    if (choice->current == star_choice_now(choice))
        return STAR_SUCCESS;
    int64_t begin = star_now(), before = choice->agreement_nanoseconds;
    int error = settle(choice, prepare, what);
    int64_t spent = star_now() - begin, agreeing = choice->agreement_nanoseconds - before;
    choice->agreement_nanoseconds = before + spent;
    if (choice->tuner != NULL)
        star_tuner_spend(choice->tuner, (double)(spent - agreeing) * 1e-9);
    return error;
}

bool star_choice_skips(struct star_choice *choice)
{
    if (choice->untimed == 0)
        return false;
    choice->untimed--;
    choice->runs++;
    choice->skipped++;
    return true;
}

bool star_choice_took(struct star_choice *choice, int64_t nanoseconds)
{
    struct star_choice_tally *tally = &choice->tally[choice->current];
    bool counts = choice->tuner == NULL || star_tuner_counts(choice->tuner);
    choice->runs++;
    choice->nanoseconds += nanoseconds;
    tally->runs += counts;
    tally->nanoseconds += counts ? nanoseconds : 0;
    if (choice->tuner == NULL)
        return false;
    if (star_choice_is_open(choice)) {
        choice->tuning_runs++;
        choice->tuning_nanoseconds += nanoseconds;
    }
    bool due = star_tuner_record(choice->tuner, (double)nanoseconds * 1e-9);
    if (due)
        agree(choice);
    bool stays = choice->current == star_choice_now(choice);
    choice->untimed = stays ? star_tuner_stride(choice->tuner) - 1 : 0;
    return due;
}

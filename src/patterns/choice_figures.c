/* SPDX-License-Identifier: BSD-3-Clause
 * What a choice has measured. */
#include "patterns/choice_figures.h"
#include "patterns/choice.h"
#include "tuner/decision.h"
#include "tuner/tuner.h"
#include "util/seconds.h"

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
    return candidate < 0 ? STAR_UNKNOWN_SECONDS : star_tuner_estimate(choice->tuner, candidate);
}

bool star_choice_is_left_out(const struct star_choice *choice, int function)
{
    int candidate = candidate_of(choice, function);
    return choice->tuner != NULL && (candidate < 0 || star_tuner_is_shut_out(choice->tuner, candidate));
}

bool star_choice_is_open(const struct star_choice *choice)
{
    return choice->tuner != NULL && star_tuner_stage(choice->tuner) == STAR_MEASURE;
}

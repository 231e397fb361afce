/* SPDX-License-Identifier: BSD-3-Clause */
#include "subject/figures.h"
#include "util/seconds.h"

/* The tuner's candidate that an alternative is; −1: it takes no part. */
static int candidate_of(const struct star_subject *subject, int alternative)
{
    int count = subject->tuner != NULL ? star_tuner_count(subject->tuner) : 0;
    for (int i = 0; i < count; i++)
        if (star_subject_alternative(subject, i) == alternative)
            return i;
    return -1;
}

const double *star_subject_samples(const struct star_subject *subject, int alternative, int *count)
{
    int candidate = candidate_of(subject, alternative);
    *count = 0;
    return candidate < 0 ? NULL : star_tuner_samples(subject->tuner, candidate, count);
}

double star_subject_estimate(const struct star_subject *subject, int alternative)
{
    int candidate = candidate_of(subject, alternative);
    return candidate < 0 ? STAR_UNKNOWN_SECONDS : star_tuner_estimate(subject->tuner, candidate);
}

bool star_subject_is_left_out(const struct star_subject *subject, int alternative)
{
    int candidate = candidate_of(subject, alternative);
    return subject->tuner != NULL && (candidate < 0 || star_tuner_is_shut_out(subject->tuner, candidate));
}

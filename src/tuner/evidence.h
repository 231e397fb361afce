/* SPDX-License-Identifier: BSD-3-Clause
 * Evidence: what measuring tells of a candidate's calls in the long run. */
#pragma once

#include "tuner/standing.h"

/* Notes that CALLS calls, of ROW in a row, took SECONDS each; the first time as they were visited. */
void star_evidence_note(struct star_standing *standing, int candidate, double seconds, int64_t calls,
                        int64_t row);
/* Leaves little of all evidence, after something has changed. */
void star_evidence_doubt(struct star_standing *standing);
/* How noisy the context is: the variance of a candidate's times between visits, divided by what is supposed
 * before any was seen; 1 or more. In some programs ranks come late by chance, and a short call takes as long
 * as they are late. */
double star_evidence_noise(const struct star_standing *standing);
/* The variance of the mean of CALLS calls in a row, where there is so much NOISE. */
double star_evidence_variance(double noise, int64_t calls);
/* The variance of what has changed since the candidate was last measured, which ALL is of. */
double star_evidence_faded(const struct star_standing *standing, const struct star_evidence *all);

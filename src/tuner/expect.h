/* SPDX-License-Identifier: BSD-3-Clause
 * Expecting: what is thought of candidates in the long run, before they are measured and after. */
#pragma once

#include "tuner/networks.h"

/* By how much the first call of a pipeline takes longer than later ones, as a logarithm; of more calls in a
 * row, so much less as the root of their number is larger. */
#define STAR_EARLY_USUAL 0.7

/* What is expected of each candidate; there must be one of which there is evidence. */
void star_expect(const struct star_standing *standing, struct star_outlook *each);
/* How likely it is that calls overlap in the long run: of candidates whose first ones were not seen, the
 * share of those of which they were, but for native. */
double star_usual_overlap(const struct star_standing *standing);
/* The same of the candidate that ALL is of, where of others it is USUAL. */
double star_overlap(const struct star_evidence *all, double usual);
/* The seconds to expect of each of CALLS calls in a row: where they OVERLAP they take longer at first. */
double star_expected_at_first(const struct star_evidence *all, const struct star_outlook *expectation,
                              double overlap, double calls);
/* By how many seconds a call may be expected to be faster than SECONDS, once a visit of CALLS calls (0: of
 * any number) has told more of the candidate, which is not taken if it is slower then. Where they OVERLAP in
 * the long run, or there is NOISE, a few calls tell less. */
double star_expected_gain(const struct star_outlook *expectation, double seconds, int64_t calls,
                          double overlap, double noise);

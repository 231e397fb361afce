/* SPDX-License-Identifier: BSD-3-Clause
 * What was measured of a subject's alternatives. */
#pragma once

#include "subject/subject.h"

/* What the tuner has of an alternative; of one that takes no part, nothing. Samples and estimates are the
 * leader's. */
const double *star_subject_samples(const struct star_subject *subject, int alternative, int *count);
double star_subject_estimate(const struct star_subject *subject, int alternative);
bool star_subject_is_left_out(const struct star_subject *subject, int alternative);

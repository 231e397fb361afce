/* SPDX-License-Identifier: BSD-3-Clause
 * How sure a comparison is. */
#ifndef STAR_REPORT_CONFIDENCE_H
#define STAR_REPORT_CONFIDENCE_H

#include <jansson.h>

/* How sure is it that calls of METHOD are faster than those of OTHER, by their samples (Welch's
 * test, without those of three times the least or more)? From 0 to 1; NaN where there are not two of each. */
double star_report_confidence(const json_t *method, const json_t *other);

#endif

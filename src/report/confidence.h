/* SPDX-License-Identifier: BSD-3-Clause
 * How sure comparisons are, by what a report has: each mean's error, or, of earlier versions, samples. */
#pragma once

#include <jansson.h>

/* How sure is it that calls of METHOD are faster than those of OTHER, in the mean? From 0 to 1; NaN where
 * that is not known. Samples: by Welch's test, without those of three times the least or more. */
double star_report_confidence(const json_t *method, const json_t *other);

/* Half of the 95 % confidence interval of the mean of METHOD's calls, as a share of that mean. NaN where it
 * is not known. */
double star_report_spread(const json_t *method);

/* Did tuning help, by the interval that a context, a request or the run has? "yes", "no" or "not clear". */
const char *star_report_helped(const json_t *item);

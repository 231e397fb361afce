/* SPDX-License-Identifier: BSD-3-Clause
 * Checking a report. */
#ifndef STAR_REPORT_CHECK_H
#define STAR_REPORT_CHECK_H

#include "util/why.h"

#include <jansson.h>
#include <stdbool.h>

/* Is everything there that a report needs, and of its kind? */
int star_report_check(const json_t *report, const char *name, struct star_why *why);

#endif

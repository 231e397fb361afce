/* SPDX-License-Identifier: BSD-3-Clause
 * The requests of a run in the terminal. */
#ifndef STAR_CLI_REPORT_REQUESTS_H
#define STAR_CLI_REPORT_REQUESTS_H

#include "util/text.h"

#include <jansson.h>

/* Adds a table of up to MOST requests, the longest first; nothing where there are none. ALL: with all their
 * functions. */
void cli_report_requests(struct star_text *text, const json_t *report, int most, bool all);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * The report of a run: read, checked, explained and shown. It stays the JSON that the run wrote, with what
 * follows from it added, so that terminal, page and programs are told the same: docs/schema/report.json says
 * what may be in it. In the command alone. */
#pragma once

#include "util/why.h"

#include <jansson.h>

/* STAR_EINPUT where BYTES are no report; NAME is for the reason. *REPORT is to be given back to
 * json_decref. */
int star_report_parse(const char *bytes, size_t length, const char *name, json_t **report,
                      struct star_why *why);
int star_report_read(const char *path, json_t **report, struct star_why *why);

/* SPDX-License-Identifier: BSD-3-Clause
 * The page of a report. */
#pragma once

#include "util/text.h"

#include <jansson.h>

/* The report as one page for a browser, which needs nothing else. */
void star_report_page(const json_t *report, struct star_text *text);

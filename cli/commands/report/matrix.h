/* SPDX-License-Identifier: BSD-3-Clause
 * startune report --matrix: who talks to whom. */
#pragma once

#include "cli/common/command.h"
#include "util/text.h"

#include <jansson.h>

/* Of the option --as. */
extern const struct cli_line cli_matrix_formats[];
/* Appends it in the format that was asked for. */
int cli_report_add_matrix(struct star_text *text, const json_t *report, struct star_why *why);

/* SPDX-License-Identifier: BSD-3-Clause
 * Facts of wisdom as JSON. */
#pragma once

#include "store/facts.h"
#include "util/text.h"

/* Writes what cli_wisdom_parse reads. */
void cli_wisdom_json(const struct star_facts *facts, struct star_text *text);
/* Reads that, or the report of a run. STAR_EINPUT names the file. */
int cli_wisdom_parse(const char *bytes, size_t length, const char *name, struct star_facts *facts,
                     struct star_why *why);

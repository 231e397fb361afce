/* SPDX-License-Identifier: BSD-3-Clause
 * The report of a run as facts of wisdom. */
#pragma once

#include "store/facts.h"

#include <jansson.h>
#include <stdbool.h>

/* Is it what `startune run --report` writes? */
bool cli_is_report(const json_t *root);
/* A fact for each method of each context, and each function of each request, that was measured. NAME is for
 * messages. */
int cli_read_report(const json_t *root, const char *name, struct star_facts *facts, struct star_why *why);
/* A member of a fact. WORD is empty, which no fact's is, where it is missing or longer than ROOM. */
void cli_read_word(const json_t *object, const char *key, char *word, size_t room);

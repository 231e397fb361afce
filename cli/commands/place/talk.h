/* SPDX-License-Identifier: BSD-3-Clause
 * Of which run the matrix is taken. */
#pragma once

#include "util/why.h"

#include <jansson.h>

/* The report that WORD names as a file; or the last one that is kept of a program of that name with its
 * matrix, of RANKS (0: of any number). STAR_ENEEDS: there is none. STAR_EINPUT, STAR_ESYSTEM. */
int cli_place_find_report(const char *word, int ranks, json_t **report, struct star_why *why);

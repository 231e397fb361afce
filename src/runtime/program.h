/* SPDX-License-Identifier: BSD-3-Clause
 * What program this is, by the words that it was started with. */
#pragma once

#include <stddef.h>

/* All words, or the first of them, in one line. */
void star_program_words(char *line, size_t room);
/* What tells it from others: its own name and that of the first file among its words, which is a script's, or
 * that of its input. "": nobody knows. */
void star_program_name(char *name, size_t room);

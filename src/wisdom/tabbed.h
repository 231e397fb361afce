/* SPDX-License-Identifier: BSD-3-Clause
 * Fields of a line, with tabs between them, read one after the other: REST is what is left of it, NULL at its
 * end. False: there is none, or it is none of these. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Of at least one character, none of them a control character. */
bool star_tabbed_name(char **rest, char *name, size_t room);
bool star_tabbed_integer(char **rest, int64_t least, int64_t most, int64_t *number);
bool star_tabbed_number(char **rest, double least, double most, double *number);

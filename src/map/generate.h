/* SPDX-License-Identifier: BSD-3-Clause
 * What generated C code is put together from. */
#pragma once

#include "util/text.h"

/* "static const TYPE PREFIX_NAME[COUNT] = {…};" with the narrowest type that holds the values. */
void star_generate_array(struct star_text *text, const char *prefix, const char *name, const int64_t *values,
                         int count);
/* How many lines the text has. */
int star_generate_lines(const struct star_text *text);

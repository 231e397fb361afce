/* SPDX-License-Identifier: BSD-3-Clause
 * Whole files, read. */
#pragma once

#include "util/text.h"
#include "util/why.h"

/* What a text file may hold, so that an absurd one is refused early. */
enum { STAR_FILE_BYTES_MOST = 256 << 20 };

/* Appends the file PATH to TEXT; "-" is standard input. STAR_ESYSTEM, STAR_EMEMORY, and STAR_EINPUT where it
 * is longer than STAR_FILE_BYTES_MOST. */
int star_file_read(const char *path, struct star_text *text, struct star_why *why);
/* What reasons call the file PATH. */
const char *star_file_name(const char *path);
/* STAR_EINPUT where BYTES are too many or hold a 0: this is no text. */
int star_file_is_text(const char *bytes, size_t length, const char *name, struct star_why *why);

/* SPDX-License-Identifier: BSD-3-Clause
 * What rank 0 asks of the store at the start, and gives it at the end. The store itself is never opened in
 * the program's process: store/store.h says why. What lies beside it is read and written here; only where
 * that does not do, the helper startune-wisdom runs. */
#pragma once

#include "util/text.h"

/* The facts of this machine, as a message; empty where there are none, or something was wrong. */
void star_remember_begin(struct star_text *message);
/* The path of the store that is written; "": there is none. */
const char *star_remember_place(void);
/* LINES: of a message, without its beginning and end. */
void star_remember_end(const struct star_text *lines);

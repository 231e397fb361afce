/* SPDX-License-Identifier: BSD-3-Clause
 * Reading traces. */
#pragma once

#include "replay/trace.h"

/* Appends the contexts of the file NAME with BYTES to TRACES, which are as before after an error. STAR_EINPUT
 * names file and line, STAR_EMEMORY. */
int star_traces_parse(const char *bytes, size_t length, const char *name, struct star_traces *traces,
                      struct star_why *why);
int star_traces_read(const char *path, struct star_traces *traces, struct star_why *why);

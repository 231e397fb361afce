/* SPDX-License-Identifier: BSD-3-Clause
 * How far a long computation or measurement is: on one line of a terminal; else, as under mpirun, in a line
 * every ten seconds. */
#pragma once

#include <stdint.h>

/* The same in other words: WHO, "startune tune", stands before each line of its own. */
void cli_progress_line(const char *who, int64_t begin, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Says which PART of a PHASE ("" for the whole) is done, and how long the rest will take if all goes on as
 * since BEGIN, in nanoseconds of star_now. */
void cli_progress(const char *phase, double part, int64_t begin);
/* Clears that line. */
void cli_progress_end(void);

/* SPDX-License-Identifier: BSD-3-Clause
 * What startune saved and lost, by program: an account beside the store, to which each run adds a line by its
 * own figures. Times are those of all ranks together, so that runs of any size add up.
 *
 * Errors add up in full, as if all runs of a program were wrong in the same direction: several of them may
 * go by one and the same memory of native's time. So the sum is within the sum of the errors with the
 * confidence that each run has, whatever runs have in common.
 *
 * A file that has grown long is added up: program by program, and those with the least time as one, `others`.
 * Lines that say nothing possible are left out, and counted. */
#pragma once

#include "util/text.h"
#include "util/why.h"
#include "wisdom/losses.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* From a length on the file is added up; none longer is read. */
enum { STAR_HOURS_LONG = 1 << 20, STAR_HOURS_BYTES_MOST = 16 << 20 };
/* Programs that are known by name once a file has been added up. */
enum { STAR_HOURS_PROGRAMS = 1000 };
extern const char star_hours_others[];

struct star_hours_of {
    char program[STAR_LOSS_PROGRAM];
    int64_t first, last;             /* ends of runs: seconds since 1970 */
    int64_t ranks_least, ranks_most; /* of one run */
    int64_t runs, unknown_runs;      /* all; of these nobody knows what native would have taken */
    int64_t lost_runs, saved_runs;   /* of which it is sure */
    double seconds, unknown_seconds;
    double lost;         /* in the LOST_RUNS */
    double saved, error; /* of the known ones: with 95 % confidence it is no farther off than ERROR */
};

struct star_hours {
    struct star_hours_of *at;
    size_t count;
    size_t wrong; /* lines that were left out */
};

/* Of one run: SAVED and ERROR are means over ranks; KNOWN: they say something. False: these are no numbers
 * that a run may have. */
bool star_hours_run(const struct star_loss_run *run, int64_t date, double seconds, bool known, double saved,
                    double error, struct star_hours_of *hours);
/* Adds MORE, of the same program. */
void star_hours_add(struct star_hours_of *into, const struct star_hours_of *more);
/* Each program once, by name. */
void star_hours_sum(struct star_hours *hours);
/* Of these, those with most time as they are, the others as one, and all by name. */
void star_hours_shorten(struct star_hours *hours);
void star_hours_free(struct star_hours *hours);

/* Appends lines; false: out of memory, and nothing is left. */
bool star_hours_parse(const char *bytes, size_t length, struct star_hours *hours);
void star_hours_format(const struct star_hours_of *hours, struct star_text *text);

/* Adds a run to the account beside STORE; without room nothing is added. */
void star_hours_note(const char *store, const struct star_hours_of *hours);
/* Appends what stands beside STORE, whoever's it is. STAR_EINPUT: it is no file, or too long; STAR_ESYSTEM:
 * it cannot be read; STAR_EMEMORY. *THERE: there is one. */
int star_hours_read(const char *store, struct star_hours *hours, bool *there, struct star_why *why);
/* Removes lines of runs that all ended before DATE; 0: all. Returns how many runs these were; −1: it cannot
 * be written. */
int64_t star_hours_forget(const char *store, int64_t date);

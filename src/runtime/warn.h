/* SPDX-License-Identifier: BSD-3-Clause
 * Warnings on standard error. */
#pragma once

/* One line on standard error, from rank 0 of MPI_COMM_WORLD alone, once for each KIND. RANK is this
 * rank's in the communicator that is meant: its rank 0 remembers what that of MPI_COMM_WORLD may not know. */
struct star_text;

enum star_warning {
    STAR_WARN_SETTINGS,
    STAR_WARN_UNKNOWN,
    STAR_WARN_DIFFERENT,
    STAR_WARN_FORCE,
    STAR_WARN_SITES,
    STAR_WARN_COMMUNICATORS,
    STAR_WARN_DEVICE,
    STAR_WARN_REPORT,
    STAR_WARN_MEMORY,
    STAR_WARN_UNCHECKED,
    STAR_WARN_CALLERS,
    STAR_WARN_UNVERIFIED,
    STAR_WARN_TOPOLOGY,
    STAR_WARN_MAP,
    STAR_WARN_WISDOM,
    STAR_WARNINGS
};
void star_warn(enum star_warning kind, int rank, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The same for what must be said each time: by the communicator's rank 0, at once. */
void star_warn_each(int rank, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* At the end: what this rank knows; and then, of all ranks, what rank 0 could not know is said. */
void star_warnings_end(struct star_text *text);
void star_warnings_say(const struct star_text *text);

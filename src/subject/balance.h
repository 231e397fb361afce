/* SPDX-License-Identifier: BSD-3-Clause
 * What calls took, and what that is against native: the figures of the summary and the report. Native is, of
 * requests, the first function. All times are this rank's own.
 *
 * Saved is what native would have taken, less what the calls took, less what deciding took. Of each
 * alternative the mean of its timed calls stands for those that were not timed: native's and the others' by
 * the same rule, disturbed calls among them. Native's own calls neither cost nor save. */
#pragma once

#include "subject/subject.h"

struct star_balance {
    int64_t calls, chosen_calls, native_calls; /* native's and the chosen one's: the counted ones */
    double seconds;                            /* of all calls */
    double chosen_seconds, native_seconds;     /* of the counted ones */
    int64_t unknown_calls, remembered_calls;   /* where native's time is not known; or that of earlier runs */
    bool known;                                /* what follows is: */
    bool remembered;                           /* native's time is that of earlier runs; */
    bool native_once;                          /* or of one visit, maybe a program's first calls */
    double saved, error; /* seconds; with 95 % confidence it is no farther off than ERROR */
    double tuning;       /* what finding the chosen one took: agreements, and slower ones on the way */
};

/* The alternative that was chosen; while some are compared, the fastest of those that were measured. */
int star_subject_chosen(const struct star_subject *subject);
/* COMPARABLE: alternative 0 is native. */
struct star_balance star_balance_of(const struct star_subject *subject, bool comparable);
/* With 95 % confidence the mean of the alternative's calls is no farther off; where nothing tells how far a
 * later visit differs, at least a quarter of it. STAR_UNKNOWN_SECONDS: no call was counted. */
double star_balance_error(const struct star_subject *subject, int alternative);
/* All of it was within SECONDS: no more can have been lost, and where the calls are said to have taken more,
 * what was not timed is not known that well. */
void star_balance_bound(struct star_balance *balance, double seconds);
void star_balance_add(struct star_balance *into, const struct star_balance *other);
/* Is it sure that something was saved, or lost? */
bool star_balance_is_clear(const struct star_balance *balance);

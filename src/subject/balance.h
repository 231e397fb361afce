/* SPDX-License-Identifier: BSD-3-Clause
 * What calls took, and what that is against native: the figures of the summary and the report. */
#ifndef STAR_SUBJECT_BALANCE_H
#define STAR_SUBJECT_BALANCE_H

#include "subject/subject.h"

/* Native is, of requests, the first function. Seconds are those of this rank. */
struct star_balance {
    int64_t calls, chosen_calls, native_calls;
    double seconds, chosen_seconds, native_seconds;
    double saved, tuning; /* in seconds, against native's mean; known when native_calls > 0 */
    bool native_once;     /* native was measured once, in few calls, maybe a program's first ones */
};

/* The alternative that was chosen; while some are compared, the fastest of those that were measured. */
int star_subject_chosen(const struct star_subject *subject);
/* What all calls took on this rank: those that were not timed count as those of the chosen one that were. */
double star_subject_seconds(const struct star_subject *subject);
/* COMPARABLE: candidate 0 is native. */
struct star_balance star_balance_of(const struct star_subject *subject, bool comparable);
void star_balance_add(struct star_balance *into, const struct star_balance *other);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
#include "tuner/decision.h"
#include "util/seconds.h"

#include <math.h>

const char *const star_reason_names[] = {"first",
                                         "selected",
                                         "best group",
                                         "confirm",
                                         "kept",
                                         "disturbed",
                                         "overtaken",
                                         "paused",
                                         "resumed",
                                         "wrong",
                                         "unable",
                                         "waits for its budget",
                                         "still in the race",
                                         "compared",
                                         "not ruled out",
                                         "remembered"};
_Static_assert(sizeof star_reason_names / sizeof *star_reason_names == STAR_REASONS, "each has a name");

bool star_decision_lists(const struct star_decision *decision, int candidate)
{
    for (int i = 0; i < decision->count; i++)
        if (decision->list[i] == candidate)
            return true;
    return false;
}

int64_t star_decision_row(const struct star_decision *decision)
{
    return decision->calls * (decision->stride > 1 ? decision->stride : 1);
}

/* To time a call costs some hundred nanoseconds: what the clock takes, and all that follows from a time. Of
 * longer calls more are timed, so that this stays the same small share of them all. */
int32_t star_stride_of(int64_t sample, double seconds)
{
    static const double brief = 3e-6;
    if (!star_is_known(seconds))
        return 1;
    if (seconds <= brief)
        return (int32_t)sample;
    double stride = (double)sample * brief / seconds;
    return stride > 1.5 ? (int32_t)lround(stride) : 1;
}

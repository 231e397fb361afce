/* SPDX-License-Identifier: BSD-3-Clause
 * What another placement is expected to gain, and how far that may be off. */
#pragma once

#include <stdbool.h>

/* Seconds of a run, or, divided by what it took, a share of it. */
struct star_gain {
    double expected, error;
    bool believable; /* the messages did not take longer than the run: else links are faster than they are
                        said */
};

/* Of a run of SECONDS whose messages were expected to take BEFORE in the network, and to take AFTER
 * elsewhere. The error is what bench/placed has found, on an emulated cluster: what was reached was between
 * nothing and one and a half times what was expected, as programs compute meanwhile or send in phases, and
 * then some noise of whole runs. */
struct star_gain star_gain_of(double seconds, double before, double after);
/* Is it more than that error, by so much that a user would care? */
bool star_gain_is_worth_telling(const struct star_gain *gain, double seconds);

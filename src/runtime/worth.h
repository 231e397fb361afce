/* SPDX-License-Identifier: BSD-3-Clause
 * Is it worth while to begin something new? The same on all ranks. */
#pragma once

#include "runtime/state.h"

/* Has the communicator been called often enough to be tuned, at a call like this? */
bool star_is_worth_tuning(const struct star_communicator *state, const struct star_call *call);
/* Are there contexts for half of as many sizes as may be tuned? Then those of others are early at first, and
 * can make room for others. */
bool star_is_one_of_many(const struct star_communicator *state, enum star_operation operation);
/* May one more size be tuned for the operation at this site, or must it be? */
bool star_is_wanted(const struct star_communicator *state, enum star_operation operation,
                    const struct star_facts *facts, uint64_t site);

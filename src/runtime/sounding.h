/* SPDX-License-Identifier: BSD-3-Clause
 * Soundings of the network between the ranks of a communicator, which are on several nodes. */
#ifndef STAR_RUNTIME_SOUNDING_H
#define STAR_RUNTIME_SOUNDING_H

#include "plan/sounding.h"
#include "runtime/runtime.h"

struct star_networks;

/* AMOUNT as star_soundings_of takes it, ASSUMED: seconds for a byte by the cost model. Collective over the
 * communicator. True on rank 0 alone, where something was found out. */
bool star_sound(const struct star_communicator *state, int64_t amount, double assumed,
                struct star_sounding *sounding);

/* What the leader remembers of soundings, as long as the process runs: communicators come and go, and those
 * of the same ranks need one. False: these ranks were not sounded yet, and may be. */
bool star_sounding_recall(const struct star_communicator *state, struct star_networks *networks);
void star_sounding_keep(const struct star_communicator *state, const struct star_networks *networks);

#endif

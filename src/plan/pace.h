/* SPDX-License-Identifier: BSD-3-Clause
 * Pacing: turns a draft, which only says what moves in which round, into a plan that says when each rank
 * waits for what. `sync` and `window` are knobs of every algorithm that moves in rounds, and live here alone.
 *
 *   window W    round r starts when round r−W is complete
 *   light       the receiver of a message of round r ≥ 1 tells its sender, with an empty message, that its
 * own part of round r may start; the sender waits for that (STAR-MPI's light barrier) barrier     all ranks
 * meet before every round but the first barriers:N  all ranks meet N times, every R/(N+1) of R rounds (paper
 * 002, section 4.2) */
#ifndef STAR_PLAN_PACE_H
#define STAR_PLAN_PACE_H

#include "plan/plan.h"

struct star_draft {
    struct star_step *steps; /* ordered by round */
    int64_t temp_bytes;
    int32_t count, rounds, rank, size;
    bool units, reduces; /* as in the plan */
    uint64_t rotated;
};

/* NULL when out of memory. */
struct star_plan *star_pace(const struct star_draft *draft, struct star_pacing pacing);

#endif

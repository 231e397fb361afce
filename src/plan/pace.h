/* SPDX-License-Identifier: BSD-3-Clause
 * Pacing: turns a draft, which only says what moves in which round, into a plan that says when each rank
 * waits for what. `sync` and `window` are knobs of every algorithm that moves in rounds, and live here alone.
 *
 *   segment N   messages move in pieces of N bytes. A round is then as many flights as its
 *               longest message has pieces; else it is one
 *   window W    a flight starts when the one W before it is complete; where rounds forward what
 *               came in the one before, a round's first flight waits for all before it
 *   light       the receiver of a message of round r >= 1 tells its sender, with an empty message,
 *               that its own part of round r may start; the sender waits for that (STAR-MPI's
 *               light barrier)
 *   barrier     all ranks meet before every round but the first
 *   barriers:N  all ranks meet N times, every R/(N+1) of R rounds (paper 002, section 4.2)
 */
#pragma once

#include "plan/plan.h"

/* The slot of a draft's send that no round waits for; others' are 0. */
enum { STAR_SLOT_LATE = -1 };

struct star_draft {
    struct star_step *steps; /* ordered by round */
    int64_t temp_bytes;
    int64_t shared_bytes; /* as in the plan */
    int32_t count, rounds, rank, size;
    bool units, reduces; /* as in the plan */
    uint64_t rotated;
};

/* STAR_ELIMIT: the plan's steps may take more than ROOM bytes, as pieces make many of one. STAR_EMEMORY.
 * *PLAN is NULL then. */
int star_pace(const struct star_draft *draft, struct star_pacing pacing, int64_t room,
              struct star_plan **plan);

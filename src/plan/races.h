/* SPDX-License-Identifier: BSD-3-Clause
 * Proves that plans do not race in shared memory, whatever the order in which ranks go, on memory that orders
 * nothing but what is posted and awaited: each read of another rank's area comes behind the write that it
 * wants, and each write behind all reads of what it writes over; in several calls one behind the other. What
 * a rank shows of its own buffers is written by the program before each call and after it. */
#pragma once

#include "plan/plan.h"

/* Where no rank can leave a call before all have come to it (MEET), calls use two areas in turn, and nothing
 * else keeps them apart. Else whoever runs them waits until all ranks have left the call that used an area
 * last. So many areas are used at least:  */
enum { STAR_AREAS_MEET = 2 };

/* PLANS[r] is rank r's, and they were simulated. IN_PLACE: where each rank's input lies in its receive
 * buffer, negative if not; NULL: none does. 0, STAR_EWRONG with the first race found, or STAR_EMEMORY. */
int star_races(const struct star_plan *const *plans, int ranks, const int64_t *in_place, bool meet,
               struct star_why *why);

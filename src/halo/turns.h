/* SPDX-License-Identifier: BSD-3-Clause
 * In which order a rank goes through its neighbours.
 *
 * Both ends of a message work out its turn from the pair of sides and the two ranks alone. Turns are in one
 * order for all ranks, and no rank begins a turn before its earlier ones are over. So the earliest turn that
 * is not over can always go on: no grid, however odd, asymmetric or wrapped onto itself, can deadlock, though
 * no send is buffered. In each dimension every other turn is at the same time. What a rank sends to itself it
 * receives in the same turn. */
#pragma once

#include "halo/halo.h"

/* What a rank does with one neighbour at a time, or with itself. */
struct star_turn {
    int send, receive; /* the sides; STAR_NOBODY: nothing is sent, or received */
};

/* The turns of a rank IN_ORDER, or else side by side, what leaves there and what comes. There is room for two
 * for each side in TURN. STAR_EMEMORY. */
int star_turns_list(const struct star_halo *halo, bool in_order, struct star_turn *turn, int *turns);

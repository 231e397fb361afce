/* SPDX-License-Identifier: BSD-3-Clause
 * The levels of one node: which of its ranks share a package, a NUMA node and an L3 cache. */
#pragma once

#include "util/locality.h"

#include <stdbool.h>

/* GROUP[l][r] is the group of rank r on level l, numbered by first appearance. Groups lie within those of the
 * level before, which are fewer; there are several, and some have several ranks. */
struct star_levels {
    int count;
    int *group[STAR_LOCALITIES];
};

/* Finds those of RANKS ranks by the LOCALITY of each, in ROOM for STAR_LOCALITIES × RANKS numbers. What is
 * not known of some rank is no level. False: there are none. */
bool star_levels_find(const uint64_t *locality, int ranks, int *room, struct star_levels *levels);

/* SPDX-License-Identifier: BSD-3-Clause
 * Placing ranks on a topology's machines, where no program runs that could tell. Machines are taken in the
 * order of their names, n2 before n10. Each takes as many ranks as it has slots, and multiples of that where
 * there are more ranks than slots. */
#pragma once

#include "topology/topology.h"

#include <stdint.h>

struct star_placing {
    enum {
        STAR_PLACE_BLOCK,  /* machine by machine */
        STAR_PLACE_CYCLIC, /* the switches in turn, and at a switch each machine once before any twice */
        STAR_PLACE_RANDOM
    } kind;
    int64_t seed;
};

/* Reads "block", "cyclic", "random" or "random:SEED"; false when TEXT is none. */
bool star_placing_parse(const char *text, struct star_placing *placing);
/* MACHINE[r] becomes the topology's node of rank r. STAR_EMEMORY. */
int star_place(const struct star_topology *topology, const struct star_placing *placing, int ranks,
               int *machine, struct star_why *why);

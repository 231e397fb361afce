/* SPDX-License-Identifier: BSD-3-Clause
 * Placements of ranks on nodes, as people write them: auto, none, block:K, cyclic:N. */
#pragma once

#include "util/why.h"

#include <stdint.h>

struct star_placement {
    enum star_placement_kind {
        STAR_PLACED_AUTO,  /* as the ranks run */
        STAR_PLACED_NONE,  /* nothing is known of nodes */
        STAR_PLACED_BLOCK, /* NUMBER neighbours on each node */
        STAR_PLACED_CYCLIC /* in turn on NUMBER nodes */
    } kind;
    int64_t number;
};

/* STAR_EINPUT names the bad word and what would be good. */
int star_placement_parse(const char *text, struct star_placement *placement, struct star_why *why);
/* The node of RANK in a placement by block or cyclic; nodes are numbered by first appearance. */
int star_placement_node(const struct star_placement *placement, int rank);

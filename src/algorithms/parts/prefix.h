/* SPDX-License-Identifier: BSD-3-Clause
 * Prefix reductions. */
#pragma once

#include "algorithms/parts/team.h"

/* Prefix reductions (scans) in the order of members: each receives the reduction of the members up to itself
 * or, WITHOUT itself, of those before it, and then member 0 nothing. INCLUSIVE holds the member's own vector
 * at first. It becomes the result; WITHOUT, only members that both receive and tell others overwrite it (in
 * linear none do), and the result is written to EXCLUSIVE. */
struct star_prefix {
    struct star_place inclusive, exclusive;
    bool without;
    int64_t bytes, granule;
    int64_t segment; /* of chain alone */
};
typedef void star_prefix_part(struct star_builder *b, const struct star_team *team,
                              const struct star_prefix *prefix);
star_prefix_part star_prefix_linear, star_prefix_chain, star_prefix_doubling, star_prefix_binomial;

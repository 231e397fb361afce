/* SPDX-License-Identifier: BSD-3-Clause
 * Gather and scatter along trees of radix r: member i's parent is i less its lowest digit in base r that is
 * not 0. A member's subtree is the members from it on, without a gap. */
#pragma once

#include "algorithms/parts/team.h"

/* Members from ME on whose blocks pass through it. */
int star_team_subtree(int size, int me, int64_t radix);
/* Block i of member i goes to member 0. A member touches its subtree's blocks only. ⌈log_r size⌉ rounds. */
void star_team_gather(struct star_builder *b, const struct star_team *team, const struct star_blocks *blocks,
                      int64_t radix);
/* The same backwards: member 0 has all blocks, and each member gets those of its subtree. */
void star_team_scatter(struct star_builder *b, const struct star_team *team, const struct star_blocks *blocks,
                       int64_t radix);

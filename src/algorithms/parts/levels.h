/* SPDX-License-Identifier: BSD-3-Clause
 * Trees over the levels of one node. */
#pragma once

#include "algorithms/parts/tree.h"

/* A tree of all ranks from the shape's root on: the leaders of groups are joined within each group of the
 * level above, and ranks within the innermost groups, by k-nomial trees of RADIX. The root leads its groups,
 * and else the least rank does. Children of inner levels come first. False when out of memory. */
bool star_levels_tree(struct star_builder *b, const struct star_shape *shape, int64_t radix,
                      struct star_tree *tree);

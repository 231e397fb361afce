/* SPDX-License-Identifier: BSD-3-Clause
 * Leaders: up a binomial tree on each node that its ranks have come; the first ranks of nodes disseminate it;
 * and down again. The fewest rounds between nodes. Kielmann et al., PPoPP 1999. */
#include "algorithms/parts/lanes.h"

static void build(struct star_builder *b, const struct star_shape *shape)
{
    struct star_lanes lanes;
    struct star_tree tree;
    if (!star_lanes_of(b, shape, 1, &lanes) ||
        !star_tree_of(b, STAR_TREE_KNOMIAL, 2, lanes.own.size, lanes.own.me, &tree))
        return;
    const struct star_team *own = &lanes.own, *across = &lanes.across;
    for (int c = 0; c < tree.children; c++)
        star_build_hear(b, own->rank[tree.child[c]]);
    star_build_round(b);
    for (int64_t ahead = 1; own->me == 0 && ahead < across->size; ahead *= 2) {
        star_build_hear(b, across->rank[(across->me - ahead + across->size) % across->size]);
        star_build_tell(b, across->rank[(across->me + ahead) % across->size]);
        star_build_round(b);
    }
    if (tree.parent >= 0) {
        star_build_tell(b, own->rank[tree.parent]);
        star_build_hear(b, own->rank[tree.parent]);
    }
    star_build_round(b);
    for (int c = tree.children - 1; c >= 0; c--)
        star_build_tell(b, own->rank[tree.child[c]]);
}

const struct star_algorithm star_barrier_leaders = {
    .operation = STAR_BARRIER,
    .name = "leaders",
    .moves = "up a binomial tree on each node, dissemination between nodes, down again",
    .optimises = "messages between nodes",
    .cost = "(2lg(P/Q)+lg(Q))α, Q nodes",
    .source = "Kielmann et al. 1999 (MagPIe)",
    .needs = STAR_SEVERAL_NODES,
    .nodes = true,
    .knobs = {STAR_KNOB_LEVEL},
    .build = build,
};

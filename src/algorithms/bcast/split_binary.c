/* SPDX-License-Identifier: BSD-3-Clause
 * Split binary: the first half of the vector goes down the left half of a binary tree and the second half
 * down the right one, in segments; then each rank on the left and its counterpart on the right exchange
 * halves. So the root's neighbours pass on half as much as in the binary tree. Where the left has one rank
 * more, the root is its counterpart. Pješivac-Grbović et al., MPI Collective Algorithm Selection and Quadtree
 * Encoding. */
#include "algorithms/parts/team.h"
#include "algorithms/parts/tree.h"

/* Segment by segment, one half to each child. */
static void send_halves(struct star_builder *b, const struct star_team *team, const struct star_tree *tree,
                        const struct star_blocks *halves, int64_t segment)
{
    struct star_segments cuts[2];
    for (int i = 0; i < 2; i++)
        cuts[i] = star_segments_of(star_block_bytes(halves, i, i + 1), 1, segment);
    for (int64_t t = 0; t < cuts[0].count || t < cuts[1].count; t++) {
        for (int i = 0; i < tree->children; i++)
            if (t < cuts[i].count)
                star_build_send(b, star_member(team, tree->child[i]),
                                star_plus(star_block(halves, i), t * cuts[i].step),
                                star_segment_bytes(&cuts[i], t));
        star_build_end(b);
    }
}

static void swap_halves(struct star_builder *b, const struct star_team *team,
                        const struct star_blocks *halves)
{
    int left = team->size / 2; /* members 1…left */
    int side = team->me > left, peer = side ? team->me - left : team->me + left;
    bool unpaired = 2 * left == team->size; /* the last on the left */
    if (team->me == 0 && unpaired)
        star_build_send(b, star_member(team, left), star_block(halves, 1), star_block_bytes(halves, 1, 2));
    if (team->me == left && unpaired)
        star_build_recv(b, star_member(team, 0), star_block(halves, 1), star_block_bytes(halves, 1, 2));
    if (team->me > 0 && peer < team->size) {
        star_build_recv(b, star_member(team, peer), star_block(halves, !side),
                        star_block_bytes(halves, !side, !side + 1));
        star_build_send(b, star_member(team, peer), star_block(halves, side),
                        star_block_bytes(halves, side, side + 1));
    }
    star_build_end(b);
}

static void build(struct star_builder *b, const struct star_shape *shape)
{
    struct star_blocks halves = {
        .at = star_at(STAR_RECVBUF, 0), .bytes = shape->block, .granule = 1, .count = 2};
    struct star_team team;
    struct star_tree tree;
    if (shape->size == 1 || !star_turned(b, shape, shape->root, 1, &team) ||
        !star_tree_of(b, STAR_TREE_IN_ORDER, 0, team.size, team.me, &tree))
        return;
    int side = team.me > team.size / 2;
    if (team.me == 0)
        send_halves(b, &team, &tree, &halves, shape->knob[0]);
    else
        star_tree_bcast(b, &team, &tree, star_block(&halves, side), star_block_bytes(&halves, side, side + 1),
                        1, shape->knob[0]);
    swap_halves(b, &team, &halves);
}

const struct star_algorithm star_bcast_split_binary = {
    .operation = STAR_BCAST,
    .name = "split_binary",
    .moves = "one half down each side of a binary tree, then pairs of both sides exchange halves",
    .optimises = "bandwidth",
    .cost = "(lg(P)+S-2)(2α + nβ/S + θ) + α + nβ/2 + γ",
    .source = "Pješivac-Grbović et al. 2006 (splitted binary)",
    .knobs = {STAR_KNOB_SEGMENT, STAR_KNOB_ORDER},
    .build = build,
};

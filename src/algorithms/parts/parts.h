/* SPDX-License-Identifier: BSD-3-Clause
 * Parts: what algorithms are composed of. A part adds rounds to a builder and ends with a finished round, so
 * that the next part may begin at once. It works for the members of a team, which may be fewer ranks than the
 * program's, in another order. */
#ifndef STAR_ALGORITHMS_PARTS_H
#define STAR_ALGORITHMS_PARTS_H

#include "algorithms/knobs.h"
#include "plan/build.h"

/* The ranks that take part, by numbers of their own. */
struct star_team {
    int size, me;
    const int *rank; /* of each member; NULL: member i is rank i */
};

/* All ranks, in the method's order. */
static inline struct star_team star_whole(const struct star_shape *shape)
{
    return (struct star_team){.size = shape->size,
                              .me = shape->turn ? shape->turn[shape->rank] : shape->rank,
                              .rank = shape->order};
}

static inline int star_member(const struct star_team *team, int member)
{
    return team->rank ? team->rank[member] : member;
}

/* All ranks from FIRST on, upwards (STEP 1) or downwards (STEP -1) in the method's order, around the end.
 * False when out of memory. team.c */
bool star_turned(struct star_builder *b, const struct star_shape *shape, int first, int step,
                 struct star_team *team);

/* A vector of BYTES cut into COUNT blocks of whole granules: where START says, or as even as can be. */
struct star_blocks {
    struct star_place at;
    int64_t bytes, granule;
    int count;
    const int64_t *start; /* of each block, and the end; NULL: even */
    const int *of;        /* which one block K is, where all are of one length; NULL: K */
};

/* COUNT blocks of BLOCK bytes. */
static inline struct star_blocks star_even_blocks(struct star_place at, int count, int64_t block)
{
    int64_t granule = block > 0 ? block : 1; /* of no bytes, too */
    return (struct star_blocks){.at = at, .bytes = count * block, .granule = granule, .count = count};
}

/* COUNT blocks of BLOCK bytes for the members of star_whole: block K is that of member K's rank. To be moved
 * one by one. */
static inline struct star_blocks star_rank_blocks(const struct star_shape *shape, struct star_place at)
{
    struct star_blocks blocks = star_even_blocks(at, shape->size, shape->block);
    blocks.of = shape->order;
    return blocks;
}

/* Where block K begins, in bytes from the vector's start; K may be COUNT: the end. */
static inline int64_t star_block_start(const struct star_blocks *blocks, int k)
{
    int64_t elements = blocks->bytes / blocks->granule, count = blocks->count;
    if (blocks->start != NULL)
        return blocks->start[k];
    return (elements / count * k + elements % count * k / count) * blocks->granule;
}

static inline struct star_place star_block(const struct star_blocks *blocks, int k)
{
    return star_plus(blocks->at, star_block_start(blocks, blocks->of ? blocks->of[k] : k));
}

/* Bytes of blocks FIRST…END−1. */
static inline int64_t star_block_bytes(const struct star_blocks *blocks, int first, int end)
{
    return star_block_start(blocks, end) - star_block_start(blocks, first);
}

/* A vector in segments of STEP bytes, whole granules; the last may be shorter. */
struct star_segments {
    int64_t bytes, step;
    int64_t count;
};

/* SEGMENT bytes each, one granule at least; 0: all in one. */
static inline struct star_segments star_segments_of(int64_t bytes, int64_t granule, int64_t segment)
{
    int64_t step = segment < granule ? granule : segment / granule * granule;
    if (segment == 0 || step > bytes)
        step = bytes;
    return (struct star_segments){.bytes = bytes, .step = step, .count = bytes ? (bytes - 1) / step + 1 : 0};
}

static inline int64_t star_segment_bytes(const struct star_segments *segments, int64_t k)
{
    return k + 1 < segments->count ? segments->step : segments->bytes - k * segments->step;
}

/* All-gather: member i's block i lies in its place at first, and all blocks do afterwards. PARAMETER is the
 * radix of bruck, and not looked at by others. allgather.c */
typedef void star_allgather_part(struct star_builder *b, const struct star_team *team,
                                 const struct star_blocks *blocks, int64_t parameter);
star_allgather_part star_team_allgather_simple, star_team_allgather_mesh2d, star_team_allgather_mesh3d,
    star_team_allgather_rdb, star_team_allgather_bruck, star_team_allgather_ring, star_team_allgather_pair,
    star_team_allgather_neighbor_ring, star_team_allgather_neighbor_exchange,
    star_team_allgather_gather_bcast, star_team_allgather_circulant;

/* Reduce-scatter: reduces block i of all members' vectors IN to member i, at OUT. IN is not changed, and is
 * read no more when OUT is first written: the two may be one memory. Butterfly and pairwise reduce adjacent
 * intervals of members only. reduce_scatter.c */
typedef void star_reduce_scatter_part(struct star_builder *b, const struct star_team *team,
                                      const struct star_blocks *in, struct star_place out);
star_reduce_scatter_part star_team_reduce_scatter_halving, star_team_reduce_scatter_ring,
    star_team_reduce_scatter_pairwise, star_team_reduce_scatter_circulant, star_team_reduce_scatter_butterfly;

/* Ring, SEGMENT bytes of a block at a time: while one arrives, the one before it is reduced. */
void star_reduce_scatter_ring_segments(struct star_builder *b, const struct star_team *team,
                                       const struct star_blocks *in, struct star_place out, int64_t segment);

/* Trees over members 0…size−1 with root 0. In all but heap order, a member's subtree is the members from it
 * on, without a gap, and its children come in ascending order: so are reductions in the order of members.
 * tree.c */
enum star_tree_kind {
    STAR_TREE_FLAT,    /* all are children of the root */
    STAR_TREE_CHAIN,   /* i's child is i+1 */
    STAR_TREE_KNOMIAL, /* i's children are i + j RADIX^k; RADIX 2 is the binomial tree */
    STAR_TREE_BINARY,  /* heap order: i's children are 2i+1 and 2i+2 */
    STAR_TREE_IN_ORDER /* binary: the two halves of what is left of the subtree */
};
struct star_tree {
    int parent; /* −1: the root */
    int *child; /* ascending; scratch of the builder */
    int children;
};
/* False when out of memory. */
bool star_tree_of(struct star_builder *b, enum star_tree_kind kind, int64_t radix, int size, int member,
                  struct star_tree *tree);
/* The flattest binary tree without contention on the network, from the shape's root on; TEAM becomes its
 * members. False when it cannot be made. */
bool star_free_tree_of(struct star_builder *b, const struct star_shape *shape, struct star_team *team,
                       struct star_tree *tree);
/* Moves BYTES at PLACE from the root to all. SEGMENT bytes at a time, 0: all at once, in whole granules. */
void star_tree_bcast(struct star_builder *b, const struct star_team *team, const struct star_tree *tree,
                     struct star_place place, int64_t bytes, int64_t granule, int64_t segment);
/* Reduces BYTES at PLACE of all members into that of the root; others' is overwritten. A member's value is
 * the right operand, those of its children the left ones, the nearest first: the result is … op child[1] op
 * child[0] op own. */
void star_tree_reduce(struct star_builder *b, const struct star_team *team, const struct star_tree *tree,
                      struct star_place place, int64_t bytes, int64_t granule, int64_t segment);

/* Prefix reductions (scans) in the order of members: each receives the reduction of the members up to itself
 * or, WITHOUT itself, of those before it, and then member 0 nothing. INCLUSIVE holds the member's own vector
 * at first. It becomes the result; WITHOUT, only members that both receive and tell others overwrite it (in
 * linear none do), and the result is written to EXCLUSIVE. prefix.c; SEGMENT is looked at by chain only. */
struct star_prefix {
    struct star_place inclusive, exclusive;
    bool without;
    int64_t bytes, granule;
};
typedef void star_prefix_part(struct star_builder *b, const struct star_team *team,
                              const struct star_prefix *prefix, int64_t segment);
star_prefix_part star_prefix_linear, star_prefix_chain, star_prefix_doubling, star_prefix_binomial;

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * Parts: what algorithms are composed of. A part adds rounds to a builder and ends with a finished round, so
 * that the next part may begin at once. It works for the members of a team, which may be fewer ranks than the
 * program's, in another order. */
#pragma once

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
 * False when out of memory. */
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

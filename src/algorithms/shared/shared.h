/* SPDX-License-Identifier: BSD-3-Clause
 * What methods have in common that hand over by shared memory: see plan.h.
 *
 * Long blocks go in pieces. Pieces use two zones of a rank's area in turn, so that it may fill the one while
 * others still read the other. */
#pragma once

#include "algorithms/parts/tree.h"

#define STAR_ONE_NODE "all ranks on one node"

/* Bytes that a rank hands over at a time. */
#define STAR_KNOB_HAND_OVER                                                                                  \
    {                                                                                                        \
        .name = "segment", .help = "bytes that a rank hands over at a time, 1 to 128K", .is_bytes = true,    \
        .least = 1, .most = STAR_SHARED_MOST / 2, .preset = 32768, .values = {2, {32768, 131072}}, .more = { \
            1,                                                                                               \
            {24}                                                                                             \
        }                                                                                                    \
    }

enum { STAR_LINE = 64 };

/* The bytes, filled up to whole lines of the cache. */
static inline int64_t star_lined(int64_t bytes)
{
    return (bytes + STAR_LINE - 1) / STAR_LINE * STAR_LINE;
}

/* Bytes of a block above which a plan with a step for each rank in each piece gets long. */
enum { STAR_HEIRS_BYTES_MOST = 65536 };

struct star_pieces {
    struct star_segments of; /* a block, or a vector */
    int64_t zone;            /* bytes */
};

/* BYTES go in pieces of SEGMENT bytes at most, whole granules, of which a zone holds as many as the rank
 * hands over to HEIRS. */
static inline struct star_pieces star_pieces_of(struct star_builder *b, int64_t bytes, int64_t granule,
                                                int64_t segment, int heirs)
{
    int64_t most = segment / heirs > 2 * granule ? segment / heirs : 2 * granule;
    struct star_pieces pieces = {.of = star_segments_of(bytes, granule, most)};
    bool one = pieces.of.count <= 1;
    int64_t all = heirs * pieces.of.step;
    pieces.zone = one ? all : star_lined(all);
    star_build_share(b, one ? pieces.zone : 2 * pieces.zone);
    return pieces;
}

static inline struct star_place star_zone(const struct star_pieces *pieces, int64_t piece)
{
    return star_at(STAR_SHARED, piece % 2 * pieces->zone);
}

/* Is it to be awaited that others have read PIECE? Two pieces later its zone is filled again. */
static inline bool star_comes_again(const struct star_pieces *pieces, int64_t piece)
{
    return piece + 2 < pieces->of.count;
}

/* Puts PIECE into its zone and says so. */
static inline void star_hand_over(struct star_builder *b, const struct star_pieces *pieces, int64_t piece,
                                  struct star_place block)
{
    star_build_copy(b, star_zone(pieces, piece), star_plus(block, piece * pieces->of.step),
                    star_segment_bytes(&pieces->of, piece));
    star_build_post(b, piece + 1);
}

/* TO becomes what all ranks have at FROM in their areas, and have said so by COUNT, reduced in the order of
 * ranks. */
static inline void star_fold(struct star_builder *b, const struct star_shape *shape, struct star_place to,
                             int64_t from, int64_t bytes, int64_t count)
{
    for (int r = shape->size - 1; r >= 0; r--) {
        if (r != shape->rank)
            star_build_await(b, r, count);
        if (r == shape->size - 1)
            star_build_pull(b, to, r, from, bytes);
        else
            star_build_pull_reduce(b, to, r, from, bytes);
    }
}

/* BYTES of the receive buffer down a TREE of ranks, in pieces of SEGMENT bytes: an inner rank fetches a piece
 * and shows it again. */
static inline void star_pass_down(struct star_builder *b, const struct star_tree *tree, int64_t bytes,
                                  int64_t segment)
{
    struct star_pieces pieces = star_pieces_of(b, bytes, 1, segment, 1);
    for (int64_t p = 0; p < pieces.of.count; p++) {
        struct star_place piece = star_at(STAR_RECVBUF, p * pieces.of.step);
        int64_t length = star_segment_bytes(&pieces.of, p);
        if (tree->parent >= 0) {
            star_build_await(b, tree->parent, p + 1);
            star_build_pull(b, piece, tree->parent, star_zone(&pieces, p).offset, length);
        }
        for (int c = 0; p >= 2 && c < tree->children; c++)
            star_build_await(b, tree->child[c], p - 1);
        if (tree->children > 0)
            star_build_copy(b, star_zone(&pieces, p), piece, length);
        if (tree->children > 0 || star_comes_again(&pieces, p))
            star_build_post(b, p + 1);
        star_build_end(b);
    }
}

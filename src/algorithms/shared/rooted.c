/* SPDX-License-Identifier: BSD-3-Clause
 * Rooted operations: who has something shows it, and who needs it fetches it. Nobody waits for those that
 * need it, but before it fills an area or a zone again that they may still read. Short messages have no such
 * bound: so these methods are not one-way, and are not tried where native's may be sent at once. */
#include "algorithms/shared/shared.h"

static void build_bcast(struct star_builder *b, const struct star_shape *shape)
{
    struct star_tree tree;
    if (star_ranks_tree(b, shape, shape->knob[0], &tree))
        star_pass_down(b, &tree, shape->block, shape->knob[1]);
}

/* The root reads all ranks' pieces, and then says so. What it does with them is READ's. */
typedef void read_all(struct star_builder *b, const struct star_shape *shape,
                      const struct star_pieces *pieces, int64_t p);

static void collect(struct star_builder *b, const struct star_shape *shape, int64_t granule, read_all *read)
{
    struct star_pieces pieces = star_pieces_of(b, shape->block, granule, shape->knob[0], 1);
    for (int64_t p = 0; p < pieces.of.count; p++) {
        if (shape->rank != shape->root) {
            if (p >= 2)
                star_build_await(b, shape->root, p - 1);
            star_hand_over(b, &pieces, p, star_at(STAR_SENDBUF, 0));
        } else {
            read(b, shape, &pieces, p);
            if (star_comes_again(&pieces, p))
                star_build_post(b, p + 1);
        }
        star_build_end(b);
    }
}

/* The root's own piece is where all others' are, since in place the result lies upon it. */
static void reduce_piece(struct star_builder *b, const struct star_shape *shape,
                         const struct star_pieces *pieces, int64_t p)
{
    int64_t at = p * pieces->of.step, bytes = star_segment_bytes(&pieces->of, p);
    star_build_copy(b, star_zone(pieces, p), star_at(STAR_SENDBUF, at), bytes);
    star_fold(b, shape, star_at(STAR_RECVBUF, at), star_zone(pieces, p).offset, bytes, p + 1);
}

static void gather_piece(struct star_builder *b, const struct star_shape *shape,
                         const struct star_pieces *pieces, int64_t p)
{
    int64_t at = p * pieces->of.step, block = shape->block;
    if (p == 0)
        star_build_copy(b, star_at(STAR_RECVBUF, shape->root * block), star_at(STAR_SENDBUF, 0), block);
    for (int i = 1; i < shape->size; i++) {
        int peer = (shape->root + i) % shape->size;
        star_build_await(b, peer, p + 1);
        star_build_pull(b, star_at(STAR_RECVBUF, peer * block + at), peer, star_zone(pieces, p).offset,
                        star_segment_bytes(&pieces->of, p));
    }
}

static void build_reduce(struct star_builder *b, const struct star_shape *shape)
{
    collect(b, shape, shape->granule, reduce_piece);
}

static void build_gather(struct star_builder *b, const struct star_shape *shape)
{
    collect(b, shape, 1, gather_piece);
}

/* At the root: the others have read the piece before last, and find this one. */
static void scatter_piece(struct star_builder *b, const struct star_shape *shape,
                          const struct star_pieces *pieces, int64_t p)
{
    int64_t at = p * pieces->of.step, block = shape->block;
    for (int i = 1; i < shape->size; i++) {
        int peer = (shape->root + i) % shape->size;
        if (p >= 2)
            star_build_await(b, peer, p - 1);
        star_build_copy(b, star_plus(star_zone(pieces, p), peer * pieces->of.step),
                        star_at(STAR_SENDBUF, peer * block + at), star_segment_bytes(&pieces->of, p));
    }
    star_build_post(b, p + 1);
    if (p == 0)
        star_build_copy(b, star_at(STAR_RECVBUF, 0), star_at(STAR_SENDBUF, shape->root * block), block);
}

static void build_scatter(struct star_builder *b, const struct star_shape *shape)
{
    struct star_pieces pieces = star_pieces_of(b, shape->block, 1, shape->knob[0], shape->size);
    for (int64_t p = 0; p < pieces.of.count; p++) {
        if (shape->rank == shape->root) {
            scatter_piece(b, shape, &pieces, p);
        } else {
            int64_t from = star_zone(&pieces, p).offset + shape->rank * pieces.of.step;
            star_build_await(b, shape->root, p + 1);
            star_build_pull(b, star_at(STAR_RECVBUF, p * pieces.of.step), shape->root, from,
                            star_segment_bytes(&pieces.of, p));
            if (star_comes_again(&pieces, p))
                star_build_post(b, p + 1);
        }
        star_build_end(b);
    }
}

#define ROW                                                                                                  \
    .name = "shared", .shares = true, .optimises = "hand-overs in shared memory",                            \
    .source = "Graham and Shipman 2008", .needs = STAR_ONE_NODE
const struct star_algorithm star_bcast_shared = {
    .operation = STAR_BCAST,
    .moves = "down a tree: who has the vector shows it, whose children fetch it",
    .cost = "(lg_r(P)+n/s)α + lg_r(P)2nβ",
    .knobs = {{.name = "radix",
               .help = "of the tree: a whole number, 2 or more",
               .least = 2,
               .most = INT32_MAX,
               .preset = 32,
               .values = {2, {4, 32}},
               .more = {1, {2}}},
              STAR_KNOB_HAND_OVER},
    .build = build_bcast,
    ROW};
const struct star_algorithm star_reduce_shared = {
    .operation = STAR_REDUCE,
    .moves = "each shows its vector; the root reduces them in the order of ranks",
    .cost = "(n/s)α + Pn(β+γ)",
    .in_order = true,
    .order = STAR_ORDER_RANK,
    .knobs = {STAR_KNOB_HAND_OVER},
    .build = build_reduce,
    ROW};
const struct star_algorithm star_gather_shared = {.operation = STAR_GATHER,
                                                  .moves = "each shows its block, which the root fetches",
                                                  .cost = "(n/s)α + Pnβ",
                                                  .knobs = {STAR_KNOB_HAND_OVER},
                                                  .build = build_gather,
                                                  ROW};
const struct star_algorithm star_scatter_shared = {.operation = STAR_SCATTER,
                                                   .moves =
                                                       "the root shows all blocks, which the others fetch",
                                                   .cost = "(Pn/s)α + Pnβ",
                                                   .knobs = {STAR_KNOB_HAND_OVER},
                                                   .most_bytes = STAR_HEIRS_BYTES_MOST,
                                                   .build = build_scatter,
                                                   ROW};

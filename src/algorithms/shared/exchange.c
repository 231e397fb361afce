/* SPDX-License-Identifier: BSD-3-Clause
 * Exchanges: each rank shows what it has for the others, who fetch it. One hand-over for each piece. */
#include "algorithms/shared/shared.h"

static void build_allgather(struct star_builder *b, const struct star_shape *shape)
{
    int size = shape->size, me = shape->rank;
    int64_t block = shape->block;
    struct star_place input = star_at(STAR_SENDBUF, 0), all = star_at(STAR_RECVBUF, 0);
    struct star_pieces pieces = star_pieces_of(b, block, 1, shape->knob[0], 1);
    for (int64_t p = 0; p < pieces.of.count; p++) {
        int64_t at = p * pieces.of.step;
        star_hand_over(b, &pieces, p, input);
        if (p == 0)
            star_build_copy(b, star_plus(all, me * block), input, block);
        for (int i = 1; i < size; i++) {
            int peer = (me + i) % size;
            star_build_await(b, peer, p + 1);
            star_build_pull(b, star_plus(all, peer * block + at), peer, star_zone(&pieces, p).offset,
                            star_segment_bytes(&pieces.of, p));
        }
        star_build_end(b);
    }
}

/* Shows piece P of what this rank has for each other; and for itself, if OWN. */
static void show_all(struct star_builder *b, const struct star_shape *shape, const struct star_pieces *pieces,
                     int64_t p, bool own)
{
    for (int i = own ? 0 : 1; i < shape->size; i++) {
        int r = (shape->rank + i) % shape->size;
        star_build_copy(b, star_plus(star_zone(pieces, p), r * pieces->of.step),
                        star_at(STAR_SENDBUF, r * shape->block + p * pieces->of.step),
                        star_segment_bytes(&pieces->of, p));
    }
    star_build_post(b, p + 1);
}

static void build_alltoall(struct star_builder *b, const struct star_shape *shape)
{
    int size = shape->size, me = shape->rank;
    int64_t block = shape->block;
    struct star_pieces pieces = star_pieces_of(b, block, 1, shape->knob[0], size);
    for (int64_t p = 0; p < pieces.of.count; p++) {
        int64_t from = star_zone(&pieces, p).offset + me * pieces.of.step;
        show_all(b, shape, &pieces, p, false);
        if (p == 0)
            star_build_copy(b, star_at(STAR_RECVBUF, me * block), star_at(STAR_SENDBUF, me * block), block);
        for (int i = 1; i < size; i++) {
            int peer = (me + i) % size;
            star_build_await(b, peer, p + 1);
            star_build_pull(b, star_at(STAR_RECVBUF, peer * block + p * pieces.of.step), peer, from,
                            star_segment_bytes(&pieces.of, p));
        }
        star_build_end(b);
    }
}

static void build_reduce_scatter(struct star_builder *b, const struct star_shape *shape)
{
    struct star_pieces pieces = star_pieces_of(b, shape->block, shape->granule, shape->knob[0], shape->size);
    for (int64_t p = 0; p < pieces.of.count; p++) {
        int64_t from = star_zone(&pieces, p).offset + shape->rank * pieces.of.step;
        show_all(b, shape, &pieces, p, true);
        star_fold(b, shape, star_at(STAR_RECVBUF, p * pieces.of.step), from,
                  star_segment_bytes(&pieces.of, p), p + 1);
        star_build_end(b);
    }
}

#define ROW                                                                                                  \
    .name = "shared", .shares = true, .optimises = "memory traffic", .needs = STAR_ONE_NODE,                 \
    .source = "Graham and Shipman 2008", .knobs = {STAR_KNOB_HAND_OVER}
const struct star_algorithm star_allgather_shared = {.operation = STAR_ALLGATHER,
                                                     .moves = "each shows its block, which all others fetch",
                                                     .cost = "(n/s)α + Pnβ",
                                                     .build = build_allgather,
                                                     ROW};
const struct star_algorithm star_alltoall_shared = {.operation = STAR_ALLTOALL,
                                                    .moves = "each shows its blocks, which the others fetch",
                                                    .cost = "(Pn/s)α + 2Pnβ",
                                                    .most_bytes = STAR_HEIRS_BYTES_MOST,
                                                    .build = build_alltoall,
                                                    ROW};
const struct star_algorithm star_reduce_scatter_block_shared = {
    .operation = STAR_REDUCE_SCATTER_BLOCK,
    .moves = "each shows its blocks, and reduces its own of all in the order of ranks",
    .cost = "(Pn/s)α + Pn(β+γ)",
    .in_order = true,
    .order = STAR_ORDER_RANK,
    .most_bytes = STAR_HEIRS_BYTES_MOST,
    .build = build_reduce_scatter,
    ROW};

/* SPDX-License-Identifier: BSD-3-Clause
 * Slices: each rank shows its vector, reduces one slice of all ranks', and shows that. Each
 * byte is written to shared memory once, and once more of the result. Jin et al., HiPC 2018; ext_mpi's. */
#include "algorithms/shared/shared.h"

/* Of a piece of the vector: slice K is rank K's. */
struct piece {
    struct star_place input, result;
    struct star_blocks slices;
};

static int64_t start_of(const struct piece *piece, int slice)
{
    return star_block_start(&piece->slices, slice);
}

static int64_t bytes_of(const struct piece *piece, int slice)
{
    return star_block_bytes(&piece->slices, slice, slice + 1);
}

/* What others reduce; and what this rank does, where the result must not lie upon it before its turn. */
static void show(struct star_builder *b, const struct star_shape *shape, const struct piece *piece)
{
    int me = shape->rank;
    int64_t own = start_of(piece, me), behind = shape->commutative ? start_of(piece, me + 1) : own;
    star_build_copy(b, star_at(STAR_SHARED, 0), piece->input, own);
    star_build_copy(b, star_at(STAR_SHARED, behind), star_plus(piece->input, behind),
                    piece->slices.bytes - behind);
}

/* The order of ranks, but where it is no matter: then this rank's own value is the last. */
static void reduce(struct star_builder *b, const struct star_shape *shape, const struct piece *piece,
                   int64_t count)
{
    int size = shape->size, me = shape->rank;
    int64_t own = start_of(piece, me), bytes = bytes_of(piece, me);
    struct star_place result = star_plus(piece->result, own);
    if (!shape->commutative) {
        star_fold(b, shape, result, own, bytes, count);
        return;
    }
    star_build_copy(b, result, star_plus(piece->input, own), bytes);
    for (int i = 1; i < size; i++) {
        int peer = (me + i) % size;
        star_build_await(b, peer, count);
        star_build_pull_reduce(b, result, peer, own, bytes);
    }
}

/* This rank's slice of the result, at RESULTS of its area, and then the others'. */
static void gather(struct star_builder *b, const struct star_shape *shape, const struct piece *piece,
                   int64_t results, int64_t count)
{
    int size = shape->size, me = shape->rank;
    star_build_copy(b, star_at(STAR_SHARED, results), star_plus(piece->result, start_of(piece, me)),
                    bytes_of(piece, me));
    star_build_post(b, count);
    star_build_end(b);
    for (int i = 1; i < size; i++) {
        int peer = (me + i) % size;
        star_build_await(b, peer, count);
        star_build_pull(b, star_plus(piece->result, start_of(piece, peer)), peer, results,
                        bytes_of(piece, peer));
    }
    star_build_end(b);
}

static void build(struct star_builder *b, const struct star_shape *shape)
{
    struct star_segments pieces = star_segments_of(shape->block, shape->granule, shape->knob[0]);
    int64_t most = (pieces.step / shape->granule + shape->size - 1) / shape->size * shape->granule;
    int64_t results = star_lined(pieces.step);
    star_build_share(b, results + most);
    for (int64_t p = 0; p < pieces.count; p++) {
        int64_t at = p * pieces.step;
        struct piece piece = {
            star_at(STAR_SENDBUF, at),
            star_at(STAR_RECVBUF, at),
            {.bytes = star_segment_bytes(&pieces, p), .granule = shape->granule, .count = shape->size}};
        show(b, shape, &piece);
        star_build_post(b, 2 * p + 1);
        star_build_end(b);
        reduce(b, shape, &piece, 2 * p + 1);
        gather(b, shape, &piece, results, 2 * p + 2);
    }
}

const struct star_algorithm star_allreduce_shared_slices = {
    .operation = STAR_ALLREDUCE,
    .name = "shared_slices",
    .shares = true,
    .moves = "each shows its vector, reduces a slice of all, and shows the result",
    .optimises = "memory traffic",
    .cost = "2α + 2nβ + n(γ+β/P)",
    .source = "Jin et al. 2018",
    .needs = STAR_ONE_NODE,
    .in_order = true,
    .order = STAR_ORDER_FIXED,
    .least_bytes = 2048,
    .knobs = {STAR_KNOB_HAND_OVER},
    .build = build,
};

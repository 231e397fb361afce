/* SPDX-License-Identifier: BSD-3-Clause
 * One copy: each rank reads what it needs from where it lies in another process's memory, where shared memory
 * takes two copies. Nobody ends before all that read its buffers have said so. A system call each time, so
 * for long messages. Goglin and Moreaud 2013; Chakraborty et al., CLUSTER 2017. */
#include "algorithms/parts/levels.h"
#include "algorithms/shared/shared.h"

/* From post 1 on. */
static void show(struct star_builder *b, struct star_place place, int64_t bytes)
{
    star_build_share(b, 1);
    star_build_show(b, place, bytes);
    star_build_post(b, 1);
}

/* The rank that is I behind this one. */
static int behind(const struct star_shape *shape, int i)
{
    return (shape->rank + i) % shape->size;
}

/* All others have come so far. */
static void await_all(struct star_builder *b, const struct star_shape *shape, int64_t count)
{
    for (int i = 1; i < shape->size; i++)
        star_build_await(b, behind(shape, i), count);
    star_build_end(b);
}

static void build_allgather(struct star_builder *b, const struct star_shape *shape)
{
    int64_t block = shape->block;
    struct star_place input = star_at(STAR_SENDBUF, 0);
    show(b, input, block);
    star_build_copy(b, star_at(STAR_RECVBUF, shape->rank * block), input, block);
    for (int i = 1; i < shape->size; i++) {
        int peer = behind(shape, i);
        star_build_await(b, peer, 1);
        star_build_read(b, star_at(STAR_RECVBUF, peer * block), peer, input, block);
    }
    star_build_post(b, 2);
    star_build_end(b);
    await_all(b, shape, 2);
}

static void build_alltoall(struct star_builder *b, const struct star_shape *shape)
{
    int64_t block = shape->block, own = shape->rank * block;
    show(b, star_at(STAR_SENDBUF, 0), shape->size * block);
    star_build_copy(b, star_at(STAR_RECVBUF, own), star_at(STAR_SENDBUF, own), block);
    for (int i = 1; i < shape->size; i++) {
        int peer = behind(shape, i);
        star_build_await(b, peer, 1);
        star_build_read(b, star_at(STAR_RECVBUF, peer * block), peer, star_at(STAR_SENDBUF, own), block);
    }
    star_build_post(b, 2);
    star_build_end(b);
    await_all(b, shape, 2);
}

/* Down a tree of ranks: an inner rank shows each piece when it has read it. */
static void read_down(struct star_builder *b, const struct star_shape *shape, const struct star_tree *tree)
{
    struct star_place vector = star_at(STAR_RECVBUF, 0);
    int64_t bytes = shape->block, segment = shape->knob[1] > 0 ? shape->knob[1] : bytes;
    struct star_segments pieces = star_segments_of(bytes, 1, segment);
    star_build_share(b, 1);
    if (tree->children > 0)
        star_build_show(b, vector, bytes);
    if (tree->parent < 0)
        star_build_post(b, 1);
    for (int64_t p = 0; tree->parent >= 0 && p < pieces.count; p++) {
        struct star_place piece = star_plus(vector, p * pieces.step);
        if (tree->parent != shape->root || p == 0) /* the root has it all */
            star_build_await(b, tree->parent, p + 1);
        star_build_read(b, piece, tree->parent, piece, star_segment_bytes(&pieces, p));
        if (tree->children > 0 || p + 1 == pieces.count)
            star_build_post(b, p + 1);
        star_build_end(b);
    }
    for (int c = 0; c < tree->children; c++)
        star_build_await(b, tree->child[c], pieces.count);
}

static void build_bcast(struct star_builder *b, const struct star_shape *shape)
{
    struct star_tree tree;
    if (star_ranks_tree(b, shape, shape->knob[0], &tree))
        read_down(b, shape, &tree);
}

static void build_bcast_by_levels(struct star_builder *b, const struct star_shape *shape)
{
    struct star_tree tree;
    if (star_levels_tree(b, shape, shape->knob[0], &tree))
        read_down(b, shape, &tree);
}

/* A rank ends when its own block has been read. */
static void build_gather(struct star_builder *b, const struct star_shape *shape)
{
    int size = shape->size, root = shape->root;
    int64_t block = shape->block;
    struct star_place input = star_at(STAR_SENDBUF, 0);
    if (shape->rank != root) {
        show(b, input, block);
        star_build_await(b, root, (shape->rank - root + size) % size);
        return;
    }
    star_build_share(b, 1);
    star_build_copy(b, star_at(STAR_RECVBUF, root * block), input, block);
    for (int i = 1; i < size; i++) {
        int peer = behind(shape, i);
        star_build_await(b, peer, 1);
        star_build_read(b, star_at(STAR_RECVBUF, peer * block), peer, input, block);
        star_build_post(b, i);
    }
}

static void build_scatter(struct star_builder *b, const struct star_shape *shape)
{
    int64_t block = shape->block;
    struct star_place own = star_at(STAR_SENDBUF, shape->rank * block), result = star_at(STAR_RECVBUF, 0);
    if (shape->rank == shape->root) {
        show(b, star_at(STAR_SENDBUF, 0), shape->size * block);
        star_build_copy(b, result, own, block);
        await_all(b, shape, 1);
        return;
    }
    star_build_share(b, 1);
    star_build_await(b, shape->root, 1);
    star_build_read(b, result, shape->root, own, block);
    star_build_post(b, 1);
}

/* INTO becomes what all ranks have at FROM: in the order of ranks, or, where that is no matter, this rank's
 * own value is the last. */
static void reduce_in_order(struct star_builder *b, const struct star_shape *shape, struct star_place into,
                            struct star_place scratch, int64_t from, int64_t bytes)
{
    struct star_place input = star_at(STAR_SENDBUF, from);
    int last = shape->size - 1;
    for (int r = last; r >= 0; r--) {
        struct star_place value = r == shape->rank ? input : r == last ? into : scratch;
        if (r != shape->rank)
            star_build_read(b, value, r, input, bytes);
        if (r == last && r == shape->rank)
            star_build_copy(b, into, input, bytes);
        else if (r != last)
            star_build_reduce(b, into, value, bytes);
    }
}

static void reduce_in_turn(struct star_builder *b, const struct star_shape *shape, struct star_place into,
                           struct star_place scratch, int64_t from, int64_t bytes)
{
    struct star_place input = star_at(STAR_SENDBUF, from);
    star_build_copy(b, into, input, bytes);
    for (int i = 1; i < shape->size; i++) {
        star_build_read(b, scratch, behind(shape, i), input, bytes);
        star_build_reduce(b, into, scratch, bytes);
    }
}

/* Piece by piece, so that what was read is still in the cache. */
static void reduce_slice(struct star_builder *b, const struct star_shape *shape, int64_t from, int64_t bytes)
{
    struct star_segments pieces = star_segments_of(bytes, shape->granule, shape->knob[0]);
    struct star_place scratch = star_build_temp(b, shape->commutative ? pieces.step : 2 * pieces.step);
    struct star_place sum = star_plus(scratch, pieces.step);
    for (int64_t p = 0; p < pieces.count; p++) {
        int64_t at = from + p * pieces.step, length = star_segment_bytes(&pieces, p);
        struct star_place result = star_at(STAR_RECVBUF, at);
        if (shape->commutative) {
            reduce_in_turn(b, shape, result, scratch, at, length);
        } else {
            reduce_in_order(b, shape, sum, scratch, at, length);
            star_build_copy(b, result, sum, length);
        }
    }
}

/* Of a vector: slice K is rank K's. */
static struct star_blocks slices_of(const struct star_shape *shape)
{
    return (struct star_blocks){.bytes = shape->block, .granule = shape->granule, .count = shape->size};
}

static int64_t bytes_of(const struct star_blocks *slices, int k)
{
    return star_block_bytes(slices, k, k + 1);
}

static void build_allreduce(struct star_builder *b, const struct star_shape *shape)
{
    struct star_blocks slices = slices_of(shape);
    int64_t from = star_block_start(&slices, shape->rank), bytes = bytes_of(&slices, shape->rank);
    show(b, star_at(STAR_SENDBUF, 0), shape->block);
    await_all(b, shape, 1);
    reduce_slice(b, shape, from, bytes);
    star_build_show(b, star_at(STAR_RECVBUF, from), bytes);
    star_build_post(b, 2);
    star_build_end(b);
    for (int i = 1; i < shape->size; i++) {
        int peer = behind(shape, i);
        struct star_place place = star_at(STAR_RECVBUF, star_block_start(&slices, peer));
        star_build_await(b, peer, 2);
        star_build_read(b, place, peer, place, bytes_of(&slices, peer));
    }
    star_build_post(b, 3);
    star_build_end(b);
    await_all(b, shape, 3);
}

#define READERS "all ranks on one node, which may read each other's memory (CMA)"
#define ROW                                                                                                  \
    .name = "single_copy", .shares = true, .reads = true, .optimises = "copies in memory", .needs = READERS, \
    .source = "Chakraborty et al. 2017"
#define LONG ROW, .least_bytes = 32768
#define TREE_KNOBS                                                                                           \
    {                                                                                                        \
        {.name = "radix",                                                                                    \
         .help = "of the tree: a whole number, 2 or more",                                                   \
         .least = 2,                                                                                         \
         .most = INT32_MAX,                                                                                  \
         .preset = 32,                                                                                       \
         .values = {2, {4, 32}},                                                                             \
         .more = {1, {2}}},                                                                                  \
            STAR_KNOB_SEGMENT_OF("none, or bytes such as 128K that a rank reads at a time", 24, 2, 0,        \
                                 131072)                                                                     \
    }
const struct star_algorithm star_allgather_single_copy = {.operation = STAR_ALLGATHER,
                                                          .moves = "each reads the others' blocks",
                                                          .cost = "2α + Pnβ",
                                                          .build = build_allgather,
                                                          LONG};
const struct star_algorithm star_alltoall_single_copy = {.operation = STAR_ALLTOALL,
                                                         .moves = "each reads its blocks from the others",
                                                         .cost = "2α + Pnβ",
                                                         .build = build_alltoall,
                                                         LONG};
const struct star_algorithm star_allgatherv_single_copy = {.operation = STAR_ALLGATHERV,
                                                           .moves = "each reads the others' blocks",
                                                           .cost = "2α + Pnβ",
                                                           .build = build_allgather,
                                                           LONG};
const struct star_algorithm star_alltoallv_single_copy = {.operation = STAR_ALLTOALLV,
                                                          .moves = "each reads its blocks from the others",
                                                          .cost = "2α + Pnβ",
                                                          .build = build_alltoall,
                                                          ROW};
const struct star_algorithm star_bcast_single_copy = {.operation = STAR_BCAST,
                                                      .moves =
                                                          "down a tree: children read from their parents",
                                                      .cost = "(lg_r(P)+n/s)α + lg_r(P)nβ",
                                                      .knobs = TREE_KNOBS,
                                                      .build = build_bcast,
                                                      LONG};
const struct star_algorithm star_bcast_single_copy_levels = {
    .operation = STAR_BCAST,
    .name = "single_copy_levels",
    .moves = "down a tree of packages, NUMA nodes, L3 caches and their ranks, which read from their parents",
    .optimises = "copies between caches",
    .cost = "(lg_r(P)+n/s)α + lg_r(P)nβ",
    .source = "Katevenis et al. 2022 (XHC)",
    .needs = READERS ", and are bound to several L3 caches, NUMA nodes or packages",
    .shares = true,
    .reads = true,
    .levels = true,
    .least_bytes = 32768,
    .knobs = TREE_KNOBS,
    .build = build_bcast_by_levels};
const struct star_algorithm star_gather_single_copy = {.operation = STAR_GATHER,
                                                       .moves = "the root reads all blocks",
                                                       .cost = "2α + Pnβ",
                                                       .build = build_gather,
                                                       LONG};
const struct star_algorithm star_scatter_single_copy = {.operation = STAR_SCATTER,
                                                        .moves = "each reads its block from the root",
                                                        .cost = "2α + nβ",
                                                        .build = build_scatter,
                                                        LONG};
/* Shorter vectors are reduced as fast where ranks show them in shared memory. */
const struct star_algorithm star_allreduce_single_copy = {
    .operation = STAR_ALLREDUCE,
    .moves = "each reads and reduces a slice of all, then reads the other slices",
    .cost = "3α + 2nβ + nγ",
    .in_order = true,
    .order = STAR_ORDER_FIXED,
    .least_bytes = 1 << 20,
    .knobs = {{.name = "segment",
               .help = "bytes that are read and reduced at a time, such as 64K",
               .is_bytes = true,
               .least = 1,
               .most = INT32_MAX,
               .preset = 65536,
               .values = {1, {65536}},
               .more = {1, {24}}}},
    .build = build_allreduce,
    ROW};

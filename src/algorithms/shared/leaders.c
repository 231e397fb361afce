/* SPDX-License-Identifier: BSD-3-Clause
 * Leaders with shared memory: the ranks of a node hand over to the first of them, which alone sends messages
 * to other nodes, and fetch from it what comes. Graham and Shipman 2008; Kielmann et al. 1999. */
#include "algorithms/allreduce/between.h"
#include "algorithms/parts/lanes.h"
#include "algorithms/shared/shared.h"

/* Vectors that fit into one area, twice. */
enum { BYTES_MOST = 65536 };

static bool leads(const struct star_lanes *lanes)
{
    return lanes->own.me == 0;
}

/* What the leader does for each other rank of its node. */
typedef void per_rank(struct star_builder *b, int rank, struct star_place vector, int64_t bytes);

static void await_one(struct star_builder *b, int rank, struct star_place vector, int64_t bytes)
{
    (void)vector, (void)bytes;
    star_build_await(b, rank, 1);
}

static void reduce_one(struct star_builder *b, int rank, struct star_place vector, int64_t bytes)
{
    star_build_await(b, rank, 1);
    star_build_pull_reduce(b, vector, rank, 0, bytes);
}

/* Up to the leader: INPUT, or nothing but that a rank has come. */
static void collect(struct star_builder *b, const struct star_lanes *lanes, struct star_place input,
                    struct star_place vector, int64_t bytes, per_rank *each)
{
    for (int i = 1; leads(lanes) && i < lanes->own.size; i++)
        each(b, star_member(&lanes->own, i), vector, bytes);
    if (!leads(lanes)) {
        star_build_copy(b, star_at(STAR_SHARED, 0), input, bytes);
        star_build_post(b, 1);
    }
    star_build_end(b);
}

/* Down from the leader. */
static void hand_down(struct star_builder *b, const struct star_lanes *lanes, struct star_place vector,
                      int64_t bytes)
{
    int leader = star_member(&lanes->own, 0);
    if (leads(lanes) && lanes->own.size > 1) {
        star_build_copy(b, star_at(STAR_SHARED, 0), vector, bytes);
        star_build_post(b, 1);
    } else if (!leads(lanes)) {
        star_build_await(b, leader, 1);
        star_build_pull(b, vector, leader, 0, bytes);
    }
    star_build_end(b);
}

static void build_allreduce(struct star_builder *b, const struct star_shape *shape)
{
    struct star_lanes lanes;
    struct star_place input = star_at(STAR_SENDBUF, 0), result = star_at(STAR_RECVBUF, 0);
    struct star_blocks vector = {.at = result, .bytes = shape->block, .granule = shape->granule};
    if (!star_lanes_of(b, shape, 1, &lanes))
        return;
    star_build_share(b, shape->block);
    if (leads(&lanes))
        star_build_copy(b, result, input, shape->block);
    collect(b, &lanes, input, result, shape->block, reduce_one);
    if (leads(&lanes))
        star_allreduce_between(b, &lanes.across, vector, shape->knob[0]);
    hand_down(b, &lanes, result, shape->block);
}

static void build_barrier(struct star_builder *b, const struct star_shape *shape)
{
    struct star_lanes lanes;
    struct star_place nothing = star_at(STAR_TEMP, 0);
    if (!star_lanes_of(b, shape, 1, &lanes))
        return;
    star_build_share(b, 1);
    collect(b, &lanes, nothing, nothing, 0, await_one);
    const struct star_team *across = &lanes.across;
    for (int64_t ahead = 1; leads(&lanes) && ahead < across->size; ahead *= 2) {
        star_build_hear(b, across->rank[(across->me - ahead + across->size) % across->size]);
        star_build_tell(b, across->rank[(across->me + ahead) % across->size]);
        star_build_round(b);
    }
    star_build_end(b);
    hand_down(b, &lanes, nothing, 0);
}

static void build_bcast(struct star_builder *b, const struct star_shape *shape)
{
    struct star_lanes lanes;
    struct star_tree tree;
    struct star_place vector = star_at(STAR_RECVBUF, 0);
    if (!star_lanes_of(b, shape, 1, &lanes) ||
        !star_tree_of(b, STAR_TREE_KNOMIAL, 2, lanes.nodes, lanes.across.me, &tree))
        return;
    star_build_share(b, shape->block);
    if (leads(&lanes))
        star_tree_bcast(b, &lanes.across, &tree, vector, shape->block, 1, 0);
    hand_down(b, &lanes, vector, shape->block);
}

/* Leaders but the root reduce in the temporary: their receive buffers are none. */
static void build_reduce(struct star_builder *b, const struct star_shape *shape)
{
    struct star_lanes lanes;
    struct star_tree tree;
    struct star_place input = star_at(STAR_SENDBUF, 0), vector = star_build_temp(b, shape->block);
    if (!star_lanes_of(b, shape, 1, &lanes) ||
        !star_tree_of(b, STAR_TREE_KNOMIAL, 2, lanes.nodes, lanes.across.me, &tree))
        return;
    star_build_share(b, shape->block);
    if (leads(&lanes))
        star_build_copy(b, vector, input, shape->block);
    collect(b, &lanes, input, vector, shape->block, reduce_one);
    if (leads(&lanes))
        star_tree_reduce(b, &lanes.across, &tree, vector, shape->block, shape->granule, 0);
    if (shape->rank == shape->root)
        star_build_copy(b, star_at(STAR_RECVBUF, 0), vector, shape->block);
}

#define ROW                                                                                                  \
    .name = "shared_leaders", .nodes = true, .shares = true, .optimises = "messages between nodes",          \
    .needs = "several nodes", .source = "Graham and Shipman 2008", .most_bytes = BYTES_MOST
const struct star_algorithm star_allreduce_shared_leaders = {
    .operation = STAR_ALLREDUCE,
    .moves = "to a rank of each node in shared memory, all-reduce of these, and back",
    .cost = "2lg(Q)α + (2(Q-1)/Q+P/Q)nβ, Q nodes",
    .order = STAR_ORDER_FIXED,
    .knobs = {{.name = "between",
               .help = "the all-reduce between nodes: rdb, ring or circulant",
               .words = (const char *const[]){STAR_BETWEEN_ALLREDUCE_WORDS, NULL},
               .most = STAR_BETWEEN_CIRCULANT,
               .preset = STAR_BETWEEN_RDB,
               .values = {2, {STAR_BETWEEN_RDB, STAR_BETWEEN_RING}},
               .more = {1, {STAR_BETWEEN_CIRCULANT}}}},
    .build = build_allreduce,
    ROW};
const struct star_algorithm star_barrier_shared_leaders = {
    .operation = STAR_BARRIER,
    .moves = "to a rank of each node in shared memory, dissemination between these, and back",
    .cost = "lg(Q)α, Q nodes",
    .build = build_barrier,
    ROW};
const struct star_algorithm star_bcast_shared_leaders = {
    .operation = STAR_BCAST,
    .moves = "down a binomial tree of a rank of each node, and from there in shared memory",
    .cost = "lg(Q)(α + nβ), Q nodes",
    .build = build_bcast,
    ROW};
const struct star_algorithm star_reduce_shared_leaders = {
    .operation = STAR_REDUCE,
    .moves = "to a rank of each node in shared memory, and up a binomial tree of these",
    .cost = "lg(Q)(α + n(β+γ)) + P/Q nγ, Q nodes",
    .order = STAR_ORDER_FIXED,
    .build = build_reduce,
    ROW};

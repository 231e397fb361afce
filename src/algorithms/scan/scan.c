/* SPDX-License-Identifier: BSD-3-Clause
 * Scan and exscan: the parts of parts/prefix.c, with the inclusive or the exclusive result in the receive
 * buffer. */
#include "algorithms/parts/prefix.h"

static void build_scan(struct star_builder *b, const struct star_shape *shape)
{
    struct star_team team = star_whole(shape);
    struct star_place result = star_at(STAR_RECVBUF, 0);
    struct star_prefix prefix = {
        .inclusive = result, .bytes = shape->block, .granule = shape->granule, .segment = shape->knob[0]};
    star_build_copy(b, result, star_at(STAR_SENDBUF, 0), shape->block);
    shape->part->prefix(b, &team, &prefix);
}

/* Rank 0 leaves its receive buffer alone. */
static void build_exscan(struct star_builder *b, const struct star_shape *shape)
{
    struct star_team team = star_whole(shape);
    struct star_prefix prefix = {.inclusive = star_at(STAR_SENDBUF, 0),
                                 .exclusive = star_at(STAR_RECVBUF, 0),
                                 .without = true,
                                 .bytes = shape->block,
                                 .granule = shape->granule,
                                 .segment = shape->knob[0]};
    /* Others never overwrite the inclusive vector. */
    if (shape->part->prefix != star_prefix_linear && shape->rank > 0 && shape->rank < shape->size - 1) {
        prefix.inclusive = star_build_temp(b, shape->block);
        star_build_copy(b, prefix.inclusive, star_at(STAR_SENDBUF, 0), shape->block);
    }
    shape->part->prefix(b, &team, &prefix);
}

#define LINEAR                                                                                               \
    .name = "linear", .one_way = true, .part.prefix = star_prefix_linear,                                    \
    .moves = "i -> i+1, i+2, ..., all at once", .optimises = "rounds", .cost = "(P-1)(α + nβ + nγ) + γ",     \
    .source = "the direct algorithm", .in_order = true, .order = STAR_ORDER_RANK, .most_bytes = 4096
const struct star_algorithm star_scan_linear = {.operation = STAR_SCAN, LINEAR, .build = build_scan};
const struct star_algorithm star_exscan_linear = {.operation = STAR_EXSCAN, LINEAR, .build = build_exscan};

#define CHAIN                                                                                                \
    .name = "chain", .one_way = true, .part.prefix = star_prefix_chain,                                      \
    .moves = "i -> i+1, segment after segment: a pipeline", .optimises = "bandwidth",                        \
    .cost = "(P+S-2)(α + nβ/S + θ) + γ", .source = "Pješivac-Grbović et al. 2006 (pipeline)",                \
    .in_order = true, .order = STAR_ORDER_FIXED, .knobs = {STAR_KNOB_SEGMENT}
const struct star_algorithm star_scan_chain = {.operation = STAR_SCAN, CHAIN, .build = build_scan};
const struct star_algorithm star_exscan_chain = {.operation = STAR_EXSCAN, CHAIN, .build = build_exscan};

#define DOUBLING                                                                                             \
    .name = "recursive_doubling", .one_way = true, .part.prefix = star_prefix_doubling,                      \
    .optimises = "messages", .source = "Hillis and Steele 1986; the simultaneous binomial tree",             \
    .in_order = true, .order = STAR_ORDER_FIXED
const struct star_algorithm star_scan_recursive_doubling = {
    .operation = STAR_SCAN,
    DOUBLING,
    .moves = "round k: i -> i + 2^k what it has so far",
    .cost = "lg(P)(α + nβ + θ) + γ",
    .build = build_scan,
};
const struct star_algorithm star_exscan_recursive_doubling = {
    .operation = STAR_EXSCAN,
    DOUBLING,
    .moves = "round k: i -> i + 2^k its part so far",
    .cost = "lg(P)(α + nβ + θ + nγ) + γ",
    .build = build_exscan,
};

#define BINOMIAL                                                                                             \
    .name = "binomial", .one_way = true, .part.prefix = star_prefix_binomial,                                \
    .moves = "up a binomial tree and down again, 2P messages of all ranks", .optimises = "node contention",  \
    .source = "Brent and Kung 1982", .in_order = true, .order = STAR_ORDER_FIXED
const struct star_algorithm star_scan_binomial = {
    .operation = STAR_SCAN, BINOMIAL, .cost = "2lg(P)(α + nβ + θ) + γ", .build = build_scan};
const struct star_algorithm star_exscan_binomial = {
    .operation = STAR_EXSCAN, BINOMIAL, .cost = "2lg(P)(α + nβ + θ + nγ) + γ", .build = build_exscan};

/* SPDX-License-Identifier: BSD-3-Clause
 * Scan and exscan: the parts of parts/prefix.c, with the inclusive or the exclusive result in the receive
 * buffer. */
#include "algorithms/parts/prefix.h"

static void build_scan(struct star_builder *b, const struct star_shape *shape, star_prefix_part *part,
                       int64_t segment)
{
    struct star_team team = star_whole(shape);
    struct star_place result = star_at(STAR_RECVBUF, 0);
    struct star_prefix prefix = {.inclusive = result, .bytes = shape->block, .granule = shape->granule};
    star_build_copy(b, result, star_at(STAR_SENDBUF, 0), shape->block);
    part(b, &team, &prefix, segment);
}

/* Rank 0 leaves its receive buffer alone. */
static void build_exscan(struct star_builder *b, const struct star_shape *shape, star_prefix_part *part,
                         int64_t segment)
{
    struct star_team team = star_whole(shape);
    struct star_prefix prefix = {.inclusive = star_at(STAR_SENDBUF, 0),
                                 .exclusive = star_at(STAR_RECVBUF, 0),
                                 .without = true,
                                 .bytes = shape->block,
                                 .granule = shape->granule};
    /* Others never overwrite the inclusive vector. */
    if (part != star_prefix_linear && shape->rank > 0 && shape->rank < shape->size - 1) {
        prefix.inclusive = star_build_temp(b, shape->block);
        star_build_copy(b, prefix.inclusive, star_at(STAR_SENDBUF, 0), shape->block);
    }
    part(b, &team, &prefix, segment);
}

static void scan_linear(struct star_builder *b, const struct star_shape *shape, const int64_t *knob)
{
    (void)knob;
    build_scan(b, shape, star_prefix_linear, 0);
}

static void scan_chain(struct star_builder *b, const struct star_shape *shape, const int64_t *knob)
{
    build_scan(b, shape, star_prefix_chain, knob[0]);
}

static void scan_doubling(struct star_builder *b, const struct star_shape *shape, const int64_t *knob)
{
    (void)knob;
    build_scan(b, shape, star_prefix_doubling, 0);
}

static void scan_binomial(struct star_builder *b, const struct star_shape *shape, const int64_t *knob)
{
    (void)knob;
    build_scan(b, shape, star_prefix_binomial, 0);
}

static void exscan_linear(struct star_builder *b, const struct star_shape *shape, const int64_t *knob)
{
    (void)knob;
    build_exscan(b, shape, star_prefix_linear, 0);
}

static void exscan_chain(struct star_builder *b, const struct star_shape *shape, const int64_t *knob)
{
    build_exscan(b, shape, star_prefix_chain, knob[0]);
}

static void exscan_doubling(struct star_builder *b, const struct star_shape *shape, const int64_t *knob)
{
    (void)knob;
    build_exscan(b, shape, star_prefix_doubling, 0);
}

static void exscan_binomial(struct star_builder *b, const struct star_shape *shape, const int64_t *knob)
{
    (void)knob;
    build_exscan(b, shape, star_prefix_binomial, 0);
}

#define LINEAR                                                                                               \
    .name = "linear", .one_way = true, .moves = "i -> i+1, i+2, ..., all at once", .optimises = "rounds",    \
    .cost = "(P-1)(α + nβ + nγ) + γ", .source = "the direct algorithm", .in_order = true,                    \
    .order = STAR_ORDER_RANK, .most_bytes = 4096
const struct star_algorithm star_scan_linear = {.operation = STAR_SCAN, LINEAR, .build = scan_linear};
const struct star_algorithm star_exscan_linear = {.operation = STAR_EXSCAN, LINEAR, .build = exscan_linear};

#define CHAIN                                                                                                \
    .name = "chain", .one_way = true, .moves = "i -> i+1, segment after segment: a pipeline",                \
    .optimises = "bandwidth", .cost = "(P+S-2)(α + nβ/S + θ) + γ",                                           \
    .source = "Pješivac-Grbović et al. 2006 (pipeline)", .in_order = true, .order = STAR_ORDER_FIXED,        \
    .knobs = {STAR_KNOB_SEGMENT}
const struct star_algorithm star_scan_chain = {.operation = STAR_SCAN, CHAIN, .build = scan_chain};
const struct star_algorithm star_exscan_chain = {.operation = STAR_EXSCAN, CHAIN, .build = exscan_chain};

#define DOUBLING                                                                                             \
    .name = "recursive_doubling", .one_way = true, .optimises = "messages",                                  \
    .source = "Hillis and Steele 1986; the simultaneous binomial tree", .in_order = true,                    \
    .order = STAR_ORDER_FIXED
const struct star_algorithm star_scan_recursive_doubling = {
    .operation = STAR_SCAN,
    DOUBLING,
    .moves = "round k: i -> i + 2^k what it has so far",
    .cost = "lg(P)(α + nβ + θ) + γ",
    .build = scan_doubling,
};
const struct star_algorithm star_exscan_recursive_doubling = {
    .operation = STAR_EXSCAN,
    DOUBLING,
    .moves = "round k: i -> i + 2^k its part so far",
    .cost = "lg(P)(α + nβ + θ + nγ) + γ",
    .build = exscan_doubling,
};

#define BINOMIAL                                                                                             \
    .name = "binomial", .one_way = true,                                                                     \
    .moves = "up a binomial tree and down again, 2P messages of all ranks", .optimises = "node contention",  \
    .source = "Brent and Kung 1982", .in_order = true, .order = STAR_ORDER_FIXED
const struct star_algorithm star_scan_binomial = {
    .operation = STAR_SCAN, BINOMIAL, .cost = "2lg(P)(α + nβ + θ) + γ", .build = scan_binomial};
const struct star_algorithm star_exscan_binomial = {
    .operation = STAR_EXSCAN, BINOMIAL, .cost = "2lg(P)(α + nβ + θ + nγ) + γ", .build = exscan_binomial};

/* SPDX-License-Identifier: BSD-3-Clause
 * Scan: the parts of parts/prefix.c, with the inclusive result in the receive buffer. */
#include "algorithms/parts/parts.h"

static void build_scan(struct star_builder *b, const struct star_shape *shape, star_prefix_part *part,
                       int64_t segment)
{
    struct star_team team = star_whole(shape);
    struct star_place result = star_at(STAR_RECVBUF, 0);
    struct star_prefix prefix = {.inclusive = result, .bytes = shape->block, .granule = shape->granule};
    star_build_copy(b, result, star_at(STAR_SENDBUF, 0), shape->block);
    part(b, &team, &prefix, segment);
}

static void build_linear(struct star_builder *b, const struct star_shape *shape, const int64_t *knob)
{
    (void)knob;
    build_scan(b, shape, star_prefix_linear, 0);
}

static void build_chain(struct star_builder *b, const struct star_shape *shape, const int64_t *knob)
{
    build_scan(b, shape, star_prefix_chain, knob[0]);
}

static void build_doubling(struct star_builder *b, const struct star_shape *shape, const int64_t *knob)
{
    (void)knob;
    build_scan(b, shape, star_prefix_doubling, 0);
}

static void build_binomial(struct star_builder *b, const struct star_shape *shape, const int64_t *knob)
{
    (void)knob;
    build_scan(b, shape, star_prefix_binomial, 0);
}

const struct star_algorithm star_scan_linear = {
    .operation = STAR_SCAN,
    .name = "linear",
    .moves = "i -> i+1, i+2, ..., all at once",
    .optimises = "rounds",
    .cost = "(P-1)(α + nβ + nγ) + γ",
    .source = "the direct algorithm",
    .in_order = true,
    .order = STAR_ORDER_RANK,
    .most_bytes = 4096,
    .build = build_linear,
};

const struct star_algorithm star_scan_chain = {
    .operation = STAR_SCAN,
    .name = "chain",
    .moves = "i -> i+1, segment after segment: a pipeline",
    .optimises = "bandwidth",
    .cost = "(P+S-2)(α + nβ/S + θ) + γ",
    .source = "Pješivac-Grbović et al. 2006 (pipeline)",
    .in_order = true,
    .order = STAR_ORDER_FIXED,
    .knobs = {STAR_KNOB_SEGMENT},
    .build = build_chain,
};

const struct star_algorithm star_scan_recursive_doubling = {
    .operation = STAR_SCAN,
    .name = "recursive_doubling",
    .moves = "round k: i -> i + 2^k what it has so far",
    .optimises = "messages",
    .cost = "lg(P)(α + nβ + θ) + γ",
    .source = "Hillis and Steele 1986; the simultaneous binomial tree",
    .in_order = true,
    .order = STAR_ORDER_FIXED,
    .build = build_doubling,
};

const struct star_algorithm star_scan_binomial = {
    .operation = STAR_SCAN,
    .name = "binomial",
    .moves = "up a binomial tree and down again, 2P messages of all ranks",
    .optimises = "node contention",
    .cost = "2lg(P)(α + nβ + θ) + γ",
    .source = "Brent and Kung 1982",
    .in_order = true,
    .order = STAR_ORDER_FIXED,
    .build = build_binomial,
};

/* SPDX-License-Identifier: BSD-3-Clause
 * Exscan: the parts of parts/prefix.c, with the exclusive result in the receive buffer, which rank 0 leaves
 * alone. */
#include "algorithms/parts/parts.h"

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

static void build_linear(struct star_builder *b, const struct star_shape *shape, const int64_t *knob)
{
    (void)knob;
    build_exscan(b, shape, star_prefix_linear, 0);
}

static void build_chain(struct star_builder *b, const struct star_shape *shape, const int64_t *knob)
{
    build_exscan(b, shape, star_prefix_chain, knob[0]);
}

static void build_doubling(struct star_builder *b, const struct star_shape *shape, const int64_t *knob)
{
    (void)knob;
    build_exscan(b, shape, star_prefix_doubling, 0);
}

static void build_binomial(struct star_builder *b, const struct star_shape *shape, const int64_t *knob)
{
    (void)knob;
    build_exscan(b, shape, star_prefix_binomial, 0);
}

const struct star_algorithm star_exscan_linear = {
    .operation = STAR_EXSCAN,
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

const struct star_algorithm star_exscan_chain = {
    .operation = STAR_EXSCAN,
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

const struct star_algorithm star_exscan_recursive_doubling = {
    .operation = STAR_EXSCAN,
    .name = "recursive_doubling",
    .moves = "round k: i -> i + 2^k its part so far",
    .optimises = "messages",
    .cost = "lg(P)(α + nβ + θ + nγ) + γ",
    .source = "Hillis and Steele 1986; the simultaneous binomial tree",
    .in_order = true,
    .order = STAR_ORDER_FIXED,
    .build = build_doubling,
};

const struct star_algorithm star_exscan_binomial = {
    .operation = STAR_EXSCAN,
    .name = "binomial",
    .moves = "up a binomial tree and down again, 2P messages of all ranks",
    .optimises = "node contention",
    .cost = "2lg(P)(α + nβ + θ + nγ) + γ",
    .source = "Brent and Kung 1982",
    .in_order = true,
    .order = STAR_ORDER_FIXED,
    .build = build_binomial,
};

/* SPDX-License-Identifier: BSD-3-Clause
 * Linear: everybody sends its vector to the root, which reduces them in the order of ranks, whoever the root
 * is. Nothing waits for anything else; the root receives all data and has room for all, or for two segments
 * of each. */
#include "algorithms/parts/team.h"

/* Reduces SEGMENT, of which IN has one for each rank. */
static void reduce_segment(struct star_builder *b, const struct star_shape *shape,
                           const struct star_segments *segments, int64_t segment, struct star_place in)
{
    int64_t at = segment * segments->step, bytes = star_segment_bytes(segments, segment);
    struct star_place own = star_at(STAR_SENDBUF, at), result = star_at(STAR_RECVBUF, at);
    int last = shape->size - 1;
    struct star_place sum = star_plus(in, last * segments->step);
    if (shape->root == last) {
        star_build_copy(b, result, own, bytes);
        sum = result;
    }
    for (int i = last - 1; i >= 0; i--)
        star_build_reduce(b, sum, i == shape->root ? own : star_plus(in, i * segments->step), bytes);
    if (shape->root != last)
        star_build_copy(b, result, sum, bytes);
}

static void build(struct star_builder *b, const struct star_shape *shape)
{
    struct star_segments segments = star_segments_of(shape->block, shape->granule, shape->knob[0]);
    bool is_root = shape->rank == shape->root;
    int64_t set = shape->size * segments.step;
    struct star_place in[2] = {0};
    for (int i = 0; is_root && i < 2; i++)
        in[i] = star_build_temp(b, i < segments.count ? set : 0);
    for (int64_t t = 0; t < segments.count + is_root; t++) {
        for (int i = 0; is_root && t < segments.count && i < shape->size; i++)
            if (i != shape->root)
                star_build_recv(b, i, star_plus(in[t % 2], i * segments.step),
                                star_segment_bytes(&segments, t));
        if (is_root && t > 0)
            reduce_segment(b, shape, &segments, t - 1, in[(t - 1) % 2]);
        if (!is_root)
            star_build_send(b, shape->root, star_at(STAR_SENDBUF, t * segments.step),
                            star_segment_bytes(&segments, t));
        star_build_end(b);
    }
}

const struct star_algorithm star_reduce_linear = {
    .operation = STAR_REDUCE,
    .name = "linear",
    .one_way = true,
    .moves = "everyone -> root, which reduces in the order of ranks",
    .optimises = "rounds",
    .cost = "(P-1)(Sα + nβ) + (P-1)nγ",
    .source = "Pješivac-Grbović et al. 2006",
    .in_order = true,
    .order = STAR_ORDER_RANK,
    .knobs = {STAR_KNOB_SEGMENT},
    .build = build,
};

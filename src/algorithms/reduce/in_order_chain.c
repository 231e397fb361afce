/* SPDX-License-Identifier: BSD-3-Clause
 * In-order chain: from the last rank to the first, each adds its own vector as the left operand, and rank 0
 * sends the result to the root: always r0 op (r1 op (r2 op …)), and a pipeline all the same. P−1 hops and one
 * more, S segments. */
#include "algorithms/parts/team.h"

static void build(struct star_builder *b, const struct star_shape *shape)
{
    struct star_segments segments = star_segments_of(shape->block, shape->granule, shape->knob[0]);
    int me = shape->rank, root = shape->root, receives = me < shape->size - 1;
    int to = me > 0 ? me - 1 : root, sets = segments.count > 1 ? 2 : 1;
    struct star_place in = star_build_temp(b, (int64_t)receives * sets * segments.step);
    /* The root's segments come back from rank 0 after ROOT hops. */
    int64_t back = me == root && root > 0 ? root + 1 : receives;
    for (int64_t t = 0; t < segments.count + back; t++) {
        int64_t ready = t - receives, at = ready * segments.step, done = t - back;
        if (receives && t < segments.count)
            star_build_recv(b, me + 1, star_plus(in, t % sets * segments.step),
                            star_segment_bytes(&segments, t));
        if (ready >= 0 && ready < segments.count) {
            struct star_place own = star_at(STAR_SENDBUF, at);
            int64_t bytes = star_segment_bytes(&segments, ready);
            struct star_place sum = receives ? star_plus(in, ready % sets * segments.step) : own;
            if (receives)
                star_build_reduce(b, sum, own, bytes);
            if (to == me)
                star_build_copy(b, star_at(STAR_RECVBUF, at), sum, bytes);
            else
                star_build_send(b, to, sum, bytes);
        }
        if (me == root && root > 0 && done >= 0)
            star_build_recv(b, 0, star_at(STAR_RECVBUF, done * segments.step),
                            star_segment_bytes(&segments, done));
        star_build_end(b);
    }
}

const struct star_algorithm star_reduce_in_order_chain = {
    .operation = STAR_REDUCE,
    .name = "in_order_chain",
    .moves = "i -> i-1 from the last rank on, each the left operand; then 0 -> root",
    .optimises = "bandwidth",
    .cost = "(P+S-1)(α + nβ/S + θ) + γ",
    .source = "the pipeline, in the order of ranks",
    .in_order = true,
    .order = STAR_ORDER_RANK,
    .knobs = {STAR_KNOB_SEGMENT},
    .build = build,
};

/* SPDX-License-Identifier: BSD-3-Clause
 * Dissemination: in round k everyone tells those r^k, 2 r^k, … ahead, so whoever has heard of the r^k behind
 * it hears of the r^(k+1) behind it. ⌈log_r P⌉ rounds of r−1 messages, for any P. Hensgen, Finkel, Manber,
 * IJPP 17(1), 1988; n-way: Hoefler et al., 2006. */
#include "algorithms/knobs.h"
#include "plan/build.h"

static void build(struct star_builder *b, const struct star_shape *shape)
{
    int64_t size = shape->size, me = shape->rank, radix = shape->knob[0];
    for (int64_t weight = 1; weight < size; weight *= radix) {
        for (int64_t ahead = weight; ahead < radix * weight && ahead < size; ahead += weight) {
            star_build_hear(b, (int)((me - ahead + size) % size));
            star_build_tell(b, (int)((me + ahead) % size));
        }
        star_build_round(b);
    }
}

const struct star_algorithm star_barrier_dissemination = {
    .operation = STAR_BARRIER,
    .name = "dissemination",
    .moves = "round k: i -> i + j r^k for each j < r",
    .optimises = "rounds",
    .cost = "(r-1)log_r(P)α",
    .source = "Hensgen, Finkel, Manber 1988; Hoefler et al. 2006",
    .knobs = {STAR_KNOB_RADIX(2, 4)},
    .build = build,
};

/* SPDX-License-Identifier: BSD-3-Clause
 * Recursive doubling and multiplying: the ranks form groups of r, all of a group exchange their vectors and
 * reduce them in the order of ranks; then groups of r such groups do so, and so on. Fewest rounds, log_r(P),
 * all with the whole vector: for short ones. Other sizes than powers of r fold to one.
 * Thakur, Rabenseifner, Gropp, IJHPCA 19(1), 2005; Ruefenacht et al., Parallel Computing 69, 2017. */
#include "algorithms/parts/fold.h"

/* Where the vector of DIGIT lies: place 0 is that of the own digit, the others follow in order. */
static int index_of(int digit, int own)
{
    return digit < own ? digit + 1 : digit == own ? 0 : digit;
}

static void exchange(struct star_builder *b, const struct star_team *team, int weight, int radix,
                     struct star_place *place, int64_t bytes)
{
    int own = team->me / weight % radix;
    for (int i = 1; i < radix; i++) {
        int ahead = (own + i) % radix, behind = (own - i + radix) % radix;
        star_build_recv(b, star_member(team, team->me + (behind - own) * weight),
                        place[index_of(behind, own)], bytes);
        star_build_send(b, star_member(team, team->me + (ahead - own) * weight), place[0], bytes);
    }
    star_build_end(b);
    int sum = index_of(radix - 1, own);
    for (int digit = radix - 2; digit >= 0; digit--)
        star_build_reduce(b, place[sum], place[index_of(digit, own)], bytes);
    struct star_place former = place[0];
    place[0] = place[sum];
    place[sum] = former;
}

static void multiply(struct star_builder *b, const struct star_team *team, int radix,
                     struct star_place vector, int64_t bytes)
{
    struct star_place *place = star_build_scratch(b, (size_t)radix * sizeof *place);
    struct star_place result = star_at(STAR_RECVBUF, 0);
    if (place == NULL)
        return;
    place[0] = result;
    star_build_copy(b, result, vector, bytes);
    for (int i = 1; i < radix; i++)
        place[i] = star_build_temp(b, bytes);
    for (int weight = 1; weight < team->size; weight *= radix)
        exchange(b, team, weight, radix, place, bytes);
    if (place[0].buffer != result.buffer)
        star_build_copy(b, result, place[0], bytes);
    star_build_end(b);
}

static void build(struct star_builder *b, const struct star_shape *shape)
{
    int64_t radix = shape->knob[0] > 0 ? shape->knob[0] : 2; /* rdb has no knob */
    int base = radix <= shape->size ? (int)radix : shape->size > 1 ? shape->size : 2;
    int workers = star_fold_power(shape->size, base);
    struct star_place vector = star_at(STAR_SENDBUF, 0);
    struct star_fold fold;
    if (!star_fold_of(b, shape, workers, &fold))
        return;
    if (workers < shape->size)
        vector = star_fold_in(b, &fold, vector, shape->block);
    if (fold.works)
        multiply(b, &fold.workers, base, vector, shape->block);
    if (workers < shape->size)
        star_fold_out(b, &fold, star_at(STAR_RECVBUF, 0), shape->block);
}

const struct star_algorithm star_allreduce_rdb = {
    .operation = STAR_ALLREDUCE,
    .name = "rdb",
    .moves = "recursive doubling: the sums of 1, 2, 4, ... ranks exchanged with their neighbours'",
    .optimises = "rounds",
    .cost = "lg(P)(α + nβ) + (lg(P)-1)θ",
    .source = "Thakur et al. 2005",
    .in_order = true,
    .order = STAR_ORDER_FIXED,
    .most_bytes = 65536,
    .build = build,
};

const struct star_algorithm star_allreduce_multiplying = {
    .operation = STAR_ALLREDUCE,
    .name = "multiplying",
    .moves = "the sums of 1, r, r^2, ... ranks exchanged in groups of r",
    .optimises = "rounds",
    .cost = "(r-1)log_r(P)(α + nβ) + (log_r(P)-1)θ",
    .source = "Ruefenacht et al. 2017",
    .in_order = true,
    .order = STAR_ORDER_FIXED,
    .most_bytes = 65536,
    .knobs = {STAR_KNOB_RADIX(4, 3)},
    .build = build,
};

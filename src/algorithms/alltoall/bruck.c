/* SPDX-License-Identifier: BSD-3-Clause
 * Bruck: a block that must travel d ranks ahead goes there by the digits of d in base r. One round a digit,
 * with r−1 messages of the blocks that share that digit: ⌈log_r P⌉ rounds, each moves at most (r−1)/r of all
 * data. Bruck et al., IEEE TPDS 8(11), 1997; STAR-MPI, section 3.1. */
#include "algorithms/method.h"
#include "plan/build.h"

struct bruck {
    struct star_builder *builder;
    struct star_place
        rotated; /* block i: what must travel i ranks ahead; later, what has travelled i ranks */
    struct star_place out, in; /* the messages of one round */
    int64_t block;
    int size;
};

/* How many of 0…size−1 have DIGIT at the place of WEIGHT in base RADIX. */
static int64_t blocks_with(const struct bruck *k, int64_t weight, int64_t radix, int64_t digit)
{
    int64_t period = weight * radix, whole = k->size / period, rest = k->size % period - digit * weight;
    return whole * weight + (rest < 0 ? 0 : rest < weight ? rest : weight);
}

/* Copies those blocks, which lie in runs of WEIGHT, to (or back from) a dense piece. */
static void move(const struct bruck *k, int64_t weight, int64_t radix, int64_t digit, struct star_place dense,
                 bool back)
{
    int64_t count = blocks_with(k, weight, radix, digit), run = weight * k->block, stride = run * radix;
    int64_t runs = count / weight, rest = count % weight * k->block;
    struct star_place spread = star_plus(k->rotated, digit * run);
    struct star_place spread_rest = star_plus(spread, runs * stride),
                      dense_rest = star_plus(dense, runs * run);
    if (back) {
        star_build_strided_copy(k->builder, spread, stride, dense, run, run, runs);
        star_build_copy(k->builder, spread_rest, dense_rest, rest);
    } else {
        star_build_strided_copy(k->builder, dense, run, spread, stride, run, runs);
        star_build_copy(k->builder, dense_rest, spread_rest, rest);
    }
}

static void exchange_digit(const struct bruck *k, int me, int64_t weight, int64_t radix)
{
    struct star_place out = k->out, in = k->in;
    for (int64_t digit = 1; digit < radix && digit * weight < k->size; digit++) {
        int64_t bytes = blocks_with(k, weight, radix, digit) * k->block, ahead = digit * weight;
        move(k, weight, radix, digit, out, false);
        star_build_recv(k->builder, (int)((me - ahead + k->size) % k->size), in, bytes);
        star_build_send(k->builder, (int)((me + ahead) % k->size), out, bytes);
        out = star_plus(out, bytes);
        in = star_plus(in, bytes);
    }
    star_build_round(k->builder);
    in = k->in;
    for (int64_t digit = 1; digit < radix && digit * weight < k->size; digit++) {
        move(k, weight, radix, digit, in, true);
        in = star_plus(in, blocks_with(k, weight, radix, digit) * k->block);
    }
}

static void build(struct star_builder *b, const struct star_shape *shape)
{
    int size = shape->size, me = shape->rank;
    int64_t block = shape->block, radix = shape->knob[0];
    struct bruck k = {.builder = b, .block = block, .size = size};
    k.rotated = star_build_temp(b, size * block);
    k.out = star_build_temp(b, (size - 1) * block);
    k.in = star_build_temp(b, (size - 1) * block);
    star_build_copy(b, k.rotated, star_at(STAR_SENDBUF, me * block), (size - me) * block);
    star_build_copy(b, star_plus(k.rotated, (size - me) * block), star_at(STAR_SENDBUF, 0), me * block);
    for (int64_t weight = 1; weight < size; weight *= radix)
        exchange_digit(&k, me, weight, radix);
    for (int i = 0; i < size; i++)
        star_build_copy(b, star_at(STAR_RECVBUF, (me - i + size) % size * block),
                        star_plus(k.rotated, i * block), block);
}

const struct star_algorithm star_alltoall_bruck = {
    .operation = STAR_ALLTOALL,
    .name = "bruck",
    .moves = "round k: all blocks with the same digit k of their distance, that far ahead",
    .optimises = "messages",
    .cost = "(r-1)log_r(P)α + (r-1)(P/r)log_r(P)nβ + (log_r(P)-1)θ + γ",
    .source = "Bruck et al. 1997; STAR-MPI 3.1",
    .most_bytes = 256,
    .knobs = {{.name = "radix",
               .help = "base of the digits, 2 or more",
               .least = 2,
               .most = INT32_MAX,
               .preset = 2,
               .values = {1, {2}},
               .more = {2, {3, 8}}}},
    .build = build,
};

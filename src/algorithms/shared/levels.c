/* SPDX-License-Identifier: BSD-3-Clause
 * Levels: groups of RADIX ranks exchange all they have, then groups of groups, and so on: with a radix of P
 * there is one level, with 2 it is recursive doubling. A rank takes what it needs from any rank of the other
 * group, so that P need be no power. For short vectors, where what counts is how often ranks wait for each
 * other. */
#include "algorithms/shared/shared.h"

/* The level's groups are RADIX parts of WIDTH ranks, the last ones shorter or empty. */
struct level {
    int64_t base, width, radix;
    int size, me;
};

static bool has_part(const struct level *level, int64_t part)
{
    return part < level->radix && level->base + part * level->width < level->size;
}

static int64_t own_part(const struct level *level)
{
    return (level->me - level->base) / level->width;
}

/* The rank of PART that this rank takes its value from. */
static int from_part(const struct level *level, int64_t part)
{
    int64_t start = level->base + part * level->width, place = (level->me - level->base) % level->width;
    int64_t left = level->size - start;
    return (int)(start + (left < level->width ? place % left : place));
}

static int64_t parts_of(const struct level *level)
{
    int64_t parts = 1;
    while (has_part(level, parts))
        parts++;
    return parts;
}

/* Does a rank of another part take its value from this one? */
static bool is_taken(const struct level *level)
{
    int64_t place = (level->me - level->base) % level->width, own = own_part(level);
    bool taken = false;
    for (int64_t part = 0; has_part(level, part); part++)
        taken = taken || (part != own && level->base + part * level->width + place < level->size);
    return taken;
}

/* The last part's value, then those before it from the left. */
static void combine(struct star_builder *b, const struct level *level, int64_t zone, int64_t bytes,
                    int64_t count)
{
    struct star_place result = star_at(STAR_RECVBUF, 0);
    int64_t parts = parts_of(level), own = own_part(level);
    for (int64_t part = parts - 1; part >= 0; part--) {
        int peer = part == own ? level->me : from_part(level, part);
        if (part != own)
            star_build_await(b, peer, count);
        if (part < parts - 1)
            star_build_pull_reduce(b, result, peer, zone, bytes);
        else if (part != own)
            star_build_pull(b, result, peer, zone, bytes);
    }
}

static int levels_of(const struct star_shape *shape)
{
    int levels = 0;
    for (int64_t width = 1; width < shape->size; width *= shape->knob[0])
        levels++;
    return levels;
}

static void exchange(struct star_builder *b, const struct star_shape *shape, int64_t bytes)
{
    struct level level = {.width = 1, .radix = shape->knob[0], .size = shape->size, .me = shape->rank};
    struct star_place input = star_at(STAR_SENDBUF, 0), result = star_at(STAR_RECVBUF, 0);
    int levels = levels_of(shape);
    int64_t zone = levels > 1 ? star_lined(bytes) : bytes;
    if (levels == 0) {
        star_build_copy(b, result, input, bytes);
        return;
    }
    star_build_share(b, bytes > 0 ? levels * zone : 1);
    for (int l = 0; l < levels; l++, level.width *= level.radix) {
        level.base = level.me / (level.width * level.radix) * (level.width * level.radix);
        struct star_place own = l == 0 ? input : result;
        if (parts_of(&level) > 1)
            star_build_copy(b, star_at(STAR_SHARED, l * zone), own, bytes);
        if (is_taken(&level))
            star_build_post(b, l + 1);
        if (l == 0 && own_part(&level) == parts_of(&level) - 1)
            star_build_copy(b, result, input, bytes);
        combine(b, &level, l * zone, bytes, l + 1);
        star_build_end(b);
    }
}

static void build_allreduce(struct star_builder *b, const struct star_shape *shape)
{
    exchange(b, shape, shape->block);
}

static void build_barrier(struct star_builder *b, const struct star_shape *shape)
{
    exchange(b, shape, 0);
}

#define ROW                                                                                                  \
    .name = "shared", .shares = true, .optimises = "hand-overs in shared memory", .needs = STAR_ONE_NODE,    \
    .moves = "within groups of radix ranks, then between such groups, ...",                                  \
    .source = "Graham and Shipman 2008; Mellor-Crummey and Scott 1991",                                      \
    .knobs = {{.name = "radix",                                                                              \
               .help = "a whole number, 2 or more",                                                          \
               .least = 2,                                                                                   \
               .most = INT32_MAX,                                                                            \
               .preset = 4,                                                                                  \
               .values = {3, {2, 4, 32}},                                                                    \
               .more = {1, {3}}}}
const struct star_algorithm star_allreduce_shared = {.operation = STAR_ALLREDUCE,
                                                     .cost = "lg_r(P)(α + (r-1)n(β+γ))",
                                                     .build = build_allreduce,
                                                     .in_order = true,
                                                     .order = STAR_ORDER_FIXED,
                                                     .most_bytes = 16384,
                                                     ROW};
const struct star_algorithm star_barrier_shared = {
    .operation = STAR_BARRIER, .cost = "lg_r(P)α", .build = build_barrier, ROW};

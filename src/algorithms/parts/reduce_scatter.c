/* SPDX-License-Identifier: BSD-3-Clause
 * Reduce-scatter: each member gets one block of the sum of all vectors. Halving moves least in fewest rounds
 * (Rabenseifner 1997; Thakur et al., IJHPCA 19(1), 2005); circulant needs as few for any size (Träff, 2024);
 * ring and pairwise move as little in P−1 rounds, to one neighbour or to everyone. In units all temporaries
 * are pages, in which block k has room at place k, or at k less the own rank where they are rotated. */
#include "algorithms/parts/reduce_scatter.h"

static struct star_place block_in(struct star_place page, const struct star_blocks *blocks, int k)
{
    return star_plus(page, star_block_start(blocks, k));
}

/* OUT may be the very place that is copied, when the input of the only member lies there. */
static void deliver(struct star_builder *b, struct star_place out, struct star_place from, int64_t bytes)
{
    if (out.buffer != from.buffer || out.offset != from.offset)
        star_build_copy(b, out, from, bytes);
}

/* Halving works on slots, a power of two of them: the first REST slots hold two blocks, others one. Whoever
 * owns the first block of a slot works for it, and first takes in the vector of the other's owner. */
struct halving {
    struct star_builder *builder;
    const struct star_team *team;
    const struct star_blocks *in;
    int slots, rest;
    bool near_first; /* exchange with neighbours first: then only adjacent intervals of members are reduced */
    struct star_place held, spare[2]; /* what is reduced so far, at first the input; pages to receive into */
    bool own;                         /* HELD is a page, not the input */
};

static int first_block(const struct halving *k, int slot)
{
    return slot < k->rest ? 2 * slot : slot + k->rest;
}

static int slot_of(const struct halving *k, int block)
{
    return block < 2 * k->rest ? block / 2 : block - k->rest;
}

/* Who holds SLOT when all is done: with neighbours first, the one whose bits are the slot's backwards. */
static int holder(const struct halving *k, int slot)
{
    int worker = k->near_first ? 0 : slot;
    for (int bit = 1; k->near_first && bit < k->slots; bit *= 2)
        worker = worker * 2 + (slot / bit & 1);
    return first_block(k, worker);
}

/* Reduces what lies in the first spare page, from members that come before (LOWER) or after those of HELD. */
static void take_in(struct halving *k, int64_t at, int64_t bytes, bool lower)
{
    struct star_place came = star_plus(k->spare[0], at), held = star_plus(k->held, at);
    if (!lower || !k->near_first) {
        star_build_reduce(k->builder, came, held, bytes);
        struct star_place next = k->own ? k->held : k->spare[1];
        k->held = k->spare[0];
        k->spare[0] = next;
    } else {
        if (!k->own) {
            star_build_copy(k->builder, star_plus(k->spare[1], at), held, bytes);
            k->held = k->spare[1];
        }
        star_build_reduce(k->builder, star_plus(k->held, at), came, bytes);
    }
    k->own = true;
}

/* Afterwards only the first owners of the slots take part. */
static void fold(struct halving *k)
{
    int me = k->team->me;
    bool folded = me < 2 * k->rest; /* the last of an odd number has no partner */
    int partner = folded ? star_member(k->team, me ^ 1) : -1;
    if (folded && me % 2 == 1)
        star_build_send(k->builder, partner, k->in->at, k->in->bytes);
    else if (folded)
        star_build_recv(k->builder, partner, k->spare[0], k->in->bytes);
    star_build_end(k->builder);
    if (folded && me % 2 == 0)
        take_in(k, 0, k->in->bytes, false);
}

/* Slots FIRST…END−1 are left; the two workers at DISTANCE each keep a half of them. */
static void exchange_half(struct halving *k, int worker, int distance, int *first, int *end)
{
    int middle = (*first + *end) / 2, partner = star_member(k->team, first_block(k, worker ^ distance));
    bool upper = worker & distance;
    int give = upper ? *first : middle, give_end = upper ? middle : *end;
    *first = upper ? middle : *first;
    *end = upper ? *end : middle;
    int64_t give_at = star_block_start(k->in, first_block(k, give)),
            give_bytes = star_block_start(k->in, first_block(k, give_end)) - give_at;
    int64_t at = star_block_start(k->in, first_block(k, *first)),
            bytes = star_block_start(k->in, first_block(k, *end)) - at;
    star_build_recv(k->builder, partner, star_plus(k->spare[0], at), bytes);
    star_build_send(k->builder, partner, star_plus(k->held, give_at), give_bytes);
    star_build_end(k->builder);
    take_in(k, at, bytes, upper);
}

/* The blocks go from the holders of their slots to their owners. */
static void hand_over(const struct halving *k, int slot, struct star_place out)
{
    int me = k->team->me, from = holder(k, slot_of(k, me));
    int64_t own = star_block_bytes(k->in, me, me + 1);
    if (from == me)
        deliver(k->builder, out, block_in(k->held, k->in, me), own);
    else
        star_build_recv(k->builder, star_member(k->team, from), out, own);
    for (int i = first_block(k, slot); slot >= 0 && i < first_block(k, slot + 1); i++)
        if (i != me)
            star_build_send(k->builder, star_member(k->team, i), block_in(k->held, k->in, i),
                            star_block_bytes(k->in, i, i + 1));
    star_build_end(k->builder);
}

static void halve(struct star_builder *b, const struct star_team *team, const struct star_blocks *in,
                  struct star_place out, bool near_first)
{
    struct halving k = {.builder = b, .team = team, .in = in, .held = in->at, .near_first = near_first};
    for (k.slots = 1; k.slots <= team->size / 2;)
        k.slots *= 2;
    k.rest = team->size - k.slots;
    k.spare[0] = star_build_page(b, in->bytes, false);
    k.spare[1] = star_build_page(b, in->bytes, false);
    if (k.rest > 0)
        fold(&k);
    int worker = slot_of(&k, team->me), first = 0, end = k.slots;
    bool works = first_block(&k, worker) == team->me;
    for (int step = 1; step < k.slots; step *= 2)
        if (works)
            exchange_half(&k, worker, near_first ? step : k.slots / 2 / step, &first, &end);
        else
            star_build_end(b);
    hand_over(&k, works ? first : -1, out);
}

void star_team_reduce_scatter_halving(struct star_builder *b, const struct star_team *team,
                                      const struct star_blocks *in, struct star_place out)
{
    halve(b, team, in, out, false);
}

void star_team_reduce_scatter_butterfly(struct star_builder *b, const struct star_team *team,
                                        const struct star_blocks *in, struct star_place out)
{
    halve(b, team, in, out, true);
}

/* Block k goes round from member k+1 to member k, and all on the way add theirs. One segment of it: */
struct passage {
    int64_t offset, bytes; /* in the vector */
};

/* What a member passes on (AHEAD 0) or takes in (1) as the T-th of its segments. */
static struct passage passage_of(const struct star_team *team, const struct star_blocks *in,
                                 const struct star_segments *segments, int64_t t, int ahead)
{
    int size = team->size, step = (int)(t / segments->count);
    int block = (team->me - 1 - step - ahead + 2 * size) % size;
    int64_t from = t % segments->count * segments->step, bytes = star_block_bytes(in, block, block + 1);
    int64_t left = bytes > from ? bytes - from : 0;
    return (struct passage){.offset = star_block(in, block).offset - in->at.offset + from,
                            .bytes = left < segments->step ? left : segments->step};
}

static int64_t longest_block(const struct star_blocks *in)
{
    int64_t longest = 0;
    for (int k = 0; k < in->count; k++)
        if (star_block_bytes(in, k, k + 1) > longest)
            longest = star_block_bytes(in, k, k + 1);
    return longest;
}

void star_reduce_scatter_ring_segments(struct star_builder *b, const struct star_team *team,
                                       const struct star_blocks *in, struct star_place out, int64_t segment)
{
    int size = team->size, me = team->me;
    struct star_place page = star_build_page(b, in->bytes, false);
    struct star_segments segments = star_segments_of(longest_block(in), in->granule, segment);
    struct passage last = {0};
    for (int64_t t = 0; t < (size - 1) * segments.count; t++) {
        struct passage taken = passage_of(team, in, &segments, t, 1),
                       sent = passage_of(team, in, &segments, t, 0);
        struct star_place from = t < segments.count ? in->at : page;
        star_build_recv(b, star_member(team, (me - 1 + size) % size), star_plus(page, taken.offset),
                        taken.bytes);
        /* While this segment arrives, the one before it is reduced. */
        star_build_reduce(b, star_plus(page, last.offset), star_plus(in->at, last.offset), last.bytes);
        star_build_send(b, star_member(team, (me + 1) % size), star_plus(from, sent.offset), sent.bytes);
        star_build_end(b);
        last = taken;
    }
    star_build_reduce(b, star_plus(page, last.offset), star_plus(in->at, last.offset), last.bytes);
    struct star_blocks sums = *in;
    sums.at = size > 1 ? page : in->at;
    deliver(b, out, star_block(&sums, me), star_block_bytes(in, me, me + 1));
    star_build_end(b);
}

void star_team_reduce_scatter_ring(struct star_builder *b, const struct star_team *team,
                                   const struct star_blocks *in, struct star_place out)
{
    star_reduce_scatter_ring_segments(b, team, in, out, 0);
}

/* What comes from the members before comes nearest first, then what comes from those behind, last first: so
 * both can be reduced in order, and then the one with the other. */
void star_team_reduce_scatter_pairwise(struct star_builder *b, const struct star_team *team,
                                       const struct star_blocks *in, struct star_place out)
{
    int size = team->size, me = team->me;
    int64_t bytes = star_block_bytes(in, me, me + 1);
    struct star_place before = star_build_page(b, bytes, true), behind = star_build_page(b, bytes, true),
                      came = star_build_page(b, bytes, true);
    star_build_copy(b, before, star_block(in, me), bytes);
    for (int i = 1; i < size; i++) {
        int from = (me - i + size) % size, to = (me + i) % size;
        star_build_recv(b, star_member(team, from), from == size - 1 ? behind : came, bytes);
        star_build_send(b, star_member(team, to), star_block(in, to), star_block_bytes(in, to, to + 1));
        star_build_end(b);
        if (from != size - 1)
            star_build_reduce(b, from < me ? before : behind, came, bytes);
    }
    if (me < size - 1)
        star_build_reduce(b, behind, before, bytes);
    star_build_copy(b, out, me < size - 1 ? behind : before, bytes);
    star_build_end(b);
}

/* Where the block of the I-th member from ME on begins in a page that begins with ME's; I may be all. */
static int64_t rotated_start(const struct star_blocks *blocks, int me, int i)
{
    int64_t before = star_block_start(blocks, me);
    return me + i < blocks->count ? star_block_start(blocks, me + i) - before
                                  : star_block_start(blocks, me + i - blocks->count) + blocks->bytes - before;
}

/* Skips P, ⌈P/2⌉, ⌈P/4⌉, … 1: who has partial sums for the next SKIP members gives the far half of them away,
 * by half of SKIP, to where they are the near ones. */
void star_team_reduce_scatter_circulant(struct star_builder *b, const struct star_team *team,
                                        const struct star_blocks *in, struct star_place out)
{
    int size = team->size, me = team->me;
    int64_t before = star_block_start(in, me);
    struct star_place sums = star_build_page(b, in->bytes, true), came = star_build_page(b, in->bytes, true);
    star_build_copy(b, sums, star_block(in, me), in->bytes - before);
    star_build_copy(b, star_plus(sums, in->bytes - before), in->at, before);
    for (int skip = size; skip > 1; skip -= skip / 2) {
        int next = skip - skip / 2;
        int64_t near = rotated_start(in, me, skip - next), far = rotated_start(in, me, next);
        star_build_recv(b, star_member(team, (me - next + size) % size), came, near);
        star_build_send(b, star_member(team, (me + next) % size), star_plus(sums, far),
                        rotated_start(in, me, skip) - far);
        star_build_end(b);
        star_build_reduce(b, sums, came, near);
    }
    star_build_copy(b, out, sums, star_block_bytes(in, me, me + 1));
    star_build_end(b);
}

void star_build_reduce_scatter(struct star_builder *b, const struct star_shape *shape)
{
    struct star_team team = star_whole(shape);
    struct star_blocks in = star_rank_blocks(shape, star_at(STAR_SENDBUF, 0));
    shape->part->reduce_scatter(b, &team, &in, star_at(STAR_RECVBUF, 0));
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Scans: member i combines what comes from lower members with what it has, always an interval of members that
 * ends just before its own: the order is kept, and each piece is reduced once into the inclusive result
 * (which is what it tells others) and once into the exclusive one, where that is asked for. linear: all
 * vectors to all higher members. chain: each to the next, in segments. doubling: lg P rounds, in round k from
 * 2^k behind (Hillis and Steele 1986). binomial: 2 lg P rounds up and down a tree, 2P messages in all (Brent
 * and Kung 1982). */
#include "algorithms/parts/prefix.h"

/* LEFT: bytes AT…AT+BYTES−1 of what lower members have. FIRST: of the exclusive result there is nothing yet.
 * ONWARDS: somebody will be told the inclusive one. */
static void absorb(struct star_builder *b, const struct star_prefix *prefix, struct star_place left,
                   int64_t at, int64_t bytes, bool first, bool onwards)
{
    if (!prefix->without || onwards)
        star_build_reduce(b, star_plus(prefix->inclusive, at), left, bytes);
    if (prefix->without && first)
        star_build_copy(b, star_plus(prefix->exclusive, at), left, bytes);
    else if (prefix->without)
        star_build_reduce(b, star_plus(prefix->exclusive, at), left, bytes);
}

void star_prefix_linear(struct star_builder *b, const struct star_team *team,
                        const struct star_prefix *prefix)
{
    int me = team->me;
    struct star_place in = star_build_temp(b, me * prefix->bytes);
    for (int i = 0; i < me; i++)
        star_build_recv(b, star_member(team, i), star_plus(in, i * prefix->bytes), prefix->bytes);
    for (int i = me + 1; i < team->size; i++)
        star_build_send(b, star_member(team, i), prefix->inclusive, prefix->bytes);
    star_build_end(b);
    for (int i = me - 1; i >= 0; i--)
        absorb(b, prefix, star_plus(in, i * prefix->bytes), 0, prefix->bytes, i == me - 1, false);
    star_build_end(b);
}

void star_prefix_chain(struct star_builder *b, const struct star_team *team, const struct star_prefix *prefix)
{
    struct star_segments segments = star_segments_of(prefix->bytes, prefix->granule, prefix->segment);
    int receives = team->me > 0, last = team->me == team->size - 1;
    int sets = segments.count > 1 ? 2 : 1;
    struct star_place in = star_build_temp(b, (int64_t)receives * sets * segments.step);
    for (int64_t t = 0; t < segments.count + receives; t++) {
        int64_t ready = t - receives, at = ready * segments.step; /* the first need not wait for others */
        if (receives && t < segments.count)
            star_build_recv(b, star_member(team, team->me - 1), star_plus(in, t % sets * segments.step),
                            star_segment_bytes(&segments, t));
        if (receives && ready >= 0)
            absorb(b, prefix, star_plus(in, ready % sets * segments.step), at,
                   star_segment_bytes(&segments, ready), true, !last);
        if (!last && ready >= 0)
            star_build_send(b, star_member(team, team->me + 1), star_plus(prefix->inclusive, at),
                            star_segment_bytes(&segments, ready));
        star_build_end(b);
    }
}

void star_prefix_doubling(struct star_builder *b, const struct star_team *team,
                          const struct star_prefix *prefix)
{
    int me = team->me, size = team->size;
    struct star_place in = star_build_temp(b, me > 0 ? prefix->bytes : 0);
    for (int64_t distance = 1; distance < size; distance *= 2) {
        bool receives = me >= distance;
        if (receives)
            star_build_recv(b, star_member(team, (int)(me - distance)), in, prefix->bytes);
        if (me + distance < size)
            star_build_send(b, star_member(team, (int)(me + distance)), prefix->inclusive, prefix->bytes);
        star_build_end(b);
        if (receives)
            absorb(b, prefix, in, 0, prefix->bytes, distance == 1, me + 2 * distance < size);
    }
    star_build_end(b);
}

/* Up: who ends an interval of 2D members hears from the one that ends its first half. Down: who ends such an
 * interval knows the whole up to itself by now, and tells the one that ends the next D. */
void star_prefix_binomial(struct star_builder *b, const struct star_team *team,
                          const struct star_prefix *prefix)
{
    int me = team->me, size = team->size;
    struct star_place in = star_build_temp(b, me > 0 ? prefix->bytes : 0);
    int64_t place = (int64_t)me + 1, distance = 1; /* the member's interval is DISTANCE long */
    bool last = me == size - 1;
    for (; place % (2 * distance) == 0; distance *= 2) {
        star_build_recv(b, star_member(team, (int)(me - distance)), in, prefix->bytes);
        star_build_end(b);
        absorb(b, prefix, in, 0, prefix->bytes, distance == 1, !last);
    }
    bool hears = place > distance; /* else its interval is the whole: member 0, 1, 3, 7, … */
    if (hears)
        star_build_recv(b, star_member(team, (int)(me - distance)), in, prefix->bytes);
    if (me + distance < size)
        star_build_send(b, star_member(team, (int)(me + distance)), prefix->inclusive, prefix->bytes);
    star_build_end(b);
    if (hears)
        absorb(b, prefix, in, 0, prefix->bytes, distance == 1, distance > 1 && !last);
    for (distance /= 2; distance > 0; distance /= 2)
        if (me + distance < size)
            star_build_send(b, star_member(team, (int)(me + distance)), prefix->inclusive, prefix->bytes);
    star_build_end(b);
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "algorithms/parts/gather.h"

/* Blocks FIRST…FIRST+WEIGHT−1, as many of them as there are, to or from a member. */
static void move_subtree(struct star_builder *b, star_build_move *send_or_recv, int peer,
                         const struct star_blocks *blocks, int64_t first, int64_t weight)
{
    int64_t end = first + weight < blocks->count ? first + weight : blocks->count;
    send_or_recv(b, peer, star_block(blocks, (int)first), star_block_bytes(blocks, (int)first, (int)end));
}

/* The edges between members whose numbers differ in the digit of WEIGHT, and have zeros below it. */
static void move_digit(struct star_builder *b, star_build_move *to_child, star_build_move *to_parent,
                       const struct star_team *team, const struct star_blocks *blocks, int64_t weight,
                       int64_t radix)
{
    int64_t me = team->me, digit = me / weight % radix;
    if (me % weight)
        return;
    if (digit > 0)
        move_subtree(b, to_parent, star_member(team, (int)(me - digit * weight)), blocks, me, weight);
    for (int64_t i = 1; digit == 0 && i < radix && me + i * weight < team->size; i++)
        move_subtree(b, to_child, star_member(team, (int)(me + i * weight)), blocks, me + i * weight, weight);
}

int star_team_subtree(int size, int me, int64_t radix)
{
    int64_t weight = 1;
    while (weight < size && me % (weight * radix) == 0)
        weight *= radix;
    return (int)(weight < size - me ? weight : size - me);
}

void star_team_gather(struct star_builder *b, const struct star_team *team, const struct star_blocks *blocks,
                      int64_t radix)
{
    for (int64_t weight = 1; weight < team->size; weight *= radix) {
        move_digit(b, star_build_recv, star_build_send, team, blocks, weight, radix);
        star_build_end(b);
    }
}

void star_team_scatter(struct star_builder *b, const struct star_team *team, const struct star_blocks *blocks,
                       int64_t radix)
{
    int64_t weight = 1;
    while (weight < team->size)
        weight *= radix;
    for (weight /= radix; weight >= 1; weight /= radix) {
        move_digit(b, star_build_send, star_build_recv, team, blocks, weight, radix);
        star_build_end(b);
    }
}

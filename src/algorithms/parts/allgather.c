/* SPDX-License-Identifier: BSD-3-Clause
 * All-gathers, all in place but bruck. Ranges of blocks are of members, and may wrap around from the last
 * block to the first: such a range is two messages, cut at the same block by sender and receiver. */
#include "algorithms/parts/allgather.h"
#include "algorithms/parts/gather.h"
#include "algorithms/parts/mesh.h"

static int around(const struct star_team *team, int64_t member)
{
    return (int)((member % team->size + team->size) % team->size);
}

/* Bytes of the COUNT blocks from FIRST on. */
static int64_t range_bytes(const struct star_blocks *blocks, int first, int count)
{
    int wrapped = first + count - blocks->count;
    return wrapped <= 0
               ? star_block_bytes(blocks, first, first + count)
               : star_block_bytes(blocks, first, blocks->count) + star_block_bytes(blocks, 0, wrapped);
}

/* Sends, or receives, the COUNT blocks from FIRST on. */
static void move_range(struct star_builder *b, star_build_move *send_or_recv, const struct star_team *team,
                       int member, const struct star_blocks *blocks, int first, int count)
{
    int wrapped = first + count - blocks->count, straight = wrapped > 0 ? count - wrapped : count;
    int peer = star_member(team, member);
    send_or_recv(b, peer, star_block(blocks, first), star_block_bytes(blocks, first, first + straight));
    if (wrapped > 0)
        send_or_recv(b, peer, blocks->at, star_block_bytes(blocks, 0, wrapped));
}

/* This member's own block to member TO, and that of member FROM. */
static void exchange_own(struct star_builder *b, const struct star_team *team,
                         const struct star_blocks *blocks, int to, int from)
{
    move_range(b, star_build_recv, team, from, blocks, from, 1);
    move_range(b, star_build_send, team, to, blocks, team->me, 1);
}

/* Everything at once, the nearest first. */
void star_team_allgather_simple(struct star_builder *b, const struct star_team *team,
                                const struct star_blocks *blocks)
{
    for (int i = 1; i < team->size; i++)
        exchange_own(b, team, blocks, around(team, team->me + i), around(team, team->me - i));
    star_build_end(b);
}

void star_team_allgather_ring(struct star_builder *b, const struct star_team *team,
                              const struct star_blocks *blocks)
{
    for (int i = 1; i < team->size; i++) {
        exchange_own(b, team, blocks, around(team, team->me + i), around(team, team->me - i));
        star_build_end(b);
    }
}

void star_team_allgather_pair(struct star_builder *b, const struct star_team *team,
                              const struct star_blocks *blocks)
{
    for (int i = 1; i < team->size; i++) {
        exchange_own(b, team, blocks, team->me ^ i, team->me ^ i);
        star_build_end(b);
    }
}

/* After dimension d each member holds the blocks of its sub-mesh of dimensions 0…d, which are neighbours. */
void star_team_allgather_mesh(struct star_builder *b, const struct star_team *team,
                              const struct star_blocks *blocks, const int *mesh, int dimensions)
{
    for (int d = 0, held = 1; d < dimensions; held *= mesh[d++]) {
        int mine = team->me / held % mesh[d], own = team->me / held * held;
        for (int i = 1; i < mesh[d]; i++) {
            int ahead = (mine + i) % mesh[d] - mine, behind = (mine - i + mesh[d]) % mesh[d] - mine;
            move_range(b, star_build_recv, team, team->me + behind * held, blocks, own + behind * held, held);
            move_range(b, star_build_send, team, team->me + ahead * held, blocks, own, held);
        }
        star_build_end(b);
    }
}

void star_team_allgather_mesh2d(struct star_builder *b, const struct star_team *team,
                                const struct star_blocks *blocks)
{
    int mesh[STAR_MESH_DIMENSIONS];
    star_team_allgather_mesh(b, team, blocks, mesh, star_mesh_of(team->size, 2, mesh));
}

void star_team_allgather_mesh3d(struct star_builder *b, const struct star_team *team,
                                const struct star_blocks *blocks)
{
    int mesh[STAR_MESH_DIMENSIONS];
    star_team_allgather_mesh(b, team, blocks, mesh, star_mesh_of(team->size, 3, mesh));
}

void star_team_allgather_rdb(struct star_builder *b, const struct star_team *team,
                             const struct star_blocks *blocks)
{
    int mesh[STAR_MESH_DIMENSIONS];
    star_team_allgather_mesh(b, team, blocks, mesh, star_mesh_of(team->size, STAR_MESH_PRIMES, mesh));
}

/* The blocks gather in a page that begins with this member's own, so that each message is one piece. Of d
 * ranks ahead in units of WEIGHT, each rank takes what it has of the first WEIGHT blocks. */
void star_team_allgather_by_radix(struct star_builder *b, const struct star_team *team,
                                  const struct star_blocks *blocks, int64_t radix)
{
    int size = team->size, me = team->me;
    struct star_place page = star_build_page(b, blocks->bytes, true);
    star_build_copy(b, page, star_block(blocks, me), star_block_bytes(blocks, me, me + 1));
    for (int64_t weight = 1; weight < size; weight *= radix) {
        for (int64_t ahead = weight; ahead < size && ahead < weight * radix; ahead += weight) {
            int from = around(team, me + ahead), to = around(team, me - ahead);
            int count = (int)(weight < size - ahead ? weight : size - ahead);
            star_build_recv(b, star_member(team, from), star_plus(page, range_bytes(blocks, me, (int)ahead)),
                            range_bytes(blocks, from, count));
            star_build_send(b, star_member(team, to), page, range_bytes(blocks, me, count));
        }
        star_build_end(b);
    }
    int64_t own = star_block_bytes(blocks, me, me + 1), last = star_block_bytes(blocks, me + 1, size);
    star_build_copy(b, star_block(blocks, me + 1), star_plus(page, own), last);
    star_build_copy(b, blocks->at, star_plus(page, own + last), star_block_bytes(blocks, 0, me));
    star_build_end(b);
}

void star_team_allgather_bruck(struct star_builder *b, const struct star_team *team,
                               const struct star_blocks *blocks)
{
    star_team_allgather_by_radix(b, team, blocks, 2);
}

/* What came in one round goes on in the next. */
void star_team_allgather_neighbor_ring(struct star_builder *b, const struct star_team *team,
                                       const struct star_blocks *blocks)
{
    int me = team->me, next = around(team, me + 1), previous = around(team, me - 1);
    for (int i = 1; i < team->size; i++) {
        move_range(b, star_build_recv, team, previous, blocks, around(team, me - i), 1);
        move_range(b, star_build_send, team, next, blocks, around(team, me - i + 1), 1);
        star_build_end(b);
    }
}

/* The first block of the pair that MEMBER has after round 0, or gets in a later ROUND. */
static int pair_of_round(const struct star_team *team, int member, int round)
{
    int shift = round % 2 ? -(round + 1) : round;
    return around(team, member / 2 * 2 + (member % 2 ? -shift : shift));
}

/* Members 2i and 2i+1 exchange their blocks; then all exchange with the neighbour on either side by turns the
 * two blocks that they got last. */
void star_team_allgather_neighbor_exchange(struct star_builder *b, const struct star_team *team,
                                           const struct star_blocks *blocks)
{
    int me = team->me;
    for (int round = 0; round < team->size / 2; round++) {
        int peer = around(team, (me + round) % 2 ? me - 1 : me + 1);
        if (round == 0) {
            exchange_own(b, team, blocks, peer, peer);
        } else {
            move_range(b, star_build_recv, team, peer, blocks, pair_of_round(team, me, round), 2);
            move_range(b, star_build_send, team, peer, blocks, pair_of_round(team, me, round - 1), 2);
        }
        star_build_end(b);
    }
}

void star_team_allgather_gather_bcast(struct star_builder *b, const struct star_team *team,
                                      const struct star_blocks *blocks)
{
    int me = team->me, size = team->size, weight = 1;
    star_team_gather(b, team, blocks, 2);
    while (weight < size)
        weight *= 2;
    for (weight /= 2; weight >= 1; weight /= 2) {
        if (me % (2 * weight) == weight)
            star_build_recv(b, star_member(team, me - weight), blocks->at, blocks->bytes);
        else if (me % (2 * weight) == 0 && me + weight < size)
            star_build_send(b, star_member(team, me + weight), blocks->at, blocks->bytes);
        star_build_end(b);
    }
}

/* Skips are SIZE halved again and again, rounded up; taken in rising order, each round fills up the blocks
 * ahead to the next skip. */
void star_team_allgather_circulant(struct star_builder *b, const struct star_team *team,
                                   const struct star_blocks *blocks)
{
    int skip[32] = {team->size}, rounds = 0;
    for (; skip[rounds] > 1; rounds++)
        skip[rounds + 1] = skip[rounds] / 2 + skip[rounds] % 2;
    for (int k = rounds; k >= 1; k--) {
        int from = around(team, team->me + skip[k]), to = around(team, team->me - skip[k]);
        int count = skip[k - 1] - skip[k];
        move_range(b, star_build_recv, team, from, blocks, from, count);
        move_range(b, star_build_send, team, to, blocks, team->me, count);
        star_build_end(b);
    }
}

void star_build_allgather(struct star_builder *b, const struct star_shape *shape)
{
    struct star_team all = star_whole(shape);
    struct star_blocks blocks = star_rank_blocks(shape, star_at(STAR_RECVBUF, 0));
    star_build_copy(b, star_block(&blocks, all.me), star_at(STAR_SENDBUF, 0), shape->block);
    shape->part->allgather(b, &all, &blocks);
}

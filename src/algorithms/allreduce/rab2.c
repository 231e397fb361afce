/* SPDX-License-Identifier: BSD-3-Clause
 * Rab2: an all-to-all brings block i of all vectors to rank i, which reduces them in the order of ranks; then
 * an all-gather. As few bytes as Rab1's in more messages, and the same bits whatever P's factors. STAR-MPI,
 * section 3.1, whose six are ring with ring or with a logical ring (neighbor_ring), each with any sync. */
#include "algorithms/allreduce/stages.h"

enum { ALLTOALL_RING, ALLTOALL_SIMPLE };
enum { RING, NEIGHBOR_RING, SIMPLE, BRUCK, CIRCULANT };

static const char *const alltoall_words[] = {[ALLTOALL_RING] = "ring", [ALLTOALL_SIMPLE] = "simple", NULL};
static const char *const allgather_words[] = {
    [RING] = "ring",   [NEIGHBOR_RING] = "neighbor_ring", [SIMPLE] = "simple",
    [BRUCK] = "bruck", [CIRCULANT] = "circulant",         NULL};

static star_allgather_part *const allgathers[] = {
    [RING] = star_team_allgather_ring,           [NEIGHBOR_RING] = star_team_allgather_neighbor_ring,
    [SIMPLE] = star_team_allgather_simple,       [BRUCK] = star_team_allgather_bruck,
    [CIRCULANT] = star_team_allgather_circulant,
};

/* All-to-all of the blocks, one peer a round or all at once; rank R's piece comes to place R of PIECES. */
static void exchange(struct star_builder *b, const struct star_blocks *in, const struct star_team *team,
                     struct star_place pieces, bool rounds)
{
    int size = team->size, me = team->me;
    int64_t own = star_block_bytes(in, me, me + 1);
    star_build_copy(b, star_plus(pieces, star_member(team, me) * own), star_block(in, me), own);
    for (int i = 1; i < size; i++) {
        int from = star_member(team, (me - i + size) % size), to = (me + i) % size;
        star_build_recv(b, from, star_plus(pieces, from * own), own);
        star_build_send(b, star_member(team, to), star_block(in, to), star_block_bytes(in, to, to + 1));
        if (rounds)
            star_build_end(b);
    }
    if (!rounds)
        star_build_end(b);
}

static void build(struct star_builder *b, const struct star_shape *shape)
{
    struct star_team team = star_whole(shape);
    int size = team.size, me = team.me;
    struct star_blocks in = star_vector_blocks(shape, star_at(STAR_SENDBUF, 0), size), out = in;
    int64_t own = star_block_bytes(&in, me, me + 1);
    struct star_place pieces = star_build_temp(b, size * own);
    exchange(b, &in, &team, pieces, shape->knob[0] == ALLTOALL_RING);
    out.at = star_at(STAR_RECVBUF, 0);
    star_build_copy(b, star_block(&out, me), star_plus(pieces, (size - 1) * own), own);
    for (int r = size - 2; r >= 0; r--)
        star_build_reduce(b, star_block(&out, me), star_plus(pieces, r * own), own);
    allgathers[shape->knob[1]](b, &team, &out);
}

const struct star_algorithm star_allreduce_rab2 = {
    .operation = STAR_ALLREDUCE,
    .name = "rab2",
    .moves = "all-to-all of the blocks, reduced by their owners, then an all-gather",
    .optimises = "node contention",
    .cost = "(P-1+m)α + 2(P-1)(n/P)β + (P+r-2)θ, the all-gather with m messages in r rounds; sync: δl or δh "
            "for θ",
    .source = "STAR-MPI 3.1",
    .in_order = true,
    .order = STAR_ORDER_RANK,
    .knobs = {{.name = "alltoall",
               .help = "the first stage",
               .words = alltoall_words,
               .most = ALLTOALL_SIMPLE,
               .preset = ALLTOALL_RING,
               .values = {1, {ALLTOALL_RING}},
               .more = {1, {ALLTOALL_SIMPLE}}},
              {.name = "allgather",
               .help = "the second stage",
               .words = allgather_words,
               .most = CIRCULANT,
               .preset = RING,
               .values = {2, {NEIGHBOR_RING, RING}},
               .more = {3, {SIMPLE, BRUCK, CIRCULANT}}},
              STAR_KNOB_SYNC,
              STAR_KNOB_ORDER},
    .build = build,
};

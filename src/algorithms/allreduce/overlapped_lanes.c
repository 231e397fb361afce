/* SPDX-License-Identifier: BSD-3-Clause
 * Overlapped lanes: as lanes, but in pieces of the vector. While the sums of one piece go round the nodes, or
 * switches, those of the next one are made on each of them, and those of the one before handed out. So the
 * links between nodes, where they are the slowest, carry what a ring of nodes would, not one of all ranks,
 * and are always busy. After Träff and Hunold: Decomposing MPI Collectives for Exploiting Multi-lane
 * Communication, CLUSTER 2020. */
#include "algorithms/parts/lanes.h"

struct overlap {
    struct star_builder *b;
    const struct star_shape *shape;
    struct star_lanes lanes;
    struct star_segments pieces;
    int rounds;                /* in which a piece goes round the nodes */
    struct star_place came;    /* a block from each other rank of the node */
    struct star_place crossed; /* a part of a block */
};

/* Piece PIECE in BUFFER: a block for each lane. */
static struct star_blocks piece_of(const struct overlap *o, enum star_buffer buffer, int64_t piece)
{
    return (struct star_blocks){.at = star_at(buffer, piece * o->pieces.step),
                                .bytes = star_segment_bytes(&o->pieces, piece),
                                .granule = o->shape->granule,
                                .count = o->lanes.lanes};
}

/* Bytes of the block of the rank with that INDEX on its node: none if it is in no lane. */
static int64_t block_bytes(const struct star_blocks *piece, int index)
{
    return index < piece->count ? star_block_bytes(piece, index, index + 1) : 0;
}

/* The rank that is I places on from this one among those of its node. */
static int mate(const struct star_team *own, int i)
{
    return (own->me + i + own->size) % own->size;
}

/* A rank's exchanges with its mates are spread over the rounds: the first of them in ROUND, or later. */
static int first_mate(const struct overlap *o, int round)
{
    int mates = o->lanes.own.size - 1;
    return 1 + (mates * round + o->rounds - 1) / o->rounds;
}

/* Each rank's part of the vector's blocks goes to those whose blocks they are. */
static void collect(const struct overlap *o, int64_t piece, int round)
{
    const struct star_team *own = &o->lanes.own;
    struct star_blocks in = piece_of(o, STAR_SENDBUF, piece), out = piece_of(o, STAR_RECVBUF, piece);
    int64_t bytes = block_bytes(&in, own->me);
    if (round == 0 && bytes > 0)
        star_build_copy(o->b, star_block(&out, own->me), star_block(&in, own->me), bytes);
    for (int i = first_mate(o, round); i < first_mate(o, round + 1); i++) {
        int to = mate(own, i), from = mate(own, -i);
        star_build_recv(o->b, own->rank[from], star_plus(o->came, (i - 1) * bytes), bytes);
        if (to < in.count)
            star_build_send(o->b, own->rank[to], star_block(&in, to), block_bytes(&in, to));
    }
}

/* What came in ROUND of collecting is added. */
static void add_up(const struct overlap *o, int64_t piece, int round)
{
    int me = o->lanes.own.me;
    struct star_blocks out = piece_of(o, STAR_RECVBUF, piece);
    int64_t bytes = block_bytes(&out, me);
    for (int i = first_mate(o, round); bytes > 0 && i < first_mate(o, round + 1); i++)
        star_build_reduce(o->b, star_block(&out, me), star_plus(o->came, (i - 1) * bytes), bytes);
}

/* The part of this lane's block that a ring of nodes takes in in ROUND, and in the round after sends on. */
static struct star_place part_of(const struct overlap *o, int64_t piece, int round, int64_t *bytes)
{
    int nodes = o->lanes.nodes, part = ((o->lanes.across.me - 2 - round) % nodes + nodes) % nodes;
    struct star_blocks out = piece_of(o, STAR_RECVBUF, piece), parts = out;
    parts.at = star_block(&out, o->lanes.own.me);
    parts.bytes = block_bytes(&out, o->lanes.own.me);
    parts.count = nodes;
    *bytes = star_block_bytes(&parts, part, part + 1);
    return star_block(&parts, part);
}

static bool is_summing(const struct overlap *o, int round)
{
    return round < o->lanes.nodes - 1;
}

/* Sums go round the nodes, and then the results. */
static void cross(const struct overlap *o, int64_t piece, int round)
{
    const struct star_team *across = &o->lanes.across;
    int nodes = across->size;
    int64_t taken, sent;
    if (!star_is_in_lane(&o->lanes))
        return;
    struct star_place to = part_of(o, piece, round, &taken), from = part_of(o, piece, round - 1, &sent);
    star_build_recv(o->b, across->rank[(across->me - 1 + nodes) % nodes],
                    is_summing(o, round) ? o->crossed : to, taken);
    star_build_send(o->b, across->rank[(across->me + 1) % nodes], from, sent);
}

static void add_crossed(const struct overlap *o, int64_t piece, int round)
{
    int64_t bytes;
    if (!star_is_in_lane(&o->lanes) || !is_summing(o, round))
        return;
    struct star_place sum = part_of(o, piece, round, &bytes);
    star_build_reduce(o->b, sum, o->crossed, bytes);
}

static void hand_out(const struct overlap *o, int64_t piece, int round)
{
    const struct star_team *own = &o->lanes.own;
    struct star_blocks out = piece_of(o, STAR_RECVBUF, piece);
    for (int i = first_mate(o, round); i < first_mate(o, round + 1); i++) {
        int to = mate(own, i), from = mate(own, -i);
        if (from < out.count)
            star_build_recv(o->b, own->rank[from], star_block(&out, from), block_bytes(&out, from));
        if (own->me < out.count)
            star_build_send(o->b, own->rank[to], star_block(&out, own->me), block_bytes(&out, own->me));
    }
}

/* ROUND of the turn in which PIECE is collected, the one before it crosses, and that before is handed out. */
static void take_turn(const struct overlap *o, int64_t piece, int round)
{
    int64_t end = o->pieces.count;
    if (piece >= 1 && piece <= end)
        cross(o, piece - 1, round);
    if (piece < end)
        collect(o, piece, round);
    if (piece >= 2)
        hand_out(o, piece - 2, round);
    star_build_end(o->b);
    if (piece >= 1 && piece <= end)
        add_crossed(o, piece - 1, round);
    if (piece < end)
        add_up(o, piece, round);
}

static void build(struct star_builder *b, const struct star_shape *shape)
{
    struct overlap o = {
        .b = b, .shape = shape, .pieces = star_segments_of(shape->block, shape->granule, shape->knob[0])};
    if (o.pieces.count == 0 || !star_lanes_of(b, shape, shape->size, &o.lanes))
        return;
    o.rounds = 2 * (o.lanes.nodes - 1);
    int64_t most = (o.pieces.step / shape->granule - 1) / o.lanes.lanes + 1; /* elements of a block */
    o.came = star_build_temp(b, (o.lanes.own.size - 1) * most * shape->granule);
    o.crossed = star_build_temp(b, most * shape->granule);
    for (int64_t piece = 0; piece < o.pieces.count + 2; piece++)
        for (int round = 0; round < o.rounds; round++)
            take_turn(&o, piece, round);
}

const struct star_algorithm star_allreduce_overlapped_lanes = {
    .operation = STAR_ALLREDUCE,
    .name = "overlapped_lanes",
    .moves = "lanes in pieces: sums of one are made and handed out on nodes, while another's cross",
    .optimises = "bandwidth between nodes",
    .cost = "(2(P/Q-1)+2(Q-1))(α + (n/P)β) for each piece, P/Q ranks on each of Q nodes",
    .source = "after Träff and Hunold 2020",
    .needs = STAR_SEVERAL_NODES,
    .nodes = true,
    .forwards = true,
    .order = STAR_ORDER_FIXED,
    .least_bytes = 16384,
    .knobs = {STAR_KNOB_SEGMENT_OF("none, or bytes such as 16K of the pieces of the vector", 16, 3, 0, 16384,
                                   65536),
              STAR_KNOB_LEVEL},
    .build = build,
};

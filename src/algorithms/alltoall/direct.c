/* SPDX-License-Identifier: BSD-3-Clause
 * Direct: each block goes straight from its sender to its receiver, in P−1 messages of a rank. What differs
 * is with whom a rank exchanges first, and whether it exchanges with one after the other (a round each, so
 * each deals with few messages at a time) or with all at once.
 *
 * linear, at once: i → 0, 1, …: all ranks send to rank 0 first, then to rank 1. Faraj and Yuan's Simple, 4.1.
 * simple, at once: i → i+1, i+2, …, so that not all send to the same one first. Their Spreading Simple.
 * ring: in round i to the one i ahead and from the one i behind, so in lock step nobody receives two messages
 * at once. pair: in round i ranks j and j xor i exchange; P must be a power of two. Section 4.2.
 * STAR-MPI, section 3.1.
 *
 * Alltoallw has those alone that are at once: who has come sends all its blocks before it waits, so that
 * nobody waits for a block because its sender waits for another rank's. */
#include "algorithms/parts/team.h"

enum { ASCENDING, AHEAD, XOR };

/* Whom this rank sends its I-th message to, and receives its I-th from, of 1…P−1. */
static void peers(const struct star_shape *shape, int i, int *to, int *from)
{
    struct star_team all = star_whole(shape);
    int me = shape->rank, size = shape->size;
    *to = *from = shape->part->peers == XOR ? me ^ i : i - 1 < me ? i - 1 : i;
    if (shape->part->peers == AHEAD) {
        *to = star_member(&all, (all.me + i) % size);
        *from = star_member(&all, (all.me - i + size) % size);
    }
}

static void build(struct star_builder *b, const struct star_shape *shape)
{
    int64_t block = shape->block, own = shape->rank * block;
    star_build_copy(b, star_at(STAR_RECVBUF, own), star_at(STAR_SENDBUF, own), block);
    for (int i = 1, to, from; i < shape->size; i++) {
        peers(shape, i, &to, &from);
        if (i > 1 && !shape->part->at_once)
            star_build_round(b);
        star_build_recv(b, from, star_at(STAR_RECVBUF, from * block), block);
        star_build_send(b, to, star_at(STAR_SENDBUF, to * block), block);
    }
}

#define LINEAR                                                                                               \
    .name = "linear", .part = {.peers = ASCENDING, .at_once = true}, .moves = "i -> 0, 1, ..., all at once", \
    .optimises = "rounds", .cost = "(P-1)α + (P-1)nβ + γ", .source = "Faraj and Yuan 4.1 (simple)",          \
    .build = build
const struct star_algorithm star_alltoall_linear = {.operation = STAR_ALLTOALL, LINEAR};
const struct star_algorithm star_alltoallv_linear = {.operation = STAR_ALLTOALLV, LINEAR};
const struct star_algorithm star_alltoallw_linear = {.operation = STAR_ALLTOALLW, .one_way = true, LINEAR};

#define SIMPLE                                                                                               \
    .name = "simple", .part = {.peers = AHEAD, .at_once = true}, .moves = "i -> i+1, i+2, ..., all at once", \
    .optimises = "rounds", .cost = "(P-1)α + (P-1)nβ + γ",                                                   \
    .source = "STAR-MPI 3.1; Faraj and Yuan 4.1 (spreading simple)", .build = build
const struct star_algorithm star_alltoall_simple = {.operation = STAR_ALLTOALL, SIMPLE};
const struct star_algorithm star_alltoallv_simple = {.operation = STAR_ALLTOALLV, SIMPLE};
const struct star_algorithm star_alltoallw_simple = {.operation = STAR_ALLTOALLW, .one_way = true, SIMPLE};

#define ROUNDS                                                                                               \
    .optimises = "node contention", .cost = "(P-1)(α + nβ) + (P-2)θ + γ; sync: δl or δh for θ",              \
    .source = "STAR-MPI 3.1; Faraj and Yuan 4.2", .build = build
#define RING ROUNDS, .name = "ring", .part.peers = AHEAD, .moves = "round i: to i ahead, from i behind"
const struct star_algorithm star_alltoall_ring = {
    .operation = STAR_ALLTOALL,
    .knobs = {STAR_KNOB_SYNC, STAR_KNOB_WINDOW, STAR_KNOB_PIECES, STAR_KNOB_ORDER},
    RING};
const struct star_algorithm star_alltoallv_ring = {
    .operation = STAR_ALLTOALLV, .knobs = {STAR_KNOB_SYNC, STAR_KNOB_WINDOW, STAR_KNOB_ORDER}, RING};

#define PAIR                                                                                                 \
    ROUNDS, .name = "pair", .part.peers = XOR, .moves = "round i: j and j xor i exchange",                   \
            .needs = "P a power of two", .power_of_two = true
const struct star_algorithm star_alltoall_pair = {
    .operation = STAR_ALLTOALL, .knobs = {STAR_KNOB_SYNC, STAR_KNOB_WINDOW, STAR_KNOB_PIECES}, PAIR};
const struct star_algorithm star_alltoallv_pair = {
    .operation = STAR_ALLTOALLV, .knobs = {STAR_KNOB_SYNC, STAR_KNOB_WINDOW}, PAIR};

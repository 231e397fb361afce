/* SPDX-License-Identifier: BSD-3-Clause
 * Right reductions, for tests that put one fault into them. */
#pragma once

#include "hand.h"

/* What rank SENDER has at FROM becomes the right operand of RECEIVER's input, in RECEIVER's TO. */
static inline void fold(struct hand *hand, int sender, struct star_place from, int receiver,
                        struct star_place to)
{
    move(hand, sender, from, receiver, to, BLOCK);
    reduce(hand, receiver, to, input(0), BLOCK);
}

/* To rank 0: r0 op (r1 op (r2 op …)). */
static inline void start_chain(struct hand *hand, int size)
{
    begin(hand, STAR_REDUCE, size);
    for (int r = size - 1; r > 0; r--)
        fold(hand, r, r == size - 1 ? input(0) : spare(0), r - 1, r == 1 ? result(0) : spare(0));
}

/* To rank 0, whose temporary takes what the others send it in the order of FROM: … op second op (first op
 * r0). */
static inline void start_flat(struct hand *hand, int size, const int *from)
{
    begin(hand, STAR_REDUCE, size);
    copy(hand, 0, result(0), input(0), BLOCK);
    for (int i = 0; i < size - 1; i++) {
        move(hand, from[i], input(0), 0, spare(from[i] * BLOCK), BLOCK);
        reduce(hand, 0, result(0), spare(from[i] * BLOCK), BLOCK);
    }
}

/* Of four to rank 0: (r0 op r1) op (r2 op r3). */
static inline void start_tree(struct hand *hand)
{
    begin(hand, STAR_REDUCE, 4);
    fold(hand, 3, input(0), 2, spare(0));
    fold(hand, 1, input(0), 0, spare(0));
    move(hand, 2, spare(0), 0, result(0), BLOCK);
    reduce(hand, 0, result(0), spare(0), BLOCK);
}

static inline void expect_proven_for_all_operators(struct hand *hand, bool rank_order)
{
    for (int commutative = 0; commutative < 2; commutative++) {
        hand->shape.commutative = commutative;
        assert_int_equal(proof_of(hand).rank_order, rank_order);
    }
}

static inline void expect_caught_for_all_operators(struct hand *hand, const char *word)
{
    for (int commutative = 0; commutative < 2; commutative++) {
        hand->shape.commutative = commutative;
        expect_caught_as(hand, word);
    }
}

static inline void expect_proven_only_if_commutative(struct hand *hand)
{
    hand->shape.commutative = true;
    assert_false(proof_of(hand).rank_order);
    hand->shape.commutative = false;
    expect_caught_as(hand, "order");
}

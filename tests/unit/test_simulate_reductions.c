/* SPDX-License-Identifier: BSD-3-Clause
 * The simulator on reductions: of each rank once, in an order that the operator allows, and the same on all
 * ranks. */
#include "algorithms/operations.h"
#include "folds.h"
#include "plan/plan.h"

static void a_chain_reduces_in_the_order_of_ranks(void **state)
{
    (void)state;
    for (int size = 2; size <= RANKS_MAX; size++) {
        struct hand hand;
        start_chain(&hand, size);
        expect_proven_for_all_operators(&hand, true);
    }
}

static void one_rank_reduces_by_a_copy(void **state)
{
    (void)state;
    struct hand hand;
    begin(&hand, STAR_REDUCE, 1);
    copy(&hand, 0, result(0), input(0), BLOCK);
    expect_proven_for_all_operators(&hand, true);
}

static void neighbours_may_be_put_in_other_brackets(void **state)
{
    (void)state;
    struct hand hand;
    start_tree(&hand);
    expect_proven_for_all_operators(&hand, false);
}

static void one_byte_in_other_brackets_is_not_the_order_of_ranks(void **state)
{
    (void)state;
    struct hand hand;
    start_tree(&hand); /* but for its last byte, which goes along the chain, after the rest */
    for (int r = 0; r < 4; r++)
        for (int32_t i = 0; i < hand.plans[r].count; i++)
            hand.steps[r][i].length -= hand.steps[r][i].length > 0;
    for (int r = 3; r > 0; r--) {
        struct star_place to = r == 1 ? result(BLOCK - 1) : spare(BLOCK - 1);
        move(&hand, r, r == 3 ? input(BLOCK - 1) : spare(BLOCK - 1), r - 1, to, 1);
        reduce(&hand, r - 1, to, input(BLOCK - 1), 1);
    }
    expect_proven_for_all_operators(&hand, false);
}

static void the_wrong_order_is_caught_unless_the_operator_is_commutative(void **state)
{
    (void)state;
    static const int ascending[] = {1, 2, 3}, descending[] = {3, 2, 1};
    struct hand hand;
    start_flat(&hand, 4, ascending); /* r3 op (r2 op (r1 op r0)) */
    expect_proven_only_if_commutative(&hand);
    start_flat(&hand, 4, descending);
    expect_proven_only_if_commutative(&hand);
    start_flat(&hand, 2, ascending); /* r1 op r0 */
    expect_proven_only_if_commutative(&hand);
}

static void a_gap_between_ranks_is_caught_even_if_it_is_filled_later(void **state)
{
    (void)state;
    struct hand hand;
    begin(&hand, STAR_REDUCE, 3);
    fold(&hand, 2, input(0), 0, result(0)); /* r0 op r2 */
    move(&hand, 1, input(0), 0, spare(0), BLOCK);
    reduce(&hand, 0, result(0), spare(0), BLOCK);
    expect_proven_only_if_commutative(&hand);
}

static void a_rank_that_is_missing_is_caught(void **state)
{
    (void)state;
    for (int missing = 0; missing < 3; missing++) { /* it passes on what it has received */
        struct hand hand;
        start_chain(&hand, 4);
        erase(&hand, missing, STAR_STEP_REDUCE);
        expect_caught_for_all_operators(&hand, "");
        hand.shape.commutative = true;
        expect_caught_as(&hand, "lacks");
    }
    struct hand hand;
    start_chain(&hand, 3);
    hand.shape.size = 4;
    for (int r = 0; r < 4; r++) {
        hand.plans[r].rank = r;
        hand.plans[r].size = 4;
    }
    expect_caught_for_all_operators(&hand, "lacks");
}

static void a_rank_reduced_twice_is_caught(void **state)
{
    (void)state;
    struct hand hand;
    for (int rank = 0; rank < 3; rank++) {
        start_chain(&hand, 4);
        struct star_step again = *find(&hand, rank, STAR_STEP_REDUCE);
        for (int32_t i = hand.plans[rank].count++; hand.steps[rank][i - 1].kind != STAR_STEP_REDUCE; i--)
            hand.steps[rank][i] = hand.steps[rank][i - 1];
        find(&hand, rank, STAR_STEP_REDUCE)[1] = again;
        expect_caught_for_all_operators(&hand, "twice");
    }
    /* Two partial results with rank 1 in common. */
    begin(&hand, STAR_REDUCE, 3);
    move(&hand, 1, input(0), 0, spare(0), BLOCK);
    reduce(&hand, 0, spare(0), input(0), BLOCK);
    fold(&hand, 2, input(0), 1, spare(0));
    move(&hand, 1, spare(0), 0, result(0), BLOCK);
    reduce(&hand, 0, result(0), spare(0), BLOCK);
    expect_caught_for_all_operators(&hand, "twice");
}

static void another_place_of_the_vector_is_caught(void **state)
{
    (void)state;
    struct hand hand;
    start_chain(&hand, 2);
    struct star_step *step = find(&hand, 0, STAR_STEP_REDUCE);
    step->length = 2;
    step->from_offset = 2;
    expect_caught_for_all_operators(&hand, "");
    /* Right as a reduction, in the wrong place of the result. */
    begin(&hand, STAR_REDUCE, 2);
    fold(&hand, 1, input(0), 0, spare(0));
    copy(&hand, 0, result(0), spare(2), 2);
    copy(&hand, 0, result(2), spare(0), 2);
    expect_caught_for_all_operators(&hand, "");
}

static void a_reduction_in_an_operation_without_one_is_caught(void **state)
{
    (void)state;
    struct hand hand;
    begin(&hand, STAR_BARRIER, 1);
    expect_proven(&hand);
    begin(&hand, STAR_ALLGATHER, 2);
    for (int r = 0; r < 2; r++) {
        copy(&hand, r, result(r * BLOCK), input(0), BLOCK);
        recv(&hand, r, 1 - r, result((1 - r) * BLOCK), BLOCK);
        send(&hand, r, 1 - r, input(0), BLOCK);
        wait_for(&hand, r, 0, 2);
    }
    expect_proven(&hand);
    copy(&hand, 0, spare(0), result(0), BLOCK);
    expect_proven(&hand);
    reduce(&hand, 0, spare(0), result(BLOCK), BLOCK); /* of no use */
    expect_caught_as(&hand, "reduce");
}

static void a_reduction_of_what_was_never_written_is_caught(void **state)
{
    (void)state;
    struct hand hand;
    start_chain(&hand, 2);
    reduce(&hand, 0, result(0), spare(0), 1);
    expect_caught_for_all_operators(&hand, "before it is written");
    start_chain(&hand, 2);
    reduce(&hand, 0, spare(0), input(0), 1);
    expect_caught_for_all_operators(&hand, "before it is written");
}

static void a_reduction_outside_the_buffers_is_caught(void **state)
{
    (void)state;
    static const int64_t outside[] = {-1, BLOCK, 2 * BLOCK - 1, INT64_MAX, INT64_MIN};
    for (size_t i = 0; i < sizeof outside / sizeof *outside; i++)
        for (int side = 0; side < 3; side++) {
            struct hand hand;
            start_chain(&hand, 2);
            struct star_step *step = find(&hand, 0, STAR_STEP_REDUCE);
            if (side == 0)
                step->from_offset = outside[i];
            else if (side == 1)
                step->to_offset = outside[i];
            else if (outside[i] != BLOCK)
                step->length = outside[i];
            else
                step->length = BLOCK + 1;
            expect_caught_for_all_operators(&hand, "");
        }
}

static void a_reduction_of_no_buffer_is_caught(void **state)
{
    (void)state;
    for (int side = 0; side < 2; side++)
        for (int buffer = STAR_BUFFERS; buffer < 256; buffer += 60) {
            struct hand hand;
            start_chain(&hand, 2);
            struct star_step *step = find(&hand, 0, STAR_STEP_REDUCE);
            *(side ? &step->from : &step->to) = (uint8_t)buffer;
            expect_caught_for_all_operators(&hand, "buffer");
        }
}

static void a_reduction_into_the_send_buffer_is_caught(void **state)
{
    (void)state;
    struct hand hand;
    start_chain(&hand, 3);
    move(&hand, 2, input(0), 1, spare(BLOCK), BLOCK);
    reduce(&hand, 1, input(0), spare(BLOCK), BLOCK);
    expect_caught_for_all_operators(&hand, "belongs to the program");
}

static void a_reduction_onto_itself_is_caught(void **state)
{
    (void)state;
    for (int64_t shift = -1; shift <= 1; shift++) {
        struct hand hand;
        start_chain(&hand, 2);
        copy(&hand, 0, spare(1), input(0), BLOCK);
        reduce(&hand, 0, spare(2), spare(2 + shift), 2);
        expect_caught_for_all_operators(&hand, "itself");
    }
}

/* Rank 0 reduces while a request still owns what it reads (READS) or writes. */
static void a_reduction_of_what_a_request_owns_is_caught(void **state)
{
    (void)state;
    for (int sends = 0; sends < 2; sends++)
        for (int reads = 0; reads < 2; reads++) {
            struct hand hand;
            start_chain(&hand, 2);
            copy(&hand, 0, spare(0), input(0), BLOCK);
            recv(&hand, 1, 0, spare(0), BLOCK); /* rank 1 is through with its requests */
            send(&hand, 1, 0, input(0), BLOCK);
            wait_for(&hand, 1, 1, 2);
            move(&hand, 1, input(0), 0, spare(BLOCK), BLOCK);
            if (sends)
                recv(&hand, 0, 1, result(0), BLOCK);
            send(&hand, 0, 1, spare(0), BLOCK);
            if (!sends)
                recv(&hand, 0, 1, spare(0), BLOCK);
            reduce(&hand, 0, spare(reads ? BLOCK : 0), spare(reads ? 0 : BLOCK), 1);
            wait_for(&hand, 0, 2, 2);
            if (sends && reads)
                continue; /* what is being sent may be read */
            expect_caught_for_all_operators(&hand, "");
        }
}

/* Each of two ranks reduces for itself: lower op higher, or, where SWAPPED, rank 1 the other way round. */
static void start_exchange(struct hand *hand, bool swapped)
{
    begin(hand, STAR_ALLREDUCE, 2);
    for (int r = 0; r < 2; r++) {
        bool own_first = r == 0 || swapped;
        recv(hand, r, 1 - r, own_first ? result(0) : spare(0), BLOCK);
        send(hand, r, 1 - r, input(0), BLOCK);
        wait_for(hand, r, 0, 2);
        if (!own_first)
            copy(hand, r, result(0), input(0), BLOCK);
        reduce(hand, r, result(0), own_first ? input(0) : spare(0), BLOCK);
    }
}

static void ranks_that_reduce_in_different_orders_are_caught(void **state)
{
    (void)state;
    struct hand hand;
    start_exchange(&hand, false);
    expect_proven_for_all_operators(&hand, true);
    start_exchange(&hand, true);
    hand.shape.commutative = true;
    expect_caught_as(&hand, "another order");
    hand.shape.commutative = false;
    expect_caught_as(&hand, "order");
}

/* r0 op (r1 op r2) on rank 0, (r0 op r1) op r2 on rank 2: both are right, but they are not the same. */
static void ranks_with_different_brackets_are_caught(void **state)
{
    (void)state;
    for (int own = 0; own < 2; own++) {
        struct hand hand;
        begin(&hand, STAR_ALLREDUCE, 3);
        fold(&hand, 2, input(0), 1, spare(0));
        fold(&hand, 1, spare(0), 0, result(0));
        move(&hand, 0, result(0), 1, result(0), BLOCK);
        if (own) {
            fold(&hand, 1, input(0), 0, spare(0));
            move(&hand, 0, spare(0), 2, spare(0), BLOCK);
            copy(&hand, 2, result(0), input(0), BLOCK);
            reduce(&hand, 2, result(0), spare(0), BLOCK);
            expect_caught_for_all_operators(&hand, "another order");
        } else {
            move(&hand, 0, result(0), 2, result(0), BLOCK);
            expect_proven_for_all_operators(&hand, true);
        }
    }
}

static void blocks_scattered_may_be_reduced_in_orders_of_their_own(void **state)
{
    (void)state;
    struct hand hand;
    begin(&hand, STAR_REDUCE_SCATTER_BLOCK, 2);
    for (int r = 0; r < 2; r++) {
        recv(&hand, r, 1 - r, result(0), BLOCK);
        send(&hand, r, 1 - r, out(1 - r), BLOCK);
        wait_for(&hand, r, 0, 2);
        reduce(&hand, r, result(0), out(r), BLOCK);
    }
    expect_proven_only_if_commutative(&hand);
    find(&hand, 1, STAR_STEP_SEND)->from_offset = BLOCK; /* not rank 0's block */
    expect_caught(&hand);
}

/* Rank r receives the result of 0…r−1 and reduces its own after it. */
static void start_scan(struct hand *hand, enum star_operation operation, int size)
{
    begin(hand, operation, size);
    bool inclusive = operation == STAR_SCAN;
    for (int r = 0; r < size; r++) {
        if (inclusive || r > 0)
            copy(hand, r, inclusive ? result(0) : spare(0), input(0), BLOCK);
        if (r > 0)
            reduce(hand, r, inclusive ? result(0) : spare(0), inclusive ? spare(0) : result(0), BLOCK);
        if (r < size - 1)
            move(hand, r,
                 r == 0      ? input(0)
                 : inclusive ? result(0)
                             : spare(0),
                 r + 1, inclusive ? spare(0) : result(0), BLOCK);
    }
}

static void a_scan_holds_the_ranks_up_to_its_own(void **state)
{
    (void)state;
    struct hand hand;
    for (int size = 1; size <= 6; size++) {
        start_scan(&hand, STAR_SCAN, size);
        expect_proven_for_all_operators(&hand, size <= 2);
        start_scan(&hand, STAR_EXSCAN, size);
        expect_proven_for_all_operators(&hand, size <= 3);
    }
}

static void a_scan_of_a_rank_more_or_less_is_caught(void **state)
{
    (void)state;
    struct hand hand;
    start_scan(&hand, STAR_SCAN, 3);
    hand.operation = STAR_EXSCAN;
    erase(&hand, 0, STAR_STEP_COPY); /* so rank 0 does leave its buffer alone */
    expect_caught_for_all_operators(&hand, "rank 1");
    start_scan(&hand, STAR_EXSCAN, 3);
    hand.operation = STAR_SCAN;
    copy(&hand, 0, result(0), input(0), BLOCK);
    expect_caught_for_all_operators(&hand, "rank 1");
    start_scan(&hand, STAR_SCAN, 3);
    erase(&hand, 1, STAR_STEP_REDUCE);
    expect_caught_for_all_operators(&hand, "");
}

static void what_the_operation_leaves_alone_may_not_be_written(void **state)
{
    (void)state;
    struct hand hand;
    start_scan(&hand, STAR_EXSCAN, 3);
    copy(&hand, 0, result(BLOCK - 1), input(0), 1);
    expect_caught_for_all_operators(&hand, "leaves alone");
    for (int rank = 1; rank < 3; rank++) { /* others than the root have no receive buffer */
        start_chain(&hand, 3);
        copy(&hand, rank, result(0), input(0), 1);
        expect_caught_for_all_operators(&hand, "outside");
    }
}

static void the_root_is_the_one_of_the_shape(void **state)
{
    (void)state;
    for (int root = 0; root < 3; root++) {
        struct hand hand;
        begin(&hand, STAR_REDUCE, 3);
        hand.shape.root = root;
        fold(&hand, 2, input(0), 1, spare(0));
        fold(&hand, 1, spare(0), 0, spare(0));
        if (root == 0)
            copy(&hand, 0, result(0), spare(0), BLOCK);
        else
            move(&hand, 0, spare(0), root, result(0), BLOCK);
        expect_proven_for_all_operators(&hand, true);
        hand.shape.root = (root + 1) % 3;
        expect_caught_for_all_operators(&hand, "");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_chain_reduces_in_the_order_of_ranks),
        cmocka_unit_test(one_rank_reduces_by_a_copy),
        cmocka_unit_test(neighbours_may_be_put_in_other_brackets),
        cmocka_unit_test(one_byte_in_other_brackets_is_not_the_order_of_ranks),
        cmocka_unit_test(the_wrong_order_is_caught_unless_the_operator_is_commutative),
        cmocka_unit_test(a_gap_between_ranks_is_caught_even_if_it_is_filled_later),
        cmocka_unit_test(a_rank_that_is_missing_is_caught),
        cmocka_unit_test(a_rank_reduced_twice_is_caught),
        cmocka_unit_test(another_place_of_the_vector_is_caught),
        cmocka_unit_test(a_reduction_in_an_operation_without_one_is_caught),
        cmocka_unit_test(a_reduction_of_what_was_never_written_is_caught),
        cmocka_unit_test(a_reduction_outside_the_buffers_is_caught),
        cmocka_unit_test(a_reduction_of_no_buffer_is_caught),
        cmocka_unit_test(a_reduction_into_the_send_buffer_is_caught),
        cmocka_unit_test(a_reduction_onto_itself_is_caught),
        cmocka_unit_test(a_reduction_of_what_a_request_owns_is_caught),
        cmocka_unit_test(ranks_that_reduce_in_different_orders_are_caught),
        cmocka_unit_test(ranks_with_different_brackets_are_caught),
        cmocka_unit_test(blocks_scattered_may_be_reduced_in_orders_of_their_own),
        cmocka_unit_test(a_scan_holds_the_ranks_up_to_its_own),
        cmocka_unit_test(a_scan_of_a_rank_more_or_less_is_caught),
        cmocka_unit_test(what_the_operation_leaves_alone_may_not_be_written),
        cmocka_unit_test(the_root_is_the_one_of_the_shape),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

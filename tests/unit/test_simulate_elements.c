/* SPDX-License-Identifier: BSD-3-Clause
 * The simulator on elements of reductions: they are reduced whole, at their places. */
#include "algorithms/operations.h"
#include "folds.h"

static void an_element_that_is_split_is_caught(void **state)
{
    (void)state;
    static const int64_t cuts[][2] = {{0, 2}, {0, 6}, {2, 4}, {6, 4}, {1, 1}};
    for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++)
        for (int64_t granule = 1; granule <= 4; granule += 3) {
            struct hand hand;
            begin(&hand, STAR_REDUCE, 2);
            hand.shape.block = 12;
            hand.shape.granule = granule;
            for (int r = 0; r < 2; r++)
                hand.plans[r].temp_bytes = 24;
            move(&hand, 1, input(0), 0, result(0), 12);
            reduce(&hand, 0, result(0), input(0), 8);
            reduce(&hand, 0, result(8), input(8), 4); /* in two, at the edge of an element */
            expect_proven(&hand);
            copy(&hand, 0, spare(0), input(0), 12);
            move(&hand, 1, input(0), 0, spare(12), 12);
            reduce(&hand, 0, spare(12 + cuts[i][0]), spare(cuts[i][0]), cuts[i][1]); /* of no use, too */
            if (granule > 1)
                expect_caught_for_all_operators(&hand, "element");
            else
                expect_proven(&hand);
        }
}

/* Two ranks whose vectors are of three elements of 4 bytes; their temporaries have room for two vectors. */
static void start_elements(struct hand *hand)
{
    begin(hand, STAR_REDUCE, 2);
    hand->shape.block = 12;
    hand->shape.granule = 4;
    for (int r = 0; r < 2; r++)
        hand->plans[r].temp_bytes = 24;
    move(hand, 1, input(0), 0, result(0), 12);
    move(hand, 1, input(0), 0, spare(0), 12);
    reduce(hand, 0, result(0), input(0), 12);
}

static void a_vector_may_be_cut_anywhere_where_it_is_not_reduced(void **state)
{
    (void)state;
    struct hand hand;
    start_elements(&hand);
    copy(&hand, 0, spare(13), spare(1), 5);
    copy(&hand, 0, spare(12), spare(0), 1);
    copy(&hand, 0, spare(18), spare(6), 6);
    reduce(&hand, 0, spare(12), input(0), 12);
    copy(&hand, 0, result(0), spare(12), 7);
    expect_proven_for_all_operators(&hand, true);
}

static void parts_of_two_elements_are_no_element(void **state)
{
    (void)state;
    struct hand hand;
    start_elements(&hand); /* the halves of two neighbours, on both sides */
    copy(&hand, 0, spare(12), spare(2), 4);
    copy(&hand, 0, spare(16), input(2), 4);
    reduce(&hand, 0, spare(12), spare(16), 4);
    expect_caught_for_all_operators(&hand, "element");
    start_elements(&hand); /* the halves of one, changed over on both sides */
    for (int side = 0; side < 2; side++) {
        copy(&hand, 0, spare(12 + 4 * side), side ? input(2) : spare(2), 2);
        copy(&hand, 0, spare(14 + 4 * side), side ? input(0) : spare(0), 2);
    }
    reduce(&hand, 0, spare(12), spare(16), 4);
    expect_caught_for_all_operators(&hand, "element");
}

/* Twice the first half of one. */
static void half_an_element_twice_is_no_element(void **state)
{
    (void)state;
    struct hand hand;
    start_elements(&hand);
    for (int half = 0; half < 2; half++) {
        copy(&hand, 0, spare(12 + 2 * half), spare(0), 2);
        copy(&hand, 0, spare(16 + 2 * half), input(0), 2);
    }
    reduce(&hand, 0, spare(12), spare(16), 4);
    expect_caught_for_all_operators(&hand, "element");
}

/* One half of each of two ranks: the sums of the halves are not the halves of a sum. */
static void halves_of_two_ranks_are_no_element(void **state)
{
    (void)state;
    for (int mixed = 0; mixed < 3; mixed++) { /* neither operand, the right one, the left one */
        struct hand hand;
        begin(&hand, STAR_REDUCE, 3);
        hand.shape.granule = 4;
        copy(&hand, 0, result(0), input(0), BLOCK);
        for (int r = 1; r < 3; r++) {
            move(&hand, r, input(0), 0, spare(4 * r), BLOCK);
            reduce(&hand, 0, result(0), spare(4 * r), BLOCK);
        }
        copy(&hand, 0, spare(0), input(0), BLOCK);
        if (mixed)
            copy(&hand, 0, spare(2), spare(4 + 2), 2); /* r0 and r1 */
        expect_proven(&hand);
        reduce(&hand, 0, spare(mixed == 1 ? 0 : 8), spare(mixed == 1 ? 8 : 0), BLOCK);
        if (mixed)
            expect_caught_as(&hand, "element");
        else
            expect_proven(&hand);
    }
}

/* Operators may ask that elements stand at multiples of their length. */
static void an_element_at_an_uneven_place_is_caught(void **state)
{
    (void)state;
    for (int uneven = 0; uneven < 3; uneven++) {
        struct hand hand;
        start_elements(&hand);
        copy(&hand, 0, spare(uneven == 1 ? 13 : 12), input(0), 4);
        copy(&hand, 0, spare(uneven == 2 ? 18 : 20), spare(0), 4);
        reduce(&hand, 0, spare(uneven == 2 ? 18 : 20), spare(uneven == 1 ? 13 : 12), 4);
        if (uneven)
            expect_caught_for_all_operators(&hand, "element");
        else
            expect_proven_for_all_operators(&hand, true);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_element_that_is_split_is_caught),
        cmocka_unit_test(a_vector_may_be_cut_anywhere_where_it_is_not_reduced),
        cmocka_unit_test(parts_of_two_elements_are_no_element),
        cmocka_unit_test(half_an_element_twice_is_no_element),
        cmocka_unit_test(halves_of_two_ranks_are_no_element),
        cmocka_unit_test(an_element_at_an_uneven_place_is_caught),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

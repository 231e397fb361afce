/* SPDX-License-Identifier: BSD-3-Clause
 * The simulator on what operations differ in: input in place, one buffer, barriers, blocks of many lengths.
 */
#include "algorithms/operations.h"
#include "hand.h"
#include "plan/plan.h"
#include "plan/simulate.h"

/* All-gather around the ring of SIZE ranks, all in the receive buffers. */
static void start_ring(struct hand *hand, enum star_operation operation, int size)
{
    begin(hand, operation, size);
    int64_t block = hand->shape.block;
    for (int r = 0; r < size; r++)
        copy(hand, r, result(r * block), input(0), block);
    for (int round = 0; round < size - 1; round++)
        for (int r = 0; r < size; r++) {
            int sent = (r - round + size) % size, got = (r - round - 1 + size) % size;
            recv(hand, r, (r - 1 + size) % size, result(got * block), block);
            send(hand, r, (r + 1) % size, result(sent * block), block);
            wait_for(hand, r, 2 * round, 2);
        }
}

static void expect_proven_in_place_too(struct hand *hand)
{
    for (int in_place = 0; in_place < 2; in_place++) {
        hand->in_place = in_place;
        expect_proven(hand);
    }
}

static void expect_caught_only_in_place(struct hand *hand)
{
    hand->in_place = false;
    expect_proven(hand);
    hand->in_place = true;
    expect_caught(hand);
}

static void input_in_place_may_be_copied_onto_itself(void **state)
{
    (void)state;
    for (int size = 1; size <= 4; size++) {
        struct hand hand;
        start_ring(&hand, STAR_ALLGATHER, size);
        expect_proven_in_place_too(&hand);
    }
}

static void input_copied_onto_itself_in_part_is_caught_in_place(void **state)
{
    (void)state;
    struct hand hand;
    start_ring(&hand, STAR_ALLGATHER, 1);
    copy(&hand, 0, spare(0), input(0), BLOCK);
    copy(&hand, 0, result(1), input(0), BLOCK - 1); /* one byte further: the two overlap */
    copy(&hand, 0, result(0), spare(0), BLOCK);     /* right again */
    expect_caught_only_in_place(&hand);
}

/* Rank 1 of two puts its own block where that for rank 0 lies in place, and then sends that. */
static void input_overwritten_before_it_is_read_is_caught(void **state)
{
    (void)state;
    for (int early = 0; early < 2; early++) {
        struct hand hand;
        begin(&hand, STAR_REDUCE_SCATTER_BLOCK, 2);
        recv(&hand, 0, 1, spare(0), BLOCK);
        send(&hand, 0, 1, input(BLOCK), BLOCK);
        wait_for(&hand, 0, 0, 2);
        reduce(&hand, 0, spare(0), input(0), BLOCK);
        copy(&hand, 0, result(0), spare(0), BLOCK);
        if (early)
            copy(&hand, 1, result(0), input(BLOCK), BLOCK);
        recv(&hand, 1, 0, spare(0), BLOCK);
        send(&hand, 1, 0, input(0), BLOCK);
        wait_for(&hand, 1, 0, 2);
        if (!early)
            copy(&hand, 1, result(0), input(BLOCK), BLOCK);
        reduce(&hand, 1, result(0), spare(0), BLOCK);
        early ? expect_caught_only_in_place(&hand) : expect_proven_in_place_too(&hand);
    }
}

/* By way of its own input, which in place is where the result of the others is received. */
static void input_received_upon_before_it_is_read_is_caught(void **state)
{
    (void)state;
    for (int wait_first = 0; wait_first < 2; wait_first++) {
        struct hand hand;
        begin(&hand, STAR_ALLREDUCE, 2);
        move(&hand, 1, input(0), 0, spare(0), BLOCK);
        reduce(&hand, 0, spare(0), input(0), BLOCK);
        copy(&hand, 0, result(0), spare(0), BLOCK);
        move(&hand, 0, spare(0), 1, result(0), BLOCK);
        expect_proven_in_place_too(&hand);
        if (wait_first) { /* what rank 1 sends now must still be its input */
            move(&hand, 1, input(0), 0, spare(BLOCK), BLOCK);
            reduce(&hand, 0, spare(BLOCK), input(0), BLOCK);
            copy(&hand, 0, result(0), spare(BLOCK), BLOCK);
        } else { /* sent and received upon at once */
            send(&hand, 1, 0, input(0), BLOCK);
            recv(&hand, 1, 0, result(0), BLOCK);
            wait_for(&hand, 1, 2, 2);
            recv(&hand, 0, 1, spare(BLOCK), BLOCK);
            send(&hand, 0, 1, spare(0), BLOCK);
            wait_for(&hand, 0, 2, 2);
        }
        expect_caught_only_in_place(&hand);
    }
}

static void input_reduced_onto_itself_is_caught_in_place(void **state)
{
    (void)state;
    struct hand hand;
    begin(&hand, STAR_REDUCE, 2);
    move(&hand, 1, input(0), 0, result(0), BLOCK);
    reduce(&hand, 0, result(0), input(0), BLOCK);
    expect_caught_only_in_place(&hand);
}

static void only_the_root_of_a_gather_has_its_input_in_place(void **state)
{
    (void)state;
    for (int root = 0; root < 3; root++) {
        struct hand hand;
        begin(&hand, STAR_GATHER, 3);
        hand.shape.root = root;
        copy(&hand, root, result(root * BLOCK), input(0), BLOCK);
        for (int r = 0; r < 3; r++)
            if (r != root)
                move(&hand, r, input(0), root, result(r * BLOCK), BLOCK);
        expect_proven_in_place_too(&hand);
        copy(&hand, (root + 1) % 3, result(0), input(0), 1); /* which has no receive buffer */
        hand.in_place = true;
        expect_caught_as(&hand, "outside");
    }
}

static void the_send_buffer_is_not_written_even_in_place(void **state)
{
    (void)state;
    struct hand hand;
    start_ring(&hand, STAR_ALLGATHER, 2);
    copy(&hand, 0, input(0), input(0), BLOCK);
    hand.in_place = true;
    expect_caught_as(&hand, "belongs to the program");
}

/* Rank 0 sends its input; rank 1 receives it as its result. */
static void start_exscan(struct hand *hand)
{
    begin(hand, STAR_EXSCAN, 2);
    move(hand, 0, input(0), 1, result(0), BLOCK);
}

static void the_first_rank_of_an_exscan_keeps_its_input_in_place(void **state)
{
    (void)state;
    struct hand hand;
    start_exscan(&hand);
    expect_proven_in_place_too(&hand);
    for (int written = 0; written < 2; written++) {
        begin(&hand, STAR_EXSCAN, 2);
        copy(&hand, 0, spare(BLOCK), input(0), BLOCK);
        move(&hand, 1, input(0), 0, written ? result(0) : spare(0), BLOCK);
        move(&hand, 0, written ? spare(BLOCK) : input(0), 1, result(0), BLOCK);
        for (int in_place = 0; in_place < 2; in_place++) {
            hand.in_place = in_place;
            written ? expect_caught_as(&hand, "leaves alone") : expect_proven(&hand);
        }
    }
}

static void start_bcast(struct hand *hand, int root)
{
    begin(hand, STAR_BCAST, 3);
    hand->shape.root = root;
    for (int r = 0; r < 3; r++)
        if (r != root)
            move(hand, root, result(0), r, result(0), BLOCK);
}

static void the_one_buffer_of_a_bcast_is_the_receive_buffer(void **state)
{
    (void)state;
    for (int root = 0; root < 3; root++) {
        struct hand hand;
        start_bcast(&hand, root);
        expect_proven_in_place_too(&hand);
        copy(&hand, root, spare(0), input(0), 1); /* there is no send buffer */
        expect_caught_as(&hand, "outside");
        start_bcast(&hand, root);
        find(&hand, (root + 1) % 3, STAR_STEP_RECV)->to = STAR_TEMP;
        expect_caught_as(&hand, "never written");
        start_bcast(&hand, root);
        copy(&hand, root, spare(0), result(0), 2);
        expect_proven(&hand);
        copy(&hand, root, result(0), spare(0), 2); /* even what is there already */
        expect_caught_as(&hand, "belongs to the program");
    }
}

/* All tell rank 0, which then tells all. */
static void start_barrier(struct hand *hand, int size)
{
    begin(hand, STAR_BARRIER, size);
    for (int r = 1; r < size; r++) {
        tell(hand, r, 0);
        hear(hand, 0, r);
    }
    if (size > 1)
        wait_for(hand, 0, 0, size - 1);
    for (int r = 1; r < size; r++) {
        tell(hand, 0, r);
        hear(hand, r, 0);
        wait_for(hand, r, 0, 2);
    }
    if (size > 1)
        wait_for(hand, 0, size - 1, size - 1);
}

static void tokens_make_a_barrier(void **state)
{
    (void)state;
    for (int size = 1; size <= RANKS_MAX; size++) {
        struct hand hand;
        start_barrier(&hand, size);
        struct star_simulation found = proof_of(&hand);
        assert_int_equal(found.tokens, 2 * (size - 1));
        assert_int_equal(found.messages, 0);
        assert_int_equal(found.bytes, 0);
    }
}

static void leaving_a_barrier_before_all_have_come_is_caught(void **state)
{
    (void)state;
    struct hand hand;
    begin(&hand, STAR_BARRIER, 2); /* nobody says anything */
    expect_caught_as(&hand, "may not have come");
    for (int late = 1; late < 4; late++) {
        /* Rank 0 tells the others before it has heard of rank LATE. */
        start_barrier(&hand, 4);
        struct star_step heard = hand.steps[0][late - 1], *steps = hand.steps[0];
        hand.plans[0].count = 0;
        for (int r = 1; r < 4; r++)
            if (r != late) {
                hear(&hand, 0, r)->slot = r - 1;
                wait_for(&hand, 0, r - 1, 1);
            }
        for (int r = 1; r < 4; r++)
            tell(&hand, 0, r)->slot = 2 + r;
        steps[hand.plans[0].count++] = heard;
        wait_for(&hand, 0, late - 1, 1);
        wait_for(&hand, 0, 3, 3);
        hand.plans[0].slots = 6;
        expect_caught_as(&hand, "may not have come");
    }
}

static void a_token_tells_what_was_known_when_it_was_sent(void **state)
{
    (void)state;
    for (int early = 0; early < 2; early++) {
        struct hand hand;
        begin(&hand, STAR_BARRIER, 3);
        tell(&hand, 0, 1);
        wait_for_last(&hand, 0);
        hear(&hand, 1, 0);
        if (!early)
            wait_for_last(&hand, 1);
        tell(&hand, 1, 2); /* … of rank 0, if it has been waited for */
        wait_for(&hand, 1, early ? 0 : 1, early ? 2 : 1);
        hear(&hand, 2, 1);
        wait_for_last(&hand, 2);
        for (int r = 0; r < 2; r++) {
            tell(&hand, 2, r);
            wait_for_last(&hand, 2);
            hear(&hand, r, 2);
            wait_for_last(&hand, r);
        }
        early ? expect_caught_as(&hand, "may not have come") : expect_proven(&hand);
    }
}

static void that_a_token_was_sent_does_not_tell_that_its_receiver_came(void **state)
{
    (void)state;
    struct hand hand;
    begin(&hand, STAR_BARRIER, 2);
    tell(&hand, 0, 1);
    wait_for_last(&hand, 0);
    hear(&hand, 1, 0);
    wait_for_last(&hand, 1);
    expect_caught_as(&hand, "may not have come");
}

static void blocks_of_many_lengths_stay_where_they_have_room(void **state)
{
    (void)state;
    for (int size = 1; size <= 5; size++) {
        struct hand hand;
        start_ring(&hand, STAR_ALLGATHERV, size);
        expect_proven_in_place_too(&hand);
    }
}

/* All-gather in units by way of the temporary: rank r takes the blocks r, r+1, … in this order, each in its
 * room of the page: that of its number, or in the rotated page of its distance. */
static void start_pages(struct hand *hand, bool rotated)
{
    enum { SIZE = 3 };
    begin(hand, STAR_ALLGATHERV, SIZE);
    for (int r = 0; r < SIZE; r++) {
        hand->plans[r].rotated = rotated;
        copy(hand, r, spare(rotated ? 0 : r), input(0), 1);
    }
    for (int ahead = 1; ahead < SIZE; ahead++)
        for (int r = 0; r < SIZE; r++) {
            int behind = (r + SIZE - 1) % SIZE, block = (r + ahead) % SIZE;
            recv(hand, r, (r + 1) % SIZE, spare(rotated ? ahead : block), 1);
            send(hand, r, behind, spare(rotated ? ahead - 1 : (block + SIZE - 1) % SIZE), 1);
            wait_for(hand, r, 2 * (ahead - 1), 2);
        }
    for (int r = 0; r < SIZE; r++)
        for (int block = 0; block < SIZE; block++)
            copy(hand, r, result(block), spare(rotated ? (block - r + SIZE) % SIZE : block), 1);
}

static void pages_hold_blocks_by_number_or_by_distance(void **state)
{
    (void)state;
    for (int rotated = 0; rotated < 2; rotated++) {
        struct hand hand;
        start_pages(&hand, rotated);
        expect_proven_in_place_too(&hand);
        for (int r = 0; r < 3; r++)
            hand.plans[r].rotated = !rotated; /* not what the page is for */
        expect_caught_as(&hand, "another length");
    }
}

static void each_page_is_rotated_or_not(void **state)
{
    (void)state;
    for (int page = 0; page < 3; page++) {
        struct hand hand;
        start_ring(&hand, STAR_ALLGATHERV, 3);
        for (int r = 0; r < 3; r++) {
            hand.plans[r].rotated = 2; /* the second of three */
            hand.plans[r].temp_bytes = 9;
            for (int i = 0; i < 3; i++)
                copy(&hand, r, spare(3 * page + i), result(page == 1 ? (r + i) % 3 : i), 1);
        }
        expect_proven(&hand);
        for (int r = 1; r < 3; r++)
            hand.plans[r].rotated = page == 1 ? 5 : 7;
        expect_caught_as(&hand, "another length");
    }
}

static void a_block_received_where_another_has_room_is_caught(void **state)
{
    (void)state;
    struct hand hand;
    start_ring(&hand, STAR_ALLGATHERV, 3);
    move(&hand, 1, result(1), 0, spare(1), 1);
    expect_proven(&hand);
    move(&hand, 1, result(1), 0, spare(2), 1); /* of no use, but it may be too long */
    expect_caught_as(&hand, "another length");
}

/* Also in the receive buffer, where it may be only for a while. */
static void a_block_passing_where_another_has_room_is_caught(void **state)
{
    (void)state;
    for (int copied = 0; copied < 2; copied++) {
        struct hand hand;
        start_ring(&hand, STAR_ALLGATHERV, 3);
        if (copied)
            copy(&hand, 0, result(2), result(1), 1);
        else
            move(&hand, 1, result(1), 0, result(2), 1);
        move(&hand, 1, result(2), 0, result(2), 1); /* right again */
        expect_caught_as(&hand, "another length");
    }
    struct hand hand; /* alltoallv: each pair of ranks has a length of its own */
    begin(&hand, STAR_ALLTOALLV, 2);
    for (int r = 0; r < 2; r++) {
        copy(&hand, r, result(r), input(1 - r), 1);
        copy(&hand, r, result(r), input(r), 1);
    }
    move(&hand, 0, input(1), 1, result(0), 1);
    move(&hand, 1, input(0), 0, result(1), 1);
    expect_caught_as(&hand, "another length");
}

/* Two ranks; each has the other's block for it in its page, and reduces. */
static void start_scatter(struct hand *hand)
{
    begin(hand, STAR_REDUCE_SCATTER, 2);
    for (int r = 0; r < 2; r++) {
        recv(hand, r, 1 - r, spare(r), 1);
        send(hand, r, 1 - r, input(1 - r), 1);
        wait_for(hand, r, 0, 2);
        reduce(hand, r, spare(r), input(r), 1);
        copy(hand, r, result(0), spare(r), 1);
    }
}

static void blocks_being_reduced_stay_where_they_have_room(void **state)
{
    (void)state;
    struct hand hand;
    start_scatter(&hand);
    expect_proven_in_place_too(&hand);
    copy(&hand, 1, spare(0), spare(1), 1);
    expect_caught_as(&hand, "another length");
    start_scatter(&hand);
    find(&hand, 0, STAR_STEP_RECV)->to_offset = 1;
    expect_caught_as(&hand, "another length");
    /* The result, block 1 on rank 1, is no room for block 0, be it for a while. */
    start_scatter(&hand);
    copy(&hand, 1, result(0), input(0), 1);
    copy(&hand, 1, result(0), spare(1), 1);
    expect_caught_as(&hand, "another length");
}

/* In place the result, block 1, may be longer than block 0 in whose place it is put: nothing behind it is
 * left. */
static void in_place_the_result_of_units_covers_all_input(void **state)
{
    (void)state;
    for (int late = 0; late < 2; late++) {
        struct hand hand;
        start_scatter(&hand);
        if (late)
            copy(&hand, 1, spare(1), input(1), 1);
        late ? expect_caught_only_in_place(&hand) : expect_proven_in_place_too(&hand);
    }
}

/* … and it may overlap with any block of the input that is copied or reduced into it, or still being sent. */
static void in_place_the_result_of_units_is_not_made_from_the_input_at_once(void **state)
{
    (void)state;
    for (int fault = 0; fault < 4; fault++) {
        struct hand hand;
        begin(&hand, STAR_REDUCE_SCATTER, 2);
        move(&hand, 1, input(0), 0, spare(0), 1);
        reduce(&hand, 0, spare(0), input(0), 1);
        send(&hand, 0, 1, input(1), 1);
        if (fault != 3)
            wait_for_last(&hand, 0);
        copy(&hand, 0, result(0), spare(0), 1);
        if (fault == 3)
            wait_for_last(&hand, 0);
        recv(&hand, 1, 0, spare(1), 1);
        wait_for_last(&hand, 1);
        if (fault == 1) {
            copy(&hand, 1, result(0), input(1), 1);
            reduce(&hand, 1, result(0), spare(1), 1);
        } else if (fault == 2) {
            copy(&hand, 1, result(0), spare(1), 1);
            reduce(&hand, 1, result(0), input(1), 1);
        } else {
            reduce(&hand, 1, spare(1), input(1), 1);
            copy(&hand, 1, result(0), spare(1), 1);
        }
        fault ? expect_caught_only_in_place(&hand) : expect_proven_in_place_too(&hand);
    }
}

static void plans_of_other_ranks_or_sizes_are_caught(void **state)
{
    (void)state;
    struct hand hand;
    start_ring(&hand, STAR_ALLGATHER, 3);
    hand.plans[1].rank = 2;
    expect_caught(&hand);
    start_ring(&hand, STAR_ALLGATHER, 3);
    hand.plans[2].size = 4;
    expect_caught(&hand);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(input_in_place_may_be_copied_onto_itself),
        cmocka_unit_test(input_copied_onto_itself_in_part_is_caught_in_place),
        cmocka_unit_test(input_overwritten_before_it_is_read_is_caught),
        cmocka_unit_test(input_received_upon_before_it_is_read_is_caught),
        cmocka_unit_test(input_reduced_onto_itself_is_caught_in_place),
        cmocka_unit_test(only_the_root_of_a_gather_has_its_input_in_place),
        cmocka_unit_test(the_send_buffer_is_not_written_even_in_place),
        cmocka_unit_test(the_first_rank_of_an_exscan_keeps_its_input_in_place),
        cmocka_unit_test(the_one_buffer_of_a_bcast_is_the_receive_buffer),
        cmocka_unit_test(tokens_make_a_barrier),
        cmocka_unit_test(leaving_a_barrier_before_all_have_come_is_caught),
        cmocka_unit_test(a_token_tells_what_was_known_when_it_was_sent),
        cmocka_unit_test(that_a_token_was_sent_does_not_tell_that_its_receiver_came),
        cmocka_unit_test(blocks_of_many_lengths_stay_where_they_have_room),
        cmocka_unit_test(pages_hold_blocks_by_number_or_by_distance),
        cmocka_unit_test(each_page_is_rotated_or_not),
        cmocka_unit_test(a_block_received_where_another_has_room_is_caught),
        cmocka_unit_test(a_block_passing_where_another_has_room_is_caught),
        cmocka_unit_test(blocks_being_reduced_stay_where_they_have_room),
        cmocka_unit_test(in_place_the_result_of_units_covers_all_input),
        cmocka_unit_test(in_place_the_result_of_units_is_not_made_from_the_input_at_once),
        cmocka_unit_test(plans_of_other_ranks_or_sizes_are_caught),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

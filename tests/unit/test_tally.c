/* SPDX-License-Identifier: BSD-3-Clause
 * Counting what a rank sends, and guessing what the MPI library does. */
#include "expect.h"
#include "place/guess.h"
#include "place/tally.h"

#include <string.h>

static void what_is_added_is_told(void **state)
{
    struct star_tally tally = {0};
    struct star_text text = {0};
    (void)state;
    for (int i = 0; i < 1000; i++)
        for (int peer = 90; peer >= 0; peer -= 10)
            star_tally_add(&tally, STAR_TALK_PROGRAM, peer, false, peer + 1, 1);
    star_tally_add(&tally, STAR_TALK_GUESSED, 10, true, 5, 2);
    star_tally_tell(&tally, 3, "n1", 2, &text);
    assert_string_equal(text.bytes, ",\n{\"rank\": 3, \"host\": \"n1\", "
                                    "\"program\": {\"bytes\": 460000, \"messages\": 10000}, "
                                    "\"methods\": {\"bytes\": 0, \"messages\": 0}, "
                                    "\"estimated\": {\"bytes\": 5, \"messages\": 2}, "
                                    "\"to\": [[80, 81000, 1000], [90, 91000, 1000]], \"from\": [], "
                                    "\"left_out_bytes\": 288005, \"complete\": true}");
    star_tally_free(&tally);
    star_text_free(&text);
}

/* 1,500 events to one rank, then 1,500 to another: the turn after 2,048 is farther from the half than that
 * after 1,024. What is added for earlier calls counts as early. */
static void the_half_of_what_was_sent_is_told(void **state)
{
    struct star_tally tally = {0};
    struct star_text text = {0};
    int turns = 0;
    (void)state;
    for (int i = 0; i < 3000; i++) {
        star_tally_add(&tally, STAR_TALK_PROGRAM, i < 1500 ? 1 : 2, false, 10, 1);
        turns += star_tally_event(&tally);
    }
    assert_int_equal(turns, 12);
    star_tally_add(&tally, STAR_TALK_GUESSED, 2, false, 9, 1);
    star_tally_add_early(&tally, 2, (int64_t[]){7, 5});
    star_tally_add(&tally, STAR_TALK_PROGRAM, 1, true, 6, 1);
    star_tally_tell(&tally, 0, "n1", 9, &text);
    assert_non_null(strstr(text.bytes, "\"to\": [[1, 15000, 1500], [2, 15009, 1501]], \"from\": [[1, 6, 1]], "
                                       "\"to_early\": [10240, 5], \"left_out_bytes\": 0"));
    star_tally_free(&tally);
    star_text_free(&text);
}

static void there_is_room_for_as_many_as_all_ranks_can_tell(void **state)
{
    (void)state;
    assert_true(star_tally_most(1) == 1 << 18);
    assert_true(star_tally_most(1024) == 256);
    assert_true(star_tally_most(1 << 20) == 64);
}

struct sends {
    int64_t bytes[64], messages;
};

static void note(int peer, int64_t bytes, int64_t messages, void *into)
{
    struct sends *sends = into;
    sends->bytes[peer] += bytes;
    sends->messages += messages;
}

static struct sends sends_of(enum star_operation operation, int size, int rank, int root, int64_t block)
{
    struct sends sends = {{0}, 0};
    const struct star_guess guess = {operation, size, rank, root, block};
    assert_int_equal(star_guess_sends(&guess, note, &sends), 0);
    return sends;
}

static void short_reductions_double_and_long_ones_go_round(void **state)
{
    struct sends brief = sends_of(STAR_ALLREDUCE, 8, 5, 0, 8),
                 lengthy = sends_of(STAR_ALLREDUCE, 8, 5, 0, 1 << 20);
    (void)state;
    assert_true(brief.bytes[4] == 8 && brief.bytes[7] == 8 && brief.bytes[1] == 8 && brief.messages == 3);
    assert_true(lengthy.bytes[6] == 2 * 7 * (1 << 20) / 8 && lengthy.messages == 14);
}

static void each_operation_has_a_likely_method_for_any_number_of_ranks(void **state)
{
    (void)state;
    for (int operation = 0; operation < STAR_OPERATIONS; operation++)
        for (int size = 2; size <= 9; size++)
            for (int64_t block = 8; block <= 1 << 20; block <<= 17) {
                int64_t messages = 0;
                for (int rank = 0; rank < size; rank++)
                    messages +=
                        sends_of((enum star_operation)operation, size, rank, size - 1, block).messages;
                bool straight = operation == STAR_ALLTOALLV || operation == STAR_ALLTOALLW ||
                                operation == STAR_GATHERV || operation == STAR_SCATTERV;
                if (straight != (messages == 0))
                    fail_msg("%s of %d ranks, %d bytes: %d messages", star_operations[operation].name, size,
                             (int)block, (int)messages);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_added_is_told),
        cmocka_unit_test(the_half_of_what_was_sent_is_told),
        cmocka_unit_test(there_is_room_for_as_many_as_all_ranks_can_tell),
        cmocka_unit_test(short_reductions_double_and_long_ones_go_round),
        cmocka_unit_test(each_operation_has_a_likely_method_for_any_number_of_ranks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

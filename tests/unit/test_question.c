/* SPDX-License-Identifier: BSD-3-Clause
 * What the options of a search mean. Bad ones: tests/cli/tune.py. */
#include "algorithms/operations.h"
#include "search/question.h"
#include "search/search.h"
#include "util/why.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

static struct star_question asked(const char *name, const char *value)
{
    struct star_question question;
    struct star_why why;
    star_question_preset(&question);
    if (star_question_take(&question, name, value, &why))
        fail_msg("%s", why.text);
    return question;
}

static void assert_sizes(const char *value, const int64_t *sizes, int count)
{
    struct star_question question = asked("sizes", value);
    assert_int_equal(question.grid.sizes, count);
    for (int i = 0; i < count; i++)
        assert_int_equal(question.grid.bytes[i], sizes[i]);
}

static void sizes_are_the_papers_between_two_ends(void **state)
{
    (void)state;
    assert_sizes("1:256K",
                 (const int64_t[]){1, 64, 256, 1024, 2048, 4096, 8192, 16384, 32768, 65536, 131072, 262144},
                 12);
    assert_sizes("100:3000", (const int64_t[]){100, 256, 1024, 2048, 3000}, 5);
    assert_sizes("256K:2M", (const int64_t[]){262144, 524288, 1048576, 2097152}, 4);
    assert_sizes("8:8", (const int64_t[]){8}, 1);
}

static void a_list_of_sizes_is_sorted_and_has_each_once(void **state)
{
    (void)state;
    assert_sizes("4K,64,4096,1", (const int64_t[]){1, 64, 4096}, 3);
}

static void assert_communicators(const char *value, int ranks, const int *expected, int count)
{
    struct star_question question = asked("np", value);
    struct star_why why;
    assert_int_equal(star_question_communicators(&question, ranks, &why), 0);
    assert_int_equal(question.grid.communicators, count);
    for (int i = 0; i < count; i++)
        assert_int_equal(question.grid.ranks[i], expected[i]);
}

static void communicators_are_powers_of_two_between_two_ends(void **state)
{
    (void)state;
    assert_communicators("2:32", 32, (const int[]){2, 4, 8, 16, 32}, 5);
    assert_communicators("3:12", 16, (const int[]){3, 4, 8, 12}, 4);
    assert_communicators("2:", 7, (const int[]){2, 4, 7}, 3);
    assert_communicators("2,5,7", 7, (const int[]){2, 5, 7}, 3);
    assert_communicators("6", 6, (const int[]){6}, 1);
}

static void both_ends_may_be_the_same(void **state)
{
    (void)state;
    assert_communicators("4:", 4, (const int[]){4}, 1);
    assert_communicators("4:4", 5, (const int[]){4}, 1);
    assert_communicators("3:", 3, (const int[]){3}, 1);
    struct star_question question = asked("np", "4:");
    struct star_why why;
    assert_int_equal(star_question_communicators(&question, 3, &why), STAR_EINPUT);
    if (strcmp(why.text, "--np: 4 ranks were asked for, and 3 were started") != 0)
        fail_msg("%s", why.text);
}

static void without_a_word_all_ranks_are_measured(void **state)
{
    struct star_question question;
    (void)state;
    star_question_preset(&question);
    assert_int_equal(star_question_communicators(&question, 16, NULL), 0);
    assert_int_equal(question.grid.communicators, 4);
    assert_int_equal(star_question_communicators(&question, 1, NULL), 0);
    assert_true(question.grid.communicators == 1 && question.grid.ranks[0] == 1);
}

static void a_root_must_be_in_the_smallest_communicator(void **state)
{
    struct star_question question;
    (void)state;
    star_question_preset(&question);
    question.root = 2;
    assert_int_equal(star_question_communicators(&question, 16, NULL), STAR_EINPUT);
    question.root = 1;
    assert_int_equal(star_question_communicators(&question, 16, NULL), 0);
}

static void durations_have_units(void **state)
{
    double seconds;
    (void)state;
    assert_true(star_parse_duration("90", &seconds) && seconds == 90);
    assert_true(star_parse_duration("90s", &seconds) && seconds == 90);
    assert_true(star_parse_duration("1.5m", &seconds) && seconds == 90);
    assert_true(star_parse_duration("2h", &seconds) && seconds == 7200);
    assert_false(star_parse_duration("", &seconds));
    assert_false(star_parse_duration("m", &seconds));
    assert_false(star_parse_duration("-1s", &seconds));
    assert_false(star_parse_duration("5%", &seconds));
    assert_false(star_parse_duration("1 s", &seconds));
}

static void words_become_what_they_mean(void **state)
{
    (void)state;
    assert_true(asked("arrival", "random:2.5").arrival == 2.5);
    struct star_question all = asked("op", "all"), two = asked("op", "bcast,barrier");
    for (int o = 0; o < STAR_OPERATIONS; o++) {
        assert_true(all.grid.operation[o]);
        assert_int_equal(two.grid.operation[o], o == STAR_BCAST || o == STAR_BARRIER);
    }
}

static void elements_are_those_of_the_type(void **state)
{
    struct star_question question;
    (void)state;
    star_question_preset(&question);
    question.type = "float";
    question.output = "x";
    assert_int_equal(star_question_close(&question, NULL), 0);
    assert_int_equal(star_granule_of(&question.grid, STAR_ALLREDUCE), 4);
    assert_int_equal(star_granule_of(&question.grid, STAR_BCAST), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_are_the_papers_between_two_ends),
        cmocka_unit_test(a_list_of_sizes_is_sorted_and_has_each_once),
        cmocka_unit_test(communicators_are_powers_of_two_between_two_ends),
        cmocka_unit_test(both_ends_may_be_the_same),
        cmocka_unit_test(without_a_word_all_ranks_are_measured),
        cmocka_unit_test(a_root_must_be_in_the_smallest_communicator),
        cmocka_unit_test(durations_have_units),
        cmocka_unit_test(words_become_what_they_mean),
        cmocka_unit_test(elements_are_those_of_the_type),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

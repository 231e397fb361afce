/* SPDX-License-Identifier: BSD-3-Clause
 * The words by which problems of a program's function-sets are remembered. */
#include "expect.h"
#include "functions/own_problem.h"
#include "util/why.h"

static const struct star_own_problem problem = {.name = "jacobi: 2-D/100%",
                                                .ranks = 6,
                                                .dimensions = 2,
                                                .grid = {2, 3},
                                                .periods = {1, 0},
                                                .vector_dimensions = 3,
                                                .points = {66, 34, 0},
                                                .values = 0,
                                                .element_bytes = 8,
                                                .map = "halo",
                                                .number = {1, 0}};
static const char word[] = "own:jacobi%3A%202-D%2F100%25:6/2x3/1x0/66x34x0/0/8/halo/1/0";

static void a_problem_reads_back(void **state)
{
    (void)state;
    char text[100];
    struct star_own_problem read;
    struct star_why why = {{0}};
    assert_true(star_own_problem_format(&problem, text, sizeof text));
    assert_string_equal(text, word);
    assert_int_equal(star_own_problem_parse(text, &read, &why), 0);
    assert_memory_equal(&read, &problem, sizeof read);
    assert_false(star_own_problem_format(&problem, text, sizeof word - 1));
    assert_true(star_own_problem_format(&problem, text, sizeof word));
}

static void what_is_none_is_refused(void **state)
{
    (void)state;
    static const char *const wrong[] = {"",
                                        "own",
                                        "own:",
                                        "own:a",
                                        "own::1/1/0/4/0/8/all/0/0",
                                        "own:a%2:1/1/0/4/0/8/all/0/0",
                                        "own:a%00:1/1/0/4/0/8/all/0/0",
                                        "own:a:0/1/0/4/0/8/all/0/0",
                                        "own:a:1/0/0/4/0/8/all/0/0",
                                        "own:a:1/1x1/0/4/0/8/all/0/0",
                                        "own:a:1/1x1x1x1x1x1x1x1x1/0/4/0/8/all/0/0",
                                        "own:a:1/1/0/4/0/0/all/0/0",
                                        "own:a:1/1/0/-4/0/8/all/0/0",
                                        "own:a:1/1/0/4/0/8/all/0",
                                        "own:a:1/1/0/4/0/8/all/0/0/0",
                                        "own:a:1/1/0/4/0/8/averylongnameofamap/0/0",
                                        "neighborhood:66x66/1/8/2x3/2/1"};
    struct star_own_problem read;
    struct star_why why = {{0}};
    assert_int_equal(star_own_problem_parse("own:a:1/1/0/4/0/8/all/0/0", &read, &why), 0);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        if (star_own_problem_parse(wrong[i], &read, &why) != STAR_EINPUT)
            fail_msg("'%s' is read", wrong[i]);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_problem_reads_back),
        cmocka_unit_test(what_is_none_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

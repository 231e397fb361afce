/* SPDX-License-Identifier: BSD-3-Clause
 * Problems of a neighbourhood exchange: their words, and distances that were worked out by hand. */
#include "expect.h"
#include "halo/halo.h"
#include "halo/problem.h"
#include "util/why.h"

#include <math.h>

static struct star_problem problem(int edge, int rows, int columns)
{
    return (struct star_problem){.dimensions = 2,
                                 .points = {edge + 2, edge + 2},
                                 .grid = {rows, columns},
                                 .width = 1,
                                 .point_bytes = 8,
                                 .pairs = 2,
                                 .ways = STAR_BOTH_WAYS};
}

static void expect_near(double found, double right)
{
    if (!(fabs(found - right) < 1e-9))
        fail_msg("%.12g, not %.12g", found, right);
}

static void a_problem_reads_back(void **state)
{
    (void)state;
    char text[100];
    struct star_problem read, written = problem(64, 2, 3);
    struct star_why why = {{0}};
    assert_true(star_problem_format(&written, text, sizeof text));
    assert_string_equal(text, "neighborhood:66x66/1/8/2x3/2/1");
    assert_int_equal(star_problem_parse(text, &read, &why), 0);
    assert_memory_equal(&read, &written, sizeof read);
    assert_false(star_problem_format(&written, text, 30));
    static const char *const wrong[] = {"",
                                        "neighborhood:66x66",
                                        "66x66/1/8/2x3/2/1",
                                        "neighborhood",
                                        "neighborhood:66x66/1/8/2/2/1",
                                        "neighborhood:66x0/1/8/2x3/2/1",
                                        "neighborhood:66x66/1/8/2x3/5/1",
                                        "neighborhood:66x66/1/8/2x3/2/4",
                                        "neighborhood:66x66/0/8/2x3/2/1",
                                        "neighborhood:66x66/1/8/2x3/2/1.",
                                        "neighborhood:1x1x1x1x1x1x1x1x1/1/8/2x3/2/1"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        if (star_problem_parse(wrong[i], &read, &why) != STAR_EINPUT)
            fail_msg("'%s' is read", wrong[i]);
}

static void distances_are_factors_of_two(void **state)
{
    (void)state;
    struct star_problem a = problem(62, 2, 2), b = problem(62, 2, 8), c = problem(62, 2, 2);
    expect_near(star_problem_distance(&a, &a), 0);
    expect_near(star_problem_distance(&a, &b), 1); /* a factor of 4 in one dimension of two */
    c.point_bytes = 16;                            /* faces have twice the bytes, and pieces too */
    expect_near(star_problem_distance(&a, &c), 1.5);
    expect_near(star_problem_distance(&c, &a), 1.5);
    c = a;
    c.points[0] =
        126; /* twice as many inner points: the faces of dimension 1 have 124 / 62 times the bytes */
    expect_near(star_problem_distance(&a, &c), 0.5);
    c = a;
    c.pairs = 4;
    assert_true(isinf(star_problem_distance(&a, &c)));
    c = a;
    c.ways = STAR_LEFT_TO_RIGHT;
    assert_true(isinf(star_problem_distance(&a, &c)));
}

static void growth_is_of_the_bytes_through_all_faces(void **state)
{
    (void)state;
    struct star_problem small = problem(62, 2, 2), big = problem(62, 2, 2);
    big.points[0] = 126; /* faces of 62 and 124 points instead of 62 and 62 */
    expect_near(star_problem_growth(&big, &small), 1.5);
    expect_near(star_problem_growth(&small, &big), 1 / 1.5);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_problem_reads_back),
        cmocka_unit_test(distances_are_factors_of_two),
        cmocka_unit_test(growth_is_of_the_bytes_through_all_faces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

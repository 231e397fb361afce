/* SPDX-License-Identifier: BSD-3-Clause
 * Historic learning: distances, votes and confidences that were worked out by hand. */
#include "patterns/history.h"
#include "expect.h"

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

static void the_same_problem_is_remembered(void **state)
{
    (void)state;
    struct star_problem here = problem(62, 2, 2);
    struct star_experience known[] = {{here, 2, 30, 4e-6, 1e-7}, {here, 0, 10, 9e-6, 2e-7}};
    struct star_foretold foretold[4];
    int best;
    /* 1 × 2^0 × 30 / 32 */
    expect_near(star_history_ask(known, 2, &here, 4, foretold, &best), 30.0 / 32);
    assert_int_equal(best, 2);
    expect_near(foretold[2].mean, 4e-6);
    expect_near(foretold[2].count, 30);
    expect_near(foretold[0].mean, 9e-6);
    assert_true(foretold[1].count <= 0 && foretold[3].count <= 0);
}

static void the_nearest_problems_vote(void **state)
{
    (void)state;
    struct star_problem here = problem(62, 4, 4), near = problem(62, 4, 8), far = problem(62, 4, 64);
    /* 0.5 and 2 away. The near one's winner is 1, the far one's 0. */
    struct star_experience known[] = {
        {far, 0, 8, 1e-6, 0}, {far, 1, 8, 2e-6, 0}, {near, 1, 6, 3e-6, 0}, {near, 0, 6, 4e-6, 0}};
    struct star_foretold foretold[2];
    int best;
    double votes = exp2(-0.5), all = votes + exp2(-2);
    expect_near(star_history_ask(known, 4, &here, 2, foretold, &best), votes / all * exp2(-0.25) * 6 / 8);
    assert_int_equal(best, 1);
    expect_near(foretold[0].mean, 4e-6);
    expect_near(foretold[0].count, 6 * exp2(-0.5));
}

/* Three short calls may be luck; so may sixteen that differ much. */
static void who_was_seen_in_a_long_run_wins(void **state)
{
    (void)state;
    struct star_problem here = problem(62, 2, 2);
    struct star_experience known[] = {
        {here, 1, 3, 1e-6, 1e-7}, {here, 0, 64, 3e-6, 1e-6}, {here, 2, 16, 2.9e-6, 1.4e-6}};
    struct star_foretold foretold[3];
    int best;
    expect_near(star_history_ask(known, 3, &here, 3, foretold, &best), 64.0 / 66);
    assert_int_equal(best, 0); /* 3 + 1/8 at most, and 2.9 + 1.4/4 */
}

static void a_bigger_problem_may_take_longer(void **state)
{
    (void)state;
    struct star_problem here = problem(62, 2, 2), bigger = problem(62, 2, 2);
    bigger.point_bytes = 16; /* 1.5 away */
    struct star_experience known[] = {{here, 0, 20, 4e-6, 1e-6}, {here, 1, 20, 5e-6, 1e-6}};
    struct star_foretold foretold[2];
    int best;
    expect_near(star_history_ask(known, 2, &bigger, 2, foretold, &best), exp2(-0.75) * 20 / 22);
    assert_int_equal(best, 0);
    expect_near(1e6 * foretold[0].mean, 8);
    expect_near(1e6 * foretold[0].deviation, 2 * (1 + 1.5 / 4 * 4));
    known[0].problem = known[1].problem = bigger; /* and what they say of a smaller one */
    star_history_ask(known, 2, &here, 2, foretold, &best);
    expect_near(1e6 * foretold[0].mean, 4);
}

static void several_together_outvote_a_nearer_one(void **state)
{
    (void)state;
    struct star_problem here = problem(62, 4, 4);
    struct star_experience known[10];
    struct star_foretold foretold[3];
    int best, count = 0;
    for (int i = 0; i < 5; i++) { /* one 0.5 away for 2, four 1 away, in different ways, for 0 */
        static const int grids[5][2] = {{4, 8}, {4, 16}, {16, 4}, {4, 1}, {1, 4}};
        struct star_problem at = problem(62, grids[i][0], grids[i][1]);
        known[count++] = (struct star_experience){at, i == 0 ? 2 : 0, 10, 1e-6, 0};
        known[count++] = (struct star_experience){at, 1, 10, 2e-6, 0};
    }
    double one = exp2(-0.5), three = 3 * exp2(-1); /* four problems vote, the fifth comes too late */
    expect_near(star_history_ask(known, 10, &here, 3, foretold, &best),
                three / (one + three) * exp2(-0.25) * 30 / 32);
    assert_int_equal(best, 0);
}

static void nothing_is_foretold_from_nothing(void **state)
{
    (void)state;
    struct star_problem here = problem(62, 2, 2), farther = problem(62, 2, 2), other = here;
    struct star_foretold foretold[2];
    int best = 7;
    farther.point_bytes = 8 << 3; /* 4.5 away */
    other.pairs = 4;
    struct star_experience known[] = {{here, 0, 10, 1e-6, 0}, /* one function alone says nothing */
                                      {farther, 0, 10, 1e-6, 0},
                                      {farther, 1, 10, 2e-6, 0},
                                      {other, 0, 10, 1e-6, 0},
                                      {other, 1, 10, 2e-6, 0}};
    expect_near(star_history_ask(known, 5, &here, 2, foretold, &best), 0);
    assert_int_equal(best, -1);
    assert_true(foretold[0].count <= 0);
    expect_near(star_history_ask(NULL, 0, &here, 2, foretold, &best), 0);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_problem_reads_back),
        cmocka_unit_test(distances_are_factors_of_two),
        cmocka_unit_test(the_same_problem_is_remembered),
        cmocka_unit_test(the_nearest_problems_vote),
        cmocka_unit_test(who_was_seen_in_a_long_run_wins),
        cmocka_unit_test(a_bigger_problem_may_take_longer),
        cmocka_unit_test(several_together_outvote_a_nearer_one),
        cmocka_unit_test(nothing_is_foretold_from_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Historic learning: votes, confidences and reaches that were worked out by hand. */
#include "functions/history.h"
#include "expect.h"

#include <math.h>

static void expect_near(double found, double right)
{
    if (!(fabs(found - right) < 1e-9))
        fail_msg("%.12g, not %.12g", found, right);
}

/* Experiences are {problem, function, calls, mean, deviation}. */
static double ask(const struct star_experience *known, int count, int problems,
                  const struct star_similar *similar, int functions, struct star_foretold *foretold,
                  int *best)
{
    struct star_past past = {.known = known, .count = count, .problems = problems};
    return star_history_ask(&past, similar, functions, foretold, best);
}

static const struct star_similar same[] = {{0, 1}};

static void the_same_problem_is_remembered(void **state)
{
    (void)state;
    static const struct star_experience known[] = {{0, 2, 30, 4e-6, 1e-7}, {0, 0, 10, 9e-6, 2e-7}};
    struct star_foretold foretold[4];
    int best;
    /* 1 × 2^0 × 30 / 32 */
    expect_near(ask(known, 2, 1, same, 4, foretold, &best), 30.0 / 32);
    assert_int_equal(best, 2);
    expect_near(foretold[2].mean, 4e-6);
    expect_near(foretold[2].count, 30);
    expect_near(foretold[0].mean, 9e-6);
    assert_true(foretold[1].count <= 0 && foretold[3].count <= 0);
}

static void the_nearest_problems_vote(void **state)
{
    (void)state;
    /* Problem 1 is 0.5 away, and problem 0 is 2. The near one's winner is 1, the far one's 0. */
    static const struct star_similar similar[] = {{2, 1}, {0.5, 1}};
    static const struct star_experience known[] = {
        {0, 0, 8, 1e-6, 0}, {0, 1, 8, 2e-6, 0}, {1, 1, 6, 3e-6, 0}, {1, 0, 6, 4e-6, 0}};
    struct star_foretold foretold[2];
    int best;
    double votes = exp2(-0.5), all = votes + exp2(-2);
    expect_near(ask(known, 4, 2, similar, 2, foretold, &best), votes / all * exp2(-0.25) * 6 / 8);
    assert_int_equal(best, 1);
    expect_near(foretold[0].mean, 4e-6);
    expect_near(foretold[0].count, 6 * exp2(-0.5));
}

/* Three short calls may be luck; so may sixteen that differ much. */
static void who_was_seen_in_a_long_run_wins(void **state)
{
    (void)state;
    static const struct star_experience known[] = {
        {0, 1, 3, 1e-6, 1e-7}, {0, 0, 64, 3e-6, 1e-6}, {0, 2, 16, 2.9e-6, 1.4e-6}};
    struct star_foretold foretold[3];
    int best;
    expect_near(ask(known, 3, 1, same, 3, foretold, &best), 64.0 / 66);
    assert_int_equal(best, 0); /* 3 + 1/8 at most, and 2.9 + 1.4/4 */
}

static void a_bigger_problem_may_take_longer(void **state)
{
    (void)state;
    static const struct star_similar bigger[] = {{1.5, 2}}, smaller[] = {{1.5, 0.5}};
    static const struct star_experience known[] = {{0, 0, 20, 4e-6, 1e-6}, {0, 1, 20, 5e-6, 1e-6}};
    struct star_foretold foretold[2];
    int best;
    expect_near(ask(known, 2, 1, bigger, 2, foretold, &best), exp2(-0.75) * 20 / 22);
    assert_int_equal(best, 0);
    expect_near(1e6 * foretold[0].mean, 8);
    expect_near(1e6 * foretold[0].deviation, 2 * (1 + 1.5 / 4 * 4));
    ask(known, 2, 1, smaller, 2, foretold, &best);
    expect_near(1e6 * foretold[0].mean, 4);
}

static void several_together_outvote_a_nearer_one(void **state)
{
    (void)state;
    struct star_experience known[10];
    /* One 0.5 away for 2, four 1 away for 0. */
    static const struct star_similar similar[] = {{0.5, 1}, {1, 1}, {1, 1}, {1, 1}, {1, 1}};
    struct star_foretold foretold[3];
    int best;
    for (int i = 0, count = 0; i < 5; i++) {
        known[count++] = (struct star_experience){i, i == 0 ? 2 : 0, 10, 1e-6, 0};
        known[count++] = (struct star_experience){i, 1, 10, 2e-6, 0};
    }
    double one = exp2(-0.5), three = 3 * exp2(-1); /* four problems vote, the fifth comes too late */
    expect_near(ask(known, 10, 5, similar, 3, foretold, &best),
                three / (one + three) * exp2(-0.25) * 30 / 32);
    assert_int_equal(best, 0);
}

static void nothing_is_foretold_from_nothing(void **state)
{
    (void)state;
    struct star_foretold foretold[2];
    int best = 7;
    static const struct star_similar similar[] = {{0, 1}, {4.5, 1}, {INFINITY, 1}};
    static const struct star_experience known[] = {{0, 0, 10, 1e-6, 0}, /* one function alone says nothing */
                                                   {1, 0, 10, 1e-6, 0},
                                                   {1, 1, 10, 2e-6, 0},
                                                   {2, 0, 10, 1e-6, 0},
                                                   {2, 1, 10, 2e-6, 0}};
    expect_near(ask(known, 5, 3, similar, 2, foretold, &best), 0);
    assert_int_equal(best, -1);
    assert_true(foretold[0].count <= 0);
    expect_near(ask(NULL, 0, 0, NULL, 2, foretold, &best), 0);
}

/* Problem 0's winner is 0. It is among the best in problem 1, a tenth slower than the best in problem 2, and
 * slower in problem 3; problem 4 knows one function alone, and problem 5 does not know function 0. */
static const struct star_experience lived[] = {{0, 0, 20, 10, 0}, {0, 1, 20, 20, 0}, {1, 0, 20, 10, 0},
                                               {1, 1, 20, 20, 0}, {2, 0, 20, 11, 0}, {2, 1, 20, 10, 0},
                                               {3, 0, 20, 12, 0}, {3, 1, 20, 10, 0}, {4, 1, 20, 10, 0},
                                               {5, 1, 20, 10, 0}, {5, 2, 20, 20, 0}};

static void a_vote_reaches_as_far_as_its_winner_wins(void **state)
{
    (void)state;
    struct star_past past = {.known = lived, .count = sizeof lived / sizeof *lived, .problems = 6};
    static const struct {
        double distance[6], reach;
    } cases[] = {
        {{0, 5, 7, 8, 9, 9}, 7},                     /* the first that fails is 8 away */
        {{0, 5, 9, 8, 1, 9}, 5},                     /* what lies behind it does not count */
        {{0, 5, 7, 3, 1, 9}, 1},                     /* one function alone neither fails nor ends it */
        {{0, 5, 7, 8, 9, 2}, 0},                     /* who does not know it does not say that it wins */
        {{0, 5, INFINITY, INFINITY, 9, INFINITY}, 9} /* infinitely far is not asked */
    };
    struct star_winner winner[6];
    bool wins[6];
    for (int p = 0; p < past.problems; p++)
        winner[p].function = star_history_winner(&past, p, &winner[p].mean);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect_near(star_history_reach(&past, winner, 0, cases[i].distance, wins), cases[i].reach);
    expect_near(star_history_reach(&past, winner, 4, cases[0].distance, wins), 0); /* it has no winner */
}

static void a_distance_counts_as_its_part_of_the_reach(void **state)
{
    (void)state;
    expect_near(star_history_within(0, 0), 0);
    expect_near(star_history_within(0, 8), 0);
    expect_near(star_history_within(4, 8), 1);
    expect_near(star_history_within(8, 8), 2);
    assert_true(isinf(star_history_within(8.1, 8)));
    assert_true(isinf(star_history_within(1, 0)));
    assert_true(isinf(star_history_within(NAN, 8)));
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_problem_is_remembered),
        cmocka_unit_test(the_nearest_problems_vote),
        cmocka_unit_test(who_was_seen_in_a_long_run_wins),
        cmocka_unit_test(a_bigger_problem_may_take_longer),
        cmocka_unit_test(several_together_outvote_a_nearer_one),
        cmocka_unit_test(nothing_is_foretold_from_nothing),
        cmocka_unit_test(a_vote_reaches_as_far_as_its_winner_wins),
        cmocka_unit_test(a_distance_counts_as_its_part_of_the_reach),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Medians, their intervals and the rank-sum test, against tables and against counting all orders. */
#include "search/times.h"
#include "util/random.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static void a_median_needs_no_order(void **state)
{
    const double odd[] = {5, 1, 3}, even[] = {4, 1, 3, 2};
    (void)state;
    assert_true(star_median(odd, 3) == 3);
    assert_true(star_median(even, 4) == 2.5);
}

/* Of N times the K-th and the K-th from the end, as tables of the sign test say for 95 %. */
static void an_interval_is_that_of_the_tables(void **state)
{
    const struct {
        int count, from;
    } table[] = {{6, 1},  {8, 1},   {9, 2},   {10, 2},   {12, 3},     {15, 4},      {20, 6},
                 {25, 8}, {30, 10}, {50, 18}, {100, 40}, {1000, 469}, {10000, 4902}};
    static double times[10000];
    (void)state;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        for (int k = 0; k < table[i].count; k++)
            times[k] = table[i].count - k; /* N … 1 */
        struct star_interval interval = star_median_interval(times, table[i].count);
        assert_int_equal((int)interval.low, table[i].from);
        assert_int_equal((int)interval.high, table[i].count + 1 - table[i].from);
        assert_float_equal(interval.width, (interval.high - interval.low) / (table[i].count + 1), 1e-12);
    }
}

static void five_times_have_no_interval(void **state)
{
    const double times[] = {1, 1, 1, 1, 1, 1};
    (void)state;
    assert_true(isinf(star_median_interval(times, 5).width));
    assert_true(star_median_interval(times, 6).width == 0);
}

static void an_outlier_moves_neither_median_nor_interval(void **state)
{
    double times[20];
    (void)state;
    for (int i = 0; i < 20; i++)
        times[i] = i;
    struct star_interval before = star_median_interval(times, 20);
    times[19] = 1e6;
    struct star_interval after = star_median_interval(times, 20);
    assert_true(before.low == after.low && before.high == after.high && star_median(times, 20) == 9.5);
}

/* Of all ways to choose who is whose: how many have a sum of ranks that great. By bits. */
static double counted(const double *times, int count, const double *others, int other_count)
{
    double all[16], mine = 0;
    int n = count + other_count, as_great = 0, ways = 0;
    for (int i = 0; i < n; i++)
        all[i] = i < count ? times[i] : others[i - count];
    for (int set = (1 << count) - 1; set < 1 << n; set++) {
        double sum = 0;
        if (__builtin_popcount((unsigned)set) != count)
            continue;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                if (set >> i & 1)
                    sum += (all[j] < all[i]) + 0.5 * (all[j] == all[i]);
        if (set == (1 << count) - 1) /* the first one: what was measured */
            mine = sum;
        as_great += sum >= mine;
        ways++;
    }
    return (double)as_great / ways;
}

static void the_rank_sum_test_counts_all_orders(void **state)
{
    uint64_t random = 1;
    double times[6], others[7];
    (void)state;
    for (int trial = 0; trial < 200; trial++) {
        int count = 1 + (int)star_draw(&random, 6), other_count = 1 + (int)star_draw(&random, 7);
        for (int i = 0; i < count; i++)
            times[i] = star_draw(&random, trial % 2 ? 5 : 1000); /* with ties, and without */
        for (int i = 0; i < other_count; i++)
            others[i] = star_draw(&random, trial % 2 ? 5 : 1000);
        assert_float_equal(star_slower_by_chance(times, count, others, other_count),
                           counted(times, count, others, other_count), 1e-9);
    }
}

/* 3 over 3: one way of 20. */
static void three_slower_ones_may_be_chance(void **state)
{
    const double slow[] = {4, 6, 5}, fast[] = {3, 1, 2};
    (void)state;
    assert_float_equal(star_slower_by_chance(slow, 3, fast, 3), 0.05, 1e-12);
    assert_float_equal(star_slower_by_chance(fast, 3, slow, 3), 1, 1e-12);
}

/* Of 20 and 20 in turns the sum of ranks is 10 above its mean of 410, whose spread is sqrt(20·20·41/12)
 * = 36.97: the half that stands for the step taken off, 0.257 spreads, beyond which lies a share of 0.3986.
 */
static void many_times_are_judged_by_the_normal_distribution(void **state)
{
    double times[20], others[20];
    (void)state;
    for (int i = 0; i < 20; i++) {
        times[i] = 2 * i + 1;
        others[i] = 2 * i;
    }
    assert_float_equal(star_slower_by_chance(times, 20, others, 20), 0.3986, 2e-4);
    for (int i = 0; i < 20; i++)
        times[i] = others[i] = 1;
    assert_float_equal(star_slower_by_chance(times, 20, others, 20), 1, 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_median_needs_no_order),
        cmocka_unit_test(an_interval_is_that_of_the_tables),
        cmocka_unit_test(five_times_have_no_interval),
        cmocka_unit_test(an_outlier_moves_neither_median_nor_interval),
        cmocka_unit_test(the_rank_sum_test_counts_all_orders),
        cmocka_unit_test(three_slower_ones_may_be_chance),
        cmocka_unit_test(many_times_are_judged_by_the_normal_distribution),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause
 * By which way nonblocking calls go: ranks that come to a call at different times find the same. */
#include "expect.h"
#include "runtime/course.h"

enum { WAYS = 4, RANKS = 8 };

static struct star_course_figures figures(const int64_t *nanoseconds, int able, int depth)
{
    struct star_course_figures sums = {.able = {0}};
    for (int way = 1; way < WAYS; way++)
        sums.able[way] = able;
    memcpy(sums.nanoseconds, nanoseconds, WAYS * sizeof *nanoseconds);
    sums.depths[depth] = RANKS;
    return sums;
}

/* So many calls one after another, each agreement over when it is needed; COUNTS: by each way. */
static void run(struct star_course *course, const struct star_course_figures *sums, int calls, int *counts)
{
    memset(counts, 0, WAYS * sizeof *counts);
    for (int i = 0; i < calls; i++) {
        if (star_course_waits(course))
            star_course_agreed(course, sums, RANKS);
        counts[star_course_next(course).way]++;
    }
}

static void the_fastest_is_used(void **state)
{
    (void)state;
    const struct star_course_figures sums = figures((int64_t[]){100, 120, 50, 300}, RANKS, 0);
    struct star_course course = star_course_new(WAYS, false);
    int counts[WAYS];
    run(&course, &sums, 3000, counts);
    assert_true(counts[2] > 2850);
    assert_true(counts[3] == 5); /* it was far behind the first time */
}

static void native_is_used_where_it_is_as_fast(void **state)
{
    (void)state;
    const struct star_course_figures sums = figures((int64_t[]){100, 98, 150, 300}, RANKS, 0);
    struct star_course course = star_course_new(WAYS, false);
    int counts[WAYS];
    run(&course, &sums, 3000, counts);
    assert_true(counts[0] > 2700);
}

static void nothing_runs_that_not_all_have(void **state)
{
    (void)state;
    const struct star_course_figures sums = figures((int64_t[]){100, 1, 1, 1}, RANKS - 1, 0);
    struct star_course course = star_course_new(WAYS, false);
    int counts[WAYS];
    run(&course, &sums, 3000, counts);
    assert_int_equal(counts[0], 3000);
}

static void calls_that_are_open_together_stay_native(void **state)
{
    (void)state;
    const struct star_course_figures sums = figures((int64_t[]){100, 1, 1, 1}, RANKS, 2);
    struct star_course course = star_course_new(WAYS, false);
    int counts[WAYS];
    run(&course, &sums, 500, counts);
    run(&course, &sums, 10000, counts);
    assert_int_equal(counts[0], 10000);
}

static void by_force_never_natively(void **state)
{
    (void)state;
    const struct star_course_figures sums = figures((int64_t[]){0, 120, 50, 300}, RANKS, 3);
    struct star_course course = star_course_new(WAYS, true);
    int counts[WAYS];
    assert_true(star_course_waits(&course));
    run(&course, &sums, 3000, counts);
    assert_int_equal(counts[0], 0);
}

/* A call that comes while the outcome is not known may wait for it only if it goes by a plan. */
static void natively_only_where_the_outcome_was_known(void **state)
{
    (void)state;
    for (int depth = 0; depth < STAR_DEPTHS; depth++) {
        const struct star_course_figures sums = figures((int64_t[]){50, 120, 80, 300}, RANKS, depth);
        struct star_course course = star_course_new(WAYS, false);
        int64_t since = INT64_MAX / 2;
        for (int i = 0; i < 10000; i++, since++) {
            bool making = course.phase == STAR_COURSE_MAKING;
            if (star_course_waits(&course))
                star_course_agreed(&course, &sums, RANKS);
            struct star_course_step step = star_course_next(&course);
            if (step.way == 0 && !making && course.trials > 0)
                assert_true(since >= star_course_settles(depth));
            if (step.agrees && course.phase == STAR_COURSE_TRIAL) {
                assert_true(step.way > 0); /* and whoever has ended this call knows */
                since = -1;
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_fastest_is_used),
        cmocka_unit_test(native_is_used_where_it_is_as_fast),
        cmocka_unit_test(nothing_runs_that_not_all_have),
        cmocka_unit_test(calls_that_are_open_together_stay_native),
        cmocka_unit_test(by_force_never_natively),
        cmocka_unit_test(natively_only_where_the_outcome_was_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause
 * What is expected of methods before they are measured, and what measuring makes of that. */
#include "expect.h"
#include "tuner/evidence.h"
#include "tuner/expect.h"
#include "tuner/networks.h"
#include "tuner/outlook.h"
#include "tuner/standing.h"
#include "tuner/strategy.h"
#include "tuner/visit.h"
#include "util/prospect.h"

#include <math.h>

enum { COUNT = 5 };
static const int groups[COUNT] = {0, 1, 1, 2, 2};

static struct star_standing made(void)
{
    struct star_standing standing = {.calls = 100};
    assert_true(star_standing_make(&standing, groups, NULL, COUNT));
    return standing;
}

static struct star_outlook of(const struct star_standing *standing, int candidate)
{
    struct star_outlook each[COUNT];
    star_expect(standing, each);
    return each[candidate];
}

/* The median, in milliseconds. */
static double milliseconds(const struct star_standing *standing, int candidate)
{
    return 1e3 * exp(of(standing, candidate).mean);
}

static void measure(struct star_standing *standing, int candidate, double seconds, int times)
{
    for (int i = 0; i < times; i++)
        star_evidence_note(standing, candidate, seconds, 64, 64);
}

static void who_was_not_measured_is_expected_behind_native_but_nobody_knows(void **state)
{
    (void)state;
    struct star_standing standing = made();
    measure(&standing, 0, 10e-3, 1);
    expect_between(milliseconds(&standing, 0), 9.5, 10.5);
    expect_between(milliseconds(&standing, 1), 10, 20);
    assert_true(of(&standing, 1).variance > 20 * of(&standing, 0).variance);
    star_standing_free(&standing);
}

/* Of 1, 2, 4 and 8 ms, none of native. */
static struct star_standing with_forecasts(void)
{
    struct star_standing standing = made();
    struct star_prospect each[COUNT] = {STAR_NO_PROSPECT};
    for (int i = 1; i < COUNT; i++) {
        each[i] = STAR_NO_PROSPECT;
        each[i].seconds = 1e-3 * (1 << (i - 1));
    }
    star_networks_foresee(&standing, each, NULL);
    return standing;
}

/* The first one takes three times as long as its forecast, and native, which is expected to be
 * faster than their mean, says the same. */
static void forecasts_tell_how_methods_are_to_each_other(void **state)
{
    (void)state;
    struct star_standing standing = with_forecasts();
    measure(&standing, 0, 6.29e-3, 1);
    measure(&standing, 1, 3e-3, 4);
    measure(&standing, 3, 12e-3, 4);
    expect_between(milliseconds(&standing, 2), 5.9, 6.1);
    expect_between(milliseconds(&standing, 4), 23.5, 24.5);
    star_standing_free(&standing);
}

/* The first one takes a hundred times as long as its forecast, ten times as long as native: others with
 * forecasts need not. */
static void a_slow_one_says_little_of_the_other_forecasts(void **state)
{
    (void)state;
    struct star_standing standing = with_forecasts();
    measure(&standing, 0, 10e-3, 1);
    measure(&standing, 1, 100e-3, 1);
    expect_between(milliseconds(&standing, 3), 20, 150);
    assert_true(of(&standing, 3).variance > 0.36);
    star_standing_free(&standing);
}

static void memory_counts_more_than_a_forecast(void **state)
{
    (void)state;
    struct star_standing standing = with_forecasts();
    for (int i = 0; i < COUNT; i++) {
        standing.remembered[i] = 1e-3 * (i + 1);
    }
    measure(&standing, 0, 2e-3, 4); /* twice what is remembered */
    expect_between(milliseconds(&standing, 4), 9.5, 10.5);
    star_standing_free(&standing);
}

static void others_of_a_group_are_alike(void **state)
{
    (void)state;
    struct star_standing standing = made();
    measure(&standing, 0, 10e-3, 4);
    measure(&standing, 1, 40e-3, 4);
    measure(&standing, 3, 2e-3, 4);
    assert_true(milliseconds(&standing, 2) > 2.5 * milliseconds(&standing, 4));
    star_standing_free(&standing);
}

static void a_long_visit_counts_more_than_short_ones(void **state)
{
    (void)state;
    struct star_standing standing = made();
    for (int i = 0; i < 4; i++)
        star_evidence_note(&standing, 0, 2e-3, 1, 1);
    star_evidence_note(&standing, 0, 3e-3, 64, 64);
    expect_between(milliseconds(&standing, 0), 2.8, 3.0);
    star_standing_free(&standing);
}

/* Nothing makes calls faster by chance, so the machine has changed; a few slow calls may be chance. */
static void what_is_much_faster_is_believed_at_once_and_slower_only_if_it_lasts(void **state)
{
    (void)state;
    struct star_standing standing = made();
    measure(&standing, 0, 10e-3, 20);
    star_evidence_note(&standing, 0, 50e-3, 1, 1);
    expect_between(milliseconds(&standing, 0), 9.9, 10.5);
    star_evidence_note(&standing, 0, 50e-3, 16, 16);
    assert_true(milliseconds(&standing, 0) > 30);
    measure(&standing, 1, 10e-3, 20);
    star_evidence_note(&standing, 1, 2e-3, 1, 1);
    assert_true(milliseconds(&standing, 1) < 4);
    star_standing_free(&standing);
}

static void evidence_fades_and_doubt_leaves_little_of_it(void **state)
{
    (void)state;
    struct star_standing standing = made();
    measure(&standing, 0, 10e-3, 20);
    double fresh = of(&standing, 0).variance;
    standing.calls = 100 * 1024;
    double old = of(&standing, 0).variance;
    assert_true(old > 4 * fresh);
    star_evidence_doubt(&standing);
    assert_true(of(&standing, 0).variance > old);
    expect_between(milliseconds(&standing, 0), 9, 11);
    star_standing_free(&standing);
}

/* Calls of earlier runs count too when it is asked how long ago something was measured. */
static void what_a_long_run_saw_does_not_fade_within_a_few_calls(void **state)
{
    (void)state;
    struct star_standing standing = made();
    measure(&standing, 0, 10e-3, 20);
    double fresh = of(&standing, 0).variance;
    standing.calls = 800;
    assert_true(of(&standing, 0).variance > 4 * fresh);
    standing.earlier = 100 * standing.calls;
    assert_true(of(&standing, 0).variance < 1.5 * fresh);
    star_evidence_note(&standing, 0, 20e-3, 4, 4); /* a short visit soon after says little */
    expect_between(milliseconds(&standing, 0), 10, 10.5);
    star_standing_free(&standing);
}

/* A first call of 20 ms, ranks APART by so much. */
static void visit_once(struct star_standing *standing, int candidate, double apart)
{
    standing->visit[candidate].apart = apart;
    star_evidence_note(standing, candidate, 20e-3, 1, 1);
}

/* Where ranks are apart one call may overlap the next. */
static void later_calls_of_a_pipeline_may_be_faster(void **state)
{
    (void)state;
    struct star_standing together = made(), apart = made();
    measure(&together, 0, 20e-3, 4);
    measure(&apart, 0, 20e-3, 4);
    visit_once(&together, 1, 0.05);
    visit_once(&apart, 1, 0.3);
    expect_between(milliseconds(&together, 1), 18, 22);
    expect_between(milliseconds(&apart, 1), 8, 16);
    assert_true(of(&apart, 1).variance > 2 * of(&together, 1).variance);
    /* A long visit says what they really take. */
    measure(&apart, 1, 20e-3, 1);
    expect_between(milliseconds(&apart, 1), 18, 22);
    star_standing_free(&together);
    star_standing_free(&apart);
}

/* As where a program computes between calls. */
static void that_they_are_not_is_learned_from_others(void **state)
{
    (void)state;
    struct star_standing standing = made();
    measure(&standing, 0, 20e-3, 4);
    visit_once(&standing, 1, 0.3);
    double before = milliseconds(&standing, 1);
    for (int i = 2; i < COUNT; i++) {
        visit_once(&standing, i, 0.3);
        measure(&standing, i, 20e-3, 1);
    }
    assert_true(milliseconds(&standing, 1) > 1.2 * before);
    star_standing_free(&standing);
}

/* Whose first calls nobody has seen is thought to be as those of which they were. */
static void calls_overlap_as_often_as_in_others(void **state)
{
    (void)state;
    struct star_standing standing = made();
    const struct star_evidence *first = &standing.visit[0].all, *second = &standing.visit[1].all;
    assert_float_equal(star_usual_overlap(&standing), 0, 0);
    standing.ahead = true;
    assert_float_equal(star_usual_overlap(&standing), 1, 0);
    measure(&standing, 0, 20e-3, 1); /* native's ranks wait for each other, others' may not */
    assert_float_equal(star_usual_overlap(&standing), 1, 0);
    visit_once(&standing, 1, 0.3);
    assert_float_equal(star_overlap(first, 0.5), 0, 0);
    assert_float_equal(star_overlap(second, 0.5), 1, 0);
    assert_float_equal(star_overlap(&standing.visit[2].all, 0.5), 0.5, 0);
    assert_float_equal(star_usual_overlap(&standing), 1, 0);
    measure(&standing, 2, 20e-3, 1);
    assert_float_equal(star_usual_overlap(&standing), 0.5, 1e-12);
    standing.visit[1].all.first_calls = 0; /* a doubt */
    assert_float_equal(star_usual_overlap(&standing), 0, 0);
    assert_float_equal(star_overlap(second, 0), 0, 0);
    star_standing_free(&standing);
}

static double at_first(const struct star_standing *standing, int candidate, double calls)
{
    struct star_outlook expected = of(standing, candidate);
    const struct star_evidence *all = &standing->visit[candidate].all;
    return star_expected_at_first(all, &expected, star_overlap(all, star_usual_overlap(standing)), calls);
}

/* What is known of its first call; then less and less, but of who does not overlap. */
static void a_visit_takes_longer_at_first_where_calls_overlap(void **state)
{
    (void)state;
    struct star_standing standing = made();
    struct star_outlook first, second;
    measure(&standing, 0, 20e-3, 4);
    visit_once(&standing, 1, 0.3);
    first = of(&standing, 0), second = of(&standing, 1);
    expect_between(1e3 * at_first(&standing, 1, 1), 20, 22);
    for (int calls = 1; calls < 64; calls *= 2)
        for (int i = 1; i < 3; i++)
            assert_true(at_first(&standing, i, calls) > at_first(&standing, i, 2 * calls));
    expect_between(at_first(&standing, 1, 1 << 20) / star_expected(&second), 1, 1.001);
    assert_float_equal(at_first(&standing, 0, 1), star_expected(&first), 0);
    star_standing_free(&standing);
}

static void no_time_and_no_calls_tell_nothing(void **state)
{
    (void)state;
    struct star_standing standing = made();
    measure(&standing, 0, 10e-3, 1);
    star_evidence_note(&standing, 1, 0, 8, 8);
    star_evidence_note(&standing, 1, -1, 8, 8);
    star_evidence_note(&standing, 1, 1e-3, 0, 0);
    assert_true(standing.visit[1].all.weight == 0);
    star_standing_free(&standing);
}

/* In some programs a short call takes what others are late: then a few calls tell little. */
static void what_differs_from_time_to_time_is_noise(void **state)
{
    (void)state;
    struct star_standing quiet = made(), noisy = made(), longer = made();
    for (int i = 0; i < 20; i++) {
        star_evidence_note(&quiet, 0, (i % 2 ? 1.02 : 1) * 20e-6, 8, 8);
        star_evidence_note(&noisy, 0, (i % 2 ? 4 : 1) * 20e-6, 8, 8);
        star_evidence_note(&longer, 0, (i < 6 ? 4 * (6 - i) : 1) * 20e-6, 8, 8 << i);
    }
    assert_float_equal(star_evidence_noise(&quiet), 1, 0);
    assert_true(star_evidence_noise(&noisy) > 20);
    assert_float_equal(star_evidence_noise(&longer), 1, 0); /* that is how pipelines fill */
    struct star_outlook sure = of(&quiet, 0), unsure = of(&noisy, 0);
    assert_true(unsure.variance > 5 * sure.variance);
    assert_true(star_expected_gain(&unsure, 30e-6, 8, 0, star_evidence_noise(&noisy)) <
                star_expected_gain(&unsure, 30e-6, 8, 0, 1));
    star_standing_free(&quiet);
    star_standing_free(&noisy);
    star_standing_free(&longer);
}

/* The integral of what is gained over all times, by summing it up. */
static double gain_by_sum(const struct star_outlook *expectation, double seconds)
{
    enum { STEPS = 20000 };
    double sum = 0, deviation = sqrt(expectation->variance);
    for (int i = 0; i < STEPS; i++) {
        double z = -8 + 16 * (i + 0.5) / STEPS, at = exp(expectation->mean + z * deviation);
        sum += fmax(seconds - at, 0) * exp(-z * z / 2) / sqrt(2 * acos(-1)) * 16 / STEPS;
    }
    return sum;
}

static void the_gain_is_what_the_distribution_says(void **state)
{
    (void)state;
    for (int i = -3; i <= 3; i++)
        for (int k = 1; k <= 4; k++) {
            const struct star_outlook expectation = {.mean = 0.3 * i, .variance = 0.1 * k};
            assert_float_equal(star_expected_gain(&expectation, 1, 0, 0, 1), gain_by_sum(&expectation, 1),
                               1e-6);
            /* A visit tells less than all, and a longer one more. */
            double few = star_expected_gain(&expectation, 1, 1, 0, 1),
                   many = star_expected_gain(&expectation, 1, 64, 0, 1);
            assert_true(few <= many + 1e-12 && many <= star_expected_gain(&expectation, 1, 0, 0, 1) + 1e-12);
            assert_true(star_expected_gain(&expectation, 1, 1, 1, 1) < few + 1e-12);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_was_not_measured_is_expected_behind_native_but_nobody_knows),
        cmocka_unit_test(forecasts_tell_how_methods_are_to_each_other),
        cmocka_unit_test(a_slow_one_says_little_of_the_other_forecasts),
        cmocka_unit_test(memory_counts_more_than_a_forecast),
        cmocka_unit_test(others_of_a_group_are_alike),
        cmocka_unit_test(a_long_visit_counts_more_than_short_ones),
        cmocka_unit_test(what_is_much_faster_is_believed_at_once_and_slower_only_if_it_lasts),
        cmocka_unit_test(evidence_fades_and_doubt_leaves_little_of_it),
        cmocka_unit_test(what_a_long_run_saw_does_not_fade_within_a_few_calls),
        cmocka_unit_test(later_calls_of_a_pipeline_may_be_faster),
        cmocka_unit_test(that_they_are_not_is_learned_from_others),
        cmocka_unit_test(calls_overlap_as_often_as_in_others),
        cmocka_unit_test(a_visit_takes_longer_at_first_where_calls_overlap),
        cmocka_unit_test(no_time_and_no_calls_tell_nothing),
        cmocka_unit_test(what_differs_from_time_to_time_is_noise),
        cmocka_unit_test(the_gain_is_what_the_distribution_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

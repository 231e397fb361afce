/* SPDX-License-Identifier: BSD-3-Clause
 * The tuner while a rank wants no tuning, and afterwards; one rank, whose clock is made up here. */
#include "expect.h"
#include "tuner/candidates.h"
#include "tuner/decide.h"
#include "tuner/decision.h"
#include "tuner/inside.h"
#include "tuner/tuner.h"
#include "tuner/tuning.h"

static const double seconds[] = {4e-3, 1e-3, 2e-3, 3e-3};
static const struct star_tuning tuning = {.strategy = STAR_GROUPED,
                                          .iter = 2,
                                          .delta = 1,
                                          .delta_most = 64,
                                          .epsilon = 0.1,
                                          .confirm = true,
                                          .sample = 1};

/* With one attribute that all have, and another that one has. */
static struct star_tuner *new_attentive_tuner(enum star_strategy strategy)
{
    static const int groups[] = {0, 1, 1, 2};
    static const int16_t values[] = {0, -1, 1, -1, 2, -1, 0, 0};
    static const struct star_traits traits = {2, values};
    struct star_tuning attentive = tuning;
    attentive.strategy = strategy;
    attentive.confidence = 1;
    return star_tuner_new(&attentive, groups, &traits, 4, true);
}

static struct star_tuner *new_tuner(void)
{
    static const int groups[] = {0, 1, 1, 2};
    return star_tuner_new(&tuning, groups, NULL, 4, true);
}

/* Runs to the next agreement, in which a rank is PAUSED or none is. */
static struct star_decision step(struct star_tuner *tuner, bool paused)
{
    struct star_figure *all = star_tuner_scratch(tuner);
    struct star_decision decision;
    int calls = 0;
    while (!star_tuner_record(tuner, seconds[star_tuner_candidate(tuner)]))
        assert_true(++calls < 10000);
    star_tuner_tell(tuner, all);
    (paused ? star_tuner_rest : star_tuner_decide)(tuner, all, 1, &decision);
    assert_true(star_tuner_apply(tuner, &decision));
    return decision;
}

static void what_is_being_measured_is_left_at_the_best_known(void **state)
{
    (void)state;
    struct star_tuner *tuner = new_tuner();
    int delta = 0;
    for (int i = 0; i < 20; i++) {
        struct star_decision decision = step(tuner, true);
        assert_int_equal(decision.reason, STAR_PAUSED);
        assert_int_equal(decision.stage, STAR_MONITOR);
        assert_int_equal(star_tuner_candidate(tuner), 1);
        assert_true(decision.delta >= delta && decision.delta <= 16);
        delta = decision.delta;
    }
    assert_int_equal(delta, 16);
    star_tuner_free(tuner);
}

static void measuring_begins_anew_when_all_want_it(void **state)
{
    (void)state;
    struct star_tuner *tuner = new_tuner();
    step(tuner, true);
    step(tuner, true);
    struct star_decision decision = step(tuner, false);
    assert_int_equal(decision.reason, STAR_RESUMED);
    assert_int_equal(decision.stage, STAR_MEASURE);
    assert_int_equal(decision.count, 3); /* one of each group, native first */
    assert_int_equal(star_tuner_candidate(tuner), 0);
    while ((decision = step(tuner, false)).reason != STAR_SELECTED)
        assert_int_equal(decision.stage, STAR_MEASURE);
    assert_int_equal(star_tuner_candidate(tuner), 1);
    star_tuner_free(tuner);
}

/* What they had found out before is forgotten. */
static void so_it_does_where_attributes_are_compared(void **state)
{
    (void)state;
    for (int strategy = STAR_HYPOTHESIS; strategy <= STAR_FACTORIAL; strategy++) {
        struct star_tuner *tuner = new_attentive_tuner((enum star_strategy)strategy);
        step(tuner, false);
        step(tuner, true);
        struct star_decision decision = step(tuner, false);
        assert_int_equal(decision.reason, STAR_RESUMED);
        assert_int_equal(decision.count, 1);
        assert_int_equal(star_tuner_candidate(tuner), 0);
        assert_int_equal(step(tuner, false).reason, STAR_COMPARED);
        while (step(tuner, false).reason != STAR_SELECTED)
            ;
        assert_int_equal(star_tuner_candidate(tuner), 1);
        star_tuner_free(tuner);
    }
}

static void what_was_shut_out_stays_so(void **state)
{
    (void)state;
    struct star_tuner *tuner = new_tuner();
    star_tuner_record(tuner, 1), star_tuner_record(tuner, 1);
    assert_int_equal(star_tuner_candidate(tuner), 1);
    assert_false(star_tuner_shut_out(tuner));
    step(tuner, true);
    struct star_decision decision = step(tuner, false);
    for (int i = 0; i < decision.count; i++)
        assert_int_not_equal(decision.list[i], 1);
    star_tuner_free(tuner);
}

static void what_is_chosen_stays_chosen(void **state)
{
    (void)state;
    struct star_tuner *tuner = new_tuner();
    while (step(tuner, false).reason != STAR_SELECTED)
        ;
    for (int i = 0; i < 5; i++)
        assert_int_equal(step(tuner, true).reason, STAR_KEPT);
    assert_int_equal(step(tuner, false).reason, STAR_KEPT);
    assert_int_equal(star_tuner_candidate(tuner), 1);
    star_tuner_free(tuner);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_being_measured_is_left_at_the_best_known),
        cmocka_unit_test(measuring_begins_anew_when_all_want_it),
        cmocka_unit_test(so_it_does_where_attributes_are_compared),
        cmocka_unit_test(what_was_shut_out_stays_so),
        cmocka_unit_test(what_is_chosen_stays_chosen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

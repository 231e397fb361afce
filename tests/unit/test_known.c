/* SPDX-License-Identifier: BSD-3-Clause
 * What a run knows, and what it expects where it knows nothing. Confidences are worked out by hand from the
 * rule in known.h. */
#include "expect.h"
#include "wisdom/fact.h"
#include "wisdom/known.h"

#include <math.h>
#include <stdio.h>

enum { NOW = 1700000000 };
static const char *const methods[] = {"native", "ring", "pair", "bruck"};
enum { METHODS = 4 };

static struct star_fact at(const char *operation, int64_t ranks, int64_t nodes, int64_t bytes)
{
    struct star_fact fact = {.ranks = ranks, .nodes = nodes, .bytes = bytes, .commutative = true};
    snprintf(fact.machine, sizeof fact.machine, "m");
    snprintf(fact.operation, sizeof fact.operation, "%s", operation);
    return fact;
}

static void know(struct star_known *known, struct star_fact fact, const char *method, double mean)
{
    snprintf(fact.method, sizeof fact.method, "%s", method);
    fact.figures = (struct star_figures){14, mean, 14 * mean * mean / 100, mean, NOW};
    assert_int_equal(star_known_add(&fact, known), 0);
}

/* All methods, RING the fastest, at TIMES the seconds of: */
static void know_all(struct star_known *known, struct star_fact fact, double times)
{
    know(known, fact, "native", 4 * times);
    know(known, fact, "ring", 1 * times);
    know(known, fact, "pair", 2 * times);
    know(known, fact, "bruck", 3 * times);
}

static double ask(const struct star_known *known, struct star_fact fact, struct star_expected *expected)
{
    return star_known_ask(known, &fact, methods, METHODS, expected);
}

static void expect(double found, double expected)
{
    if (!(fabs(found - expected) <= 1e-6 * fabs(expected) + 1e-12))
        fail_msg("%g, not %g", found, expected);
}

static void where_nothing_is_known_nothing_is_expected(void **state)
{
    (void)state;
    struct star_known known = {0};
    struct star_expected expected[METHODS];
    expect(ask(&known, at("alltoall", 4, 1, 64), expected), 0);
    know_all(&known, at("alltoall", 4, 1, 64), 1e-6);
    struct star_fact other[] = {at("bcast", 4, 1, 64), at("alltoall", 4, 1, 4096), at("alltoall", 4, 1, -1),
                                at("alltoall", 4, 2, 64), at("alltoall", 128, 1, 64)};
    for (size_t i = 0; i < sizeof other / sizeof *other; i++) {
        expect(ask(&known, other[i], expected), 0);
        assert_true(expected[0].count == 0 && expected[3].count == 0);
    }
    other[0] = at("alltoall", 4, 1, 64);
    other[0].in_place = true;
    expect(ask(&known, other[0], expected), 0);
    star_known_free(&known);
}

static void a_known_point_is_remembered(void **state)
{
    (void)state;
    struct star_known known = {0};
    struct star_expected expected[METHODS];
    know_all(&known, at("alltoall", 4, 1, 64), 1e-6);
    know(&known, at("alltoall", 4, 1, 64), "unheard", 1e-9); /* is no candidate */
    expect(ask(&known, at("alltoall", 4, 1, 64), expected), 14. / 16);
    expect(expected[1].mean, 1e-6);
    expect(expected[1].deviation, 1e-7);
    expect(expected[1].count, 14);
    expect(expected[0].mean, 4e-6);
    star_known_free(&known);
}

static void collect(const struct star_fact *fact, void *context)
{
    struct star_fact *last = context;
    last->figures.count += fact->figures.count;
    assert_string_equal(fact->operation, "alltoall");
    assert_int_equal(fact->ranks, 4);
    memcpy(last->method, fact->method, sizeof last->method);
    last->bytes = fact->bytes;
}

static void each_fact_is_visited(void **state)
{
    (void)state;
    struct star_known known = {0};
    struct star_fact sum = {.bytes = 0};
    know(&known, at("alltoall", 4, 1, 64), "ring", 1e-6);
    know(&known, at("alltoall", 4, 1, 128), "pair", 1e-6);
    star_known_each(&known, collect, &sum);
    expect(sum.figures.count, 28);
    assert_string_equal(sum.method, "pair");
    assert_int_equal(sum.bytes, 128);
    star_known_free(&known);
}

/* So that a run that has seen native alone does not keep the next one from trying more. */
static void half_of_the_methods_do_not_convince(void **state)
{
    (void)state;
    struct star_known known = {0};
    struct star_expected expected[METHODS];
    know(&known, at("alltoall", 4, 1, 64), "native", 1e-6);
    expect(ask(&known, at("alltoall", 4, 1, 64), expected), 14. / 16 / 16);
    know(&known, at("alltoall", 4, 1, 64), "ring", 1e-6);
    assert_true(ask(&known, at("alltoall", 4, 1, 64), expected) < 0.5);
    assert_true(expected[0].count > 0 && expected[1].count > 0 && expected[2].count == 0);
    star_known_free(&known);
}

static void two_runs_add_up(void **state)
{
    (void)state;
    struct star_known known = {0};
    struct star_expected expected[METHODS];
    know_all(&known, at("alltoall", 4, 1, 64), 1e-6);
    know_all(&known, at("alltoall", 4, 1, 64), 3e-6);
    ask(&known, at("alltoall", 4, 1, 64), expected);
    expect(expected[1].count, 28);
    expect(expected[1].mean, 2e-6);
    assert_int_equal(known.facts, 4);
    star_known_forget(&known, &(struct star_fact){.ranks = 4});
    assert_int_equal(known.facts, 4);
    struct star_fact point = at("alltoall", 4, 1, 64);
    star_known_forget(&known, &point);
    assert_int_equal(known.facts, 0);
    expect(ask(&known, point, expected), 0);
    know_all(&known, point, 5e-6);
    ask(&known, point, expected);
    expect(expected[1].mean, 5e-6);
    star_known_free(&known);
}

/* 64 and 256 bytes take 1 and 4 µs: 128, a factor of 2 from both, take 2. */
static void between_two_sizes_times_are_expected(void **state)
{
    (void)state;
    struct star_known known = {0};
    struct star_expected expected[METHODS];
    know_all(&known, at("alltoall", 4, 1, 64), 1e-6);
    know_all(&known, at("alltoall", 4, 1, 256), 4e-6);
    expect(ask(&known, at("alltoall", 4, 1, 128), expected), exp2(-0.5));
    expect(expected[1].mean, 2e-6);
    expect(expected[0].mean, 8e-6);
    expect(expected[2].mean, 4e-6);
    star_known_free(&known);
}

static void from_one_size_alone_nobody_knows_how_times_grow(void **state)
{
    (void)state;
    struct star_known known = {0};
    struct star_expected expected[METHODS];
    know_all(&known, at("alltoall", 4, 1, 64), 1e-6);
    expect(ask(&known, at("alltoall", 4, 1, 128), expected), exp2(-0.5) / 2);
    assert_true(expected[1].mean < expected[2].mean && expected[2].mean < expected[3].mean &&
                expected[3].mean < expected[0].mean); /* but what is faster */
    star_known_free(&known);
}

static void the_same_size_on_other_ranks_counts(void **state)
{
    (void)state;
    struct star_known known = {0};
    struct star_expected expected[METHODS];
    know_all(&known, at("allreduce", 8, 2, 64), 1e-6);
    expect(ask(&known, at("allreduce", 16, 2, 64), expected), exp2(-0.5));
    expect(ask(&known, at("allreduce", 16, 4, 64), expected), 0.5);
    expect(expected[1].mean, 1e-6);
    star_known_free(&known);
}

/* 32 and 128 bytes say ring, 64 says pair: each a half, and 1, of their weight where 64 bytes are near. */
static void neighbours_that_disagree_convince_less(void **state)
{
    (void)state;
    struct star_known known = {0};
    struct star_expected expected[METHODS];
    know_all(&known, at("alltoall", 4, 1, 64), 1e-6);
    know_all(&known, at("alltoall", 4, 1, 1024), 1e-6);
    struct star_fact other = at("alltoall", 4, 1, 512);
    know(&known, other, "native", 4e-6);
    know(&known, other, "ring", 9e-6);
    know(&known, other, "pair", 1e-6);
    know(&known, other, "bruck", 9e-6);
    /* From 256 bytes: 512 is 1 away, 64 and 1024 are 2: weights 1/2, 1/4, 1/4. */
    expect(ask(&known, at("alltoall", 4, 1, 256), expected), 0.5 * exp2(-0.5));
    assert_true(expected[2].mean < expected[1].mean);
    star_known_free(&known);
}

static void more_than_there_is_room_for_is_left_out(void **state)
{
    (void)state;
    struct star_known known = {0};
    for (int i = 0; i < STAR_KNOWN_MOST + 10; i++)
        know(&known, at("alltoall", 4, 1, i), "ring", 1e-6);
    assert_int_equal(known.facts, STAR_KNOWN_MOST);
    star_known_free(&known);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(where_nothing_is_known_nothing_is_expected),
        cmocka_unit_test(a_known_point_is_remembered),
        cmocka_unit_test(each_fact_is_visited),
        cmocka_unit_test(half_of_the_methods_do_not_convince),
        cmocka_unit_test(two_runs_add_up),
        cmocka_unit_test(between_two_sizes_times_are_expected),
        cmocka_unit_test(from_one_size_alone_nobody_knows_how_times_grow),
        cmocka_unit_test(the_same_size_on_other_ranks_counts),
        cmocka_unit_test(neighbours_that_disagree_convince_less),
        cmocka_unit_test(more_than_there_is_room_for_is_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

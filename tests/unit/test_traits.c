/* SPDX-License-Identifier: BSD-3-Clause
 * What tells methods from each other. */
#include "algorithms/method.h"
#include "algorithms/methods.h"
#include "algorithms/operations.h"
#include "algorithms/traits.h"
#include "lockstep.h"
#include "plan/plan.h"
#include "tuner/candidates.h"
#include "tuner/tuning.h"
#include "util/why.h"

static struct star_methods listed(const char *text)
{
    struct star_methods methods;
    struct star_why why;
    if (star_methods_parse(text, &methods, &why))
        fail_msg("%s", why.text);
    return methods;
}

static void expect_rows(const char *text, int attributes, const int16_t *expected)
{
    struct star_methods methods = listed(text);
    int found;
    int16_t *values = star_methods_traits(&methods, STAR_ATTRIBUTES_MAX, &found);
    assert_non_null(values);
    assert_int_equal(found, attributes);
    for (int i = 0; i < methods.count * attributes; i++)
        if (values[i] != expected[i])
            fail_msg("%s: method %d, attribute %d: %d", text, i / attributes, i % attributes, values[i]);
    free(values);
    star_methods_free(&methods);
}

/* The algorithm; then sync, which ring and pair have; then Bruck's radix. */
static void knobs_of_one_name_are_one_attribute(void **state)
{
    (void)state;
    expect_rows("alltoall:native alltoall:ring,sync=light alltoall:pair alltoall:pair,sync=light "
                "alltoall:bruck alltoall:bruck,radix=4",
                3,
                (const int16_t[]){0, -1, -1, /* native has no knobs */
                                  1, 0, -1,  /* light counts as −1, none as 0 */
                                  2, 1, -1,  /* differs from the next in sync alone */
                                  2, 0, -1,  /* and this from ring in the algorithm alone */
                                  3, -1, 0, 3, -1, 1});
}

/* Window and segment of ring and pair, and here sync, stand at one value only. */
static void knobs_that_do_not_differ_are_left_out(void **state)
{
    (void)state;
    expect_rows("alltoall:native alltoall:ring alltoall:pair", 1, (const int16_t[]){0, 1, 2});
}

static void values_are_numbered_by_size(void **state)
{
    (void)state;
    expect_rows("bcast:chain,segment=64K bcast:chain,segment=none bcast:chain,segment=1K "
                "bcast:chain,segment=64K",
                2, (const int16_t[]){0, 2, 0, 0, 0, 1, 0, 2});
}

/* Rab1 and rab2 have these words at different places of their lists. */
static void words_are_equal_where_they_read_alike(void **state)
{
    (void)state;
    expect_rows("allreduce:rab1,allgather=ring allreduce:rab2,allgather=ring allreduce:rab2,allgather=bruck "
                "allreduce:rab1,allgather=bruck",
                2, (const int16_t[]){0, 0, 1, 0, 1, 1, 0, 1});
}

static void there_are_no_more_attributes_than_asked_for(void **state)
{
    (void)state;
    struct star_methods methods = listed("alltoall:ring alltoall:ring,sync=light alltoall:ring,segment=8K");
    int attributes;
    int16_t *values = star_methods_traits(&methods, 2, &attributes);
    assert_int_equal(attributes, 2);
    assert_memory_equal(values, ((const int16_t[]){0, 1, 0, 0, 0, 1}), 6 * sizeof *values);
    free(values);
    star_methods_free(&methods);
}

/* What the tuner may be given for any operation. */
static void all_operations_have_few_enough(void **state)
{
    (void)state;
    static const struct star_methods none;
    struct star_shape shape = star_shape_of(16, 65536);
    for (int operation = 0; operation < STAR_OPERATIONS; operation++) {
        struct star_methods candidates;
        int *groups, attributes;
        assert_int_equal(star_candidates(&none, (enum star_operation)operation, &shape, 65536, false,
                                         &candidates, &groups),
                         0);
        int16_t *values = star_methods_traits(&candidates, STAR_ATTRIBUTES_MAX + 1, &attributes);
        assert_in_range(attributes, 1, STAR_ATTRIBUTES_MAX);
        for (int i = 0; i < candidates.count * attributes; i++)
            assert_in_range(values[i] + 1, i % attributes == 0 ? 1 : 0, candidates.count);
        free(values);
        free(groups);
        star_methods_free(&candidates);
    }
}

/* Of bcast of 64 KiB on 16 ranks: times of algorithms and segments that multiply. */
static void strategies_that_look_at_them_measure_fewer_methods(void **state)
{
    (void)state;
    static const struct star_methods none;
    struct star_shape shape = star_shape_of(16, 65536);
    struct star_methods candidates;
    int *groups, attributes;
    assert_int_equal(star_candidates(&none, STAR_BCAST, &shape, 65536, false, &candidates, &groups), 0);
    candidates.count = candidates.count < CANDIDATES ? candidates.count : CANDIDATES;
    int16_t *values = star_methods_traits(&candidates, STAR_ATTRIBUTES_MAX, &attributes);
    double base[CANDIDATES];
    for (int i = 0; i < candidates.count; i++) {
        int64_t segment = star_method_knob(&candidates.at[i], "segment", 8192);
        base[i] = 1e-3 * (1 + values[(size_t)i * (size_t)attributes]) * (segment == 8192 ? 1 : 2);
    }
    base[0] = 0.1;
    for (int strategy = STAR_HYPOTHESIS; strategy <= STAR_FACTORIAL; strategy++) {
        struct star_traits traits = {attributes, values};
        struct world world;
        start_with_traits(&world, 2, usual((enum star_strategy)strategy), groups, &traits, base,
                          candidates.count);
        int calls = (int)run_to_choice(&world);
        print_message("%d of %d methods were measured\n", calls / 10, candidates.count);
        assert_true(calls < 10 * candidates.count);
        for (int i = 0; i < candidates.count; i++)
            assert_true(base[current(&world)] <= base[i]);
        finish(&world);
    }
    free(values);
    free(groups);
    star_methods_free(&candidates);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(knobs_of_one_name_are_one_attribute),
        cmocka_unit_test(knobs_that_do_not_differ_are_left_out),
        cmocka_unit_test(values_are_numbered_by_size),
        cmocka_unit_test(words_are_equal_where_they_read_alike),
        cmocka_unit_test(there_are_no_more_attributes_than_asked_for),
        cmocka_unit_test(all_operations_have_few_enough),
        cmocka_unit_test(strategies_that_look_at_them_measure_fewer_methods),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

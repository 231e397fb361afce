/* SPDX-License-Identifier: BSD-3-Clause
 * Functions of function-sets in the setting `force`. */
#include "algorithms/method.h"
#include "algorithms/operations.h"
#include "expect.h"
#include "functions/forced.h"
#include "functions/overlap.h"
#include "halo/neighborhood.h"
#include "util/why.h"

#include <stdio.h>

static const char *others_of(const char *text)
{
    static char others[200];
    struct star_why why = {{0}};
    if (star_forced_split(text, others, sizeof others, &why))
        fail_msg("%s", why.text);
    return others;
}

static void methods_of_operations_are_left(void **state)
{
    (void)state;
    assert_string_equal(others_of("alltoall:ring,sync=light  neighborhood:persistent;bcast:native"),
                        "alltoall:ring,sync=light bcast:native");
    assert_string_equal(others_of("ibcast:blocking"), "");
    assert_string_equal(others_of(""), "");
    assert_string_equal(others_of("neighbourhood:persistent"), "neighbourhood:persistent");
}

static void the_function_of_a_set_is_found_by_its_name(void **state)
{
    (void)state;
    const char *text = "alltoall:ring neighborhood:fence_put,data=pack ireduce:nonblocking,progress=eighth";
    int function = star_forced_function(text, "neighborhood");
    assert_in_range(function, 0, star_neighborhoods_count - 1);
    assert_int_equal(star_neighborhoods[function].value[STAR_BY_TRANSFER], STAR_FENCE_PUT);
    assert_int_equal(star_neighborhoods[function].value[STAR_BY_MAPPING], STAR_AAO);
    assert_int_equal(star_neighborhoods[function].value[STAR_BY_DATA], STAR_PACK);
    int count = 0;
    const struct star_overlap *overlaps = star_overlaps_of("ireduce", &count);
    function = star_forced_function(text, "ireduce");
    assert_in_range(function, 0, count - 1);
    assert_int_equal(overlaps[function].value[STAR_BY_PROGRESS], 8);
    assert_int_equal(overlaps[function].value[STAR_BY_CALL], STAR_NONBLOCKING);
    assert_int_equal(star_forced_function(text, "ibcast"), -1);
    assert_int_equal(star_forced_function(text, "alltoall"), -1);
    assert_int_equal(star_forced_function("", "neighborhood"), -1);
}

static void adcls_names_are_known_too(void **state)
{
    (void)state;
    int function = star_forced_function("neighborhood:Sendrecv_pair", "neighborhood");
    assert_in_range(function, 0, star_neighborhoods_count - 1);
    assert_int_equal(star_neighborhoods[function].value[STAR_BY_TRANSFER], STAR_SENDRECV);
}

static void a_function_that_a_set_has_not_is_refused_with_the_nearest_one(void **state)
{
    (void)state;
    static const char *const wrong[][2] = {
        {"neighborhood:persistant", "'persistent'"},
        {"alltoall:ring neighborhood:persistent,data=packed", "'pack'"},
        {"neighborhood", "neighborhood:"},
        {"ibcast:blockin", "'blocking'"},
        {"iallgather", "unknown function of iallgather"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char others[200];
        struct star_why why = {{0}};
        assert_int_equal(star_forced_split(wrong[i][0], others, sizeof others, &why), STAR_EINPUT);
        expect_reason(&why, wrong[i][1]);
    }
}

/* Each has a name of its own, and the plan's method is one of the operation. */
static void functions_that_overlap_are_methods_of_their_operation(void **state)
{
    (void)state;
    static const char *const sets[] = {"ibcast", "ialltoall", "iallgather", "ireduce"};
    for (size_t s = 0; s < sizeof sets / sizeof *sets; s++) {
        int count = 0, plans = 0;
        const struct star_overlap *overlaps = star_overlaps_of(sets[s], &count);
        for (int i = 0; i < count; i++) {
            char word[100];
            struct star_method method;
            struct star_why why = {{0}};
            snprintf(word, sizeof word, "%s:%s", sets[s], overlaps[i].name);
            assert_int_equal(star_forced_function(word, sets[s]), i);
            assert_int_equal(overlaps[i].method != NULL, overlaps[i].value[STAR_BY_CALL] >= STAR_FIRST_PLAN);
            if (overlaps[i].method == NULL)
                continue;
            plans++;
            if (star_method_parse(overlaps[i].method, &method, &why))
                fail_msg("%s", why.text);
            assert_string_equal(star_operations[method.algorithm->operation].name, sets[s] + 1);
        }
        assert_int_equal(plans, 6);
    }
    assert_null(star_overlaps_of("alltoall", &(int){0}));
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(methods_of_operations_are_left),
        cmocka_unit_test(the_function_of_a_set_is_found_by_its_name),
        cmocka_unit_test(adcls_names_are_known_too),
        cmocka_unit_test(functions_that_overlap_are_methods_of_their_operation),
        cmocka_unit_test(a_function_that_a_set_has_not_is_refused_with_the_nearest_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

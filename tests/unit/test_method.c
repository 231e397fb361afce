/* SPDX-License-Identifier: BSD-3-Clause
 * Methods: their one spelling, where they apply, their groups, and who is a candidate. */
#include "algorithms/method.h"
#include "algorithms/methods.h"
#include "algorithms/operations.h"
#include "expect.h"
#include "plan/plan.h"
#include "util/why.h"

#include <stdio.h>

static struct star_method method_of(const char *text)
{
    struct star_method method;
    struct star_why why = {{0}};
    if (star_method_parse(text, &method, &why) != 0)
        fail_msg("'%s': %s", text, why.text);
    return method;
}

static int applies(const struct star_method *method, int size, struct star_why *why)
{
    struct star_shape shape = star_shape_of(size, 8);
    return star_method_applies(method, &shape, why);
}

/* The candidates for an alltoall of SIZE ranks. */
static int choose(const struct star_methods *only, int size, int64_t bytes, struct star_methods *candidates,
                  int **groups)
{
    struct star_shape shape = star_shape_of(size, bytes);
    return star_candidates(only, STAR_ALLTOALL, &shape, bytes, false, candidates, groups);
}

static int reads_back(const struct star_method *method, void *context)
{
    char text[STAR_METHOD_TEXT], again[STAR_METHOD_TEXT];
    star_method_format(method, text, sizeof text);
    struct star_method parsed = method_of(text);
    assert_true(star_method_equal(method, &parsed));
    assert_string_equal(star_method_format(&parsed, again, sizeof again), text);
    ++*(int *)context;
    return 0;
}

static void every_method_reads_back(void **state)
{
    (void)state;
    for (int operation = 0; operation < STAR_OPERATIONS; operation++) {
        int all = 0, tried = 0;
        assert_int_equal(star_methods_each(operation, true, reads_back, &all), 0);
        assert_int_equal(star_methods_each(operation, false, reads_back, &tried), 0);
        assert_true(all >= tried && tried > 0);
    }
}

struct seen {
    struct star_method at[1000];
    int count;
};

static int see(const struct star_method *method, void *context)
{
    struct seen *seen = context;
    for (int i = 0; i < seen->count; i++)
        assert_false(star_method_equal(method, &seen->at[i]));
    assert_true(seen->count < 1000);
    seen->at[seen->count++] = *method;
    return 0;
}

static void each_method_is_visited_once_and_native_first(void **state)
{
    (void)state;
    for (int all = 0; all < 2; all++) {
        struct seen seen = {.count = 0};
        star_methods_each(STAR_ALLTOALL, all, see, &seen);
        assert_true(star_is_native(&seen.at[0]));
        for (int i = 1; i < seen.count; i++)
            assert_false(star_is_native(&seen.at[i]));
    }
}

static int stop_at_third(const struct star_method *method, void *context)
{
    (void)method;
    return ++*(int *)context == 3 ? 77 : 0;
}

static void a_visit_that_returns_non_zero_ends_the_round(void **state)
{
    (void)state;
    int visits = 0;
    assert_int_equal(star_methods_each(STAR_ALLTOALL, true, stop_at_third, &visits), 77);
    assert_int_equal(visits, 3);
}

static void knobs_at_their_preset_are_left_out(void **state)
{
    (void)state;
    static const char *const known[][2] = {
        {"alltoall:ring", "alltoall:ring"},
        {"alltoall:ring,sync=none", "alltoall:ring"},
        {"alltoall:ring,window=auto", "alltoall:ring"},
        {"alltoall:ring,window=1", "alltoall:ring,window=1"},
        {"alltoall:scheduled,sync=needed,bundle=auto", "alltoall:scheduled,sync=needed"},
        {"alltoall:ring,window=auto,sync=none", "alltoall:ring"},
        {"alltoall:ring,sync=light", "alltoall:ring,sync=light"},
        {"alltoall:pair,window=4,sync=barrier", "alltoall:pair,sync=barrier,window=4"},
        {"alltoall:pair,sync=barriers:7", "alltoall:pair,sync=barriers:7"},
        {"alltoall:bruck,radix=2", "alltoall:bruck"},
        {"alltoall:bruck,radix=2147483647", "alltoall:bruck,radix=2147483647"},
        {"alltoall:native", "alltoall:native"},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        char text[STAR_METHOD_TEXT];
        struct star_method method = method_of(known[i][0]);
        assert_string_equal(star_method_format(&method, text, sizeof text), known[i][1]);
    }
}

static void knob_values_are_told(void **state)
{
    (void)state;
    struct star_method method = method_of("alltoall:ring,sync=barriers:5,window=3");
    assert_int_equal(star_method_knob(&method, "sync", 99), 5);
    assert_int_equal(star_method_knob(&method, "window", 99), 3);
    assert_int_equal(star_method_knob(&method, "radix", 99), 99);
    method = method_of("alltoall:ring,sync=light");
    assert_int_equal(star_method_knob(&method, "sync", 99), STAR_SYNC_LIGHT);
}

static void bad_spellings_are_refused_in_one_line_with_the_word(void **state)
{
    (void)state;
    static const char *const bad[][3] = {
        /* the spelling, the word at fault, what is suggested */
        {"", "", ""},
        {"ring", "ring", "alltoall:ring"},
        {"alltoall", "alltoall", ""},
        {"alltoall:", "", ""},
        {":ring", "", ""},
        {"alltoal:ring", "'alltoal'", "'alltoall'"},
        {"Alltoall:ring", "'Alltoall'", "'alltoall'"},
        {"alltoall:rign", "'rign'", "'ring'"},
        {"alltoall:Ring", "'Ring'", "'ring'"},
        {"alltoall:simpel", "'simpel'", "'simple'"},
        {"alltoall:zzzzzzzzzz", "'zzzzzzzzzz'", "ring"},
        {"alltoall: ring", "' ring'", "ring"},
        {"alltoall:ring,sink=light", "'sink'", "'sync'"},
        {"alltoall:ring,radix=2", "'radix'", "sync"},
        {"alltoall:simple,sync=light", "'sync'", ""},
        {"alltoall:native,sync=light", "'sync'", ""},
        {"alltoall:ring,sync", "'sync'", ""},
        {"alltoall:ring,=light", "''", ""},
        {"alltoall:ring,sync=", "''", "light"},
        {"alltoall:ring,sync=ligth", "'ligth'", "light"},
        {"alltoall:ring,sync=Light", "'Light'", "light"},
        {"alltoall:ring,sync=5", "'5'", "barriers:N"},
        {"alltoall:ring,sync=-1", "'-1'", "light"},
        {"alltoall:ring,sync=barriers", "'barriers'", "barriers:N"},
        {"alltoall:ring,sync=barriers:", "'barriers:'", "barriers:N"},
        {"alltoall:ring,sync=barriers:0", "'barriers:0'", "barriers:N"},
        {"alltoall:ring,sync=barriers:-3", "'barriers:-3'", "barriers:N"},
        {"alltoall:ring,sync=barriers:x", "'barriers:x'", "barriers:N"},
        {"alltoall:ring,sync=barriers:99999999999999999999", "barriers:9999", "barriers:N"},
        {"alltoall:ring,sync=light=none", "'light=none'", "light"},
        {"alltoall:ring,window=0", "'0'", "window"},
        {"alltoall:ring,window=-1", "'-1'", "window"},
        {"alltoall:ring,window=many", "'many'", "window"},
        {"alltoall:ring,window=2147483648", "'2147483648'", "window"},
        {"alltoall:bruck,radix=1", "'1'", "radix"},
        {"alltoall:bruck,radix=two", "'two'", "radix"},
        {"alltoall:ring sync=light", "ring sync=light", ""},
        {"alltoall:ring;sync=light", "ring;sync=light", ""},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct star_method method;
        struct star_why why = {{0}};
        if (star_method_parse(bad[i][0], &method, &why) != STAR_EINPUT)
            fail_msg("'%s' was taken for a method", bad[i][0]);
        expect_reason(&why, bad[i][1]);
        expect_reason(&why, bad[i][2]);
        assert_int_equal(star_method_parse(bad[i][0], &method, NULL), STAR_EINPUT);
    }
}

static void an_empty_knob_is_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {"alltoall:ring,", "alltoall:ring,,sync=light", "alltoall:,ring",
                                      "alltoall:ring,sync=light,"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct star_method method;
        struct star_why why = {{0}};
        if (star_method_parse(bad[i], &method, &why) != STAR_EINPUT)
            fail_msg("'%s' was taken for a method", bad[i]);
        expect_one_line(why.text);
    }
}

static void a_knob_given_twice_is_refused(void **state)
{
    (void)state;
    struct star_method method;
    struct star_why why = {{0}};
    assert_int_equal(star_method_parse("alltoall:ring,sync=light,sync=barrier", &method, &why), STAR_EINPUT);
    expect_reason(&why, "sync");
}

static void an_endless_spelling_is_refused(void **state)
{
    (void)state;
    static char endless[5000];
    struct star_method method;
    struct star_why why = {{0}};
    memset(endless, 'a', sizeof endless - 1);
    assert_int_equal(star_method_parse(endless, &method, &why), STAR_EINPUT);
    expect_one_line(why.text);
    memcpy(endless, "alltoall:", 9);
    endless[120] = 0;
    assert_int_equal(star_method_parse(endless, &method, &why), STAR_EINPUT);
    expect_reason(&why, "aaaa");
}

static void a_line_break_in_a_method_still_gives_one_line(void **state)
{
    (void)state;
    struct star_method method;
    struct star_why why = {{0}};
    assert_int_equal(star_method_parse("alltoall:ring\n,sync=x", &method, &why), STAR_EINPUT);
    expect_one_line(why.text);
}

static void pair_needs_a_power_of_two(void **state)
{
    (void)state;
    struct star_method pair = method_of("alltoall:pair"), ring = method_of("alltoall:ring");
    for (int size = 1; size <= 130; size++) {
        struct star_why why = {{0}};
        bool power = (size & (size - 1)) == 0;
        assert_int_equal(applies(&pair, size, &why), power ? 0 : STAR_ENEEDS);
        if (!power)
            expect_reason(&why, "pair");
        assert_int_equal(applies(&ring, size, NULL), 0);
    }
}

static void n_barriers_need_two_ranks_more(void **state)
{
    (void)state;
    static const int counts[] = {1, 2, 3, 7, 100};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        for (int size = 1; size <= 110; size++) {
            char text[64];
            struct star_why why = {{0}};
            snprintf(text, sizeof text, "alltoall:ring,sync=barriers:%d", counts[i]);
            struct star_method method = method_of(text);
            bool fits = counts[i] <= size - 2;
            assert_int_equal(applies(&method, size, &why), fits ? 0 : STAR_ENEEDS);
            if (!fits)
                expect_reason(&why, "barriers");
        }
}

static void a_plan_for_what_does_not_apply_is_refused(void **state)
{
    (void)state;
    static const char *const methods[] = {"alltoall:pair", "alltoall:ring,sync=barriers:5",
                                          "alltoall:native"};
    for (size_t i = 0; i < 3; i++) {
        struct star_method method = method_of(methods[i]);
        struct star_shape shape = star_shape_of(6, 8);
        struct star_plan *plan = (struct star_plan *)&shape;
        struct star_why why = {{0}};
        assert_int_equal(star_method_plan(&method, &shape, INT64_MAX, &plan, &why), STAR_ENEEDS);
        assert_null(plan);
        expect_one_line(why.text);
    }
}

static void groups_are_those_of_star_mpi(void **state)
{
    (void)state;
    /* STAR-MPI, section 3.3; each line is one group. */
    static const char *const groups[][8] = {
        {"alltoall:native"},
        {"alltoall:simple", "alltoall:linear"},
        {"alltoall:rdb", "alltoall:mesh2d", "alltoall:mesh3d", "alltoall:bruck", "alltoall:bruck,radix=3"},
        {"alltoall:ring", "alltoall:pair", "alltoall:ring,window=5", "alltoall:pair,window=2"},
        {"alltoall:ring,sync=light", "alltoall:pair,sync=light", "alltoall:pair,sync=light,window=2"},
        {"alltoall:ring,sync=barrier", "alltoall:pair,sync=barrier", "alltoall:ring,sync=barriers:3",
         "alltoall:pair,sync=barriers:1"},
    };
    enum { GROUPS = sizeof groups / sizeof *groups };
    char first[GROUPS][64], group[64];
    for (int g = 0; g < GROUPS; g++) {
        struct star_method method = method_of(groups[g][0]);
        star_method_group(&method, first[g], sizeof first[g]);
        expect_one_line(first[g]);
        for (int i = 1; i < 8 && groups[g][i]; i++) {
            method = method_of(groups[g][i]);
            assert_string_equal(star_method_group(&method, group, sizeof group), first[g]);
        }
        for (int other = 0; other < g; other++)
            assert_string_not_equal(first[g], first[other]);
    }
}

/* The first of a group stands for it: on scattered ranks the ring by rank says nothing of the one by
 * switches, and on a network whole messages say nothing of those in pieces. */
static void orders_and_pieces_make_groups_of_their_own(void **state)
{
    (void)state;
    static const char *const methods[] = {"allgather:neighbor_ring", "allgather:neighbor_ring,order=dfs",
                                          "allgather:neighbor_ring,segment=8K",
                                          "allgather:neighbor_ring,segment=8K,order=dfs"};
    enum { COUNT = sizeof methods / sizeof *methods };
    char groups[COUNT][64], other[64];
    for (int i = 0; i < COUNT; i++) {
        struct star_method method = method_of(methods[i]);
        star_method_group(&method, groups[i], sizeof groups[i]);
        for (int j = 0; j < i; j++)
            assert_string_not_equal(groups[i], groups[j]);
    }
    struct star_method method = method_of("allgather:neighbor_ring,window=5,order=dfs");
    assert_string_equal(star_method_group(&method, other, sizeof other), groups[1]);
}

static int has_a_known_group(const struct star_method *method, void *context)
{
    (void)context;
    char group[64];
    star_method_group(method, group, sizeof group);
    assert_true(strlen(group) > 0 && strlen(group) < sizeof group - 1);
    return 0;
}

static void every_method_has_a_group_that_fits(void **state)
{
    (void)state;
    star_methods_each(STAR_ALLTOALL, true, has_a_known_group, NULL);
}

static bool is_among(const struct star_methods *methods, const char *text)
{
    struct star_method wanted = method_of(text);
    for (int i = 0; i < methods->count; i++)
        if (star_method_equal(&methods->at[i], &wanted))
            return true;
    return false;
}

static void candidates_are_native_and_all_that_apply(void **state)
{
    (void)state;
    struct star_methods only = {0}, candidates;
    int *groups;
    assert_int_equal(choose(&only, 8, 256, &candidates, &groups), 0);
    assert_true(star_is_native(&candidates.at[0]));
    static const char *const all[] = {
        "alltoall:simple", "alltoall:linear",          "alltoall:rdb",
        "alltoall:mesh2d", "alltoall:mesh3d",          "alltoall:bruck",
        "alltoall:ring",   "alltoall:ring,sync=light", "alltoall:ring,sync=barrier",
        "alltoall:pair",   "alltoall:pair,sync=light", "alltoall:pair,sync=barrier",
        "alltoall:shared", "alltoall:as_alltoallv"};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        assert_true(is_among(&candidates, all[i]));
    assert_int_equal(candidates.count, 15);
    star_methods_free(&candidates);
    free(groups);
}

static void methods_for_small_messages_are_left_out_above(void **state)
{
    (void)state;
    static const char *const small[] = {"alltoall:rdb", "alltoall:mesh2d", "alltoall:mesh3d",
                                        "alltoall:bruck"};
    for (size_t i = 0; i < 4; i++) {
        struct star_method method = method_of(small[i]);
        struct star_shape shape = star_shape_of(8, 1);
        assert_true(star_method_is_candidate(&method, &shape, 0));
        assert_true(star_method_is_candidate(&method, &shape, 1));
        assert_true(star_method_is_candidate(&method, &shape, 256));
        assert_false(star_method_is_candidate(&method, &shape, 257));
        assert_false(star_method_is_candidate(&method, &shape, 1 << 20));
    }
    struct star_methods only = {0}, candidates;
    int *groups;
    assert_int_equal(choose(&only, 8, 257, &candidates, &groups), 0);
    /* Paper 000, Table 1: 90 calls of 10 each at 2 KB; and shared memory, and a mock-up. */
    assert_int_equal(candidates.count, 9 + 2);
    for (size_t i = 0; i < 4; i++)
        assert_false(is_among(&candidates, small[i]));
    star_methods_free(&candidates);
    free(groups);
}

static void methods_that_do_not_apply_are_no_candidates(void **state)
{
    (void)state;
    struct star_methods only = {0}, candidates;
    int *groups;
    for (int size = 1; size <= 20; size++) {
        assert_int_equal(choose(&only, size, 1024, &candidates, &groups), 0);
        assert_true(star_is_native(&candidates.at[0]));
        for (int i = 0; i < candidates.count; i++)
            assert_int_equal(applies(&candidates.at[i], size, NULL), 0);
        star_methods_free(&candidates);
        free(groups);
    }
}

static void candidates_are_numbered_by_their_groups(void **state)
{
    (void)state;
    struct star_methods only = {0}, candidates;
    int *groups;
    assert_int_equal(choose(&only, 16, 64, &candidates, &groups), 0);
    for (int i = 0; i < candidates.count; i++)
        for (int j = 0; j < candidates.count; j++) {
            char a[64], b[64];
            bool same = strcmp(star_method_group(&candidates.at[i], a, sizeof a),
                               star_method_group(&candidates.at[j], b, sizeof b)) == 0;
            assert_int_equal(groups[i] == groups[j], same);
        }
    star_methods_free(&candidates);
    free(groups);
}

static void only_the_methods_asked_for_are_tried_beside_native(void **state)
{
    (void)state;
    struct star_methods only, candidates;
    int *groups;
    assert_int_equal(star_methods_parse("alltoall:pair alltoall:ring,sync=barriers:3", &only, NULL), 0);
    assert_int_equal(choose(&only, 8, 1024, &candidates, &groups), 0);
    assert_int_equal(candidates.count, 3);
    assert_true(star_is_native(&candidates.at[0]));
    assert_true(is_among(&candidates, "alltoall:pair"));
    assert_true(is_among(&candidates, "alltoall:ring,sync=barriers:3"));
    star_methods_free(&candidates);
    free(groups);
    /* At 4 ranks three barriers do not fit, at 6 pair does not. */
    assert_int_equal(choose(&only, 4, 1024, &candidates, &groups), 0);
    assert_int_equal(candidates.count, 2);
    star_methods_free(&candidates);
    free(groups);
    star_methods_free(&only);
}

static void native_asked_for_is_there_once(void **state)
{
    (void)state;
    struct star_methods only, candidates;
    int *groups;
    assert_int_equal(star_methods_parse("alltoall:ring alltoall:native", &only, NULL), 0);
    assert_int_equal(choose(&only, 8, 1024, &candidates, &groups), 0);
    assert_int_equal(candidates.count, 2);
    assert_true(star_is_native(&candidates.at[0]));
    assert_false(star_is_native(&candidates.at[1]));
    star_methods_free(&candidates);
    free(groups);
    star_methods_free(&only);
}

static void lists_are_parted_by_spaces(void **state)
{
    (void)state;
    struct star_methods methods;
    assert_int_equal(star_methods_parse("  alltoall:pair   alltoall:ring,sync=light ", &methods, NULL), 0);
    assert_int_equal(methods.count, 2);
    struct star_method pair = method_of("alltoall:pair");
    assert_true(star_method_equal(star_methods_first(&methods, STAR_ALLTOALL), &pair));
    star_methods_free(&methods);
    assert_int_equal(star_methods_parse("", &methods, NULL), 0);
    assert_int_equal(methods.count, 0);
    assert_null(star_methods_first(&methods, STAR_ALLTOALL));
    star_methods_free(&methods);
}

static void the_bad_method_of_a_list_is_named(void **state)
{
    (void)state;
    struct star_methods methods;
    struct star_why why = {{0}};
    assert_int_equal(star_methods_parse("alltoall:ring alltoall:rign alltoall:pair", &methods, &why),
                     STAR_EINPUT);
    expect_reason(&why, "'rign'");
}

static void names_alone_are_of_the_operation(void **state)
{
    (void)state;
    struct star_methods methods;
    struct star_why why = {{0}};
    const char *text = "ring,sync=barriers:3 alltoall:pair bcast:chain";
    assert_int_equal(star_methods_parse_of(STAR_ALLTOALL, text, &methods, NULL), 0);
    const char *names[] = {"alltoall:ring,sync=barriers:3", "alltoall:pair", "bcast:chain"};
    assert_int_equal(methods.count, 3);
    for (int i = 0; i < methods.count; i++) {
        struct star_method named = method_of(names[i]);
        assert_true(star_method_equal(&methods.at[i], &named));
    }
    star_methods_free(&methods);
    assert_int_equal(star_methods_parse_of(STAR_ALLTOALL, "chain", &methods, &why), STAR_EINPUT);
    expect_reason(&why, "'chain'");
    char endless[2000] = {0};
    memset(endless, 'r', sizeof endless - 1);
    assert_int_equal(star_methods_parse_of(STAR_ALLTOALL, endless, &methods, &why), STAR_EINPUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_method_reads_back),
        cmocka_unit_test(names_alone_are_of_the_operation),
        cmocka_unit_test(each_method_is_visited_once_and_native_first),
        cmocka_unit_test(a_visit_that_returns_non_zero_ends_the_round),
        cmocka_unit_test(knobs_at_their_preset_are_left_out),
        cmocka_unit_test(knob_values_are_told),
        cmocka_unit_test(bad_spellings_are_refused_in_one_line_with_the_word),
        cmocka_unit_test(an_empty_knob_is_refused),
        cmocka_unit_test(a_knob_given_twice_is_refused),
        cmocka_unit_test(an_endless_spelling_is_refused),
        cmocka_unit_test(a_line_break_in_a_method_still_gives_one_line),
        cmocka_unit_test(pair_needs_a_power_of_two),
        cmocka_unit_test(n_barriers_need_two_ranks_more),
        cmocka_unit_test(a_plan_for_what_does_not_apply_is_refused),
        cmocka_unit_test(groups_are_those_of_star_mpi),
        cmocka_unit_test(orders_and_pieces_make_groups_of_their_own),
        cmocka_unit_test(every_method_has_a_group_that_fits),
        cmocka_unit_test(candidates_are_native_and_all_that_apply),
        cmocka_unit_test(methods_for_small_messages_are_left_out_above),
        cmocka_unit_test(methods_that_do_not_apply_are_no_candidates),
        cmocka_unit_test(candidates_are_numbered_by_their_groups),
        cmocka_unit_test(only_the_methods_asked_for_are_tried_beside_native),
        cmocka_unit_test(native_asked_for_is_there_once),
        cmocka_unit_test(lists_are_parted_by_spaces),
        cmocka_unit_test(the_bad_method_of_a_list_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause
 * The repository table is what every listing and every check goes over: it must be sane. */
#include "algorithms/method.h"
#include "algorithms/operations.h"
#include "algorithms/prove.h"
#include "algorithms/repository.h"
#include "expect.h"
#include "plan/plan.h"
#include "plan/simulate.h"
#include "util/why.h"

#include <stdio.h>

/* Shown in terminals and tables: something, of one line, without control characters. */
static void expect_shown(const char *text)
{
    assert_non_null(text);
    assert_true(text[0] != 0);
    for (const char *c = text; *c; c++)
        if ((unsigned char)*c < 0x20 || *c == 0x7f)
            fail_msg("'%s' holds the control character %d", text, *c);
}

static void expect_word(const char *text)
{
    expect_shown(text);
    assert_int_equal(strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789-_"), strlen(text));
}

static void every_row_has_all_its_texts(void **state)
{
    (void)state;
    assert_true(star_repository_count > 0);
    for (int i = 0; i < star_repository_count; i++) {
        const struct star_algorithm *row = star_repository[i];
        expect_word(row->name);
        expect_shown(row->moves);
        expect_shown(row->optimises);
        expect_shown(row->cost);
        expect_shown(row->source);
        if (row->needs != NULL)
            expect_shown(row->needs);
        assert_true(row->most_bytes == 0 || row->most_bytes >= row->least_bytes);
        assert_true(row->least_bytes >= 0);
        assert_in_range(row->operation, 0, STAR_OPERATIONS - 1);
    }
}

static void every_need_is_told_in_words(void **state)
{
    (void)state;
    for (int i = 0; i < star_repository_count; i++)
        if (star_repository[i]->power_of_two || star_repository[i]->even)
            assert_non_null(star_repository[i]->needs);
}

static void a_row_is_built_or_a_mockup_or_native(void **state)
{
    (void)state;
    bool seen[STAR_MOCKUPS] = {false};
    for (int i = 0; i < star_repository_count; i++) {
        const struct star_algorithm *row = star_repository[i];
        assert_in_range(row->mockup, STAR_MOCKUP_NONE, STAR_MOCKUPS - 1);
        if (row->mockup == STAR_MOCKUP_NONE)
            continue;
        assert_null(row->build);
        assert_false(seen[row->mockup]);
        seen[row->mockup] = true;
    }
}

/* So that the cost model may expect something of it wherever it may be tried, and of nothing else twice. */
static void a_mockup_and_nothing_else_is_like_a_row_that_has_a_plan(void **state)
{
    (void)state;
    for (int i = 0; i < star_repository_count; i++) {
        const struct star_algorithm *row = star_repository[i], *like = row->like.algorithm;
        assert_int_equal(like != NULL, row->mockup != STAR_MOCKUP_NONE);
        struct star_method method = {row, {0}};
        for (int ranks = 2; like != NULL && ranks <= 9; ranks++) {
            struct star_shape shape = star_shape_of(ranks, (int64_t)8 * ranks);
            struct star_plan *plan;
            shape.granule = 8;
            if (star_method_likeness(&method, &shape, INT64_MAX, &plan, NULL))
                fail_msg("%s:%s is like %s, which has no plan for %d ranks",
                         star_operations[row->operation].name, row->name, like->name, ranks);
            star_plan_free(plan);
        }
    }
}

static int64_t bytes_sent(const char *name, const struct star_shape *shape)
{
    struct star_method method;
    struct star_plan *plan;
    int64_t bytes = 0;
    assert_int_equal(star_method_parse(name, &method, NULL), 0);
    assert_int_equal(star_method_likeness(&method, shape, INT64_MAX, &plan, NULL), 0);
    for (int i = 0; i < plan->count; i++)
        bytes += plan->steps[i].kind == STAR_STEP_SEND ? plan->steps[i].length : 0;
    star_plan_free(plan);
    return bytes;
}

static void what_a_mockup_is_like_moves_a_block_or_all_of_them(void **state)
{
    (void)state;
    struct star_shape shape = star_shape_of(8, 1000), large = star_shape_of(8, INT64_MAX / 4);
    struct star_method method;
    struct star_plan *plan = (struct star_plan *)&shape;
    assert_int_equal(bytes_sent("alltoall:as_alltoallv", &shape), 7 * 1000);
    assert_int_equal(bytes_sent("alltoall:ring", &shape), 7 * 1000); /* its own plan */
    assert_int_equal(bytes_sent("scatter:as_scatterv", &shape), 7 * 1000);
    assert_int_equal(bytes_sent("scatter:as_bcast", &shape), 3 * 8 * 1000); /* a binomial tree's root */
    assert_int_equal(star_method_parse("scatter:as_bcast", &method, NULL), 0);
    assert_int_equal(star_method_likeness(&method, &large, INT64_MAX, &plan, NULL), STAR_ELIMIT);
    assert_null(plan);
    method = star_native_of(STAR_SCATTER);
    assert_int_equal(star_method_likeness(&method, &shape, INT64_MAX, &plan, NULL), STAR_ENEEDS);
}

static void reductions_and_they_alone_have_an_order(void **state)
{
    (void)state;
    for (int i = 0; i < star_repository_count; i++) {
        const struct star_algorithm *row = star_repository[i];
        assert_in_range(row->order, STAR_ORDER_NONE, STAR_ORDER_NATIVE);
        if (star_operations[row->operation].expected.reduces != (row->order != STAR_ORDER_NONE))
            fail_msg("%s:%s: order %s", star_operations[row->operation].name, row->name,
                     star_orders[row->order]);
        if (row->order == STAR_ORDER_RANK)
            assert_true(row->in_order);
        if (row->build != NULL)
            assert_int_not_equal(row->order, STAR_ORDER_NATIVE);
        else if (row->order != STAR_ORDER_NONE)
            assert_int_equal(row->order, STAR_ORDER_NATIVE);
    }
}

static void names_are_unique_in_an_operation(void **state)
{
    (void)state;
    for (int i = 0; i < star_repository_count; i++)
        for (int j = 0; j < i; j++)
            if (star_repository[i]->operation == star_repository[j]->operation)
                assert_string_not_equal(star_repository[i]->name, star_repository[j]->name);
}

static void native_comes_first_in_each_operation_and_once(void **state)
{
    (void)state;
    int natives[STAR_OPERATIONS] = {0}, rows[STAR_OPERATIONS] = {0};
    for (int i = 0; i < star_repository_count; i++) {
        const struct star_algorithm *row = star_repository[i];
        bool native = row->build == NULL && row->mockup == STAR_MOCKUP_NONE;
        assert_int_equal(native, rows[row->operation] == 0);
        assert_int_equal(native, strcmp(row->name, "native") == 0);
        assert_int_equal(native, strcmp(row->optimises, "native") == 0);
        natives[row->operation] += native;
        rows[row->operation]++;
    }
    for (int operation = 0; operation < STAR_OPERATIONS; operation++) {
        assert_int_equal(natives[operation], 1);
        struct star_method native = star_native_of(operation);
        assert_true(star_is_native(&native));
        assert_int_equal(native.algorithm->operation, operation);
    }
}

static void operations_stand_together_in_their_order(void **state)
{
    (void)state;
    for (int i = 1; i < star_repository_count; i++)
        assert_true(star_repository[i - 1]->operation <= star_repository[i]->operation);
}

static void the_order_of_alltoall_is_the_documented_one(void **state)
{
    (void)state;
    /* Ties of measured times go to the earlier one, and the first of a group speaks for it. */
    static const char *const order[] = {"native",  "simple", "linear", "rdb",         "mesh2d",
                                        "mesh3d",  "bruck",  "ring",   "pair",        "scheduled",
                                        "leaders", "lanes",  "shared", "single_copy", "as_alltoallv"};
    int at = 0;
    for (int i = 0; i < star_repository_count; i++)
        if (star_repository[i]->operation == STAR_ALLTOALL) {
            assert_true(at < (int)(sizeof order / sizeof *order));
            assert_string_equal(star_repository[i]->name, order[at++]);
        }
    assert_int_equal(at, sizeof order / sizeof *order);
}

static bool has_value(const struct star_values *values, int64_t value)
{
    for (int i = 0; i < values->count; i++)
        if (values->at[i] == value)
            return true;
    return false;
}

static bool is_valid(const struct star_knob *knob, int64_t value)
{
    if (knob->words != NULL) {
        for (int64_t i = 0; i <= value; i++)
            if (value < 0 || knob->words[i] == NULL)
                return false;
        return value >= 0;
    }
    bool special = (knob->is_sync && value >= STAR_SYNC_NEEDED_EAGER && value <= 0) ||
                   (knob->zero != NULL && value == 0);
    return special || (value >= knob->least && value <= knob->most);
}

static void expect_sane_knob(const struct star_algorithm *row, const struct star_knob *knob)
{
    expect_word(knob->name);
    expect_shown(knob->help);
    assert_true(knob->least <= knob->most);
    assert_true(knob->is_sync + knob->is_bytes + (knob->words != NULL) <= 1);
    assert_in_range(knob->values.count, 1, STAR_KNOB_VALUES_MAX);
    assert_in_range(knob->more.count, 0, STAR_KNOB_VALUES_MAX);
    assert_true(has_value(&knob->values, knob->preset));
    for (int i = 0; knob->words && knob->words[i]; i++)
        expect_word(knob->words[i]);
    for (int i = 0; i < knob->values.count + knob->more.count; i++) {
        bool more = i >= knob->values.count;
        int64_t value = more ? knob->more.at[i - knob->values.count] : knob->values.at[i];
        if (!is_valid(knob, value) || (more && has_value(&knob->values, value)))
            fail_msg("%s:%s: %s %lld is out of range or given twice", star_operations[row->operation].name,
                     row->name, knob->name, (long long)value);
    }
}

static void knobs_try_values_within_their_limits(void **state)
{
    (void)state;
    for (int i = 0; i < star_repository_count; i++) {
        bool ended = false;
        for (int k = 0; k < STAR_KNOBS_MAX; k++) {
            const struct star_knob *knob = &star_repository[i]->knobs[k];
            ended = ended || knob->name == NULL;
            assert_int_equal(ended, knob->name == NULL); /* no knob after the last */
            if (!ended)
                expect_sane_knob(star_repository[i], knob);
        }
    }
}

static void knob_names_are_unique_in_an_algorithm(void **state)
{
    (void)state;
    for (int i = 0; i < star_repository_count; i++)
        for (int k = 0; k < STAR_KNOBS_MAX && star_repository[i]->knobs[k].name; k++)
            for (int j = 0; j < k; j++)
                assert_string_not_equal(star_repository[i]->knobs[k].name, star_repository[i]->knobs[j].name);
}

static void operations_have_names_and_an_expectation(void **state)
{
    (void)state;
    for (int i = 0; i < STAR_OPERATIONS; i++) {
        const struct star_operation_info *operation = &star_operations[i];
        expect_word(operation->name);
        assert_int_equal(strncmp(operation->mpi, "MPI_", 4), 0);
        assert_in_range(operation->measure, 0, STAR_NO_BYTES);
        expect_shown(star_measures[operation->measure]);
        assert_non_null(operation->expected.send_bytes);
        assert_non_null(operation->expected.recv_bytes);
        assert_non_null(operation->expected.origin);
        for (int j = 0; j < i; j++) {
            assert_string_not_equal(operation->name, star_operations[j].name);
            assert_string_not_equal(operation->mpi, star_operations[j].mpi);
        }
    }
}

enum { SIZE = 4, EACH = 3, ROOT = 2, WHOLE = SIZE * EACH };

/* The MPI standard in figures: SIZE ranks, blocks of EACH, root ROOT. */
static const struct {
    enum star_operation operation;
    int64_t send, send_at_root, receive, receive_at_root; /* lengths */
    int64_t in_place[SIZE];
    struct star_origin of_byte_4, of_rank_3; /* what is byte 4 of rank 2's result, and byte 1 of rank 3's */
} standard[] = {
    {STAR_ALLTOALL, WHOLE, WHOLE, WHOLE, WHOLE, {-1, -1, -1, -1}, {1, 1, 7}, {0, 0, 10}},
    {STAR_ALLTOALLV, WHOLE, WHOLE, WHOLE, WHOLE, {-1, -1, -1, -1}, {1, 1, 7}, {0, 0, 10}},
    {STAR_ALLTOALLW, WHOLE, WHOLE, WHOLE, WHOLE, {-1, -1, -1, -1}, {1, 1, 7}, {0, 0, 10}},
    {STAR_ALLGATHER, EACH, EACH, WHOLE, WHOLE, {0, 3, 6, 9}, {1, 1, 1}, {0, 0, 1}},
    {STAR_ALLGATHERV, EACH, EACH, WHOLE, WHOLE, {0, 3, 6, 9}, {1, 1, 1}, {0, 0, 1}},
    {STAR_ALLREDUCE, EACH, EACH, EACH, EACH, {0, 0, 0, 0}, {0, 3, 4}, {0, 3, 1}},
    {STAR_BCAST, 0, EACH, EACH, EACH, {-1, -1, -1, -1}, {2, 2, 4}, {2, 2, 1}},
    {STAR_REDUCE, EACH, EACH, 0, EACH, {-1, -1, 0, -1}, {0, 3, 4}, {0, 3, 1}},
    {STAR_REDUCE_SCATTER_BLOCK, WHOLE, WHOLE, EACH, EACH, {0, 0, 0, 0}, {0, 3, 10}, {0, 3, 10}},
    {STAR_REDUCE_SCATTER, WHOLE, WHOLE, EACH, EACH, {0, 0, 0, 0}, {0, 3, 10}, {0, 3, 10}},
    {STAR_GATHER, EACH, EACH, 0, WHOLE, {-1, -1, 6, -1}, {1, 1, 1}, {0, 0, 1}},
    {STAR_GATHERV, EACH, EACH, 0, WHOLE, {-1, -1, 6, -1}, {1, 1, 1}, {0, 0, 1}},
    {STAR_SCATTER, 0, WHOLE, EACH, EACH, {-1, -1, -1, -1}, {2, 2, 10}, {2, 2, 10}},
    {STAR_SCATTERV, 0, WHOLE, EACH, EACH, {-1, -1, -1, -1}, {2, 2, 10}, {2, 2, 10}},
    {STAR_SCAN, EACH, EACH, EACH, EACH, {0, 0, 0, 0}, {0, 2, 4}, {0, 3, 1}},
    {STAR_EXSCAN, EACH, EACH, EACH, EACH, {0, 0, 0, 0}, {0, 1, 4}, {0, 2, 1}},
    {STAR_BARRIER, 0, 0, 0, 0, {-1, -1, -1, -1}, {1, 1, 1}, {0, 0, 1}},
};

static void expect_origin(const struct star_origin found, const struct star_origin wanted)
{
    assert_int_equal(found.first, wanted.first);
    assert_int_equal(found.last, wanted.last);
    assert_int_equal(found.offset, wanted.offset);
}

static void operations_are_those_of_the_standard(void **state)
{
    (void)state;
    assert_int_equal(sizeof standard / sizeof *standard, STAR_OPERATIONS);
    struct star_shape shape = star_shape_of(SIZE, EACH);
    shape.root = ROOT;
    for (int i = 0; i < STAR_OPERATIONS; i++) {
        assert_int_equal(standard[i].operation, i);
        const struct star_expectation *expected = &star_operations[i].expected;
        for (int r = 0; r < SIZE; r++) {
            assert_int_equal(expected->send_bytes(&shape, r),
                             r == ROOT ? standard[i].send_at_root : standard[i].send);
            assert_int_equal(expected->recv_bytes(&shape, r),
                             r == ROOT ? standard[i].receive_at_root : standard[i].receive);
            assert_int_equal(expected->in_place ? expected->in_place(&shape, r) : -1,
                             standard[i].in_place[r]);
        }
        expect_origin(expected->origin(&shape, 2, 4), standard[i].of_byte_4);
        expect_origin(expected->origin(&shape, 3, 1), standard[i].of_rank_3);
    }
    struct star_origin none = star_operations[STAR_EXSCAN].expected.origin(&shape, 0, 1);
    assert_true(none.first > none.last);
}

static void operations_reduce_meet_and_have_roots_as_in_the_standard(void **state)
{
    (void)state;
    static const char *const reduce = " allreduce reduce reduce_scatter_block reduce_scatter scan exscan ",
                             *const rooted = " bcast reduce gather gatherv scatter scatterv ",
                             *const units =
                                 " alltoallv alltoallw allgatherv reduce_scatter gatherv scatterv ";
    for (int i = 0; i < STAR_OPERATIONS; i++) {
        char word[64];
        snprintf(word, sizeof word, " %s ", star_operations[i].name);
        assert_int_equal(star_operations[i].expected.reduces, strstr(reduce, word) != NULL);
        assert_int_equal(star_operations[i].rooted, strstr(rooted, word) != NULL);
        assert_int_equal(star_operations[i].units, strstr(units, word) != NULL);
        assert_int_equal(star_operations[i].expected.meets, i == STAR_BARRIER);
        assert_int_equal(star_operations[i].expected.one_buffer, i == STAR_BCAST);
        assert_int_equal(star_operations[i].expected.same, i == STAR_ALLREDUCE);
    }
}

struct seen {
    int size, proven;
};

static int is_proven(const struct star_method *method, void *context)
{
    struct seen *seen = context;
    char text[STAR_METHOD_TEXT];
    struct star_why why = {{0}};
    int error =
        method->algorithm->build ? star_method_prove_all(method, seen->size, 1, NULL, &why) : STAR_ENEEDS;
    if (error != 0 && error != STAR_ENEEDS)
        fail_msg("%s, %d ranks: %s", star_method_format(method, text, sizeof text), seen->size, why.text);
    seen->proven += error == 0;
    return 0;
}

/* A few numbers of ranks: `startune check`, which is a test of its own, goes over them all. */
static void every_method_is_proven(void **state)
{
    (void)state;
    static const int sizes[] = {1, 2, 3, 4, 6, 7, 8, 16};
    int count = trials(sizeof sizes / sizeof *sizes, 5);
    struct seen seen = {0};
    for (int operation = 0; operation < STAR_OPERATIONS; operation++)
        for (int i = 0; i < count; i++) {
            seen.size = sizes[i];
            star_methods_each(operation, sizes[i] <= 8, is_proven, &seen);
        }
    print_message("%d proven\n", seen.proven);
    assert_true(seen.proven > 100);
}

static void listed_knob_values_read_back(void **state)
{
    (void)state;
    for (int i = 0; i < star_repository_count; i++)
        for (int k = 0; k < STAR_KNOBS_MAX && star_repository[i]->knobs[k].name; k++) {
            const struct star_knob *knob = &star_repository[i]->knobs[k];
            for (int v = 0; v < knob->values.count + knob->more.count; v++) {
                bool more = v >= knob->values.count;
                int64_t wanted = more ? knob->more.at[v - knob->values.count] : knob->values.at[v];
                char value[64], text[200];
                struct star_method method;
                star_knob_format(knob, wanted, value, sizeof value);
                snprintf(text, sizeof text, "%s:%s,%s", star_operations[star_repository[i]->operation].name,
                         star_repository[i]->name, value);
                assert_int_equal(star_method_parse(text, &method, NULL), 0);
                assert_int_equal(method.knob[k], wanted);
            }
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_has_all_its_texts),
        cmocka_unit_test(every_need_is_told_in_words),
        cmocka_unit_test(a_row_is_built_or_a_mockup_or_native),
        cmocka_unit_test(a_mockup_and_nothing_else_is_like_a_row_that_has_a_plan),
        cmocka_unit_test(what_a_mockup_is_like_moves_a_block_or_all_of_them),
        cmocka_unit_test(reductions_and_they_alone_have_an_order),
        cmocka_unit_test(names_are_unique_in_an_operation),
        cmocka_unit_test(native_comes_first_in_each_operation_and_once),
        cmocka_unit_test(operations_stand_together_in_their_order),
        cmocka_unit_test(the_order_of_alltoall_is_the_documented_one),
        cmocka_unit_test(knobs_try_values_within_their_limits),
        cmocka_unit_test(knob_names_are_unique_in_an_algorithm),
        cmocka_unit_test(operations_have_names_and_an_expectation),
        cmocka_unit_test(operations_are_those_of_the_standard),
        cmocka_unit_test(operations_reduce_meet_and_have_roots_as_in_the_standard),
        cmocka_unit_test(every_method_is_proven),
        cmocka_unit_test(listed_knob_values_read_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

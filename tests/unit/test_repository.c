/* SPDX-License-Identifier: BSD-3-Clause
 * The repository table is what every listing and every check goes over: it must be sane. */
#include "algorithms/method.h"
#include "expect.h"

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
        assert_true(row->most_bytes >= 0);
        assert_in_range(row->operation, 0, STAR_OPERATIONS - 1);
    }
}

static void every_need_is_told_in_words(void **state)
{
    (void)state;
    for (int i = 0; i < star_repository_count; i++)
        if (star_repository[i]->power_of_two)
            assert_non_null(star_repository[i]->needs);
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
        bool native = row->build == NULL;
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
    static const char *const order[] = {"native", "simple", "linear", "rdb", "mesh2d",
                                        "mesh3d", "bruck",  "ring",   "pair"};
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

static void expect_sane_knob(const struct star_knob *knob)
{
    expect_word(knob->name);
    expect_shown(knob->help);
    assert_true(knob->least <= knob->most);
    assert_in_range(knob->values.count, 1, STAR_KNOB_VALUES_MAX);
    assert_in_range(knob->more.count, 0, STAR_KNOB_VALUES_MAX);
    assert_true(has_value(&knob->values, knob->preset));
    for (int i = 0; i < knob->values.count + knob->more.count; i++) {
        bool more = i >= knob->values.count;
        int64_t value = more ? knob->more.at[i - knob->values.count] : knob->values.at[i];
        assert_true(knob->is_sync ? value >= STAR_SYNC_BARRIER : value >= knob->least);
        assert_true(value <= knob->most);
        assert_false(more && has_value(&knob->values, value));
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
                expect_sane_knob(knob);
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
        expect_word(star_operations[i].name);
        assert_int_equal(strncmp(star_operations[i].mpi, "MPI_", 4), 0);
        struct star_expectation expected = star_operations[i].expect(3, 5);
        assert_non_null(expected.source);
        assert_int_equal(expected.size, 3);
    }
}

static void alltoall_expects_the_transpose(void **state)
{
    (void)state;
    struct star_expectation expected = star_operations[STAR_ALLTOALL].expect(4, 3);
    assert_int_equal(expected.send_bytes, 12);
    assert_int_equal(expected.recv_bytes, 12);
    for (int rank = 0; rank < 4; rank++)
        for (int64_t offset = 0; offset < 12; offset++) {
            int from = -1;
            int64_t at = -1;
            expected.source(&expected, rank, offset, &from, &at);
            assert_int_equal(from, offset / 3);
            assert_int_equal(at, INT64_C(3) * rank + offset % 3);
        }
}

static void listed_knob_values_read_back(void **state)
{
    (void)state;
    for (int i = 0; i < star_repository_count; i++)
        for (int k = 0; k < STAR_KNOBS_MAX && star_repository[i]->knobs[k].name; k++) {
            const struct star_knob *knob = &star_repository[i]->knobs[k];
            for (int v = 0; v < knob->values.count; v++) {
                char value[64], text[200];
                struct star_method method;
                star_knob_format(knob, knob->values.at[v], value, sizeof value);
                snprintf(text, sizeof text, "%s:%s,%s", star_operations[star_repository[i]->operation].name,
                         star_repository[i]->name, value);
                assert_int_equal(star_method_parse(text, &method, NULL), 0);
                assert_int_equal(method.knob[k], knob->values.at[v]);
            }
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_has_all_its_texts),
        cmocka_unit_test(every_need_is_told_in_words),
        cmocka_unit_test(names_are_unique_in_an_operation),
        cmocka_unit_test(native_comes_first_in_each_operation_and_once),
        cmocka_unit_test(operations_stand_together_in_their_order),
        cmocka_unit_test(the_order_of_alltoall_is_the_documented_one),
        cmocka_unit_test(knobs_try_values_within_their_limits),
        cmocka_unit_test(knob_names_are_unique_in_an_algorithm),
        cmocka_unit_test(operations_have_names_and_an_expectation),
        cmocka_unit_test(alltoall_expects_the_transpose),
        cmocka_unit_test(listed_knob_values_read_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

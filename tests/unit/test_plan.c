/* SPDX-License-Identifier: BSD-3-Clause
 * Building: what becomes of an algorithm's steps, what sticks, and what it costs to hold a plan. */
#include "algorithms/method.h"
#include "algorithms/operations.h"
#include "plan/build.h"
#include "plan/plan.h"
#include "planned.h"
#include "util/why.h"

#include <stdio.h>
#include <time.h>

static int finish(struct star_builder *builder, struct star_plan **plan, struct star_why *why)
{
    return star_builder_finish(builder, (struct star_pacing){.sync = STAR_SYNC_NONE, .window = 1}, plan, why);
}

static void temporary_memory_up_to_the_limit_is_given(void **state)
{
    (void)state;
    struct star_shape shape = shape_of(2, 0, 4);
    struct star_builder *builder = star_builder_new(&shape, 100);
    struct star_place a = star_build_temp(builder, 60), b = star_build_temp(builder, 40);
    assert_int_equal(a.buffer, STAR_TEMP);
    assert_int_equal(b.buffer, STAR_TEMP);
    assert_true(a.offset + 60 <= b.offset || b.offset + 40 <= a.offset);
    struct star_plan *plan;
    assert_int_equal(finish(builder, &plan, NULL), 0);
    assert_int_equal(plan->temp_bytes, 100);
    star_plan_free(plan);
}

static void a_failure_sticks_until_the_end(void **state)
{
    (void)state;
    static const int64_t asked[][2] = {{60, 41}, {101, 1}, {INT64_MAX, INT64_MAX}, {99, INT64_MAX}};
    for (size_t i = 0; i < 4; i++) {
        struct star_shape shape = shape_of(2, 0, 4);
        struct star_builder *builder = star_builder_new(&shape, 100);
        star_build_temp(builder, asked[i][0]);
        struct star_place place = star_build_temp(builder, asked[i][1]);
        star_build_round(builder);
        star_build_copy(builder, place, star_at(STAR_SENDBUF, 0), 4);
        star_build_send(builder, 1, place, 4);
        star_build_recv(builder, 1, star_at(STAR_RECVBUF, 4), 4);
        star_build_temp(builder, 1);
        struct star_plan *plan = (struct star_plan *)&shape;
        struct star_why why = {{0}};
        assert_int_equal(finish(builder, &plan, &why), STAR_ELIMIT);
        assert_null(plan);
        expect_reason(&why, "100");
    }
}

static void nothing_built_is_an_empty_plan(void **state)
{
    (void)state;
    struct star_shape shape = shape_of(1, 0, 4);
    struct star_plan *plan;
    assert_int_equal(finish(star_builder_new(&shape, 0), &plan, NULL), 0);
    assert_int_equal(plan->count, 0);
    assert_int_equal(plan->slots, 0);
    star_plan_free(plan);
    star_plan_free(NULL);
}

static int same_verdict_on_all_ranks(const struct star_method *method, void *context)
{
    (void)context;
    for (int64_t limit = 0; limit < 4000; limit = limit * 2 + 1) {
        int first = 0;
        for (int rank = 0; rank < 12; rank++) {
            struct star_shape shape = shape_of(12, rank, 7);
            struct star_plan *plan;
            int verdict = star_method_plan(method, &shape, limit, &plan, NULL);
            assert_int_equal(verdict == 0, plan != NULL);
            if (plan != NULL)
                assert_true(plan->temp_bytes <= limit);
            star_plan_free(plan);
            first = rank == 0 ? verdict : first;
            assert_int_equal(verdict, first);
        }
    }
    return 0;
}

static void the_limit_is_exceeded_on_all_ranks_or_none(void **state)
{
    (void)state;
    star_methods_each(STAR_ALLTOALL, true, same_verdict_on_all_ranks, NULL);
}

/* What a plan may take for each rank of the communicator: 24 steps, be it two phases of P rounds each. */
enum { BYTES_A_RANK = 24 * sizeof(struct star_step) };

static int takes_memory_of_order_p(const struct star_method *method, void *context)
{
    static const int sizes[] = {64, 100, 127, 128, 720, 1009, 1024, 4096};
    (void)context;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct star_shape shape = shape_of(sizes[i], sizes[i] / 3, 8);
        struct star_plan *plan;
        struct star_why why = {{0}};
        char text[STAR_METHOD_TEXT];
        int error = star_method_plan(method, &shape, INT64_MAX, &plan, &why);
        if (error == STAR_ENEEDS)
            continue;
        assert_int_equal(error, 0);
        if (star_plan_bytes(plan) > (size_t)(sizes[i] * BYTES_A_RANK))
            fail_msg("%s takes %zu bytes at %d ranks: %zu a rank",
                     star_method_format(method, text, sizeof text), star_plan_bytes(plan), sizes[i],
                     star_plan_bytes(plan) / (size_t)sizes[i]);
        star_plan_free(plan);
    }
    return 0;
}

static void every_plan_takes_memory_of_order_p(void **state)
{
    (void)state;
    for (int operation = 0; operation < STAR_OPERATIONS; operation++)
        star_methods_each(operation, true, takes_memory_of_order_p, NULL);
}

/* 64 MB in pieces of 1 KB from 63 ranks: eight million steps, half a gigabyte of them alone. */
static void a_plan_of_millions_of_steps_is_above_the_limit(void **state)
{
    (void)state;
    struct star_method method;
    struct star_why why = {{0}};
    assert_int_equal(star_method_parse("reduce:linear,segment=1K", &method, &why), 0);
    for (int rank = 0; rank < 2; rank++) {
        struct star_shape shape = shape_of(64, rank, 64 << 20);
        struct star_plan *plan;
        int error = star_method_plan(&method, &shape, (int64_t)trials(256, 64) << 20, &plan, &why);
        assert_int_equal(error, rank == 0 ? STAR_ELIMIT : 0);
        if (rank == 0)
            assert_non_null(strstr(why.text, "steps"));
        star_plan_free(plan);
    }
}

/* 8 MB to each of 63 ranks in pieces of 1 KB are two million steps of pacing, of 189 of the method. */
static void a_plan_of_millions_of_pieces_is_above_the_limit(void **state)
{
    (void)state;
    struct star_method method;
    struct star_why why = {{0}};
    assert_int_equal(star_method_parse("alltoall:ring,segment=1K", &method, &why), 0);
    for (int64_t block = 1 << 20; block <= 8 << 20; block *= 8) {
        struct star_shape shape = shape_of(64, 1, block);
        struct star_plan *plan;
        int error = star_method_plan(&method, &shape, 0, &plan, &why);
        assert_int_equal(error, block > 1 << 20 ? STAR_ELIMIT : 0);
        if (error)
            assert_non_null(strstr(why.text, "steps"));
        star_plan_free(plan);
    }
}

static void a_plan_for_a_hundred_thousand_ranks_is_built_quickly(void **state)
{
    (void)state;
    static const char *const methods[] = {"alltoall:ring", "alltoall:ring,sync=light,window=5",
                                          "alltoall:ring,sync=barriers:1000", "alltoall:simple"};
    for (size_t m = 0; m < 4; m++) {
        clock_t began = clock(); /* of the processor: the machine may be busy */
        struct star_plan *plan = plan_of(methods[m], 100000, 77777, 1 << 20);
        double seconds = (double)(clock() - began) / CLOCKS_PER_SEC;
        assert_int_equal(count_steps(plan, STAR_STEP_SEND, STAR_DATA), 99999);
        star_plan_free(plan);
        if (seconds > 2)
            fail_msg("%s took %g s", methods[m], seconds);
    }
}

static int moves_nothing(const struct star_method *method, void *context)
{
    (void)context;
    for (int size = 1; size <= 9; size++)
        for (int rank = 0; rank < size; rank++) {
            struct star_shape shape = shape_of(size, rank, 0);
            struct star_plan *plan;
            if (star_method_plan(method, &shape, 0, &plan, NULL) == STAR_ENEEDS)
                continue;
            assert_non_null(plan); /* no temporary needed either */
            assert_int_equal(count_steps(plan, STAR_STEP_SEND, STAR_DATA), 0);
            assert_int_equal(count_steps(plan, STAR_STEP_RECV, STAR_DATA), 0);
            assert_int_equal(count_steps(plan, STAR_STEP_COPY, 0), 0);
            assert_int_equal(count_steps(plan, STAR_STEP_REDUCE, 0), 0);
            star_plan_free(plan);
        }
    return 0;
}

static void a_block_of_no_bytes_moves_nothing(void **state)
{
    (void)state;
    for (int operation = 0; operation < STAR_OPERATIONS; operation++)
        if (!star_operations[operation].units)
            star_methods_each(operation, true, moves_nothing, NULL);
}

static void a_strided_copy_of_no_runs_is_left_out(void **state)
{
    (void)state;
    struct star_shape shape = shape_of(2, 0, 4);
    struct star_builder *builder = star_builder_new(&shape, 100);
    star_build_strided_copy(builder, star_at(STAR_RECVBUF, 0), 8, star_at(STAR_SENDBUF, 0), 4, 4, 0);
    star_build_copy(builder, star_at(STAR_RECVBUF, 0), star_at(STAR_SENDBUF, 0), 0);
    struct star_plan *plan;
    assert_int_equal(finish(builder, &plan, NULL), 0);
    assert_int_equal(count_steps(plan, STAR_STEP_COPY, 0), 0);
    star_plan_free(plan);
}

static struct star_builder *builder_of(int size, int rank, bool units)
{
    struct star_shape shape = shape_of(size, rank, units ? 1 : 8);
    shape.units = units;
    return star_builder_new(&shape, 1000);
}

static struct star_plan *finished(struct star_builder *builder)
{
    struct star_plan *plan;
    struct star_why why = {{0}};
    if (finish(builder, &plan, &why) != 0)
        fail_msg("%s", why.text);
    return plan;
}

static void a_reduction_is_one_step_and_marks_the_plan(void **state)
{
    (void)state;
    struct star_builder *builder = builder_of(3, 1, false);
    star_build_reduce(builder, star_at(STAR_RECVBUF, 2), star_at(STAR_TEMP, 6), 4);
    struct star_plan *plan = finished(builder);
    assert_int_equal(plan->count, 1);
    assert_true(plan->reduces);
    const struct star_step *step = &plan->steps[0];
    assert_int_equal(step->kind, STAR_STEP_REDUCE);
    assert_int_equal(step->to, STAR_RECVBUF);
    assert_int_equal(step->to_offset, 2);
    assert_int_equal(step->from, STAR_TEMP);
    assert_int_equal(step->from_offset, 6);
    assert_int_equal(step->length, 4);
    star_plan_free(plan);
    plan = finished(builder_of(3, 1, false));
    assert_false(plan->reduces);
    star_plan_free(plan);
}

static void reductions_of_no_bytes_are_left_out(void **state)
{
    (void)state;
    struct star_builder *builder = builder_of(2, 0, false);
    star_build_reduce(builder, star_at(STAR_RECVBUF, 0), star_at(STAR_SENDBUF, 0), 0);
    struct star_plan *plan = finished(builder);
    assert_int_equal(plan->count, 0);
    star_plan_free(plan);
}

static void copies_and_reductions_start_in_the_order_added(void **state)
{
    (void)state;
    struct star_builder *builder = builder_of(2, 0, false);
    static const int kinds[] = {STAR_STEP_COPY,   STAR_STEP_REDUCE, STAR_STEP_RECV,
                                STAR_STEP_REDUCE, STAR_STEP_COPY,   STAR_STEP_SEND};
    star_build_send(builder, 1, star_at(STAR_TEMP, 0), 1); /* last, though added first */
    star_build_copy(builder, star_at(STAR_RECVBUF, 0), star_at(STAR_SENDBUF, 0), 1);
    star_build_reduce(builder, star_at(STAR_RECVBUF, 0), star_at(STAR_SENDBUF, 0), 1);
    star_build_recv(builder, 1, star_at(STAR_RECVBUF, 1), 1);
    star_build_reduce(builder, star_at(STAR_RECVBUF, 2), star_at(STAR_SENDBUF, 2), 1);
    star_build_copy(builder, star_at(STAR_RECVBUF, 3), star_at(STAR_SENDBUF, 0), 1);
    struct star_plan *plan = finished(builder);
    assert_true(plan->count >= 6);
    for (int i = 0; i < 6; i++)
        assert_int_equal(plan->steps[i].kind, kinds[i]);
    star_plan_free(plan);
}

static void an_end_begins_another_round_only_if_something_follows(void **state)
{
    (void)state;
    static const struct {
        const char *built; /* s: a step, 0: one of no bytes, e: an end, r: a round */
        int rounds;
    } known[] = {{"", 1}, {"s", 1}, {"se", 1}, {"ses", 2}, {"se0", 2}, {"see", 2}, {"srs", 2}, {"sesese", 3}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        struct star_builder *builder = builder_of(2, 0, false);
        for (const char *c = known[i].built; *c; c++)
            if (*c == 'e')
                star_build_end(builder);
            else if (*c == 'r')
                star_build_round(builder);
            else
                star_build_send(builder, 1, star_at(STAR_SENDBUF, 0), *c == 's');
        struct star_plan *plan = finished(builder);
        if (plan->rounds != known[i].rounds)
            fail_msg("%s: %d rounds", known[i].built, plan->rounds);
        star_plan_free(plan);
    }
}

static void telling_and_hearing_are_empty_messages_of_their_own_channel(void **state)
{
    (void)state;
    struct star_builder *builder = builder_of(4, 1, false);
    star_build_tell(builder, 3);
    star_build_hear(builder, 2);
    struct star_plan *plan = finished(builder);
    assert_int_equal(count_steps(plan, STAR_STEP_SEND, STAR_SYNC), 1);
    assert_int_equal(count_steps(plan, STAR_STEP_RECV, STAR_SYNC), 1);
    assert_int_equal(plan->slots, 2);
    for (int32_t i = 0; i < plan->count; i++) {
        const struct star_step *step = &plan->steps[i];
        if (moves(step)) {
            assert_int_equal(step->length, 0);
            assert_int_equal(step->peer, step->kind == STAR_STEP_SEND ? 3 : 2);
        }
    }
    star_plan_free(plan);
}

static void pages_are_rooms_apart_for_all_ranks(void **state)
{
    (void)state;
    for (int units = 0; units < 2; units++) {
        struct star_builder *builder = builder_of(5, 2, units);
        int64_t bytes = units ? 5 : 40;
        struct star_place a = star_build_page(builder, bytes, false),
                          b = star_build_page(builder, bytes, true),
                          c = star_build_page(builder, bytes, false);
        assert_int_equal(a.buffer, STAR_TEMP);
        assert_int_equal(b.buffer, STAR_TEMP);
        assert_int_equal(a.offset, 0);
        assert_int_equal(b.offset, bytes);
        assert_int_equal(c.offset, 2 * bytes);
        struct star_plan *plan = finished(builder);
        assert_int_equal(plan->units, units);
        assert_int_equal(plan->temp_bytes, 3 * bytes);
        assert_int_equal(plan->rotated, units ? 2 : 0);
        star_plan_free(plan);
    }
}

static void the_last_page_that_can_be_told_rotated_is_the_64th(void **state)
{
    (void)state;
    for (int pages = 64; pages <= 65; pages++) {
        struct star_builder *builder = builder_of(2, 0, true);
        for (int i = 0; i < pages; i++)
            star_build_page(builder, 2, true);
        struct star_plan *plan;
        struct star_why why = {{0}};
        assert_int_equal(finish(builder, &plan, &why), pages <= 64 ? 0 : STAR_ENEEDS);
        if (pages <= 64)
            assert_true(plan->rotated == UINT64_MAX);
        else
            expect_one_line(why.text);
        star_plan_free(plan);
    }
}

static void a_plan_in_units_has_no_temporary_but_pages(void **state)
{
    (void)state;
    struct star_builder *builder = builder_of(2, 0, true);
    star_build_temp(builder, 0);
    star_plan_free(finished(builder));
    builder = builder_of(2, 0, true);
    star_build_temp(builder, 1);
    struct star_plan *plan;
    struct star_why why = {{0}};
    assert_int_equal(finish(builder, &plan, &why), STAR_ENEEDS);
    assert_null(plan);
    expect_one_line(why.text);
}

static void scratch_is_zeroed_and_apart(void **state)
{
    (void)state;
    struct star_builder *builder = builder_of(2, 0, false);
    int *piece[20];
    for (size_t i = 0; i < 20; i++) {
        piece[i] = star_build_scratch(builder, (i + 1) * sizeof(int));
        assert_non_null(piece[i]);
        assert_int_equal((uintptr_t)piece[i] % _Alignof(max_align_t), 0);
        for (size_t k = 0; k <= i; k++) {
            assert_int_equal(piece[i][k], 0);
            piece[i][k] = (int)i + 1;
        }
    }
    for (size_t i = 0; i < 20; i++)
        for (size_t k = 0; k <= i; k++)
            assert_int_equal(piece[i][k], i + 1);
    star_plan_free(finished(builder)); /* and, under a sanitizer: all of it is freed */
}

static void scratch_that_is_not_to_be_had_fails_the_plan(void **state)
{
    (void)state;
    static volatile size_t much[] = {SIZE_MAX, SIZE_MAX - 8, SIZE_MAX / 2};
    for (size_t i = 0; i < 3; i++) {
        struct star_builder *builder = builder_of(2, 0, false);
        assert_null(star_build_scratch(builder, much[i]));
        star_build_copy(builder, star_at(STAR_RECVBUF, 0), star_at(STAR_SENDBUF, 0), 1);
        struct star_plan *plan;
        struct star_why why = {{0}};
        assert_int_equal(finish(builder, &plan, &why), STAR_EMEMORY);
        assert_null(plan);
        expect_reason(&why, "memory");
    }
}

static void a_refusal_is_told_and_sticks(void **state)
{
    (void)state;
    struct star_builder *builder = builder_of(2, 0, false);
    star_build_refuse(builder, "too many turtles");
    star_build_refuse(builder, "too few hares");
    star_build_copy(builder, star_at(STAR_RECVBUF, 0), star_at(STAR_SENDBUF, 0), 1);
    star_build_temp(builder, 10000); /* the first failure is the one told */
    struct star_plan *plan;
    struct star_why why = {{0}};
    assert_int_equal(finish(builder, &plan, &why), STAR_ENEEDS);
    assert_null(plan);
    expect_reason(&why, "too many turtles");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(temporary_memory_up_to_the_limit_is_given),
        cmocka_unit_test(a_failure_sticks_until_the_end),
        cmocka_unit_test(nothing_built_is_an_empty_plan),
        cmocka_unit_test(the_limit_is_exceeded_on_all_ranks_or_none),
        cmocka_unit_test(every_plan_takes_memory_of_order_p),
        cmocka_unit_test(a_plan_of_millions_of_steps_is_above_the_limit),
        cmocka_unit_test(a_plan_of_millions_of_pieces_is_above_the_limit),
        cmocka_unit_test(a_plan_for_a_hundred_thousand_ranks_is_built_quickly),
        cmocka_unit_test(a_block_of_no_bytes_moves_nothing),
        cmocka_unit_test(a_strided_copy_of_no_runs_is_left_out),
        cmocka_unit_test(a_reduction_is_one_step_and_marks_the_plan),
        cmocka_unit_test(reductions_of_no_bytes_are_left_out),
        cmocka_unit_test(copies_and_reductions_start_in_the_order_added),
        cmocka_unit_test(an_end_begins_another_round_only_if_something_follows),
        cmocka_unit_test(telling_and_hearing_are_empty_messages_of_their_own_channel),
        cmocka_unit_test(pages_are_rooms_apart_for_all_ranks),
        cmocka_unit_test(the_last_page_that_can_be_told_rotated_is_the_64th),
        cmocka_unit_test(a_plan_in_units_has_no_temporary_but_pages),
        cmocka_unit_test(scratch_is_zeroed_and_apart),
        cmocka_unit_test(scratch_that_is_not_to_be_had_fails_the_plan),
        cmocka_unit_test(a_refusal_is_told_and_sticks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

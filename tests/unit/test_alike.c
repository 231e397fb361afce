/* SPDX-License-Identifier: BSD-3-Clause
 * Methods that are one method under several names. */
#include "algorithms/alike.h"
#include "algorithms/method.h"
#include "algorithms/methods.h"
#include "algorithms/operations.h"
#include "expect.h"
#include "plan/plan.h"

static struct star_plan *plan_of(const struct star_method *method, struct star_shape shape, int rank)
{
    struct star_plan *plan;
    shape.rank = rank;
    return star_method_plan(method, &shape, INT64_MAX, &plan, NULL) ? NULL : plan;
}

static bool does_the_same(const struct star_step *a, const struct star_step *b)
{
    return a->kind == b->kind && a->channel == b->channel && a->from == b->from && a->to == b->to &&
           a->peer == b->peer && a->slot == b->slot && a->from_offset == b->from_offset &&
           a->to_offset == b->to_offset && a->length == b->length && a->repeat == b->repeat &&
           a->from_stride == b->from_stride && a->to_stride == b->to_stride;
}

static bool is_the_same_kind(const struct star_plan *a, const struct star_plan *b)
{
    return a->count == b->count && a->units == b->units && a->reduces == b->reduces &&
           a->pieces == b->pieces && a->shared_bytes == b->shared_bytes &&
           a->input_in_recv == b->input_in_recv && a->rotated == b->rotated;
}

/* Step by step, on all ranks. */
static bool are_alike(const struct star_method *a, const struct star_method *b,
                      const struct star_shape *shape)
{
    bool alike = true;
    for (int r = 0; alike && r < shape->size; r++) {
        struct star_plan *one = plan_of(a, *shape, r), *other = plan_of(b, *shape, r);
        alike = one && other && is_the_same_kind(one, other);
        for (int32_t i = 0; alike && i < one->count; i++)
            alike = does_the_same(&one->steps[i], &other->steps[i]);
        star_plan_free(one);
        star_plan_free(other);
    }
    return alike;
}

static int collect(const struct star_method *method, void *context)
{
    struct star_methods *all = context;
    all->at = realloc(all->at, ((size_t)all->count + 1) * sizeof *all->at);
    assert_non_null(all->at);
    all->at[all->count++] = *method;
    return 0;
}

static struct star_methods all_of(int operation)
{
    struct star_methods all = {0};
    assert_int_equal(star_methods_each((enum star_operation)operation, false, collect, &all), 0);
    return all;
}

static void expect_alike_or_not(const struct star_methods *all, const struct star_shape *shape)
{
    int *first = malloc((size_t)all->count * sizeof *first);
    assert_non_null(first);
    assert_int_equal(star_methods_alike(all, shape, first), 0);
    for (int i = 0; i < all->count; i++)
        for (int j = 0; j < i; j++) {
            bool native = star_is_native(&all->at[i]) || all->at[i].algorithm->build == NULL;
            if (native)
                assert_int_equal(first[i], i);
            else if ((first[i] == first[j]) != are_alike(&all->at[i], &all->at[j], shape))
                fail_msg("%s, %d ranks, %d bytes: methods %d and %d",
                         star_operations[all->at[i].algorithm->operation].name, shape->size,
                         (int)shape->block, i, j);
        }
    free(first);
}

/* Sizes whose plans have no more segments than are compared. */
static void those_are_alike_whose_steps_are_the_same(void **state)
{
    (void)state;
    static const int64_t sizes[] = {8, 2048, 16 << 10};
    for (int operation = 0; operation < STAR_OPERATIONS; operation++) {
        struct star_methods all = all_of(operation);
        for (int ranks = 1; ranks <= 3; ranks++)
            for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
                struct star_shape shape = star_shape_of(ranks, sizes[s]);
                shape.units = star_operations[operation].units;
                expect_alike_or_not(&all, &shape);
            }
        star_methods_free(&all);
    }
}

static struct star_methods candidates_for(int operation, const struct star_shape *shape)
{
    static const struct star_methods none;
    struct star_methods candidates;
    int *groups;
    assert_int_equal(star_candidates(&none, (enum star_operation)operation, shape, shape->block, false,
                                     &candidates, &groups),
                     0);
    free(groups);
    return candidates;
}

static int left_of_bcast(int ranks, int64_t bytes)
{
    struct star_shape shape = star_shape_of(ranks, bytes);
    struct star_methods candidates = candidates_for(STAR_BCAST, &shape);
    assert_int_equal(star_methods_join(&candidates, &shape), 0);
    assert_true(star_is_native(&candidates.at[0]));
    int count = candidates.count;
    star_methods_free(&candidates);
    return count;
}

/* Below 2 KB there are seven trees without segments, two in shared memory, and two made of other collectives.
 */
static void of_two_ranks_all_trees_are_one(void **state)
{
    (void)state;
    assert_int_equal(left_of_bcast(2, 512), left_of_bcast(4, 512) - 7);
    assert_true(left_of_bcast(3, 512) < left_of_bcast(4, 512));
    assert_true(3 * left_of_bcast(2, 16 << 10) < 2 * left_of_bcast(4, 16 << 10));
    assert_true(star_alike_seconds(10, 3) > star_alike_seconds(10, 2));
    assert_true(star_alike_seconds(10, 2) > 0);
    assert_float_equal(star_alike_seconds(10, 4), 0, 0); /* they are not compared */
}

static void whichever_rank_asks_is_told_the_same(void **state)
{
    (void)state;
    static const int placed[][3] = {{0, 0, 0}, {0, 0, 1}, {0, 1, 0}, {0, 1, 2}};
    for (int trial = 0; trial < 4 * 3 * STAR_OPERATIONS; trial++) {
        struct star_shape shape = star_shape_of(3, 4096);
        shape.node = placed[trial % 4];
        shape.root = trial / 4 % 3;
        shape.units = star_operations[trial / 12].units;
        struct star_methods candidates = candidates_for(trial / 12, &shape);
        size_t bytes = (size_t)candidates.count * sizeof(int);
        int *first = malloc(bytes), *other = malloc(bytes);
        assert_true(first && other);
        assert_int_equal(star_methods_alike(&candidates, &shape, first), 0);
        for (shape.rank = 1; shape.rank < 3; shape.rank++) {
            assert_int_equal(star_methods_alike(&candidates, &shape, other), 0);
            assert_memory_equal(first, other, bytes);
        }
        free(first);
        free(other);
        star_methods_free(&candidates);
    }
}

/* Plans of very many segments are not compared, as that takes long. */
static void long_plans_are_not_compared(void **state)
{
    (void)state;
    struct star_methods methods;
    struct star_shape shape = star_shape_of(2, 1 << 20);
    int first[3];
    assert_int_equal(
        star_methods_parse("bcast:chain bcast:chain,segment=1K bcast:binomial,segment=1K", &methods, NULL),
        0);
    assert_int_equal(star_methods_alike(&methods, &shape, first), 0);
    for (int i = 0; i < 3; i++)
        assert_int_equal(first[i], i);
    star_methods_free(&methods);
}

static uint64_t digest_with(const struct star_step *step)
{
    struct star_step steps[2] = {{.length = 1}, *step};
    struct star_plan plan = {.steps = steps, .count = 2, .size = 2};
    return star_plan_digest(&plan, 0);
}

static void a_digest_is_of_all_that_a_plan_does(void **state)
{
    (void)state;
    const struct star_step steps[] = {{.kind = 1},   {.channel = 1}, {.from = 1},        {.to = 1},
                                      {.peer = 1},   {.slot = 1},    {.from_offset = 1}, {.to_offset = 1},
                                      {.length = 1}, {.repeat = 1},  {.from_stride = 1}, {.to_stride = 1},
                                      {.peer = -1},  {.length = 2},  {.length = 0}};
    enum { COUNT = sizeof steps / sizeof *steps };
    for (int i = 0; i < COUNT; i++)
        for (int j = 0; j < i; j++)
            assert_true(digest_with(&steps[i]) != digest_with(&steps[j]));
    assert_true(digest_with(&(struct star_step){.round = 1}) == digest_with(&(struct star_step){.round = 2}));
    const struct star_plan plans[] = {{.size = 2},
                                      {.size = 2, .rank = 1},
                                      {.size = 2, .units = true},
                                      {.size = 2, .reduces = true},
                                      {.size = 2, .pieces = true},
                                      {.size = 2, .input_in_recv = true},
                                      {.size = 2, .rotated = 1}};
    for (size_t i = 0; i < sizeof plans / sizeof *plans; i++)
        for (size_t j = 0; j < i; j++)
            assert_true(star_plan_digest(&plans[i], 0) != star_plan_digest(&plans[j], 0));
    assert_true(star_plan_digest(&plans[0], 1) != star_plan_digest(&plans[0], 2));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(those_are_alike_whose_steps_are_the_same),
                                       cmocka_unit_test(of_two_ranks_all_trees_are_one),
                                       cmocka_unit_test(whichever_rank_asks_is_told_the_same),
                                       cmocka_unit_test(long_plans_are_not_compared),
                                       cmocka_unit_test(a_digest_is_of_all_that_a_plan_does)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

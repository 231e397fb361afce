/* SPDX-License-Identifier: BSD-3-Clause
 * What the simulator says of whole methods, and of their plans when one number of one step is changed. */
#include "algorithms/method.h"
#include "algorithms/operations.h"
#include "algorithms/prove.h"
#include "expect.h"
#include "plan/build.h"
#include "plan/plan.h"
#include "plan/simulate.h"
#include "util/why.h"

#include <stdio.h>

/* A builder that leaves out the round's receive, found by way of the public path. */
static void build_deaf(struct star_builder *builder, const struct star_shape *shape)
{
    int me = shape->rank;
    int64_t block = shape->block;
    star_build_copy(builder, star_at(STAR_RECVBUF, me * block), star_at(STAR_SENDBUF, me * block), block);
    for (int i = 1; i < shape->size; i++) {
        int to = (me + i) % shape->size;
        star_build_send(builder, to, star_at(STAR_SENDBUF, to * block), block);
    }
}

static void build_pair(struct star_builder *builder, const struct star_shape *shape)
{
    int me = shape->rank, peer = me ^ 1;
    int64_t block = shape->block;
    star_build_copy(builder, star_at(STAR_RECVBUF, me * block), star_at(STAR_SENDBUF, me * block), block);
    star_build_recv(builder, peer, star_at(STAR_RECVBUF, peer * block), block);
    star_build_send(builder, peer, star_at(STAR_SENDBUF, peer * block), block);
}

static int prove(const struct star_method *method, int size, int64_t block, struct star_simulation *found,
                 struct star_why *why)
{
    struct star_shape shape = star_shape_of(size, block);
    return star_method_prove(method, &shape, false, found, why);
}

static void a_wrong_algorithm_is_not_proven(void **state)
{
    (void)state;
    struct star_algorithm algorithm = {.operation = STAR_ALLTOALL, .name = "deaf", .build = build_deaf};
    struct star_method method = {.algorithm = &algorithm};
    struct star_why why = {{0}};
    assert_int_equal(prove(&method, 3, 4, NULL, &why), STAR_EWRONG);
    expect_reason(&why, "rank");
    assert_int_equal(star_method_prove_all(&method, 3, 4, NULL, &why), STAR_EWRONG);
    expect_reason(&why, "rank");
    assert_int_equal(star_method_prove_all(&method, 3, 4, NULL, NULL), STAR_EWRONG);
    algorithm.build = build_pair; /* right for two ranks, not for four */
    assert_int_equal(prove(&method, 2, 4, NULL, NULL), 0);
    assert_int_equal(prove(&method, 4, 4, NULL, &why), STAR_EWRONG);
}

static void ring_moves_each_byte_once(void **state)
{
    (void)state;
    struct star_method method;
    struct star_simulation found;
    star_method_parse("alltoall:ring,sync=light", &method, NULL);
    assert_int_equal(prove(&method, 6, 10, &found, NULL), 0);
    assert_int_equal(found.messages, 6 * 5);
    assert_int_equal(found.bytes, 6 * 5 * 10);
    assert_int_equal(found.tokens, 6 * 4);
    assert_int_equal(found.rounds, 5);
}

static void a_right_plan_stays_right_whatever_the_window(void **state)
{
    (void)state;
    static const char *const syncs[] = {"none", "light", "barrier", "barriers:1", "barriers:4"};
    for (size_t s = 0; s < 5; s++)
        for (int window = 1; window < 10; window++) {
            char text[64];
            struct star_method method;
            snprintf(text, sizeof text, "alltoall:ring,sync=%s,window=%d", syncs[s], window);
            assert_int_equal(star_method_parse(text, &method, NULL), 0);
            assert_int_equal(prove(&method, 7, 2, NULL, NULL), 0);
        }
}

/* Rows of the kinds that an alltoall has not: reductions, pages of units, tokens, one buffer. The chain
 * reduces to rank 0 and hands the result back. */
static void build_chain(struct star_builder *builder, const struct star_shape *shape)
{
    int me = shape->rank, last = shape->size - 1;
    struct star_place own = star_at(STAR_SENDBUF, 0), all = star_at(STAR_RECVBUF, 0),
                      sum = star_build_temp(builder, shape->block);
    if (me == last)
        star_build_copy(builder, sum, own, shape->block);
    else
        star_build_recv(builder, me + 1, sum, shape->block);
    star_build_round(builder);
    if (me != last)
        star_build_reduce(builder, sum, own, shape->block);
    if (me > 0)
        star_build_send(builder, me - 1, sum, shape->block);
    else
        star_build_copy(builder, all, sum, shape->block);
    star_build_round(builder);
    if (me > 0)
        star_build_recv(builder, me - 1, all, shape->block);
    star_build_round(builder);
    if (me < last)
        star_build_send(builder, me + 1, all, shape->block);
}

/* Each sends on to the one behind it what came last, and has all in a rotated page. */
static void build_pages(struct star_builder *builder, const struct star_shape *shape)
{
    int me = shape->rank, size = shape->size;
    int64_t block = shape->block;
    struct star_place page = star_build_page(builder, size * block, true);
    star_build_copy(builder, page, star_at(STAR_SENDBUF, 0), block);
    for (int have = 1; have < size; have++) {
        star_build_round(builder);
        star_build_recv(builder, (me + 1) % size, star_plus(page, have * block), block);
        star_build_send(builder, (me + size - 1) % size, star_plus(page, (have - 1) * block), block);
    }
    star_build_round(builder);
    star_build_copy(builder, star_at(STAR_RECVBUF, me * block), page, (size - me) * block);
    star_build_copy(builder, star_at(STAR_RECVBUF, 0), star_plus(page, (size - me) * block), me * block);
}

static void build_dissemination(struct star_builder *builder, const struct star_shape *shape)
{
    for (int ahead = 1; ahead < shape->size; ahead *= 2) {
        star_build_hear(builder, (shape->rank - ahead + shape->size) % shape->size);
        star_build_tell(builder, (shape->rank + ahead) % shape->size);
        star_build_round(builder);
    }
}

static void build_flat(struct star_builder *builder, const struct star_shape *shape)
{
    struct star_place all = star_at(STAR_RECVBUF, 0);
    for (int r = 0; shape->rank == shape->root && r < shape->size; r++)
        if (r != shape->root)
            star_build_send(builder, r, all, shape->block);
    if (shape->rank != shape->root)
        star_build_recv(builder, shape->root, all, shape->block);
}

static const struct star_algorithm rows[] = {
    {.operation = STAR_ALLREDUCE,
     .name = "chain",
     .build = build_chain,
     .in_order = true,
     .order = STAR_ORDER_RANK},
    {.operation = STAR_ALLGATHERV, .name = "pages", .build = build_pages},
    {.operation = STAR_ALLGATHER, .name = "pages", .build = build_pages},
    {.operation = STAR_BARRIER, .name = "dissemination", .build = build_dissemination},
    {.operation = STAR_BCAST, .name = "flat", .build = build_flat},
};
enum { ROWS = sizeof rows / sizeof *rows };

static void right_rows_are_proven_in_all_variants(void **state)
{
    (void)state;
    for (int row = 0; row < ROWS; row++)
        for (int size = 1; size <= 20; size++)
            for (int64_t block = 1; block <= 5; block += 2) {
                struct star_method method = {.algorithm = &rows[row]};
                struct star_simulation found;
                struct star_why why = {{0}};
                bool in_place = star_operations[rows[row].operation].expected.in_place != NULL;
                struct star_shape shape = star_shape_of(size, block);
                if (star_method_prove(&method, &shape, in_place, &found, &why) != 0)
                    fail_msg("%s, %d ranks: %s", rows[row].name, size, why.text);
                assert_int_equal(found.rank_order, rows[row].order == STAR_ORDER_RANK);
                if (star_method_prove_all(&method, size, block, NULL, &why) != 0)
                    fail_msg("%s, %d ranks: %s", rows[row].name, size, why.text);
            }
}

/* To rank 0: (r99 op r100), and then (r100 op r101). */
static void build_common(struct star_builder *builder, const struct star_shape *shape)
{
    int me = shape->rank;
    struct star_place own = star_at(STAR_SENDBUF, 0), sums[2];
    for (int i = 0; i < 2; i++) {
        sums[i] = star_build_temp(builder, shape->block);
        if (me == 100)
            star_build_send(builder, 99 + 2 * i, own, shape->block);
        else if (me == 99 + 2 * i)
            star_build_recv(builder, 100, sums[0], shape->block);
    }
    star_build_round(builder);
    if (me == 99 || me == 101) {
        star_build_reduce(builder, sums[0], own, shape->block);
        star_build_send(builder, 0, sums[0], shape->block);
    }
    for (int i = 0; i < 2 && me == 0; i++)
        star_build_recv(builder, 99 + 2 * i, sums[i], shape->block);
    star_build_round(builder);
    if (me == 0)
        star_build_reduce(builder, sums[0], sums[1], shape->block);
}

static void a_rank_beyond_the_64th_reduced_twice_is_caught(void **state)
{
    (void)state;
    struct star_algorithm row = {.operation = STAR_REDUCE, .name = "common", .build = build_common};
    struct star_method method = {.algorithm = &row};
    struct star_why why = {{0}};
    assert_int_equal(prove(&method, 102, 2, NULL, &why), STAR_EWRONG);
    expect_reason(&why, "rank 100 twice");
}

static void a_chain_of_many_ranks_is_proven(void **state)
{
    (void)state;
    static const int sizes[] = {63, 64, 65, 128, 129};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct star_method method = {.algorithm = &rows[0]};
        struct star_simulation found;
        assert_int_equal(prove(&method, sizes[i], 1, &found, NULL), 0);
        assert_true(found.rank_order);
    }
}

/* Random single mutations of the plans of all ranks. */
struct victim {
    struct star_method method;
    struct star_plan *plans[9];
    struct star_shape shape;
};

static bool make_victim(struct victim *victim, uint64_t *seed)
{
    victim->shape = star_shape_of(2 + (int)random_below(seed, 8), 1 + (int64_t)random_below(seed, 5));
    victim->shape.units = star_operations[victim->method.algorithm->operation].units;
    victim->shape.block = victim->shape.units ? 1 : victim->shape.block;
    if (star_method_applies(&victim->method, &victim->shape, NULL))
        return false;
    for (int r = 0; r < victim->shape.size; r++) {
        struct star_shape shape = victim->shape;
        shape.rank = r;
        assert_int_equal(star_method_plan(&victim->method, &shape, INT64_MAX, &victim->plans[r], NULL), 0);
    }
    return true;
}

static bool choose_victim(struct victim *victim, uint64_t *seed)
{
    static const char *const methods[] = {"alltoall:ring",
                                          "alltoall:ring,sync=light,window=2",
                                          "alltoall:ring,sync=barriers:1",
                                          "alltoall:pair,sync=light",
                                          "alltoall:bruck",
                                          "alltoall:bruck,radix=3",
                                          "alltoall:simple",
                                          "alltoall:linear",
                                          "alltoall:ring,sync=barrier,window=3",
                                          "alltoall:mesh2d",
                                          "alltoall:rdb"};
    star_method_parse(methods[random_below(seed, sizeof methods / sizeof *methods)], &victim->method, NULL);
    return make_victim(victim, seed);
}

static bool choose_any_victim(struct victim *victim, uint64_t *seed)
{
    if (random_below(seed, 2))
        return choose_victim(victim, seed);
    victim->method = (struct star_method){.algorithm = &rows[random_below(seed, ROWS)]};
    return make_victim(victim, seed);
}

static int verdict_on_victim(struct victim *victim, bool in_place, struct star_why *why)
{
    const struct star_expectation *expected = &star_operations[victim->method.algorithm->operation].expected;
    return star_simulate((const struct star_plan *const *)victim->plans, &victim->shape, expected, in_place,
                         NULL, why);
}

static void free_victim(struct victim *victim)
{
    for (int r = 0; r < victim->shape.size; r++)
        star_plan_free(victim->plans[r]);
}

static struct star_step *choose_step(struct victim *victim, uint64_t *seed)
{
    struct star_plan *plan = victim->plans[random_below(seed, (uint64_t)victim->shape.size)];
    return plan->count ? &plan->steps[random_below(seed, (uint64_t)plan->count)] : NULL;
}

/* A small number, a neighbour of VALUE, or one of those at which sums overflow. */
static int64_t odd_number(uint64_t *seed, int64_t value)
{
    static const int64_t extremes[] = {INT64_MAX, INT64_MIN, INT32_MAX, INT32_MIN, INT64_MAX - 3, -1, 0, 1};
    switch (random_below(seed, 3)) {
    case 0:
        return (int64_t)random_below(seed, 40) - 10;
    case 1:
        return value + (int64_t)random_below(seed, 9) - 4;
    default:
        return extremes[random_below(seed, 8)];
    }
}

static void mutate(struct star_step *step, uint64_t *seed)
{
    switch (random_below(seed, 13)) {
    case 0:
        step->kind = (uint8_t)random_below(seed, 8);
        break;
    case 1:
        step->channel = (uint8_t)random_below(seed, 3);
        break;
    case 2:
        step->from = (uint8_t)random_below(seed, 5);
        break;
    case 3:
        step->to = (uint8_t)random_below(seed, 5);
        break;
    case 4:
        step->round = (int32_t)odd_number(seed, step->round);
        break;
    case 5:
        step->peer = (int32_t)odd_number(seed, step->peer);
        break;
    case 6:
        step->slot = (int32_t)odd_number(seed, step->slot);
        break;
    case 7:
        step->from_offset = odd_number(seed, step->from_offset);
        break;
    case 8:
        step->to_offset = odd_number(seed, step->to_offset);
        break;
    case 9:
        step->length = odd_number(seed, step->length);
        break;
    case 10:
        step->repeat = (int32_t)random_below(seed, 100) - 20;
        break;
    case 11:
        step->from_stride = odd_number(seed, step->from_stride);
        break;
    default:
        step->to_stride = odd_number(seed, step->to_stride);
        break;
    }
}

static void no_mutation_brings_the_simulator_down(void **state)
{
    (void)state;
    uint64_t seed = 20240607;
    int proven = 0, caught = 0;
    for (int i = 0; i < 20000; i++) {
        struct victim victim;
        struct star_why why = {{0}};
        if (!choose_any_victim(&victim, &seed))
            continue;
        struct star_step *step = choose_step(&victim, &seed);
        if (step != NULL) {
            mutate(step, &seed);
            int verdict = verdict_on_victim(&victim, i % 2, &why);
            assert_true(verdict == 0 || verdict == STAR_EWRONG);
            if (verdict)
                expect_one_line(why.text);
            verdict ? caught++ : proven++;
        }
        free_victim(&victim);
    }
    print_message("%d mutations caught, %d harmless\n", caught, proven);
    assert_true(caught > 5000);
}

/* Moves the data of STEP elsewhere, or makes it shorter; false when the step has no data. A temporary may
 * hold the same block twice, so what is read from there moves by less or more than whole blocks. */
static bool misplace(struct star_step *step, int64_t block, uint64_t *seed)
{
    int64_t by = 1 + (int64_t)random_below(seed, 12);
    bool data = step->length > 0 && step->repeat > 0;
    if (!data || step->kind == STAR_STEP_WAIT || step->kind == STAR_STEP_BARRIER)
        return false;
    int64_t shift = random_below(seed, 2) ? by : -by;
    bool shorten = random_below(seed, 3) == 0;
    if (shorten)
        step->length -= by < step->length ? by : step->length;
    else if (step->kind == STAR_STEP_RECV || (step->kind == STAR_STEP_COPY && random_below(seed, 2)))
        step->to_offset += shift;
    else if (step->from == STAR_TEMP && shift % block == 0)
        return false;
    else
        step->from_offset += shift;
    return true;
}

/* In a mesh some ranks hold data that they need not; in the others every byte of every step counts. */
static bool carries_more_than_needed(const struct victim *victim)
{
    return strcmp(victim->method.algorithm->name, "mesh2d") == 0 ||
           strcmp(victim->method.algorithm->name, "rdb") == 0;
}

static void all_misplaced_data_is_caught(void **state)
{
    (void)state;
    uint64_t seed = 99;
    int caught = 0;
    for (int i = 0; i < 20000; i++) {
        struct victim victim;
        if (!choose_victim(&victim, &seed))
            continue;
        struct star_step *step = choose_step(&victim, &seed), before = step ? *step : (struct star_step){0};
        if (step != NULL && !carries_more_than_needed(&victim) && misplace(step, victim.shape.block, &seed)) {
            char text[STAR_METHOD_TEXT];
            if (verdict_on_victim(&victim, false, NULL) != STAR_EWRONG)
                fail_msg(
                    "%s of %d ranks, block %lld: a step of kind %d in round %d, moved from %lld:%lld:%lld to "
                    "%lld:%lld:%lld, is not caught",
                    star_method_format(&victim.method, text, sizeof text), victim.shape.size,
                    (long long)victim.shape.block, step->kind, step->round, (long long)before.from_offset,
                    (long long)before.to_offset, (long long)before.length, (long long)step->from_offset,
                    (long long)step->to_offset, (long long)step->length);
            caught++;
        }
        free_victim(&victim);
    }
    assert_true(caught > 3000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wrong_algorithm_is_not_proven),
        cmocka_unit_test(right_rows_are_proven_in_all_variants),
        cmocka_unit_test(a_rank_beyond_the_64th_reduced_twice_is_caught),
        cmocka_unit_test(a_chain_of_many_ranks_is_proven),
        cmocka_unit_test(ring_moves_each_byte_once),
        cmocka_unit_test(a_right_plan_stays_right_whatever_the_window),
        cmocka_unit_test(no_mutation_brings_the_simulator_down),
        cmocka_unit_test(all_misplaced_data_is_caught),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

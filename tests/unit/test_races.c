/* SPDX-License-Identifier: BSD-3-Clause
 * Proofs of shared memory: right plans are proven, and whatever post or await is taken out of a row, the
 * proof fails. */
#include "algorithms/method.h"
#include "algorithms/operations.h"
#include "algorithms/prove.h"
#include "expect.h"
#include "plan/build.h"
#include "plan/races.h"
#include "plan/simulate.h"
#include "topology/levels.h"

#include <stdio.h>

enum { RANKS_MOST = 9 };

struct subject {
    struct star_method method;
    struct star_shape shape;
    struct star_plan *plan[RANKS_MOST];
};

static void make(struct subject *subject)
{
    for (int r = 0; r < subject->shape.size; r++) {
        struct star_shape shape = subject->shape;
        shape.rank = r;
        assert_int_equal(star_method_plan(&subject->method, &shape, INT64_MAX, &subject->plan[r], NULL), 0);
    }
}

static void unmake(struct subject *subject)
{
    for (int r = 0; r < subject->shape.size; r++)
        star_plan_free(subject->plan[r]);
}

/* All that is asked of plans: their results, and that they do not race. */
static int judge(const struct subject *subject, struct star_why *why)
{
    const struct star_plan *const *plans = (const struct star_plan *const *)subject->plan;
    enum star_operation operation = subject->method.algorithm->operation;
    int error = star_simulate(plans, &subject->shape, &star_operations[operation].expected, false, NULL, why);
    return error ? error
                 : star_races(plans, subject->shape.size, NULL, star_operation_awaits_all(operation), why);
}

static bool fails(const struct subject *subject)
{
    struct star_why why = {{0}};
    int error = judge(subject, &why);
    if (error)
        expect_one_line(why.text);
    return error == STAR_EWRONG;
}

static int taken_out;

static void complain(const struct subject *subject, int r, const struct star_step *step, const char *what)
{
    char name[STAR_METHOD_TEXT];
    fail_msg("%s is proven for %d ranks where rank %d %s %d",
             star_method_format(&subject->method, name, sizeof name), subject->shape.size, r, what,
             step->repeat);
}

/* Nothing in its place: a step of no bytes. */
static void without_awaits(struct subject *subject, int r)
{
    struct star_plan *plan = subject->plan[r];
    for (int32_t i = 0; i < plan->count; i++) {
        struct star_step step = plan->steps[i];
        if (step.kind != STAR_STEP_AWAIT)
            continue;
        plan->steps[i] = (struct star_step){.kind = STAR_STEP_WAIT, .round = step.round};
        taken_out++;
        if (!fails(subject))
            complain(subject, r, &step, "does not await");
        plan->steps[i] = step;
    }
}

/* Does PLAN show BUFFER? */
static bool shows(const struct star_plan *plan, int buffer)
{
    bool shown = false;
    for (int32_t i = 0; i < plan->count; i++)
        shown = shown || (plan->steps[i].kind == STAR_STEP_SHOW && plan->steps[i].from == buffer);
    return shown;
}

/* May others see it? It writes this rank's area or what it shows, reads what others have, or shows it. */
static bool is_seen(const struct star_plan *plan, const struct star_step *step)
{
    bool reads = step->from == STAR_SHARED && step->peer != plan->rank;
    bool moves = step->kind == STAR_STEP_COPY || step->kind == STAR_STEP_REDUCE;
    return step->kind == STAR_STEP_SHOW || step->kind == STAR_STEP_READ ||
           (moves &&
            (reads || step->to == STAR_SHARED || (step->to == STAR_RECVBUF && shows(plan, step->to))));
}

/* The last such step before AT. */
static int32_t seen_before(const struct star_plan *plan, int32_t at)
{
    do
        at--;
    while (at >= 0 && !is_seen(plan, &plan->steps[at]));
    return at;
}

/* From FROM to TO; what lies between moves on. */
static void move(struct star_plan *plan, int32_t from, int32_t to)
{
    struct star_step step = plan->steps[from];
    for (; from > to; from--)
        plan->steps[from] = plan->steps[from - 1];
    for (; from < to; from++)
        plan->steps[from] = plan->steps[from + 1];
    plan->steps[to] = step;
}

/* Before what it tells of is done. A post that is left out altogether may come with the next one, only later;
 * but not the last one. */
static void with_early_posts(struct subject *subject, int r)
{
    struct star_plan *plan = subject->plan[r];
    int32_t last = -1;
    for (int32_t i = 0; i < plan->count; i++) {
        struct star_step step = plan->steps[i];
        if (step.kind != STAR_STEP_POST)
            continue;
        int32_t before = seen_before(plan, i);
        last = i;
        if (before < 0) /* a barrier's */
            continue;
        move(plan, i, before);
        taken_out++;
        if (!fails(subject))
            complain(subject, r, &step, "posts too early");
        move(plan, before, i);
    }
    if (last < 0)
        return;
    struct star_step step = plan->steps[last];
    plan->steps[last] = (struct star_step){.kind = STAR_STEP_WAIT, .round = step.round};
    taken_out++;
    if (!fails(subject))
        complain(subject, r, &step, "does not post");
    plan->steps[last] = step;
}

/* Long enough that no slice is empty, and that short segments are several. */
static int visit(const struct star_method *method, void *context)
{
    (void)context;
    if (!method->algorithm->shares)
        return 0;
    bool rooted = star_operations[method->algorithm->operation].rooted;
    bool none = star_operations[method->algorithm->operation].measure == STAR_NO_BYTES;
    bool units = star_operations[method->algorithm->operation].units;
    int most = trials(9, 6);
    int node[RANKS_MOST], room[RANKS_MOST * STAR_LOCALITIES];
    uint64_t locality[RANKS_MOST];
    struct star_levels levels;
    for (int r = 0; r < RANKS_MOST; r++)
        node[r] = r / 3;
    for (int size = method->algorithm->nodes ? 4 : 2; size <= most; size++)
        for (int root = 0; root<(rooted ? size : 1); root += size> 6 ? size - 1 : 1) {
            struct subject subject = {.method = *method,
                                      .shape = star_shape_of(size, none    ? 0
                                                                   : units ? 1
                                                                           : 80)};
            struct star_why why = {{0}};
            subject.shape.root = root;
            subject.shape.units = units;
            subject.shape.node = method->algorithm->nodes ? node : NULL;
            if (method->algorithm->levels &&
                !star_sample_levels(size, (size + root) % STAR_NETWORK_FORMS, locality, room, &levels))
                continue;
            subject.shape.levels = &levels;
            make(&subject);
            if (judge(&subject, &why))
                fail_msg("%s, %d ranks: %s", method->algorithm->name, size, why.text);
            for (int r = 0; r < size; r++) {
                without_awaits(&subject, r);
                with_early_posts(&subject, r);
            }
            unmake(&subject);
        }
    return 0;
}

static void nothing_can_be_taken_out_of_a_row(void **state)
{
    (void)state;
    taken_out = 0;
    for (int operation = 0; operation < STAR_OPERATIONS; operation++)
        star_methods_each((enum star_operation)operation, true, visit, NULL);
    assert_true(taken_out > 1000);
}

/* Rank 0's block to all others: what each of these builders gets wrong. */
static void build_unposted(struct star_builder *b, const struct star_shape *shape)
{
    star_build_share(b, shape->block);
    if (shape->rank == shape->root) {
        star_build_post(b, 1);
        star_build_copy(b, star_at(STAR_SHARED, 0), star_at(STAR_RECVBUF, 0), shape->block);
    } else {
        star_build_await(b, shape->root, 1);
        star_build_pull(b, star_at(STAR_RECVBUF, 0), shape->root, 0, shape->block);
    }
}

/* The first half twice in one place, though others may still read it. */
static void build_overwriting(struct star_builder *b, const struct star_shape *shape)
{
    int64_t half = shape->block / 2;
    star_build_share(b, half);
    for (int i = 0; i < 2; i++) {
        struct star_place place = star_at(STAR_RECVBUF, i * half);
        if (shape->rank == shape->root) {
            star_build_copy(b, star_at(STAR_SHARED, 0), place, half);
            star_build_post(b, i + 1);
        } else {
            star_build_await(b, shape->root, i + 1);
            star_build_pull(b, place, shape->root, 0, half);
        }
    }
}

/* Awaits what comes only when it has come itself. */
static void build_stuck(struct star_builder *b, const struct star_shape *shape)
{
    star_build_share(b, shape->block);
    star_build_await(b, (shape->rank + 1) % shape->size, 1);
    star_build_post(b, 1);
}

/* All see to it that others have come, but not that they have read: the next call but one may begin. */
static void build_one_sided(struct star_builder *b, const struct star_shape *shape)
{
    int peer = (shape->rank + 1) % shape->size;
    int64_t block = shape->block;
    star_build_share(b, block);
    star_build_copy(b, star_at(STAR_SHARED, 0), star_at(STAR_SENDBUF, 0), block);
    star_build_post(b, 1);
    for (int r = 0; r < shape->size; r++) {
        if (r != shape->rank && r != peer)
            star_build_await(b, r, 1);
        if (r == peer)
            star_build_await(b, r, 1);
        star_build_pull(b, star_at(STAR_RECVBUF, r * block), r, 0, block);
    }
}

static void show_input(struct star_builder *b, int64_t length)
{
    star_build_share(b, 1);
    star_build_show(b, star_at(STAR_SENDBUF, 0), length);
    star_build_post(b, 1);
}

/* All read from all others, who do not wait for it. */
static void read_all(struct star_builder *b, const struct star_shape *shape)
{
    int64_t block = shape->block;
    star_build_copy(b, star_at(STAR_RECVBUF, shape->rank * block), star_at(STAR_SENDBUF, 0), block);
    for (int i = 1; i < shape->size; i++) {
        int peer = (shape->rank + i) % shape->size;
        star_build_await(b, peer, 1);
        star_build_read(b, star_at(STAR_RECVBUF, peer * block), peer, star_at(STAR_SENDBUF, 0), block);
    }
}

static void build_unacknowledged(struct star_builder *b, const struct star_shape *shape)
{
    show_input(b, shape->block);
    read_all(b, shape);
}

static void build_shown_in_part(struct star_builder *b, const struct star_shape *shape)
{
    show_input(b, shape->block / 2);
    read_all(b, shape);
}

static void build_shown_twice(struct star_builder *b, const struct star_shape *shape)
{
    show_input(b, shape->block / 2);
    star_build_show(b, star_at(STAR_SENDBUF, shape->block / 2), shape->block / 2);
}

/* Each reduces its block of all where, in place, others still read another one. */
static void build_reducing_too_early(struct star_builder *b, const struct star_shape *shape)
{
    int64_t block = shape->block, own = shape->rank * block;
    struct star_place result = star_at(STAR_RECVBUF, 0), temp = star_build_temp(b, block);
    show_input(b, shape->size * block);
    star_build_copy(b, result, star_at(STAR_SENDBUF, own), block);
    for (int i = 1; i < shape->size; i++) {
        int peer = (shape->rank + i) % shape->size;
        star_build_await(b, peer, 1);
        star_build_read(b, temp, peer, star_at(STAR_SENDBUF, own), block);
        star_build_reduce(b, result, temp, block);
    }
    star_build_post(b, 2);
    for (int i = 1; i < shape->size; i++)
        star_build_await(b, (shape->rank + i) % shape->size, 2);
}

static int prove_placed(enum star_operation operation,
                        void (*build)(struct star_builder *, const struct star_shape *), bool in_place,
                        struct star_why *why)
{
    struct star_algorithm row = {.operation = operation, .name = "one", .shares = true, .build = build};
    struct star_method method = {.algorithm = &row};
    struct star_shape shape = star_shape_of(3, 8);
    return star_method_prove(&method, &shape, in_place, NULL, why);
}

static int prove(enum star_operation operation,
                 void (*build)(struct star_builder *, const struct star_shape *), struct star_why *why)
{
    return prove_placed(operation, build, false, why);
}

static void faults_are_found(void **state)
{
    (void)state;
    struct star_why why = {{0}};
    assert_int_equal(prove(STAR_BCAST, build_unposted, &why), STAR_EWRONG);
    assert_int_equal(prove(STAR_BCAST, build_overwriting, &why), STAR_EWRONG);
    assert_int_equal(prove(STAR_ALLGATHER, build_stuck, &why), STAR_EWRONG);
    expect_reason(&why, "never comes");
    assert_int_equal(prove(STAR_ALLGATHER, build_one_sided, &why), 0);
    assert_int_equal(prove(STAR_ALLGATHER, build_shown_in_part, &why), STAR_EWRONG);
    expect_reason(&why, "has not shown");
    assert_int_equal(prove(STAR_ALLGATHER, build_shown_twice, &why), STAR_EWRONG);
    expect_reason(&why, "twice");
}

/* What is shown may be the program's own memory. */
static void what_is_shown_is_left_alone_until_it_is_read(void **state)
{
    (void)state;
    struct star_why why = {{0}};
    assert_int_equal(prove_placed(STAR_REDUCE_SCATTER_BLOCK, build_reducing_too_early, false, &why), 0);
    assert_int_equal(prove_placed(STAR_REDUCE_SCATTER_BLOCK, build_reducing_too_early, true, &why),
                     STAR_EWRONG);
    assert_int_equal(prove(STAR_ALLGATHER, build_unacknowledged, &why), STAR_EWRONG);
    expect_reason(&why, "send buffer");
}

static void ranks_without_common_memory_are_refused(void **state)
{
    (void)state;
    struct star_method method;
    struct star_why why = {{0}};
    struct star_shape shape = star_shape_of(4, 8);
    int nodes[] = {0, 0, 1, 1}, one[] = {0, 0, 0, 0};
    assert_int_equal(star_method_parse("allreduce:shared", &method, NULL), 0);
    assert_int_equal(star_method_applies(&method, &shape, &why), 0);
    shape.node = one;
    assert_int_equal(star_method_applies(&method, &shape, &why), 0);
    shape.node = nodes;
    assert_int_equal(star_method_applies(&method, &shape, &why), STAR_ENEEDS);
    expect_reason(&why, "share");
    shape.node = NULL;
    shape.shares = false;
    assert_int_equal(star_method_applies(&method, &shape, &why), STAR_ENEEDS);
    assert_int_equal(star_method_parse("bcast:single_copy", &method, NULL), 0);
    shape.shares = true;
    assert_int_equal(star_method_applies(&method, &shape, &why), 0);
    shape.reads = false;
    assert_int_equal(star_method_applies(&method, &shape, &why), STAR_ENEEDS);
    expect_reason(&why, "read");
}

static void more_than_the_area_is_refused(void **state)
{
    (void)state;
    struct star_shape shape = star_shape_of(2, 8);
    struct star_builder *builder = star_builder_new(&shape, INT64_MAX);
    struct star_plan *plan;
    struct star_why why = {{0}};
    star_build_share(builder, STAR_SHARED_MOST + 1);
    assert_int_equal(star_builder_finish(builder, (struct star_pacing){.window = 1}, &plan, &why),
                     STAR_ENEEDS);
    expect_reason(&why, "shared memory");
}

static bool is_candidate(const char *text, int64_t bytes)
{
    struct star_method method;
    struct star_shape shape = star_shape_of(2, bytes);
    assert_int_equal(star_method_parse(text, &method, NULL), 0);
    return star_method_is_candidate(&method, &shape, bytes);
}

static void short_messages_are_candidates_once(void **state)
{
    (void)state;
    assert_true(is_candidate("alltoall:shared", 4096));
    assert_false(is_candidate("alltoall:shared,segment=128K", 4096));
    assert_true(is_candidate("allreduce:shared_slices", 65536));
    assert_true(is_candidate("allreduce:shared_slices,segment=128K", 65536));
    assert_true(is_candidate("bcast:shared", 8));
    assert_false(is_candidate("allgather:single_copy", 4096));
    assert_true(is_candidate("bcast:single_copy", 100000));
    assert_false(is_candidate("bcast:single_copy,segment=128K", 100000));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_can_be_taken_out_of_a_row),
        cmocka_unit_test(faults_are_found),
        cmocka_unit_test(what_is_shown_is_left_alone_until_it_is_read),
        cmocka_unit_test(ranks_without_common_memory_are_refused),
        cmocka_unit_test(more_than_the_area_is_refused),
        cmocka_unit_test(short_messages_are_candidates_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Who leaves a call in shared memory before all have come: what others find, and when areas are written
 * again. All ranks are played by one thread, in an order that is the same on every run. */
#include "algorithms/method.h"
#include "exec/execute.h"
#include "exec/segment.h"
#include "expect.h"
#include "plan/build.h"
#include "ranks.h"

enum { HUB = 2, BLOCK = 8 };

struct stage {
    int size;
    struct star_segment *segment[RANKS_MOST];
    struct star_runner *runner[RANKS_MOST];
};

static void make_segment(int rank, void *context)
{
    struct stage *stage = context;
    struct star_route route = ranks_route();
    stage->segment[rank] = star_segment_make(&route, NULL, true, (struct star_seat){0, true});
}

static void open_stage(struct stage *stage, int size)
{
    *stage = (struct stage){.size = size};
    ranks_as_threads(size, make_segment, stage);
    for (int r = 0; r < size; r++)
        assert_non_null(stage->segment[r]);
}

static void close_stage(struct stage *stage)
{
    for (int r = 0; r < stage->size; r++) {
        star_runner_free(stage->runner[r]);
        star_segment_free(stage->segment[r]);
    }
}

/* Rank 1 tells the hub that it has come, the hub tells rank 0, and rank 0 the last rank: so all do meet. */
static void build_chain(struct star_builder *b, int rank)
{
    static const int before[] = {HUB, 3, 1, 0};
    star_build_share(b, BLOCK);
    if (rank != 1)
        star_build_await(b, before[rank], 1);
    star_build_post(b, 1);
    if (rank == 1)
        star_build_await(b, before[rank], 1);
    star_build_end(b);
}

static void make_chain(struct stage *stage)
{
    for (int r = 0; r < stage->size; r++) {
        struct star_shape shape = star_shape_of(stage->size, BLOCK);
        struct star_plan *plan;
        shape.rank = r;
        struct star_builder *builder = star_builder_new(&shape, INT64_MAX);
        build_chain(builder, r);
        assert_int_equal(star_builder_finish(builder, (struct star_pacing){.window = 1}, &plan, NULL), 0);
        plan->vector = BLOCK;
        plan->meets = true;
        stage->runner[r] = star_runner_new(plan);
        assert_true(stage->runner[r]->plain);
    }
}

static int call(const struct stage *stage, int rank)
{
    char send[BLOCK] = {0}, recv[BLOCK];
    struct star_buffers buffers = {.send = star_side_packed(send), .recv = star_side_packed(recv)};
    struct star_route route = ranks_route();
    route.segment = stage->segment[rank];
    return star_execute(stage->runner[rank], &buffers, &route);
}

static void refuse(const struct stage *stage, int rank)
{
    struct star_route route = ranks_route();
    route.segment = stage->segment[rank];
    star_execute_refuse(stage->runner[rank], &route);
}

/* The hub does not come, nor rank 1, yet: rank 0, and whoever waits for it alone, find that out. */
static void who_misses_one_has_not_met_all(void **state)
{
    struct stage stage;
    (void)state;
    open_stage(&stage, 4);
    make_chain(&stage);
    for (int c = 0; c < 2; c++) {
        refuse(&stage, HUB);
        assert_int_equal(call(&stage, 0), MPI_ERR_TRUNCATE);
        assert_int_equal(call(&stage, 3), MPI_ERR_TRUNCATE);
    }
    /* The third call would have the first one's area, where rank 1 has not been. */
    assert_false(star_segment_enter(stage.segment[0], BLOCK, true));
    assert_false(star_segment_enter(stage.segment[3], BLOCK, true));
    assert_int_equal(call(&stage, 1), MPI_ERR_TRUNCATE);
    assert_true(star_segment_enter(stage.segment[0], BLOCK, true));
    assert_true(star_segment_enter(stage.segment[3], BLOCK, true));
    close_stage(&stage);
}

static void leave_calls(struct star_segment *segment, int64_t bytes, int calls)
{
    for (int c = 0; c < calls; c++) {
        assert_true(star_segment_enter(segment, bytes, false));
        star_segment_leave(segment, false);
    }
}

/* Each rank has 16 areas of this size: where the first is to be taken again, and that call is refused, the
 * second still has to wait. */
static void a_refused_call_waits_for_nobody_but_the_next_does(void **state)
{
    enum { BYTES = 16384, AREAS = 16 };
    struct stage stage;
    (void)state;
    open_stage(&stage, 2);
    leave_calls(stage.segment[0], BYTES, AREAS);
    assert_false(star_segment_enter(stage.segment[0], BYTES, false));
    star_segment_skip(stage.segment[0], BYTES, false);
    assert_false(star_segment_enter(stage.segment[0], BYTES, false));
    leave_calls(stage.segment[1], BYTES, AREAS);
    assert_true(star_segment_enter(stage.segment[0], BYTES, false));
    close_stage(&stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_misses_one_has_not_met_all),
        cmocka_unit_test(a_refused_call_waits_for_nobody_but_the_next_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

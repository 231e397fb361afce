/* SPDX-License-Identifier: BSD-3-Clause
 * Many calls in shared memory, one behind the other, between two processes, each on a processor of its own:
 * what is handed over is never that of another call. Eight bytes a call, as two halves that fit together;
 * by turns both meet, one runs ahead, and the other does. */
#include "exec/native.h"
#include "exec/segment.h"
#include "expect.h"
#include "ranks.h"

#include <stdio.h>

enum { ODD = 1000003 };
struct halves {
    uint32_t call, times_odd;
};

struct epochs {
    int64_t calls;
    int64_t bytes; /* of each area */
};

static void show(struct star_segment *segment, int rank, uint32_t call)
{
    struct halves mine = {call, call * ODD + (uint32_t)rank};
    memcpy(star_segment_area(segment, rank), &mine, sizeof mine);
    star_segment_post(segment, 1, sizeof mine);
}

static void see(const struct star_segment *segment, int rank, uint32_t call)
{
    struct halves theirs;
    int64_t bytes = 0;
    for (int turns = 0; !star_segment_has(segment, rank, 1, &bytes);)
        star_segment_wait(segment, &turns, MPI_COMM_WORLD);
    memcpy(&theirs, star_segment_area(segment, rank), sizeof theirs);
    if (theirs.call != call || theirs.times_odd != call * ODD + (uint32_t)rank || bytes != sizeof theirs)
        ranks_complain("call %u: rank %d's is %u, %u, %lld bytes", (unsigned)call, rank,
                       (unsigned)theirs.call, (unsigned)theirs.times_odd, (long long)bytes);
}

static void enter(struct star_segment *segment, int64_t bytes, bool meet)
{
    for (int turns = 0; !star_segment_enter(segment, bytes, meet);)
        star_segment_wait(segment, &turns, MPI_COMM_WORLD);
}

/* As the executor has it. */
static void make_call(struct star_segment *segment, int rank, int64_t call, int64_t bytes)
{
    enum { ALIKE = 1000 }; /* so many calls before others come */
    int64_t kind = call / ALIKE % 3;
    int writer = (int)(kind - 1);
    star_segment_number(segment, call + 1, false);
    enter(segment, bytes, kind == 0);
    if (kind == 0 || rank == writer)
        show(segment, rank, (uint32_t)call);
    if (kind == 0 || rank != writer)
        see(segment, 1 - rank, (uint32_t)call);
    star_segment_leave(segment, kind == 0);
}

static void go_through(int rank, void *context)
{
    const struct epochs *epochs = context;
    struct star_route route = ranks_route();
    ranks_pin(rank);
    struct star_segment *segment = star_segment_make(&route, NULL, true, (struct star_seat){0, false});
    if (segment == NULL)
        ranks_complain("rank %d has no shared memory", rank);
    for (int64_t call = 0; call < epochs->calls; call++)
        make_call(segment, rank, call, epochs->bytes);
    star_segment_free(segment);
}

static int64_t all_calls;

static void nothing_comes_from_another_call(void **state)
{
    static const int64_t bytes[] = {48, 1024, 16384, 262144};
    (void)state;
    for (int i = 0; i < 4; i++) {
        struct epochs epochs = {.calls = i == 0 ? all_calls : all_calls / 20, .bytes = bytes[i]};
        assert_true(ranks_as_processes(2, go_through, &epochs));
    }
}

/* Two nodes of two, whose ranks take turns: each finds the memory of its own. */
static void find_each_other(int rank, void *context)
{
    const int node[] = {0, 1, 0, 1};
    struct star_route route = ranks_route();
    struct star_segment *segment = star_segment_make(&route, node, rank >= 0, (struct star_seat){0, true});
    int64_t bytes = 0;
    (void)context;
    if (segment == NULL)
        ranks_complain("rank %d has no shared memory", rank);
    enter(segment, 48, true);
    show(segment, rank, (uint32_t)rank);
    see(segment, rank ^ 2, (uint32_t)(rank ^ 2));
    star_segment_leave(segment, true);
    if (star_segment_has(segment, rank ^ 2, 1, &bytes))
        ranks_complain("rank %d: the next call has begun", rank);
    ranks_barrier();
    star_segment_free(segment);
}

static void do_without(int rank, void *context)
{
    struct star_route route = ranks_route();
    (void)context;
    if (star_segment_make(&route, NULL, rank != 1, (struct star_seat){0, true}) != NULL)
        ranks_complain("rank %d has memory that rank 1 cannot have", rank);
}

static void ranks_of_a_node_have_memory_in_common(void **state)
{
    (void)state;
    assert_true(ranks_as_processes(4, find_each_other, NULL));
    assert_true(ranks_as_processes(3, do_without, NULL));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranks_of_a_node_have_memory_in_common),
        cmocka_unit_test(nothing_comes_from_another_call),
    };
    all_calls = argc > 1 ? strtoll(argv[1], NULL, 10) : 2000000;
    return cmocka_run_group_tests(tests, NULL, NULL);
}

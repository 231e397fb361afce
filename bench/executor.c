/* SPDX-License-Identifier: BSD-3-Clause
 * The executor beside code written by hand: the same algorithm as a plan and with MPI's own calls, in turns
 * within one run. Prints the ratio of the medians (plan over hand) for each case. executor [CASE], CASE
 * counted from 0 */
#include "algorithms/method.h"
#include "algorithms/operations.h"
#include "by_hand.h"
#include "exec/execute.h"
#include "exec/run.h"
#include "exec/runner.h"
#include "exec/side.h"
#include "plan/plan.h"
#include "util/clock.h"
#include "util/quantile.h"
#include "util/why.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *method;
    int bytes, turns, calls; /* of a turn */
    void (*by_hand)(const struct work *work);
} cases[] = {
    {"alltoall:simple", 64, 800, 50, alltoall_simple},
    {"alltoall:simple", 65536, 400, 20, alltoall_simple},
    {"allreduce:rdb", 8, 800, 50, allreduce_doubling},
    {"allreduce:ring", 1 << 20, 300, 5, allreduce_ring},
    {"bcast:binomial", 1 << 20, 300, 5, bcast_binomial},
    {"bcast:chain,segment=64K", 1 << 20, 300, 5, bcast_chain},
};
enum { CASES = sizeof cases / sizeof *cases };

static void fail(const char *what, const char *why)
{
    fprintf(stderr, "executor: %s: %s\n", what, why);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static void open_work(struct work *work, int bytes)
{
    size_t room = (size_t)work->size * (size_t)bytes;
    work->bytes = bytes;
    work->send = calloc(1, room);
    work->recv = calloc(1, room);
    work->spare = calloc(1, room);
    work->requests = malloc(2 * (size_t)work->size * sizeof *work->requests);
    if (!work->send || !work->recv || !work->spare || !work->requests)
        fail("buffers", "out of memory");
    for (size_t i = 0; i < room / sizeof(double); i++)
        ((double *)(void *)work->send)[i] = (double)(work->rank + 1) * (double)(i % 100);
}

static void close_work(struct work *work)
{
    free(work->send);
    free(work->recv);
    free(work->spare);
    free(work->requests);
}

static struct star_runner *runner_of(const char *name, const struct work *work,
                                     enum star_operation *operation)
{
    struct star_method method;
    struct star_plan *plan;
    struct star_why why;
    struct star_shape shape = star_shape_of(work->size, work->bytes);
    shape.rank = work->rank;
    if (star_method_parse(name, &method, &why))
        fail(name, why.text);
    *operation = method.algorithm->operation;
    if (star_operations[*operation].expected.reduces)
        shape.granule = sizeof(double);
    if (star_method_plan(&method, &shape, INT64_MAX, &plan, &why))
        fail(name, why.text);
    return star_runner_new(plan);
}

static void by_plan(struct star_runner *runner, const struct work *work, enum star_operation operation)
{
    static struct star_buffers buffers; /* as the runtime keeps them */
    MPI_Datatype type = star_operations[operation].expected.reduces ? MPI_DOUBLE : MPI_BYTE;
    if (operation != STAR_BCAST)
        star_side_renew(&buffers.send, work->send, type);
    star_side_renew(&buffers.recv, work->recv, type);
    const struct star_route route = star_route_alone(work->comm);
    buffers.op = MPI_SUM;
    if (star_execute(runner, &buffers, &route))
        fail("plan", "an MPI error");
}

static double per_call(int64_t begin, int64_t end, int calls)
{
    return (double)(end - begin) / calls;
}

/* Both must receive the same. */
static void compare(int which, struct star_runner *runner, const struct work *work,
                    enum star_operation operation)
{
    size_t bytes = (size_t)work->bytes * (operation == STAR_ALLTOALL ? (size_t)work->size : 1);
    if (operation == STAR_BCAST)
        memset(work->recv, work->rank == 0 ? 7 : 0, bytes);
    cases[which].by_hand(work);
    memcpy(work->spare, work->recv, bytes);
    if (operation != STAR_BCAST || work->rank != 0)
        memset(work->recv, 0, bytes);
    by_plan(runner, work, operation);
    if (memcmp(work->spare, work->recv, bytes) != 0)
        fail(cases[which].method, "not the same result as by hand");
}

static void measure(int which, struct work *work)
{
    enum { WARMUP = 5 };
    int turns = cases[which].turns, calls = cases[which].calls;
    enum star_operation operation;
    open_work(work, cases[which].bytes);
    struct star_runner *runner = runner_of(cases[which].method, work, &operation);
    double *hand = malloc((size_t)turns * sizeof *hand), *plan = malloc((size_t)turns * sizeof *plan);
    double *ratio = malloc((size_t)turns * sizeof *ratio);
    if (!runner || !hand || !plan || !ratio)
        fail(cases[which].method, "out of memory");
    compare(which, runner, work, operation);
    for (int turn = -WARMUP; turn < turns; turn++) {
        int64_t begin = star_now();
        for (int i = 0; i < calls; i++)
            by_plan(runner, work, operation);
        int64_t middle = star_now();
        for (int i = 0; i < calls; i++)
            cases[which].by_hand(work);
        int64_t end = star_now();
        if (turn < 0)
            continue;
        plan[turn] = per_call(begin, middle, calls);
        hand[turn] = per_call(middle, end, calls);
        ratio[turn] = plan[turn] / hand[turn];
    }
    star_sort(plan, turns);
    star_sort(hand, turns);
    star_sort(ratio, turns);
    double plan_median = star_quantile(plan, turns, 0.5), hand_median = star_quantile(hand, turns, 0.5);
    if (work->rank == 0)
        printf("%-24s %8d bytes, %d ranks, %d turns of %d calls: plan %.2f us, by hand %.2f us, ratio of the "
               "medians %.3f (per turn: middle half %.2f to %.2f), of the least %.3f\n",
               cases[which].method, work->bytes, work->size, turns, calls, plan_median * 1e-3,
               hand_median * 1e-3, plan_median / hand_median, star_quantile(ratio, turns, 0.25),
               star_quantile(ratio, turns, 0.75), plan[0] / hand[0]);
    fflush(stdout);
    free(hand);
    free(plan);
    free(ratio);
    star_runner_free(runner);
    close_work(work);
}

int main(int argc, char **argv)
{
    struct work work = {0};
    int only = argc > 1 ? atoi(argv[1]) : -1;
    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &work.comm);
    MPI_Comm_set_errhandler(work.comm, MPI_ERRORS_RETURN);
    MPI_Comm_rank(work.comm, &work.rank);
    MPI_Comm_size(work.comm, &work.size);
    for (int i = 0; i < CASES; i++)
        if (only < 0 || i == only)
            measure(i, &work);
    MPI_Comm_free(&work.comm);
    MPI_Finalize();
    return 0;
}

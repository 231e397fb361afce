/* SPDX-License-Identifier: BSD-3-Clause
 * What it takes to ask the cost model of all candidates of a context, with the parts that the race looks at,
 * on an ideal switch: the median of some rounds, against what star_forecast_seconds_of says of plans and
 * steps. */
#include "algorithms/forecast.h"
#include "algorithms/method.h"
#include "algorithms/methods.h"
#include "algorithms/operations.h"
#include "plan/cost.h"
#include "plan/plan.h"
#include "util/clock.h"
#include "util/prospect.h"

#include <stdio.h>
#include <stdlib.h>

enum { ROUNDS = 21 };

static int compare(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static double ask(const struct star_methods *candidates, const struct star_shape *shape)
{
    static const double patience = 10;
    const struct star_forecast_terms terms = {
        .parameters = star_cost_presets, .temp_limit = INT64_MAX, .patience = patience, .parts = true};
    struct star_prospect *each = malloc((size_t)candidates->count * sizeof *each);
    for (int i = 0; each != NULL && i < candidates->count; i++)
        each[i] = STAR_NO_PROSPECT;
    int64_t begin = star_now();
    if (each != NULL)
        star_forecast(candidates, shape, &terms, each);
    double seconds = (double)star_since(begin) * 1e-9;
    free(each);
    return seconds;
}

static void count(const struct star_methods *candidates, struct star_shape shape, int64_t *plans,
                  int64_t *steps)
{
    for (int i = 0; i < candidates->count; i++)
        for (shape.rank = 0; shape.rank < shape.size; shape.rank++) {
            struct star_plan *plan;
            if (candidates->at[i].algorithm->build == NULL ||
                star_method_plan(&candidates->at[i], &shape, INT64_MAX, &plan, NULL))
                continue;
            ++*plans;
            *steps += plan->count;
            star_plan_free(plan);
        }
}

static bool report(enum star_operation operation, int ranks, int64_t bytes)
{
    const struct star_methods all = {0};
    struct star_methods candidates;
    struct star_shape shape = star_shape_of(ranks, bytes);
    double seconds[ROUNDS];
    int64_t plans = 0, steps = 0;
    int *groups;
    if (star_candidates(&all, operation, &shape, bytes, false, &candidates, &groups))
        return false;
    for (int i = 0; i < ROUNDS; i++)
        seconds[i] = ask(&candidates, &shape);
    qsort(seconds, ROUNDS, sizeof *seconds, compare);
    count(&candidates, shape, &plans, &steps);
    printf("%-12s %3d ranks %8lld bytes %4lld plans %7lld steps: %9.1f us (%.1f to %.1f), said %9.1f\n",
           star_operations[operation].name, ranks, (long long)bytes, (long long)plans, (long long)steps,
           1e6 * seconds[ROUNDS / 2], 1e6 * seconds[0], 1e6 * seconds[ROUNDS - 1],
           1e6 * star_forecast_seconds_of(plans, steps));
    star_methods_free(&candidates);
    free(groups);
    return true;
}

int main(void)
{
    static const enum star_operation operations[] = {STAR_ALLTOALL, STAR_ALLGATHER, STAR_ALLREDUCE,
                                                     STAR_BCAST, STAR_REDUCE};
    for (size_t o = 0; o < sizeof operations / sizeof *operations; o++)
        for (int ranks = 4; ranks <= 16; ranks *= 2)
            for (int64_t bytes = 1 << 10; bytes <= 16 << 10; bytes *= 4)
                if (!report(operations[o], ranks, bytes))
                    return 1;
    return 0;
}

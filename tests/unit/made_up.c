/* SPDX-License-Identifier: BSD-3-Clause */
#include "made_up.h"
#include "algorithms/method.h"
#include "algorithms/methods.h"
#include "algorithms/operations.h"
#include "search/search.h"
#include "util/random.h"
#include "util/why.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int take(const struct star_method *method, void *context)
{
    struct made_up *world = context;
    if (world->methods == MADE_UP_METHODS)
        return 1;
    world->method[world->methods++] = *method;
    return 0;
}

static double between(uint64_t *random, double low, double high)
{
    return low * pow(high / low, star_draw_share(random));
}

void make_up(struct made_up *world, int methods, uint64_t seed)
{
    *world = (struct made_up){
        .noise = 0.03, .spikes = 0.02, .ends = INFINITY, .most = INT64_MAX, .random = seed, .wrong = -1};
    star_methods_each(STAR_ALLTOALL, true, take, world);
    world->methods = methods < world->methods ? methods : world->methods;
    for (int j = 0; j < world->methods; j++) {
        world->start[j] = between(&world->random, 2e-6, 2e-5);
        world->steps[j] = star_draw_share(&world->random);
        world->byte[j] = between(&world->random, 1e-10, 2e-9);
        world->volume[j] = 1 + star_draw_share(&world->random);
        world->jump[j] = between(&world->random, 1, 2);
    }
}

double truth(const struct made_up *world, int method, int ranks, int64_t bytes)
{
    double jump = bytes > 8192 ? world->jump[method] : 1;
    return jump * world->start[method] * pow(ranks, world->steps[method]) +
           (double)bytes * world->byte[method] * pow(ranks, world->volume[method]);
}

double best_truth(const struct made_up *world, int ranks, int64_t bytes)
{
    double best = INFINITY;
    for (int j = 0; j < world->methods; j++)
        best = fmin(best, truth(world, j, ranks, bytes));
    return best;
}

int number_of(const struct made_up *world, const struct star_method *method)
{
    for (int j = 0; j < world->methods; j++)
        if (star_method_equal(&world->method[j], method))
            return j;
    return -1;
}

static int open_trial(void *context, const struct star_trial *trial, struct star_methods *applicable,
                      struct star_why *why)
{
    struct made_up *world = context;
    if (trial->bytes > world->most)
        return star_because(why, STAR_ENEEDS, "too many");
    world->trial = *trial;
    applicable->at = malloc((size_t)world->methods * sizeof *applicable->at);
    applicable->count = world->methods;
    if (applicable->at == NULL)
        return STAR_EMEMORY;
    memcpy(applicable->at, world->method, (size_t)world->methods * sizeof *applicable->at);
    return 0;
}

static int enter(void *context, const struct star_method *method, int methods, bool *ready,
                 struct star_why *why)
{
    struct made_up *world = context;
    (void)why;
    world->entered = method;
    for (int i = 0; i < methods; i++)
        ready[i] = true;
    return 0;
}

static int run(void *context, const int *order, int runs, double *seconds, struct star_why *why)
{
    struct made_up *world = context;
    (void)why;
    for (int i = 0; i < runs; i++) {
        int j = number_of(world, &world->entered[order[i]]);
        double sum = 0; /* of twelve: nearly normal */
        for (int k = 0; k < 12; k++)
            sum += star_draw_share(&world->random) - 0.5;
        seconds[i] = truth(world, j, world->trial.ranks, world->trial.bytes) * exp(world->noise * sum);
        if (star_draw_share(&world->random) < world->spikes)
            seconds[i] *= between(&world->random, 2, 10);
        world->clock += seconds[i];
        world->runs++;
        seconds[i] = j == world->wrong ? NAN : seconds[i];
    }
    return 0;
}

static void close_trial(void *context)
{
    (void)context;
}

static double now(void *context)
{
    return ((struct made_up *)context)->clock;
}

static double left(void *context)
{
    struct made_up *world = context;
    return world->ends - world->clock;
}

static int tell(void *context, const struct star_trial *trial, int done, int all, struct star_why *why)
{
    (void)context, (void)trial, (void)done, (void)all, (void)why;
    return 0;
}

struct star_meter made_up_meter(struct made_up *world)
{
    return (struct star_meter){world, open_trial, enter, run, close_trial, now, left, tell};
}

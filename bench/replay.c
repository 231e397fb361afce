/* SPDX-License-Identifier: BSD-3-Clause
 * replay MAP: searches again what an exhaustive search measured, with its samples, drawn at random, for
 * times: so the machine cannot change meanwhile, and the best method is known, the one of the least median.
 * Prints for each operation what a pruned search takes of an exhaustive one's time, and how much slower the
 * winners of both are than the best. */
#include "algorithms/method.h"
#include "algorithms/methods.h"
#include "algorithms/operations.h"
#include "map/choose.h"
#include "map/map.h"
#include "map/read.h"
#include "search/search.h"
#include "util/random.h"
#include "util/why.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { SEEDS = 10, SAMPLES_MOST = 30 };

struct replay {
    const struct star_map *map;
    const struct star_map_point *point;
    enum star_operation operation;
    const struct star_method *entered;
    double clock;
    uint64_t random;
};

static void *must(void *memory)
{
    if (memory == NULL)
        exit(1);
    return memory;
}

static const struct star_map_timing *
timing_of(const struct replay *replay, const struct star_map_point *point, const struct star_method *method)
{
    for (int i = 0; i < point->timings; i++)
        if (star_method_equal(&replay->map->of[replay->operation].method[point->timing[i].method], method))
            return &point->timing[i];
    return NULL;
}

static int open_point(void *context, const struct star_trial *trial, struct star_methods *applicable,
                      struct star_why *why)
{
    struct replay *replay = context;
    replay->point = star_map_find(replay->map, trial->operation, trial->ranks, trial->bytes);
    if (replay->point == NULL)
        return star_because(why, STAR_ENEEDS, "it was not measured");
    applicable->at = must(malloc((size_t)(replay->point->timings + 1) * sizeof *applicable->at));
    for (int i = 0; i < replay->point->timings; i++)
        if (replay->point->timing[i].samples)
            applicable->at[applicable->count++] =
                replay->map->of[trial->operation].method[replay->point->timing[i].method];
    return 0;
}

static int enter(void *context, const struct star_method *method, int methods, bool *ready,
                 struct star_why *why)
{
    (void)why;
    ((struct replay *)context)->entered = method;
    for (int i = 0; i < methods; i++)
        ready[i] = true;
    return 0;
}

static int run(void *context, const int *order, int runs, double *seconds, struct star_why *why)
{
    struct replay *replay = context;
    (void)why;
    for (int i = 0; i < runs; i++) {
        const struct star_map_timing *timing = timing_of(replay, replay->point, &replay->entered[order[i]]);
        seconds[i] = timing->samples[star_draw(&replay->random, (uint32_t)timing->count)];
        replay->clock += seconds[i];
    }
    return 0;
}

static void close_point(void *context)
{
    ((struct replay *)context)->point = NULL;
}

static double now(void *context)
{
    return ((struct replay *)context)->clock;
}

static double left(void *context)
{
    (void)context;
    return INFINITY;
}

static int tell(void *context, const struct star_trial *trial, int done, int all, struct star_why *why)
{
    (void)context, (void)trial, (void)done, (void)all, (void)why;
    return 0;
}

/* All sizes and communicators that the map has of the operation, whether together or not. */
static struct star_grid grid_of(const struct star_map *map, enum star_operation operation)
{
    const struct star_map_operation *of = &map->of[operation];
    struct star_grid grid = {.element = 1};
    grid.operation[operation] = true;
    for (int i = 0; i < of->points; i++) {
        int c = 0, s = 0;
        while (c < grid.communicators && grid.ranks[c] != of->point[i].ranks)
            c++;
        while (s < grid.sizes && grid.bytes[s] != of->point[i].bytes)
            s++;
        if (c == STAR_COMMUNICATORS_MOST || s == STAR_SIZES_MOST)
            continue;
        grid.ranks[c] = of->point[i].ranks;
        grid.bytes[s] = of->point[i].bytes;
        grid.communicators += c == grid.communicators;
        grid.sizes += s == grid.sizes;
    }
    return grid;
}

struct outcome {
    double seconds, mean, most;
};

static void add_penalties(const struct replay *replay, const struct star_map *found, struct outcome *outcome)
{
    const struct star_map_operation *of = &found->of[replay->operation];
    for (int i = 0; i < of->points; i++) {
        const struct star_map_point *point = &of->point[i],
                                    *truth = star_map_find(replay->map, replay->operation, point->ranks,
                                                           point->bytes);
        double best = INFINITY;
        for (int j = 0; j < truth->timings; j++)
            best = fmin(best, truth->timing[j].median);
        double penalty = timing_of(replay, truth, star_map_winner(of, point))->median / best - 1;
        outcome->mean += penalty / of->points / SEEDS;
        outcome->most = fmax(outcome->most, penalty);
    }
}

static struct outcome search(const struct star_map *map, enum star_operation operation, bool prune)
{
    struct outcome outcome = {0, 0, 0};
    struct star_grid grid = grid_of(map, operation);
    for (int seed = 1; seed <= SEEDS; seed++) {
        struct replay replay = {.map = map, .operation = operation, .random = (uint64_t)seed};
        struct star_meter meter = {&replay, open_point, enter, run, close_point, now, left, tell};
        struct star_search one = {.map = must(star_map_new()),
                                  .grid = &grid,
                                  .rules = {prune, SAMPLES_MOST, 0.05, INFINITY, 0.01},
                                  .meter = &meter,
                                  .seed = (uint64_t)seed};
        struct star_why why;
        if (star_search_run(&one, &why)) {
            fprintf(stderr, "replay: %s\n", why.text);
            exit(1);
        }
        outcome.seconds += replay.clock / SEEDS;
        add_penalties(&replay, one.map, &outcome);
        star_map_free(one.map);
    }
    return outcome;
}

int main(int argc, char **argv)
{
    struct star_map *map;
    struct star_why why;
    if (argc != 2) {
        fprintf(stderr, "usage: replay MAP\n");
        return 2;
    }
    if (star_map_read(argv[1], &map, &why)) {
        fprintf(stderr, "replay: %s\n", why.text);
        return 2;
    }
    printf("%-22s %6s %10s %10s %7s   mean penalty (most): exhaustive, pruned\n", "operation", "points",
           "exhaustive", "pruned", "of it");
    for (int o = 0; o < STAR_OPERATIONS; o++) {
        if (map->of[o].points == 0)
            continue;
        struct outcome all = search(map, o, false), some = search(map, o, true);
        printf("%-22s %6d %8.2f s %8.2f s %6.1f%%   %.1f%% (%.0f%%), %.1f%% (%.0f%%)\n",
               star_operations[o].name, map->of[o].points, all.seconds, some.seconds,
               100 * some.seconds / all.seconds, 100 * all.mean, 100 * all.most, 100 * some.mean,
               100 * some.most);
    }
    star_map_free(map);
    return 0;
}

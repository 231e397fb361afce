/* SPDX-License-Identifier: BSD-3-Clause */
#include "search.h"
#include "algorithms/alike.h"
#include "algorithms/method.h"
#include "algorithms/methods.h"
#include "algorithms/operations.h"
#include "cli/common/progress.h"
#include "map/map.h"
#include "map/read.h"
#include "map/write.h"
#include "orders.h"
#include "plan/plan.h"
#include "runtime/runners.h"
#include "say.h"
#include "say_json.h"
#include "search/question.h"
#include "search/search.h"
#include "util/clock.h"
#include "util/file_write.h"
#include "util/why.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The file is written again after a point when it is so old. */
#define SAVE_AFTER_SECONDS 2.0

/* A time slice of the system, and some. */
#define DISTURBANCE_SECONDS 0.01

struct conductor {
    struct stage *stage;
    struct star_search *search;
    struct star_methods only;
    volatile sig_atomic_t *interrupted;
    int64_t begin, saved;
    int known;     /* points that the file had */
    bool replaces; /* the file's content; else, of a pipe, it is written at the end alone */
};

static double since(int64_t moment)
{
    return (double)(star_now() - moment) * 1e-9;
}

static double now(void *context)
{
    return since(((struct conductor *)context)->begin);
}

static double left(void *context)
{
    struct conductor *conductor = context;
    double all = conductor->stage->ask->seconds;
    if (*conductor->interrupted)
        return 0;
    return all > 0 ? all - now(context) : INFINITY;
}

static int open_call(void *context, const struct star_trial *trial, struct star_methods *applicable,
                     struct star_why *why)
{
    struct conductor *conductor = context;
    struct stage *stage = conductor->stage;
    int *groups;
    if (stage->ground.here.size != trial->ranks)
        order_gather(stage, trial->ranks);
    int error = order_open(stage, trial, why);
    if (error) {
        say_left_out(trial, why);
        return error;
    }
    struct star_shape shape = star_shape_for(&stage->ground.here, trial->operation, &stage->call.facts);
    error = star_candidates(&conductor->only, trial->operation, &shape, stage->call.facts.bytes, false,
                            applicable, &groups);
    free(groups);
    if (!error && star_methods_first(&conductor->only, trial->operation) == NULL)
        error = star_methods_join(applicable, &shape);
    if (!error)
        return 0;
    star_methods_free(applicable);
    return star_because(why, error, "out of memory");
}

static int enter(void *context, const struct star_method *method, int methods, bool *ready,
                 struct star_why *why)
{
    (void)why;
    order_enter(((struct conductor *)context)->stage, method, methods, ready);
    return 0;
}

static int run(void *context, const int *order, int runs, double *seconds, struct star_why *why)
{
    struct stage *stage = ((struct conductor *)context)->stage;
    char name[STAR_METHOD_TEXT];
    (void)why;
    order_run(stage, order, runs, seconds);
    for (int i = 0; i < runs; i++)
        if (isnan(seconds[i]))
            fprintf(stderr, "startune tune: warning: %s gives a wrong result here, and is left out\n",
                    star_method_format(&stage->player[order[i]].method, name, sizeof name));
    return 0;
}

static void close_call(void *context)
{
    order_close(((struct conductor *)context)->stage);
}

static int tell(void *context, const struct star_trial *trial, int done, int all, struct star_why *why)
{
    struct conductor *conductor = context;
    if (conductor->known < 0)
        conductor->known = done - 1;
    double rest = all > 0 ? now(context) / (done - conductor->known) * (all - done) : 0;
    say_progress(trial, done, all, fmin(rest, left(context)));
    if (!conductor->replaces || since(conductor->saved) < SAVE_AFTER_SECONDS)
        return 0;
    int error = star_map_save(conductor->search->map, conductor->stage->ask->output, why);
    conductor->saved = star_now();
    return error;
}

/* Was MAP made where this search measures? */
static int check_machine(const struct star_map *map, const struct star_map_machine *here, const char *file,
                         struct star_why *why)
{
    const struct star_map_machine *there = &map->machine;
    if (strcmp(there->mpi, here->mpi) != 0)
        return star_because(why, STAR_EINPUT, "%s: measured with %s, and this is %s", file, there->mpi,
                            here->mpi);
    if (there->nodes != here->nodes || there->ranks_per_node != here->ranks_per_node)
        return star_because(why, STAR_EINPUT,
                            "%s: measured on %d nodes with %d ranks each, and these are %d with %d", file,
                            there->nodes, there->ranks_per_node, here->nodes, here->ranks_per_node);
    if (strcmp(there->topology, here->topology) != 0)
        return star_because(why, STAR_EINPUT, "%s: measured with another topology, '%s'", file,
                            there->topology);
    return 0;
}

/* The map to fill: a new one, or, with --resume, the file's where there is one. */
static int begin_map(const struct stage *stage, struct star_map **map, struct star_why *why)
{
    const char *file = stage->ask->output;
    struct star_map_machine machine = {.nodes = 0};
    say_machine(stage, &machine);
    if (!stage->ask->resume || access(file, F_OK) != 0) {
        *map = star_map_new();
        if (*map == NULL)
            return star_because(why, STAR_EMEMORY, "out of memory");
        (*map)->machine = machine;
        return 0;
    }
    int error = star_map_read(file, map, why);
    if (!error && (error = check_machine(*map, &machine, file, why)) != 0)
        star_map_free(*map);
    return error;
}

static int failed(const struct star_why *why, int error)
{
    cli_progress_end();
    fprintf(stderr, "startune tune: error: %s\n", why->text);
    return error == STAR_EINPUT ? 2 : 1;
}

static bool is_empty(const struct star_map *map)
{
    for (int o = 0; o < STAR_OPERATIONS; o++)
        if (map->of[o].points > 0)
            return false;
    return true;
}

/* The search itself; what was measured is kept even where it ends by an error. */
static int fill(struct conductor *conductor, struct star_why *why)
{
    const char *file = conductor->stage->ask->output;
    struct star_why unsaved;
    int error = star_search_run(conductor->search, why);
    if (!error && is_empty(conductor->search->map))
        return star_because(why, STAR_ELIMIT, "%s; %s was not written",
                            conductor->search->left_out > 0 ? "nothing of it can be measured"
                                                            : "it ended before anything was measured",
                            file);
    if (is_empty(conductor->search->map))
        return error;
    int not_saved = star_map_save(conductor->search->map, file, error ? &unsaved : why);
    return error ? error : not_saved;
}

int search_all(struct stage *stage, volatile sig_atomic_t *interrupted)
{
    const struct star_question *ask = stage->ask;
    struct star_why why;
    struct conductor conductor = {stage,      NULL,       {0}, interrupted,
                                  star_now(), star_now(), -1,  star_file_is_replaced(ask->output)};
    struct star_meter meter = {&conductor, open_call, enter, run, close_call, now, left, tell};
    struct star_search search = {.grid = &ask->grid,
                                 .rules = {strcmp(ask->search, "pruned") == 0, (int)ask->samples,
                                           ask->precision, ask->point_seconds, DISTURBANCE_SECONDS},
                                 .meter = &meter,
                                 .seed = (uint64_t)ask->seed,
                                 .crossovers = strcmp(ask->crossovers, "on") == 0};
    conductor.search = &search;
    int error = star_methods_parse(ask->methods, &conductor.only, &why);
    if (!error)
        error = begin_map(stage, &search.map, &why);
    if (error) {
        star_methods_free(&conductor.only);
        return failed(&why, error);
    }
    error = fill(&conductor, &why);
    bool whole = !error && left(&conductor) > 0;
    int status = error ? failed(&why, error) : *interrupted ? 130 : 0;
    cli_progress_end();
    if (!error && ask->json)
        say_json(&search, ask->output, whole, now(&conductor));
    else if (!error)
        say_summary(&search, ask->output, whole);
    star_map_free(search.map);
    star_methods_free(&conductor.only);
    return status;
}

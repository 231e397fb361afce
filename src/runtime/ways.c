/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/ways.h"
#include "algorithms/method.h"
#include "algorithms/operations.h"
#include "exec/execute.h"
#include "exec/side.h"
#include "runtime/session.h"
#include "util/fpenv.h"

#include <stdio.h>

/* Which are tried, in this order, of those that suit. Each trial costs calls: so few are, and none whose
 * ranks all meet between rounds. */
enum { LISTED = 7 };
static const char *const listed[STAR_OPERATIONS][LISTED] = {
    [STAR_ALLREDUCE] = {"rdb", "leaders", "circulant", "lanes", "multiplying", "ring", "reduce_bcast"},
    [STAR_ALLTOALL] = {"bruck", "leaders", "simple", "pair", "ring", "lanes", "linear"},
    [STAR_ALLGATHER] = {"bruck", "rdb", "leaders", "ring", "simple", "circulant", "neighbor_exchange"},
    [STAR_REDUCE_SCATTER_BLOCK] = {"halving", "circulant", "pairwise", "butterfly", "ring",
                                   "alltoall_reduce"},
    [STAR_BARRIER] = {"dissemination", "leaders", "recursive_doubling", "binomial"},
};

bool star_ways_serve(enum star_operation operation)
{
    return listed[operation][0] != NULL;
}

static void add(struct star_track *ways, int *count, const struct star_method *method,
                const struct star_shape *shape, bool any_size)
{
    bool suits = any_size ? star_method_applies(method, shape, NULL) == 0
                          : star_method_is_candidate(method, shape, shape->block);
    if (*count < STAR_WAYS && suits && method->algorithm->build != NULL)
        ways[(*count)++].method = *method;
}

static void add_named(struct star_track *ways, int *count, enum star_operation operation,
                      const struct star_shape *shape)
{
    for (int i = 0; i < LISTED && listed[operation][i] != NULL; i++) {
        struct star_method method;
        char name[STAR_METHOD_TEXT];
        snprintf(name, sizeof name, "%s:%s", star_operations[operation].name, listed[operation][i]);
        if (star_method_parse(name, &method, NULL) == 0)
            add(ways, count, &method, shape, false);
    }
}

static void add_all_of(struct star_track *ways, int *count, enum star_operation operation,
                       const struct star_shape *shape, const struct star_methods *methods)
{
    for (int i = 0; i < methods->count; i++)
        if (methods->at[i].algorithm->operation == operation)
            add(ways, count, &methods->at[i], shape, true);
}

int star_ways_find(struct star_track *ways, enum star_operation operation, const struct star_shape *shape,
                   bool forced)
{
    STAR_FPENV_DEFAULT;
    int count = 1;
    ways[0].method = star_native_of(operation);
    if (forced && star_methods_first(&star_runtime.force, operation) != NULL)
        add_all_of(ways, &count, operation, shape, &star_runtime.force);
    else if (star_methods_first(&star_runtime.only, operation) != NULL)
        add_all_of(ways, &count, operation, shape, &star_runtime.only);
    else
        add_named(ways, &count, operation, shape);
    return count;
}

static struct star_runner *make(const struct star_track *way, const struct star_shape *shape)
{
    STAR_FPENV_DEFAULT;
    struct star_side packed = star_side_packed(NULL);
    const struct star_buffers buffers = {.send = packed, .recv = packed};
    struct star_plan *plan;
    if (star_method_plan(&way->method, shape, star_memory_most(), &plan, NULL) != 0)
        return NULL;
    struct star_runner *made = star_runner_new(plan);
    if (made != NULL && star_execute_in_pieces(made, &buffers))
        return made;
    star_runner_free(made);
    return NULL;
}

bool star_track_make(struct star_track *way, const struct star_shape *shape)
{
    struct star_runner *made = way->made < STAR_UNDER_WAY ? make(way, shape) : NULL;
    if (made == NULL)
        return false;
    way->made++;
    way->idle[way->idles++] = made;
    return true;
}

struct star_runner *star_track_take(struct star_track *way, const struct star_shape *shape)
{
    if (way->idles == 0 && (shape == NULL || !star_track_make(way, shape)))
        return NULL;
    return way->idle[--way->idles];
}

void star_track_give(struct star_track *way, struct star_runner *runner)
{
    way->idle[way->idles++] = runner;
}

void star_ways_free(struct star_track *ways, int count)
{
    for (int i = 0; i < count; i++)
        while (ways[i].idles > 0)
            star_runner_free(ways[i].idle[--ways[i].idles]);
}

/* SPDX-License-Identifier: BSD-3-Clause
 * What a map says for a place that may not be one of its points, and where its winners change. */
#include "map/choose.h"

#include <math.h>

bool star_map_is_nearer(int64_t below, int64_t value, int64_t above)
{
    double nothing = 0.5;
    double from = below > 0 ? (double)below : nothing, at = value > 0 ? (double)value : nothing;
    return at / from <= (double)above / at;
}

/* The first point of the nearest communicator size. */
static int nearest_size(const struct star_map_operation *of, int ranks)
{
    int at = star_map_first_from(of, ranks, 0);
    int below = at > 0 ? star_map_first_from(of, of->point[at - 1].ranks, 0) : 0;
    if (at == of->points)
        return below;
    return at > 0 && star_map_is_nearer(of->point[below].ranks, ranks, of->point[at].ranks) ? below : at;
}

const struct star_map_point *star_map_nearest(const struct star_map *map, enum star_operation operation,
                                              int ranks, int64_t bytes)
{
    const struct star_map_operation *of = &map->of[operation];
    if (of->points == 0)
        return NULL;
    int first = nearest_size(of, ranks), size = of->point[first].ranks;
    int at = star_map_first_from(of, size, bytes), end = star_map_first_from(of, size + 1, 0);
    if (at == end || (at > first && star_map_is_nearer(of->point[at - 1].bytes, bytes, of->point[at].bytes)))
        at--;
    return &of->point[at];
}

const struct star_method *star_map_winner(const struct star_map_operation *operation,
                                          const struct star_map_point *point)
{
    return &operation->method[point->timing[point->winner].method];
}

const struct star_method *star_map_choose(const struct star_map *map, enum star_operation operation,
                                          int ranks, int64_t bytes)
{
    const struct star_map_point *point = star_map_nearest(map, operation, ranks, bytes);
    return point ? star_map_winner(&map->of[operation], point) : NULL;
}

const struct star_method *star_map_choose_for(const struct star_map *map, enum star_operation operation,
                                              const struct star_shape *shape, int64_t bytes)
{
    const struct star_map_point *point = star_map_nearest(map, operation, shape->size, bytes);
    const struct star_map_timing *best = NULL;
    if (point == NULL)
        return NULL;
    const struct star_method *methods = map->of[operation].method;
    const struct star_method *winner = star_map_winner(&map->of[operation], point);
    if (star_method_applies(winner, shape, NULL) == 0)
        return winner;
    for (int i = 0; i < point->timings; i++)
        if ((best == NULL || isnan(best->median) || isless(point->timing[i].median, best->median)) &&
            star_method_applies(&methods[point->timing[i].method], shape, NULL) == 0)
            best = &point->timing[i];
    return best ? &methods[best->method] : NULL;
}

int star_map_crossovers(const struct star_map *map, enum star_operation operation,
                        int (*visit)(const struct star_map_crossover *crossover, void *context),
                        void *context)
{
    const struct star_map_operation *of = &map->of[operation];
    int error = 0;
    for (int i = 0; !error && i + 1 < of->points; i++) {
        const struct star_map_point *below = &of->point[i], *above = below + 1;
        struct star_map_crossover crossover = {below, above, below->bytes + 1 == above->bytes};
        if (below->ranks == above->ranks && star_map_winner(of, below) != star_map_winner(of, above))
            error = visit(&crossover, context);
    }
    return error;
}

static int stop(const struct star_map_crossover *crossover, void *context)
{
    (void)crossover, (void)context;
    return 1;
}

bool star_map_needs_no_bytes(const struct star_map *map, enum star_operation operation)
{
    return map->of[operation].points > 0 && star_map_crossovers(map, operation, stop, NULL) == 0;
}

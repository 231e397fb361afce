/* SPDX-License-Identifier: BSD-3-Clause */
#include "search/expect.h"

#include <math.h>
#include <stddef.h>

static const struct star_map_timing *timing_of(const struct star_map_point *point, int method)
{
    for (int i = 0; i < point->timings; i++)
        if (point->timing[i].method == method)
            return &point->timing[i];
    return NULL;
}

static double seconds_of(const struct star_map_point *point, int method)
{
    const struct star_map_timing *timing = timing_of(point, method);
    return timing && timing->count > 0 ? timing->median : NAN;
}

static double certainty(const struct star_map_point *point, int method)
{
    return timing_of(point, method)->count > 1 ? 1 : 0.5;
}

/* The points of the same RANKS, or the same BYTES, nearest on each side where METHOD was measured; NULL:
 * none. */
struct neighbours {
    const struct star_map_point *below, *above;
};

static struct neighbours find_neighbours(const struct star_map_operation *of, int ranks, int64_t bytes,
                                         int method, bool same_ranks)
{
    struct neighbours near = {NULL, NULL};
    for (int i = 0; i < of->points; i++) {
        const struct star_map_point *point = &of->point[i];
        bool same = same_ranks ? point->ranks == ranks : point->bytes == bytes;
        int64_t apart = same_ranks ? point->bytes - bytes : point->ranks - ranks;
        if (!same || apart == 0 || isnan(seconds_of(point, method)))
            continue;
        if (apart < 0)
            near.below = point;
        else if (near.above == NULL)
            near.above = point;
    }
    return near;
}

static double ratio_at(const struct star_map_point *point, int method)
{
    double best = INFINITY;
    for (int i = 0; i < point->timings; i++)
        if (point->timing[i].count > 0)
            best = fmin(best, point->timing[i].median);
    return seconds_of(point, method) / best * certainty(point, method);
}

static double between(const struct neighbours *near, int64_t bytes, int method)
{
    double share = (double)(bytes - near->below->bytes) / (double)(near->above->bytes - near->below->bytes);
    return seconds_of(near->below, method) * (1 - share) + seconds_of(near->above, method) * share;
}

/* By what two sizes together say: the fastest of all methods that were measured at both. */
static double ratio_between(const struct neighbours *near, int64_t bytes, int method)
{
    double best = INFINITY;
    for (int i = 0; i < near->below->timings; i++)
        best = fmin(best, between(near, bytes, near->below->timing[i].method)); /* NAN counts for nothing */
    double doublings = log2((double)near->above->bytes / (double)near->below->bytes);
    double certain = fmin(certainty(near->below, method), certainty(near->above, method));
    return between(near, bytes, method) / best * certain / (1 + doublings / 8);
}

static double ratio_beside(const struct star_map_point *point, double distance, int method)
{
    return point ? ratio_at(point, method) / fmax(distance, 1 / distance) : 0;
}

double star_hope_of(const struct star_map *map, enum star_operation operation, int ranks, int64_t bytes,
                    int method)
{
    const struct star_map_operation *of = &map->of[operation];
    struct neighbours sizes = find_neighbours(of, ranks, bytes, method, true),
                      communicators = find_neighbours(of, ranks, bytes, method, false);
    double hope = 0;
    const struct star_map_point *beside[] = {sizes.below, sizes.above};
    for (int i = 0; i < 2; i++)
        if (beside[i])
            hope = fmax(hope, ratio_beside(beside[i], (double)beside[i]->bytes / (double)bytes, method));
    if (sizes.below && sizes.above)
        hope = fmax(hope, ratio_between(&sizes, bytes, method));
    const struct star_map_point *around[] = {communicators.below, communicators.above};
    for (int i = 0; i < 2; i++)
        if (around[i])
            hope = fmax(hope, ratio_beside(around[i], pow((double)around[i]->ranks / ranks, 2), method));
    return hope;
}

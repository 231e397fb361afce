/* SPDX-License-Identifier: BSD-3-Clause */
#include "search/guidelines.h"
#include "search/times.h"

#include <stddef.h>

/* With fewer the rank-sum test finds nothing certain. */
enum { SAMPLES_LEAST = 4 };
#define CHANCE_MOST 0.01

static bool is_slower(const struct star_map_timing *timing, const struct star_map_timing *than)
{
    if (!timing->samples || !than->samples || timing->count < SAMPLES_LEAST || than->count < SAMPLES_LEAST ||
        timing->median < than->median * (1 + STAR_VIOLATION_SHARE))
        return false;
    return star_slower_by_chance(timing->samples, timing->count, than->samples, than->count) < CHANCE_MOST;
}

static const struct star_map_timing *native_at(const struct star_map_operation *of,
                                               const struct star_map_point *point)
{
    for (int i = 0; i < point->timings; i++)
        if (star_is_native(&of->method[point->timing[i].method]))
            return &point->timing[i];
    return NULL;
}

/* The next point of the grid of the same communicator, where native was measured. Points that a search added
 * are close together, and were measured at another time. */
static const struct star_map_point *next_with_native(const struct star_map_operation *of,
                                                     const struct star_map_point *point)
{
    for (const struct star_map_point *next = point + 1; next < of->point + of->points; next++)
        if (next->ranks == point->ranks && !next->searched && !point->searched && native_at(of, next))
            return next;
    return NULL;
}

int star_violations(const struct star_map *map, enum star_operation operation,
                    int (*visit)(const struct star_violation *violation, void *context), void *context)
{
    const struct star_map_operation *of = &map->of[operation];
    int stop = 0;
    for (int i = 0; !stop && i < of->points; i++) {
        const struct star_map_point *point = &of->point[i], *next = next_with_native(of, point);
        const struct star_map_timing *native = native_at(of, point),
                                     *more = next ? native_at(of, next) : NULL;
        if (native == NULL)
            continue;
        struct star_violation violation = {operation, point->ranks, point->bytes, native->median, NULL, 0, 0};
        for (int j = 0; !stop && j < point->timings; j++) {
            const struct star_map_timing *timing = &point->timing[j];
            violation.than = &of->method[timing->method];
            violation.seconds = timing->median;
            if (violation.than->algorithm->mockup != STAR_MOCKUP_NONE && is_slower(native, timing))
                stop = visit(&violation, context);
        }
        if (!stop && more && is_slower(native, more)) {
            violation.than = NULL;
            violation.than_bytes = next->bytes;
            violation.seconds = more->median;
            stop = visit(&violation, context);
        }
    }
    return stop;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "map/map.h"
#include "util/quantile.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct star_map *star_map_new(void)
{
    return calloc(1, sizeof(struct star_map));
}

void star_map_clear(struct star_map_point *point)
{
    for (int i = 0; i < point->timings; i++)
        free(point->timing[i].samples);
    point->timings = 0;
}

static void free_point(struct star_map_point *point)
{
    star_map_clear(point);
    free(point->timing);
}

void star_map_free(struct star_map *map)
{
    if (map == NULL)
        return;
    for (int i = 0; i < STAR_OPERATIONS; i++) {
        struct star_map_operation *of = &map->of[i];
        for (int j = 0; j < of->points; j++)
            free_point(&of->point[j]);
        free(of->point);
        free(of->method);
    }
    free(map);
}

/* Makes room for one more element of SIZE bytes behind COUNT; ROOM doubles. NULL: out of memory. */
static void *room_for_one(void *at, int count, int *room, size_t size)
{
    if (count < *room)
        return at;
    int more = *room ? 2 * *room : 8;
    void *moved = realloc(at, (size_t)more * size);
    if (moved != NULL)
        *room = more;
    return moved;
}

static int compare_place(const struct star_map_point *point, int ranks, int64_t bytes)
{
    if (point->ranks != ranks)
        return point->ranks < ranks ? -1 : 1;
    return (point->bytes > bytes) - (point->bytes < bytes);
}

int star_map_first_from(const struct star_map_operation *of, int ranks, int64_t bytes)
{
    int low = 0, high = of->points;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (compare_place(&of->point[middle], ranks, bytes) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

struct star_map_point *star_map_find(const struct star_map *map, enum star_operation operation, int ranks,
                                     int64_t bytes)
{
    const struct star_map_operation *of = &map->of[operation];
    int at = star_map_first_from(of, ranks, bytes);
    return at < of->points && compare_place(&of->point[at], ranks, bytes) == 0 ? &of->point[at] : NULL;
}

struct star_map_point *star_map_point(struct star_map *map, enum star_operation operation, int ranks,
                                      int64_t bytes)
{
    struct star_map_operation *of = &map->of[operation];
    struct star_map_point *found = star_map_find(map, operation, ranks, bytes);
    if (found != NULL)
        return found;
    struct star_map_point *points = room_for_one(of->point, of->points, &of->room, sizeof *points);
    if (points == NULL)
        return NULL;
    of->point = points;
    int at = star_map_first_from(of, ranks, bytes);
    memmove(&points[at + 1], &points[at], (size_t)(of->points - at) * sizeof *points);
    points[at] = (struct star_map_point){.ranks = ranks, .bytes = bytes};
    of->points++;
    return &points[at];
}

void star_map_drop(struct star_map *map, enum star_operation operation, struct star_map_point *point)
{
    struct star_map_operation *of = &map->of[operation];
    free_point(point);
    memmove(point, point + 1, (size_t)(of->point + of->points - (point + 1)) * sizeof *point);
    of->points--;
}

void star_map_forget(struct star_map *map, enum star_operation operation)
{
    struct star_map_operation *of = &map->of[operation];
    while (of->points > 0)
        star_map_drop(map, operation, &of->point[of->points - 1]);
}

int star_map_method(struct star_map *map, const struct star_method *method)
{
    struct star_map_operation *of = &map->of[method->algorithm->operation];
    for (int i = 0; i < of->methods; i++)
        if (star_method_equal(&of->method[i], method))
            return i;
    struct star_method *methods = realloc(of->method, (size_t)(of->methods + 1) * sizeof *methods);
    if (methods == NULL)
        return STAR_EMEMORY;
    of->method = methods;
    methods[of->methods] = *method;
    return of->methods++;
}

struct star_map_timing *star_map_timing(struct star_map_point *point, int method)
{
    for (int i = 0; i < point->timings; i++)
        if (point->timing[i].method == method)
            return &point->timing[i];
    struct star_map_timing *timings =
        room_for_one(point->timing, point->timings, &point->room, sizeof *timings);
    if (timings == NULL)
        return NULL;
    point->timing = timings;
    timings[point->timings] = (struct star_map_timing){.method = method, .median = NAN};
    return &timings[point->timings++];
}

int star_map_add_samples(struct star_map_timing *timing, const double *samples, int count)
{
    int kept = timing->samples ? timing->count : 0, all = kept + count;
    if (count == 0)
        return 0;
    double *sorted = malloc((size_t)all * sizeof *sorted);
    double *grown = sorted ? realloc(timing->samples, (size_t)all * sizeof *grown) : NULL;
    if (grown == NULL) {
        free(sorted);
        return STAR_EMEMORY;
    }
    memcpy(grown + kept, samples, (size_t)count * sizeof *samples);
    memcpy(sorted, grown, (size_t)all * sizeof *sorted);
    star_sort(sorted, all);
    timing->samples = grown;
    timing->count = all;
    timing->median = star_quantile(sorted, all, 0.5);
    free(sorted);
    return 0;
}

void star_map_crown(struct star_map_point *point)
{
    for (int i = 0; i < point->timings; i++) {
        double best = point->timing[point->winner].median;
        if (isnan(best) || isless(point->timing[i].median, best))
            point->winner = i;
    }
    if (point->timings > 0)
        point->timing[point->winner].tied = false;
}

void star_map_fact(char *fact, const char *text)
{
    size_t length = 0;
    while (*text == ' ')
        text++;
    for (; text[length] && length + 1 < STAR_MAP_TEXT; length++)
        fact[length] = (char)(iscntrl((unsigned char)text[length]) ? '?' : text[length]);
    while (length > 0 && fact[length - 1] == ' ')
        length--;
    fact[length] = 0;
}

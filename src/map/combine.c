/* SPDX-License-Identifier: BSD-3-Clause */
#include "map/combine.h"
#include "map/choose.h"
#include "map/words.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One timing of MORE's point becomes one of MAP's. */
static int take_timing(struct star_map *map, const struct star_map_operation *of,
                       const struct star_map_timing *timing, struct star_map_point *point)
{
    int method = star_map_method(map, &of->method[timing->method]);
    struct star_map_timing *own = method < 0 ? NULL : star_map_timing(point, method);
    if (own == NULL)
        return STAR_EMEMORY;
    free(own->samples);
    own->samples = NULL;
    own->count = 0;
    own->tied = timing->tied;
    int error = timing->samples ? star_map_add_samples(own, timing->samples, timing->count) : 0;
    own->median = timing->median;
    own->count = timing->count;
    return error;
}

static int index_of(const struct star_map_point *point, int method)
{
    for (int i = 0; i < point->timings; i++)
        if (point->timing[i].method == method)
            return i;
    return 0;
}

static int take_point(struct star_map *map, enum star_operation operation,
                      const struct star_map_operation *of, const struct star_map_point *from)
{
    struct star_map_point *point = star_map_point(map, operation, from->ranks, from->bytes);
    if (point == NULL)
        return STAR_EMEMORY;
    bool fresh = point->timings == 0;
    if (!fresh && from->guessed) /* measured or guessed before: a guess says nothing more */
        return 0;
    bool both = !fresh && !point->guessed;
    if (!both) /* a measurement takes the place of what was interpolated */
        star_map_clear(point);
    point->searched = fresh ? from->searched : point->searched && from->searched;
    point->guessed = from->guessed;
    int error = 0;
    for (int i = 0; !error && i < from->timings; i++)
        error = take_timing(map, of, &from->timing[i], point);
    if (error)
        return error;
    point->winner = index_of(point, star_map_method(map, &of->method[from->timing[from->winner].method]));
    for (int i = 0; both && i < point->timings; i++)
        point->timing[i].tied = false;
    if (both)
        star_map_crown(point);
    return 0;
}

static int check_machine(const struct star_map *map, const struct star_map *more, struct star_why *why)
{
    const char *word, *fact, *other;
    char number[24], another[24];
    for (int i = 0; (fact = star_map_machine_fact(&map->machine, i, &word, number, sizeof number)); i++) {
        other = star_map_machine_fact(&more->machine, i, &word, another, sizeof another);
        if (star_map_facts[i].decides && fact[0] && other[0] && strcmp(fact, other) != 0)
            return star_because(why, STAR_EINPUT, "of another machine: %s %s, not %s", word, other, fact);
    }
    return 0;
}

/* What is not known of the machine, but in MORE, is known then. */
static void take_machine(struct star_map *map, const struct star_map *more)
{
    for (int i = 0; i < star_map_fact_count; i++) {
        const struct star_map_fact *fact = &star_map_facts[i];
        char *own = (char *)&map->machine + fact->offset;
        const char *other = (const char *)&more->machine + fact->offset;
        if (fact->is_text ? own[0] == 0 : *(int *)(void *)own == 0)
            memcpy(own, other, fact->is_text ? STAR_MAP_TEXT : sizeof(int));
    }
}

int star_map_merge(struct star_map *map, const struct star_map *more, struct star_why *why)
{
    int error = check_machine(map, more, why);
    if (!error)
        take_machine(map, more);
    for (int i = 0; i < STAR_OPERATIONS; i++)
        for (int j = 0; !error && j < more->of[i].points; j++)
            error = take_point(map, (enum star_operation)i, &more->of[i], &more->of[i].point[j]);
    return error == STAR_EMEMORY ? star_because(why, error, "out of memory") : error;
}

/* The median of METHOD at POINT in seconds; NAN: not measured there. */
static double seconds_of(const struct star_map_operation *of, const struct star_map_point *point,
                         const struct star_method *method)
{
    for (int i = 0; i < point->timings; i++)
        if (star_method_equal(&of->method[point->timing[i].method], method))
            return point->timing[i].median;
    return NAN;
}

/* Compares at the points of OF, which is A's or B's. */
static int compare_points(const struct star_map *a, const struct star_map *b, int operation, bool points_of_b,
                          int (*visit)(const struct star_map_difference *difference, void *context),
                          void *context)
{
    const struct star_map_operation *of = &(points_of_b ? b : a)->of[operation];
    int stopped = 0;
    for (int i = 0; !stopped && i < of->points; i++) {
        int ranks = of->point[i].ranks;
        int64_t bytes = of->point[i].bytes;
        const struct star_map_point *point = star_map_find(a, (enum star_operation)operation, ranks, bytes);
        struct star_map_difference difference = {
            .operation = (enum star_operation)operation,
            .ranks = ranks,
            .bytes = bytes,
            .a = star_map_choose(a, (enum star_operation)operation, ranks, bytes),
            .b = star_map_choose(b, (enum star_operation)operation, ranks, bytes),
            .loss = NAN};
        if ((points_of_b && point) ||
            (difference.a && difference.b && star_method_equal(difference.a, difference.b)))
            continue; /* a point of both is A's */
        if (point && difference.b)
            difference.loss = seconds_of(&a->of[operation], point, difference.b) /
                                  seconds_of(&a->of[operation], point, difference.a) -
                              1;
        stopped = visit(&difference, context);
    }
    return stopped;
}

int star_map_differences(const struct star_map *a, const struct star_map *b,
                         int (*visit)(const struct star_map_difference *difference, void *context),
                         void *context)
{
    int stopped = 0;
    for (int i = 0; !stopped && i < STAR_OPERATIONS; i++) {
        stopped = compare_points(a, b, i, false, visit, context);
        if (!stopped)
            stopped = compare_points(a, b, i, true, visit, context);
    }
    return stopped;
}

const char *star_map_machine_fact(const struct star_map_machine *machine, int number, const char **word,
                                  char *buffer, size_t room)
{
    if (number >= star_map_fact_count)
        return NULL;
    const struct star_map_fact *fact = &star_map_facts[number];
    const char *at = (const char *)machine + fact->offset;
    *word = fact->word;
    if (fact->is_text)
        return at;
    int value = *(const int *)(const void *)at;
    buffer[0] = 0;
    if (value > 0)
        snprintf(buffer, room, "%d", value);
    return buffer;
}

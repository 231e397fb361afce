/* SPDX-License-Identifier: BSD-3-Clause
 * Maps for tests: from text, from their points, and noisy ones. */
#pragma once

#include "expect.h"
#include "map/choose.h"
#include "map/map.h"
#include "map/read.h"

static inline struct star_map *map_parsed(const char *text)
{
    struct star_map *map = NULL;
    struct star_why why = {{0}};
    if (star_map_parse(text, strlen(text), "test", &map, &why))
        fail_msg("%s", why.text);
    return map;
}

/* What stands around points: LINES has at least one operation. */
static inline struct star_map *map_of(const char *lines)
{
    struct star_text text = {0};
    int points = 0;
    for (const char *line = lines; *line != '\0'; line += strcspn(line, "\n"), line += *line == '\n')
        points += strncmp(line, "point ", 6) == 0 || strncmp(line, "guessed ", 8) == 0;
    star_text_add(&text, "startune map 1\n%send %d\n", lines, points);
    struct star_map *map = map_parsed(text.bytes);
    star_text_free(&text);
    return map;
}

/* A sample at a point, of the method's spelling. */
static inline void map_measure(struct star_map *map, const char *method, int ranks, int64_t bytes,
                               double seconds)
{
    struct star_method parsed;
    struct star_why why = {{0}};
    if (star_method_parse(method, &parsed, &why))
        fail_msg("%s", why.text);
    int index = star_map_method(map, &parsed);
    struct star_map_point *point = star_map_point(map, parsed.algorithm->operation, ranks, bytes);
    assert_non_null(point);
    struct star_map_timing *timing = star_map_timing(point, index);
    assert_non_null(timing);
    assert_int_equal(star_map_add_samples(timing, &seconds, 1), 0);
    star_map_crown(point);
}

/* The canonical name of what the map gives. */
static inline const char *map_choice(const struct star_map *map, enum star_operation operation, int ranks,
                                     int64_t bytes)
{
    static char name[STAR_METHOD_TEXT];
    const struct star_method *method = star_map_choose(map, operation, ranks, bytes);
    return method ? star_method_format(method, name, sizeof name) : "nothing";
}

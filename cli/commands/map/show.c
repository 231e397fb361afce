/* SPDX-License-Identifier: BSD-3-Clause */
#include "show.h"
#include "algorithms/method.h"
#include "algorithms/operations.h"
#include "ask.h"
#include "cli/common/messages.h"
#include "cli/common/output.h"
#include "cli/common/terminal.h"
#include "map/choose.h"
#include "map/combine.h"
#include "map/draw.h"
#include "map/grid.h"
#include "map/map.h"
#include "map/picture.h"
#include "util/text.h"
#include "util/why.h"

static void json_machine(const struct star_map *map, struct star_text *text)
{
    const char *word, *fact;
    char number[24];
    star_json_open(text, "machine", '{');
    for (int i = 0; (fact = star_map_machine_fact(&map->machine, i, &word, number, sizeof number)) != NULL;
         i++)
        if (fact[0] != 0)
            star_json_string(text, word, fact);
    star_json_close(text, '}');
}

static void json_point(const struct star_map_operation *of, const struct star_map_point *point,
                       struct star_text *text)
{
    char name[STAR_METHOD_TEXT];
    star_text_add(text, "%s\n", point == of->point ? "" : ",");
    star_json_add(text, "{ranks: %d, bytes: %jd, winner: %s, guessed: %i, searched: %i, methods: [",
                  point->ranks, point->bytes,
                  star_method_format(star_map_winner(of, point), name, sizeof name), point->guessed,
                  point->searched);
    for (int i = 0; i < point->timings; i++) {
        const struct star_map_timing *timing = &point->timing[i];
        star_json_add(text, "{method: %s, seconds: %g, samples: %d, tied: %i}",
                      star_method_format(&of->method[timing->method], name, sizeof name), timing->median,
                      timing->count, timing->tied);
    }
    star_json_add(text, "]}");
}

struct crossovers {
    const struct star_map_operation *of;
    struct star_text *text;
};

static int json_crossover(const struct star_map_crossover *crossover, void *context)
{
    const struct crossovers *crossovers = context;
    char below[STAR_METHOD_TEXT], above[STAR_METHOD_TEXT];
    star_json_add(crossovers->text, "{ranks: %d, from: %jd, to: %jd, below: %s, above: %s, exact: %i}",
                  crossover->below->ranks, crossover->below->bytes, crossover->above->bytes,
                  star_method_format(star_map_winner(crossovers->of, crossover->below), below, sizeof below),
                  star_method_format(star_map_winner(crossovers->of, crossover->above), above, sizeof above),
                  crossover->exact);
    return 0;
}

static void json_operation(const struct star_map *map, int operation, struct star_text *text)
{
    const struct star_map_operation *of = &map->of[operation];
    struct crossovers crossovers = {of, text};
    star_json_add(text, "{operation: %s, points: [", star_operations[operation].name);
    for (int i = 0; i < of->points; i++)
        json_point(of, &of->point[i], text);
    star_json_add(text, "], crossovers: [");
    star_map_crossovers(map, (enum star_operation)operation, json_crossover, &crossovers);
    star_json_add(text, "]}");
}

static void show_json(const struct star_map *map, int only, struct star_text *text)
{
    star_json_open(text, NULL, '{');
    json_machine(map, text);
    star_json_open(text, "operations", '[');
    for (int i = 0; i < STAR_OPERATIONS; i++)
        if (map->of[i].points > 0 && (only < 0 || only == i))
            json_operation(map, i, text);
    star_json_add(text, "]}");
    star_text_add(text, "\n");
}

static int count_exact(const struct star_map_crossover *crossover, void *context)
{
    int *counts = context; /* exact ones, others */
    counts[crossover->exact ? 0 : 1]++;
    return 0;
}

static void show_machine(const struct star_map *map, struct star_text *text)
{
    const char *word, *fact;
    char number[24];
    bool any = false;
    for (int i = 0; (fact = star_map_machine_fact(&map->machine, i, &word, number, sizeof number)) != NULL;
         i++) {
        if (fact[0] != 0)
            star_text_add(text, "%s%s %s", any ? "; " : "", word, fact);
        any = any || fact[0] != 0;
    }
    star_text_add(text, any ? "\n" : "");
}

static int show_text(const struct star_map *map, int only, struct star_text *text, struct star_why *why)
{
    int error = 0;
    show_machine(map, text);
    for (int i = 0; !error && i < STAR_OPERATIONS; i++) {
        struct star_grid grid;
        int counts[2] = {0, 0};
        if (map->of[i].points == 0 || (only >= 0 && only != i))
            continue;
        error = star_grid_make(map, (enum star_operation)i, &grid, why);
        if (error)
            break;
        star_text_add(text, "\n");
        star_map_draw((enum star_operation)i, &grid, cli_wants_colours(), text);
        star_map_crossovers(map, (enum star_operation)i, count_exact, counts);
        star_text_add(text, "  %d point%s; %d crossover%s, %d of them exact\n", map->of[i].points,
                      map->of[i].points == 1 ? "" : "s", counts[0] + counts[1],
                      counts[0] + counts[1] == 1 ? "" : "s", counts[0]);
        star_grid_free(&grid);
    }
    return error;
}

/* The picture of one operation; the file may have one only. */
static int make_svg(const struct star_map *map, int operation, struct star_text *text, struct star_why *why)
{
    struct star_grid grid;
    int known = 0;
    for (int i = 0; operation < 0 && i < STAR_OPERATIONS; i++)
        known += map->of[i].points > 0;
    if (known > 1)
        return star_because(why, STAR_EINPUT, "--svg: the map has several operations: name one");
    for (int i = 0; operation < 0 && i < STAR_OPERATIONS; i++)
        operation = map->of[i].points > 0 ? i : operation;
    if (operation < 0)
        return star_because(why, STAR_ENEEDS, "--svg: the map has no points");
    int error = star_grid_make(map, (enum star_operation)operation, &grid, why);
    if (error)
        return error;
    error = star_map_svg((enum star_operation)operation, &grid, text, why);
    star_grid_free(&grid);
    return error;
}

static int show(const struct star_map *map, int operation)
{
    struct star_why why = {{0}};
    struct star_text svg = {0}, html = {0}, text = {0};
    int error = cli_map_ask.svg ? make_svg(map, operation, &svg, &why) : 0, status = CLI_OK;
    if (!error && cli_map_ask.html)
        error = star_map_html(map, operation, &html, &why);
    if (!error && cli_map_ask.json)
        show_json(map, operation, &text);
    else if (!error && !cli_map_ask.svg && !cli_map_ask.html)
        error = show_text(map, operation, &text, &why);
    if (error)
        status = cli_refuse(error, &why);
    if (status == CLI_OK && cli_map_ask.svg)
        status = cli_put(cli_map_ask.svg, &svg);
    if (status == CLI_OK && cli_map_ask.html)
        status = cli_put(cli_map_ask.html, &html);
    if (status == CLI_OK)
        status = cli_put(NULL, &text);
    star_text_free(&svg);
    star_text_free(&html);
    star_text_free(&text);
    return status;
}

int cli_map_show(int count, char **words)
{
    int operation;
    struct star_map *map = cli_map_open(words[0], count > 1 ? words[1] : NULL, &operation);
    if (map == NULL)
        return CLI_USAGE;
    int status = show(map, operation);
    star_map_free(map);
    return status;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "say_json.h"
#include "algorithms/method.h"
#include "algorithms/operations.h"
#include "map/choose.h"
#include "map/map.h"
#include "search/guidelines.h"
#include "util/text.h"
#include "util/version.h"

#include <stdio.h>

static void add_method(struct star_text *text, const char *key, const struct star_method *method)
{
    char name[STAR_METHOD_TEXT];
    star_json_string(text, key, star_method_format(method, name, sizeof name));
}

static void add_machine(struct star_text *text, const struct star_map_machine *machine)
{
    star_json_add(text, "machine: {mpi: %s, topology: %s, nodes: %d, ranks_per_node: %d}", machine->mpi,
                  machine->topology, machine->nodes, machine->ranks_per_node);
}

static void add_point(struct star_text *text, const struct star_map_operation *of,
                      const struct star_map_point *point)
{
    int64_t samples = 0;
    star_json_add(text, "{ranks: %d, bytes: %jd, origin: %s", point->ranks, point->bytes,
                  point->searched ? "search" : "grid");
    add_method(text, "winner", star_map_winner(of, point));
    star_json_add(text, "seconds: %g, tied: [", point->timing[point->winner].median);
    for (int i = 0; i < point->timings; i++) {
        samples += point->timing[i].count;
        if (point->timing[i].tied && i != point->winner)
            add_method(text, NULL, &of->method[point->timing[i].method]);
    }
    star_json_add(text, "], methods: %d, samples: %jd}", point->timings, samples);
}

static int add_crossover(const struct star_map_crossover *crossover, void *context)
{
    struct star_text *text = context;
    star_json_add(text, "{ranks: %d, below: %jd, above: %jd, exact: %i}", crossover->below->ranks,
                  crossover->below->bytes, crossover->above->bytes, crossover->exact);
    return 0;
}

static void add_operation(struct star_text *text, const struct star_map *map, enum star_operation operation)
{
    const struct star_map_operation *of = &map->of[operation];
    star_json_add(text, "{operation: %s, points: [", star_operations[operation].name);
    for (int i = 0; i < of->points; i++)
        add_point(text, of, &of->point[i]);
    star_json_add(text, "], crossovers: [");
    star_map_crossovers(map, operation, add_crossover, text);
    star_json_add(text, "]}");
}

static int add_violation(const struct star_violation *violation, void *context)
{
    struct star_text *text = context;
    star_json_add(text, "{operation: %s, ranks: %d, bytes: %jd, native_seconds: %g, seconds: %g",
                  star_operations[violation->operation].name, violation->ranks, violation->bytes,
                  violation->native, violation->seconds);
    if (violation->than)
        add_method(text, "as", violation->than);
    else
        star_json_integer(text, "for_bytes", violation->than_bytes);
    star_json_close(text, '}');
    return 0;
}

void say_json(const struct star_search *search, const char *file, bool whole, double seconds)
{
    struct star_text text = {0};
    star_json_add(&text, "{startune: %s, map: %s, complete: %i, seconds: %g", STAR_VERSION, file,
                  whole && search->left_out == 0, seconds);
    add_machine(&text, &search->map->machine);
    star_json_open(&text, "operations", '[');
    for (int o = 0; o < STAR_OPERATIONS; o++)
        if (search->map->of[o].points > 0)
            add_operation(&text, search->map, (enum star_operation)o);
    star_json_add(&text, "], violations: [");
    for (int o = 0; o < STAR_OPERATIONS; o++)
        star_violations(search->map, (enum star_operation)o, add_violation, &text);
    star_json_add(&text, "]}");
    printf("%s\n", text.failed ? "" : text.bytes);
    star_text_free(&text);
}

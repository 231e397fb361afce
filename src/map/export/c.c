/* SPDX-License-Identifier: BSD-3-Clause */
#include "map/export/c.h"
#include "map/encoders/encoders.h"
#include "map/export/export.h"
#include "map/write.h"

int star_export_encode(const struct star_grid *grid, struct star_encoding *smaller, struct star_why *why)
{
    const struct star_looseness exact = {.accuracy = 1};
    struct star_encoding runs;
    int error = star_encoding_make(&star_encoder_table, grid, &exact, smaller, why);
    if (!error)
        error = star_encoding_make(&star_encoder_runs, grid, &exact, &runs, why);
    if (error) {
        star_encoding_free(smaller);
        return error;
    }
    bool swap = star_encoding_form(&runs)->bytes < star_encoding_form(smaller)->bytes;
    star_encoding_free(swap ? smaller : &runs);
    if (swap)
        *smaller = runs;
    return 0;
}

static int write_operation(const struct star_map *map, enum star_operation operation, struct star_text *text,
                           struct star_why *why)
{
    const char *name = star_operations[operation].name;
    struct star_grid grid;
    struct star_encoding encoding = {0};
    char spelling[STAR_METHOD_TEXT];
    int error = star_grid_make_exact(map, operation, &grid, why);
    if (error)
        return error;
    error = star_export_encode(&grid, &encoding, why);
    if (!error) {
        star_text_add(text, "\n/* %s; bytes: %s */\nstatic const char *const %s_methods[%d] = {\n",
                      star_operations[operation].mpi, star_measures[star_operations[operation].measure], name,
                      grid.methods);
        for (int i = 0; i < grid.methods; i++)
            star_text_add(text, "    \"%s\",\n",
                          star_method_format(&grid.of->method[i], spelling, sizeof spelling));
        star_text_add(text, "};\n");
        star_encoding_generate(&encoding, name, text);
        star_text_add(text,
                      "\nconst char *decide_%s(int ranks, long long bytes);\n"
                      "const char *decide_%s(int ranks, long long bytes)\n{\n    return %s_methods[%s(ranks, "
                      "bytes)];\n}\n",
                      name, name, name, name);
        star_encoding_free(&encoding);
    }
    star_grid_free(&grid);
    return error;
}

static int write_c(const struct star_export_request *request, struct star_text *text,
                   struct star_text *remarks, struct star_why *why)
{
    int error = 0;
    (void)remarks;
    star_text_add(text, "/* Made by startune export. decide_OPERATION(ranks, bytes) names the method. */\n");
    for (int i = 0; !error && i < STAR_OPERATIONS; i++)
        if (request->map->of[i].points > 0)
            error = write_operation(request->map, (enum star_operation)i, text, why);
    return error;
}

static int write_star(const struct star_export_request *request, struct star_text *text,
                      struct star_text *remarks, struct star_why *why)
{
    (void)remarks;
    (void)why;
    star_map_write(request->map, text);
    return 0;
}

const struct star_export star_export_c = {write_c};
const struct star_export star_export_star = {write_star};

/* SPDX-License-Identifier: BSD-3-Clause */
#include "map/export/routine.h"
#include "map/encoding.h"
#include "map/export/c.h"
#include "map/export/export.h"
#include "map/export/foreign.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* MPI's functions, as text. */
static const struct function {
    enum star_operation operation;
    const char *name, *parameters, *constant, *fields;
} functions[] = {
#define STAR_FUNCTION(name, parameters, arguments, operation, ...)                                           \
    {operation, #name, #parameters, #operation, #__VA_ARGS__},
#include "plan/functions.def"
#undef STAR_FUNCTION
};
enum { FUNCTIONS = sizeof functions / sizeof *functions };

/* "STAR_Alltoall_custom" of "STAR_*_custom". */
static void add_function_name(const char *pattern, const struct function *function, struct star_text *text)
{
    const char *star = strchr(pattern, '*');
    star_text_add(text, "%.*s%s%s", (int)(star - pattern), pattern, function->name, star + 1);
}

static int check_name(const char *pattern, struct star_why *why)
{
    int stars = 0;
    bool good = isalpha((unsigned char)pattern[0]) || strchr("_*", pattern[0]) != NULL;
    for (const char *c = pattern; *c; c++) {
        stars += *c == '*';
        good = good && (isalnum((unsigned char)*c) || *c == '_' || *c == '*');
    }
    return good && stars == 1 && strlen(pattern) < 100
               ? 0
               : star_because(why, STAR_EINPUT,
                              "'%.60s' names no functions: a C name with one * for Alltoall, Bcast, …",
                              pattern);
}

static void add_quoted(const char *name, struct star_text *text)
{
    star_text_add(text, "\"");
    for (; *name; name++)
        star_text_add(text, strchr("\"\\", *name) ? "\\%c" : "%c", *name);
    star_text_add(text, "\"");
}

/* WORDS must not end the comment, nor seem to begin another. */
static void add_in_comment(const char *words, struct star_text *text)
{
    for (char before = 0; *words; before = *words++) {
        bool mark = (before == '*' && *words == '/') || (before == '/' && *words == '*');
        star_text_add(text, mark ? " %c" : "%c", *words);
    }
}

static void write_topology(const struct star_topology *topology, struct star_text *text)
{
    if (topology == NULL) {
        star_text_add(text, "\nstatic const struct star_topology *const topology = NULL;\n");
        return;
    }
    star_text_add(text,
                  "\n/* The switches and machines: name, number of the switch above, Mbit/s, a machine, "
                  "ranks on it. */\nstatic struct star_node topology_nodes[%d] = {\n",
                  topology->nodes);
    for (int i = 0; i < topology->nodes; i++) {
        const struct star_node *node = &topology->node[i];
        star_text_add(text, "    {(char *)(uintptr_t)");
        add_quoted(node->name, text);
        star_text_add(text, ", %d, ", node->parent);
        star_text_number(text, node->mbps);
        star_text_add(text, ", %s, %d},\n", node->machine ? "true" : "false", node->slots);
    }
    star_text_add(text, "};\n\nstatic int topology_by_name[%d] = {", topology->machines);
    for (int i = 0; i < topology->machines; i++)
        star_text_add(text, "%s%d,", i % 16 == 0 ? "\n    " : " ", topology->by_name[i]);
    star_text_add(text,
                  "\n};\n\nstatic const struct star_topology known = {.node = topology_nodes,\n"
                  "                                           .nodes = %d,\n"
                  "                                           .machines = %d,\n"
                  "                                           .root = %d,\n"
                  "                                           .islands = %d,\n"
                  "                                           .by_name = topology_by_name};\n"
                  "static const struct star_topology *const topology = &known;\n",
                  topology->nodes, topology->machines, topology->root, topology->islands);
}

/* Can the routine have the method? */
static bool is_available(const struct star_method *method, const struct star_topology *topology)
{
    bool possible = topology != NULL || !star_method_needs_network(method);
    return star_is_native(method) || (method->algorithm->build != NULL && possible);
}

/* Gives the cells of methods that cannot be there to others; −1 is none. */
static void replace(struct star_grid *grid, const struct star_topology *topology, struct star_text *remarks)
{
    bool available[STAR_MAP_METHODS_MOST];
    for (int i = 0; i < grid->methods; i++)
        available[i] = is_available(&grid->of->method[i], topology);
    for (int i = 0; i < grid->methods; i++)
        if (!available[i])
            star_export_remark(grid, i, available,
                               grid->of->method[i].algorithm->build
                                   ? "cannot be in the routine without --topology"
                                   : "cannot be in the routine",
                               "can", remarks);
    for (int cell = 0; cell < grid->rows * grid->columns; cell++)
        grid->winner[cell] = star_export_choose(grid, cell, available);
}

/* The method that the cell gets; −1: the MPI library's own. */
static int method_of(const struct star_grid *grid, int cell)
{
    int winner = grid->winner[cell];
    return winner < 0 || star_is_native(&grid->of->method[winner]) ? -1 : winner;
}

static bool is_level(const struct star_grid *grid, int row)
{
    int first = star_grid_cell(grid, row, 0), same = 1;
    while (same < grid->columns && method_of(grid, first + same) == method_of(grid, first))
        same++;
    return same == grid->columns;
}

/* Where no rank knows a call's bytes, no method can depend on them. */
static void level(struct star_grid *grid, enum star_operation operation, struct star_text *remarks)
{
    int cleared = 0;
    for (int row = 0; row < grid->rows; row++) {
        if (is_level(grid, row))
            continue;
        for (int column = 0; column < grid->columns; column++)
            grid->winner[star_grid_cell(grid, row, column)] = -1;
        cleared++;
    }
    if (cleared > 0)
        star_text_add(
            remarks,
            "%s cannot go by bytes, which no rank knows, and in the map it does: %d of %d numbers of "
            "ranks left to the MPI library\n",
            star_operations[operation].name, cleared, grid->rows);
}

static void write_method(const struct star_method *method, int number, struct star_text *text)
{
    char name[STAR_METHOD_TEXT];
    const struct star_algorithm *of = method->algorithm;
    star_text_add(text, "    {&star_%s_%s, {", star_operations[of->operation].name, of->name);
    for (int i = 0; i < STAR_KNOBS_MAX; i++)
        star_text_add(text, "%s%lld", i > 0 ? ", " : "", (long long)method->knob[i]);
    star_text_add(text, "}}, /* %d: %s */\n", number, star_method_format(method, name, sizeof name));
}

/* The methods in use, and the cells renumbered by them: 0 is the MPI library's own. */
static void write_methods(struct star_grid *grid, const char *name, struct star_text *text)
{
    int cells = grid->rows * grid->columns, used = 1;
    star_text_add(text,
                  "\nstatic const struct star_method %s_methods[] = {\n"
                  "    {NULL, {0}}, /* 0: the MPI library's own */\n",
                  name);
    for (int cell = 0; cell < cells; cell++)
        grid->winner[cell] = method_of(grid, cell);
    for (int method = 0; method < grid->methods; method++) {
        bool here = false;
        for (int cell = 0; cell < cells; cell++)
            if (grid->winner[cell] == method) {
                grid->winner[cell] = -1 - used;
                here = true;
            }
        if (here)
            write_method(&grid->of->method[method], used++, text);
    }
    for (int cell = 0; cell < cells; cell++)
        grid->winner[cell] = -1 - grid->winner[cell];
    star_text_add(text, "};\n");
}

static bool is_known(const struct star_routine_request *request, enum star_operation operation)
{
    return request->map->of[operation].points > 0;
}

static int write_choice(const struct star_routine_request *request, enum star_operation operation,
                        struct star_text *text, struct star_text *remarks, struct star_why *why)
{
    const char *name = star_operations[operation].name;
    char decide[64];
    struct star_grid grid;
    struct star_encoding encoding;
    int error = star_grid_make_exact(request->map, operation, &grid, why);
    if (error)
        return error;
    replace(&grid, request->topology, remarks);
    if (star_operations[operation].measure == STAR_UNKNOWN)
        level(&grid, operation, remarks);
    write_methods(&grid, name, text);
    snprintf(decide, sizeof decide, "number_%s", name);
    error = star_export_encode(&grid, &encoding, why);
    if (!error) {
        star_encoding_generate(&encoding, decide, text);
        star_encoding_free(&encoding);
        star_text_add(text,
                      "\nstatic const struct star_method *choose_%s(int ranks, long long bytes)\n{\n"
                      "    return &%s_methods[%s(ranks, bytes)];\n}\n",
                      name, name, decide);
    }
    star_grid_free(&grid);
    return error;
}

static void write_function(const char *pattern, const struct function *function, struct star_text *text)
{
    for (int body = 0; body < 2; body++) {
        star_text_add(text, "\nint ");
        add_function_name(pattern, function, text);
        star_text_add(text, "%s%s", function->parameters, body ? "\n" : ";\n");
    }
    star_text_add(text,
                  "{\n    const struct star_call call = {.operation = %s, %s};\n"
                  "    return star_routine_call(&call, choose_%s, topology);\n}\n",
                  function->constant, function->fields, star_operations[function->operation].name);
}

/* Decisions, topology and functions: what only this file has. */
static int write_own(const struct star_routine_request *request, struct star_text *text,
                     struct star_text *remarks, struct star_why *why)
{
    int error = 0;
    write_topology(request->topology, text);
    for (int i = 0; !error && i < FUNCTIONS; i++)
        if (is_known(request, functions[i].operation))
            error = write_choice(request, functions[i].operation, text, remarks, why);
    for (int i = 0; i < FUNCTIONS; i++)
        if (is_known(request, functions[i].operation))
            write_function(request->name, &functions[i], text);
    return error;
}

static void write_head(const struct star_routine_request *request, struct star_text *text)
{
    const char *mpi = request->map->machine.mpi;
    star_text_add(text,
                  "/* SPDX-License-Identifier: BSD-3-Clause\n"
                  " * Made by startune export from a decision map%s",
                  mpi[0] ? " of " : "");
    add_in_comment(mpi, text);
    star_text_add(text, ". Link it with an MPI program; nothing else is needed:\n *\n");
    for (int i = 0; i < FUNCTIONS; i++)
        if (is_known(request, functions[i].operation)) {
            star_text_add(text, " *     int ");
            add_function_name(request->name, &functions[i], text);
            star_text_add(text, "%s;\n", functions[i].parameters);
        }
    star_text_add(text, " *\n * All processes of a communicator must have the same file. */\n"
                        "#ifndef _GNU_SOURCE\n#define _GNU_SOURCE\n#endif\n#include <mpi.h>\n\n"
                        "/* Whole files of startune follow, of which not all is needed. */\n"
                        "#pragma GCC diagnostic ignored \"-Wattributes\"\n"
                        "#pragma GCC diagnostic ignored \"-Wshadow\"\n"
                        "#pragma GCC diagnostic ignored \"-Wunused-function\"\n"
                        "#pragma GCC diagnostic ignored \"-Wunused-variable\"\n"
                        "#pragma GCC diagnostic ignored \"-Wunused-const-variable\"\n\n");
}

/* Is an algorithm that the LENGTH bytes from FILE on define named in OWN? */
static bool is_used(const char *file, size_t length, const struct star_map *map, const char *own)
{
    char use[96], definition[100];
    for (int i = 0; i < STAR_OPERATIONS; i++)
        for (int method = 0; method < map->of[i].methods; method++) {
            const char *name = map->of[i].method[method].algorithm->name;
            snprintf(use, sizeof use, "&star_%s_%s,", star_operations[i].name, name);
            snprintf(definition, sizeof definition, " star_%s_%s = {", star_operations[i].name, name);
            if (strstr(own, use) != NULL && memmem(file, length, definition, strlen(definition)) != NULL)
                return true;
        }
    return false;
}

/* The core, and the files of the algorithms that OWN names. */
static void write_carried(const struct star_routine_request *request, const char *own, struct star_text *text)
{
    const char *file = request->sources;
    size_t length = strcspn(file, "\f");
    star_text_append(text, file, length);
    while (*(file += length) == '\f') {
        length = strcspn(++file, "\f");
        if (is_used(file, length, request->map, own))
            star_text_append(text, file, length);
    }
}

static int check_map(const struct star_routine_request *request, struct star_why *why)
{
    bool any = false;
    for (int i = 0; i < STAR_OPERATIONS; i++)
        any = any || is_known(request, (enum star_operation)i);
    return any ? 0 : star_because(why, STAR_ENEEDS, "the map is empty");
}

int star_export_write_routine(const struct star_routine_request *request, struct star_text *text,
                              struct star_text *remarks, struct star_why *why)
{
    struct star_text own = {0};
    int error = check_name(request->name, why);
    if (!error)
        error = check_map(request, why);
    if (!error)
        error = write_own(request, &own, remarks, why);
    if (!error && own.failed)
        error = star_because(why, STAR_EMEMORY, "out of memory for the routine");
    if (!error) {
        write_head(request, text);
        write_carried(request, own.bytes, text);
        star_text_append(text, own.bytes, own.length);
    }
    star_text_free(&own);
    return error;
}

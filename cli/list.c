/* SPDX-License-Identifier: BSD-3-Clause
 * startune list: the repository. */
#include "command.h"
#include "algorithms/method.h"
#include "util/parse.h"

#include <stdio.h>
#include <string.h>

static bool as_json, as_markdown;

static bool take(const struct cli_option *option, const char *value, struct star_why *why)
{
    (void)value, (void)why;
    *(option->name[0] == 'j' ? &as_json : &as_markdown) = true;
    return true;
}

static void print_knobs(const struct star_algorithm *algorithm, const char *before)
{
    for (int k = 0; k < STAR_KNOBS_MAX && algorithm->knobs[k].name; k++) {
        const struct star_knob *knob = &algorithm->knobs[k];
        char value[64];
        printf("%s%s: %s (tried:", k ? before : "", knob->name, knob->help);
        for (int v = 0; v < knob->values.count; v++)
            printf(" %s", strchr(star_knob_format(knob, knob->values.at[v], value, sizeof value), '=') + 1);
        printf(")");
    }
}

static void print_text(const struct star_algorithm *algorithm)
{
    char most[32];
    printf("  %-8s %s\n", algorithm->name, algorithm->moves);
    printf("           saves %s; cost %s\n", algorithm->optimises, algorithm->cost);
    if (algorithm->needs)
        printf("           needs %s\n", algorithm->needs);
    if (algorithm->most_bytes)
        printf("           tuned for up to %s bytes\n",
               star_format_bytes(algorithm->most_bytes, most, sizeof most));
    if (algorithm->knobs[0].name) {
        printf("           ");
        print_knobs(algorithm, "\n           ");
        printf("\n");
    }
    printf("           from %s\n", algorithm->source);
}

static void print_markdown(const struct star_algorithm *algorithm)
{
    char most[32];
    printf("| `%s:%s` | %s | %s | `%s` | ", star_operations[algorithm->operation].name, algorithm->name,
           algorithm->moves, algorithm->optimises, algorithm->cost);
    print_knobs(algorithm, "; ");
    printf(" | %s%s%s%s | %s |\n", algorithm->needs ? algorithm->needs : "",
           algorithm->needs && algorithm->most_bytes ? "; " : "", algorithm->most_bytes ? "tuned up to " : "",
           algorithm->most_bytes ? star_format_bytes(algorithm->most_bytes, most, sizeof most) : "",
           algorithm->source);
}

static void json_values(struct star_text *text, const struct star_knob *knob)
{
    char value[64];
    star_json_open(text, "values", '[');
    for (int v = 0; v < knob->values.count; v++)
        star_json_string(text, NULL,
                         strchr(star_knob_format(knob, knob->values.at[v], value, sizeof value), '=') + 1);
    star_json_close(text, ']');
}

static void json_algorithm(struct star_text *text, const struct star_algorithm *algorithm)
{
    star_json_open(text, NULL, '{');
    star_json_string(text, "operation", star_operations[algorithm->operation].name);
    star_json_string(text, "name", algorithm->name);
    star_json_string(text, "moves", algorithm->moves);
    star_json_string(text, "group", algorithm->optimises);
    star_json_string(text, "cost", algorithm->cost);
    star_json_string(text, "source", algorithm->source);
    if (algorithm->needs)
        star_json_string(text, "needs", algorithm->needs);
    star_json_bool(text, "power_of_two", algorithm->power_of_two);
    if (algorithm->most_bytes)
        star_json_integer(text, "most_bytes", algorithm->most_bytes);
    star_json_open(text, "knobs", '[');
    for (int k = 0; k < STAR_KNOBS_MAX && algorithm->knobs[k].name; k++) {
        star_json_open(text, NULL, '{');
        star_json_string(text, "name", algorithm->knobs[k].name);
        star_json_string(text, "help", algorithm->knobs[k].help);
        json_values(text, &algorithm->knobs[k]);
        star_json_close(text, '}');
    }
    star_json_close(text, ']');
    star_json_close(text, '}');
}

static void print_json(int operation)
{
    struct star_text text = {0};
    star_json_open(&text, NULL, '[');
    for (int i = 0; i < star_repository_count; i++)
        if (operation < 0 || (int)star_repository[i]->operation == operation) {
            star_text_add(&text, text.length > 1 ? ",\n" : "\n");
            json_algorithm(&text, star_repository[i]);
        }
    star_json_close(&text, ']');
    puts(text.bytes);
    star_text_free(&text);
}

static int operation_named(const char *name)
{
    for (int i = 0; i < STAR_OPERATIONS; i++)
        if (strcmp(star_operations[i].name, name) == 0)
            return i;
    const char *names[STAR_OPERATIONS];
    for (int i = 0; i < STAR_OPERATIONS; i++)
        names[i] = star_operations[i].name;
    const char *nearest = star_nearest(name, names, STAR_OPERATIONS);
    cli_error(&cli_list, "unknown operation '%s'%s%s%s; startune list shows them all", name,
              nearest ? ": did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
    return -2;
}

static int run(int argc, char **argv)
{
    int words = cli_operands(&cli_list, argc, argv);
    if (words < 0)
        return CLI_USAGE;
    if (words > 1)
        return cli_error(&cli_list, "unexpected argument '%s'", argv[1]);
    int operation = words == 1 ? operation_named(argv[0]) : -1;
    if (operation < -1)
        return CLI_USAGE;
    if (as_json) {
        print_json(operation);
        return CLI_OK;
    }
    if (as_markdown)
        printf("| method | what moves where | saves | cost | knobs | limits | source "
               "|\n|---|---|---|---|---|---|---|\n");
    for (int i = 0, last = -1; i < star_repository_count; i++) {
        const struct star_algorithm *algorithm = star_repository[i];
        if (operation >= 0 && (int)algorithm->operation != operation)
            continue;
        if (!as_markdown && (int)algorithm->operation != last)
            printf("%s (%s)\n", star_operations[algorithm->operation].name,
                   star_operations[algorithm->operation].mpi);
        last = (int)algorithm->operation;
        (as_markdown ? print_markdown : print_text)(algorithm);
    }
    if (!as_markdown)
        printf("Cost: P ranks, n bytes a pair; α start of a message, β time a byte, θ a round, δ a "
               "synchronisation,\n"
               "γ contention.\n");
    return CLI_OK;
}

static const struct cli_option options[] = {
    {"json", NULL, "print JSON"},
    {"markdown", NULL, "print a table for documents"},
    {NULL, NULL, NULL},
};
static const struct cli_example examples[] = {
    {"startune list", "all operations and their methods"},
    {"startune list alltoall --json", "one operation, for programs"},
    {NULL, NULL},
};

const struct cli_command cli_list = {
    .name = "list",
    .synopsis = "startune list [OPTIONS] [OPERATION]",
    .summary = "list the algorithms of each operation, with knobs, limits and cost",
    .description = "Prints the repository: what startune chooses from.",
    .options = options,
    .examples = examples,
    .run = run,
    .take = take,
};

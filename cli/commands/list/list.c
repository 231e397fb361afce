/* SPDX-License-Identifier: BSD-3-Clause
 * startune list: the repository. */
#include "algorithms/method.h"
#include "algorithms/operations.h"
#include "algorithms/repository.h"
#include "cli/common/messages.h"
#include "cli/common/options.h"
#include "cli/common/output.h"
#include "cli/common/take.h"
#include "functions.h"
#include "neighborhood.h"
#include "util/parse.h"
#include "util/text.h"
#include "util/why.h"

#include <string.h>

static bool as_json, as_markdown;

/* The values that the tuner tries, as they are written. */
static void add_values(struct star_text *text, const struct star_knob *knob)
{
    char value[64];
    for (int v = 0; v < knob->values.count; v++)
        star_text_add(text, "%s%s", v ? " " : "",
                      strchr(star_knob_format(knob, knob->values.at[v], value, sizeof value), '=') + 1);
}

static void add_knobs(struct star_text *text, const struct star_algorithm *algorithm, const char *between)
{
    for (int k = 0; k < STAR_KNOBS_MAX && algorithm->knobs[k].name; k++) {
        const struct star_knob *knob = &algorithm->knobs[k];
        star_text_add(text, "%s%s: %s (tried: ", k ? between : "", knob->name, knob->help);
        add_values(text, knob);
        star_text_add(text, ")");
    }
}

static bool commutative_only(const struct star_algorithm *algorithm)
{
    bool native = algorithm->build == NULL && algorithm->mockup == STAR_MOCKUP_NONE;
    return star_operations[algorithm->operation].expected.reduces && !algorithm->in_order && !native;
}

static void add_limit(struct star_text *text, const char *format, const char *word)
{
    star_text_add(text, text->length ? "; " : "");
    star_text_add(text, format, word);
}

/* What must hold for the algorithm to run, or for the tuner to try it. */
static void add_limits(struct star_text *text, const struct star_algorithm *algorithm)
{
    char bytes[32];
    struct star_text limits = {0};
    if (algorithm->needs)
        add_limit(&limits, "%s", algorithm->needs);
    else if (algorithm->power_of_two || algorithm->even)
        add_limit(&limits, "P %s", algorithm->power_of_two ? "a power of two" : "even");
    if (algorithm->nodes && (algorithm->needs == NULL || strstr(algorithm->needs, "node") == NULL))
        add_limit(&limits, "%s", "several nodes, and several ranks on one of them");
    if (commutative_only(algorithm))
        add_limit(&limits, "%s", "commutative operators");
    if (algorithm->least_bytes)
        add_limit(&limits, "tuned from %s bytes on",
                  star_format_bytes(algorithm->least_bytes, bytes, sizeof bytes));
    if (algorithm->most_bytes)
        add_limit(&limits, "tuned up to %s bytes",
                  star_format_bytes(algorithm->most_bytes, bytes, sizeof bytes));
    star_text_append(text, limits.bytes ? limits.bytes : "", limits.length);
    star_text_free(&limits);
}

static void text_operation(struct star_text *text, const struct star_operation_info *operation)
{
    star_text_add(text, "%s%s (%s), bytes: %s\n", text->length ? "\n" : "", operation->name, operation->mpi,
                  star_measures[operation->measure]);
}

static void text_algorithm(struct star_text *text, const struct star_algorithm *algorithm)
{
    static const char margin[] = "\n           ";
    struct star_text limits = {0};
    add_limits(&limits, algorithm);
    star_text_add(text, "  %-8s %s", algorithm->name, algorithm->moves);
    star_text_add(text, "%ssaves %s; cost %s", margin, algorithm->optimises, algorithm->cost);
    if (limits.length)
        star_text_add(text, "%slimits: %s", margin, limits.bytes);
    if (algorithm->order != STAR_ORDER_NONE)
        star_text_add(text, "%sorder of reduction: %s", margin, star_orders[algorithm->order]);
    if (algorithm->mockup != STAR_MOCKUP_NONE)
        star_text_add(text, "%sa mock-up: the MPI library's own routines", margin);
    if (algorithm->knobs[0].name) {
        star_text_add(text, "%s", margin);
        add_knobs(text, algorithm, margin);
    }
    star_text_add(text, "%sfrom %s\n", margin, algorithm->source);
    star_text_free(&limits);
}

static const char text_legend[] =
    "\nCost: P ranks, n bytes as said at the operation; α start of a message, β time a byte, θ a round,\n"
    "δ a synchronisation, γ contention.\n"
    "Order of reduction: rank is r0 op (r1 op (r2 op …)) always, which `--reproducible order` keeps to; "
    "fixed\n"
    "is the same in each call of the same ranks, places and bytes; native is the MPI library's affair.\n";

static void markdown_operation(struct star_text *text, const struct star_operation_info *operation)
{
    bool reduces = operation->expected.reduces;
    star_text_add(text, "%s## %s\n`%s`; bytes: %s.\n\n", text->length ? "\n" : "", operation->name,
                  operation->mpi, star_measures[operation->measure]);
    star_text_add(text, "| method | what moves where | saves | cost | knobs | limits |%s source |\n%s%s|\n",
                  reduces ? " order |" : "", "|---|---|---|---|---|---|---", reduces ? "|---" : "");
}

static void markdown_algorithm(struct star_text *text, const struct star_algorithm *algorithm)
{
    star_text_add(text, "| `%s:%s` | %s%s | %s | `%s` | ", star_operations[algorithm->operation].name,
                  algorithm->name, algorithm->moves,
                  algorithm->mockup != STAR_MOCKUP_NONE ? " (mock-up)" : "", algorithm->optimises,
                  algorithm->cost);
    add_knobs(text, algorithm, "; ");
    star_text_add(text, " | ");
    add_limits(text, algorithm);
    if (star_operations[algorithm->operation].expected.reduces)
        star_text_add(text, " | %s", star_orders[algorithm->order]);
    star_text_add(text, " | %s |\n", algorithm->source);
}

static const char markdown_legend[] =
    "\nCost: P ranks, n bytes as said at the operation; α start of a message, β time a byte, θ a round, δ a "
    "synchronisation,\nγ contention. Order of reduction: *rank* is r0 op (r1 op (r2 op …)) always, which\n"
    "`--reproducible order` keeps to; *fixed* is the same in each call of the same ranks, places and bytes; "
    "*native* "
    "is the MPI\nlibrary's affair. A mock-up does the operation by others of the MPI library.\n";

static void json_values(struct star_text *text, const char *key, const struct star_knob *knob,
                        const struct star_values *values)
{
    char value[64];
    star_json_open(text, key, '[');
    for (int v = 0; v < values->count; v++)
        star_json_string(text, NULL,
                         strchr(star_knob_format(knob, values->at[v], value, sizeof value), '=') + 1);
    star_json_close(text, ']');
}

static void json_knobs(struct star_text *text, const struct star_algorithm *algorithm)
{
    star_json_open(text, "knobs", '[');
    for (int k = 0; k < STAR_KNOBS_MAX && algorithm->knobs[k].name; k++) {
        const struct star_knob *knob = &algorithm->knobs[k];
        char value[64];
        star_json_add(text, "{name: %s, help: %s", knob->name, knob->help);
        json_values(text, "values", knob, &knob->values);
        json_values(text, "more", knob, &knob->more);
        star_json_add(text, "default: %s}",
                      strchr(star_knob_format(knob, knob->preset, value, sizeof value), '=') + 1);
    }
    star_json_close(text, ']');
}

static void json_algorithm(struct star_text *text, const struct star_algorithm *algorithm)
{
    const struct star_operation_info *operation = &star_operations[algorithm->operation];
    star_json_add(text, "{operation: %s, bytes_are: %s, name: %s, moves: %s, group: %s, cost: %s, source: %s",
                  operation->name, star_measures[operation->measure], algorithm->name, algorithm->moves,
                  algorithm->optimises, algorithm->cost, algorithm->source);
    if (algorithm->needs)
        star_json_string(text, "needs", algorithm->needs);
    star_json_add(text, "power_of_two: %i, even: %i, nodes: %i, network: %i", algorithm->power_of_two,
                  algorithm->even, algorithm->nodes, algorithm->network);
    if (algorithm->most_ranks)
        star_json_integer(text, "most_ranks", algorithm->most_ranks);
    star_json_add(text, "mockup: %i, order: %s, commutative_only: %i", algorithm->mockup != STAR_MOCKUP_NONE,
                  star_orders[algorithm->order], commutative_only(algorithm));
    if (algorithm->least_bytes)
        star_json_integer(text, "least_bytes", algorithm->least_bytes);
    if (algorithm->most_bytes)
        star_json_integer(text, "most_bytes", algorithm->most_bytes);
    json_knobs(text, algorithm);
    star_json_close(text, '}');
}

static void json_row(struct star_text *text, const struct star_algorithm *algorithm)
{
    star_text_add(text, text->length > 1 ? ",\n" : "\n");
    json_algorithm(text, algorithm);
}

/* A form of the listing. */
struct form {
    const char *before, *after;
    void (*operation)(struct star_text *text, const struct star_operation_info *operation);
    void (*algorithm)(struct star_text *text, const struct star_algorithm *algorithm);
};
static const struct form forms[] = {
    {"", text_legend, text_operation, text_algorithm},
    {"", markdown_legend, markdown_operation, markdown_algorithm},
    {"[", "]\n", NULL, json_row},
};

static void list(struct star_text *text, const struct form *form, int only)
{
    star_text_add(text, "%s", form->before);
    for (int operation = 0; operation < STAR_OPERATIONS; operation++) {
        if (only >= 0 && operation != only)
            continue;
        if (form->operation)
            form->operation(text, &star_operations[operation]);
        for (int i = 0; i < star_repository_count; i++)
            if ((int)star_repository[i]->operation == operation)
                form->algorithm(text, star_repository[i]);
    }
    star_text_add(text, "%s", form->after);
}

static int run(const struct cli_command *command, int argc, char **argv)
{
    struct star_why why;
    enum star_operation operation;
    struct star_text text = {0};
    int words = cli_operands(command, argc, argv);
    if (words < 0)
        return CLI_USAGE;
    if (words > 1)
        return cli_error("unexpected argument '%s'", argv[1]);
    enum cli_form as = as_json ? AS_JSON : as_markdown ? AS_MARKDOWN : AS_TEXT;
    bool pattern = words == 1 && strcmp(argv[0], "neighborhood") == 0;
    bool functions = words == 1 && strcmp(argv[0], "functions") == 0;
    if (words == 1 && !pattern && !functions && star_operation_parse(argv[0], &operation, &why))
        return cli_error("%s", why.text);
    if (pattern)
        cli_list_neighborhood(&text, as);
    else if (functions)
        cli_list_functions(&text, as);
    else
        list(&text, &forms[as], words == 1 ? (int)operation : -1);
    return cli_put(NULL, &text);
}

static const struct cli_option options[] = {
    {"json", NULL, "print JSON", cli_take_switch, .at = &as_json},
    {"markdown", NULL, "print tables for documents", cli_take_switch, .at = &as_markdown},
    {.name = NULL},
};
static const struct cli_line examples[] = {
    {"startune list", "all operations and their methods"},
    {"startune list alltoall --json", "one operation, for programs"},
    {"startune list neighborhood", "the halo exchange, which is no function of MPI"},
    {"startune list functions", "the functions of MPI that startune takes over"},
    {.name = NULL},
};

const struct cli_command cli_list = {
    .name = "list",
    .synopsis = "startune list [OPTIONS] [OPERATION]",
    .summary = "list the algorithms of each operation, with knobs, limits and cost",
    .description =
        "Prints the methods that startune chooses from. The neighbourhood exchange is no function of MPI, "
        "and is listed where it is named.",
    .options = options,
    .examples = examples,
    .run = run,
};

/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench_question.h"
#include "algorithms/methods.h"
#include "algorithms/operations.h"
#include "messages.h"
#include "options.h"
#include "replay/trace.h"
#include "settings.h"
#include "take.h"
#include "util/parse.h"
#include "util/placement.h"
#include "util/version.h"
#include "util/why.h"

#include <stdio.h>
#include <string.h>

struct bench_question bench_question = {.kind = {.type = "double", .operator= "sum" },
                                                 .methods = "",
                                                 .nodes = "auto",
                                                 .topology = "auto",
                                                 .sizes = {64, 2048, 65536},
                                                 .size_count = 3,
                                                 .rounds = 10,
                                                 .calls = 5,
                                                 .seed = 1,
                                                 .compute = 5};
static struct bench_question *const ask = &bench_question;

static bool take_sizes(const struct cli_option *option, const char *value, struct star_why *why)
{
    char copy[1024], *rest = NULL;
    int count = 0;
    (void)option;
    snprintf(copy, sizeof copy, "%s", value);
    for (char *word = strtok_r(copy, ",", &rest); word; word = strtok_r(NULL, ",", &rest), count++) {
        int64_t bytes;
        if (!star_parse_bytes(word, &bytes) || bytes < 1 || bytes > INT32_MAX) {
            star_because(why, STAR_EINPUT, "'%s' is not a size from 1 to 2G-1, such as 64K", word);
            return false;
        }
        ask->sizes[count < SIZES_MOST ? count : 0] = bytes;
    }
    ask->size_count = count;
    if (count >= 1 && count <= SIZES_MOST && strlen(value) < sizeof copy)
        return true;
    star_because(why, STAR_EINPUT, "1 to %d sizes, separated by commas", SIZES_MOST);
    return false;
}

static bool take_nodes(const struct cli_option *option, const char *value, struct star_why *why)
{
    struct star_placement placement;
    (void)option;
    ask->nodes = value;
    return star_placement_parse(value, &placement, why) == 0;
}

const struct cli_option bench_options[] = {
    {"sizes", "BYTES,…", "as the operation measures them (startune list says how): 64,2K,64K by default",
     take_sizes, .at = NULL, .group = "What is measured"},
    {"methods", "METHODS",
     "only these, separated by spaces, the operation's name may be left out; native is always measured",
     cli_take_text, .at = &bench_question.methods},
    {"all", NULL, "also the values of knobs that the tuner does not try by itself", cli_take_switch,
     .at = &bench_question.all},
    {"root", "R", "the root, of operations that have one: 0 by default", cli_take_integer,
     .at = &bench_question.kind.root, .most = 1000000},
    {"skew", "SHARE",
     "how uneven blocks are where they may be, 0 to 1: up to so much longer or shorter than their average; "
     "0 by default",
     cli_take_number, .at = &bench_question.kind.skew, .most = 1},
    {"type", "double|float|int", "of reductions' elements: double by default", cli_take_word,
     .at = &bench_question.kind.type},
    {
        "operator",
        "sum|max",
        "of reductions: sum by default",
        cli_take_word,
        .at = &bench_question.kind.operator},
        {"rounds", "N", "how often all methods are measured, in random order: 10 by default",
         cli_take_integer, .at = &bench_question.rounds, .least = 1, .most = 1000000,
         .group = "How it is measured"},
        {"calls", "N", "counted calls of a method in each round, after one that is not counted: 5 by default",
         cli_take_integer, .at = &bench_question.calls, .least = 1, .most = 1000000},
        {"compute", "FACTOR",
         "computation before each call, as a multiple of native's time: 5 by default, as in STAR-MPI's "
         "Figure 4",
         cli_take_number, .at = &bench_question.compute, .most = 1000},
        {"arrival", "FACTOR",
         "ranks come late to each call, each by up to so many times native's time, drawn anew; 0 by default",
         cli_take_number, .at = &bench_question.arrival, .most = 1000},
        {"seed", "N", "of the random order: 1 by default", cli_take_integer, .at = &bench_question.seed,
         .least = 1, .most = 1000000},
        {"nodes", "auto|none|block:K|cyclic:N",
         "which ranks share a node, for methods that ask; auto by default", take_nodes, .at = NULL,
         .group = "The machine"},
        {"topology", "FILE|auto|none",
         "the switches between the hosts: for methods that ask, and for a column that says how near the time "
         "is "
         "to the least that the links allow, frames counted; auto by default",
         cli_take_text, .at = &bench_question.topology},
        {"mpi", STAR_MPIS, "the MPI library, where the launcher does not tell", cli_take_mpi, .at = NULL},
        {"record", "FILE", "write a trace of all calls, for startune replay; with up to 4095 for --calls",
         cli_take_text, .at = &bench_question.record, .group = "What is printed"},
        {"json", NULL, "print JSON, with every sample", cli_take_switch, .at = &bench_question.json},
        {.name = NULL},
    };

static bool was_given(const char *name)
{
    const struct cli_option *option = bench_options;
    while (strcmp(option->name, name) != 0)
        option++;
    return cli_was_given(option);
}

/* Sizes must be whole elements. */
static int check_sizes(const struct star_operation_info *operation)
{
    int64_t element = strcmp(ask->kind.type, "double") == 0 ? 8 : 4;
    if (was_given("sizes") && operation->measure == STAR_NO_BYTES)
        return cli_error("--sizes: %s has none", operation->name);
    for (int i = 0; operation->expected.reduces && i < ask->size_count; i++)
        if (ask->sizes[i] % element != 0)
            return cli_error("--sizes: %lld is no multiple of %lld, the bytes of a %s",
                             (long long)ask->sizes[i], (long long)element, ask->kind.type);
    return CLI_OK;
}

/* A trace has each method once. Native is measured once, however often it is named. */
static int check_twins(const struct star_methods *methods)
{
    char name[STAR_METHOD_TEXT];
    for (int i = 0; ask->record && i < methods->count; i++)
        for (int j = 0; j < i; j++)
            if (star_method_equal(&methods->at[i], &methods->at[j]) && !star_is_native(&methods->at[i]))
                return cli_error("--methods: %s stands there twice, and cannot in a trace (--record)",
                                 star_method_format(&methods->at[i], name, sizeof name));
    return CLI_OK;
}

static int check_methods(const struct star_operation_info *operation)
{
    struct star_methods methods;
    struct star_why why;
    char name[STAR_METHOD_TEXT];
    int error = CLI_OK;
    if (star_methods_parse_of((enum star_operation)(operation - star_operations), ask->methods, &methods,
                              &why))
        return cli_error("--methods: %s", why.text);
    for (int i = 0; !error && i < methods.count; i++)
        if (&star_operations[methods.at[i].algorithm->operation] != operation)
            error = cli_error("--methods: %s is no method of %s",
                              star_method_format(&methods.at[i], name, sizeof name), operation->name);
    if (!error)
        error = check_twins(&methods);
    star_methods_free(&methods);
    return error;
}

/* Is everything that was given something for this operation? */
static int check_operation(const struct star_operation_info *operation)
{
    if (was_given("root") && !operation->rooted)
        return cli_error("--root: %s has no root", operation->name);
    if (was_given("skew") && !operation->units)
        return cli_error("--skew: all blocks of %s are of one length", operation->name);
    if ((was_given("type") || was_given("operator")) && !operation->expected.reduces)
        return cli_error("--%s: %s does not reduce", was_given("type") ? "type" : "operator",
                         operation->name);
    if (ask->record && ask->calls >= STAR_BURST_MOST)
        return cli_error("--calls: %lld are more than the %d that a trace can have (--record)",
                         (long long)ask->calls, STAR_BURST_MOST - 1);
    int error = check_sizes(operation);
    return error ? error : check_methods(operation);
}

int bench_question_read(const struct cli_command *command, int argc, char **argv)
{
    struct star_why why;
    int count = cli_operands(command, argc, argv);
    if (count < 0)
        return CLI_USAGE;
    if (count == 0)
        return cli_error("no operation; usage: %s", command->synopsis);
    if (star_operation_parse(argv[0], &ask->kind.operation, &why))
        return cli_error("%s", why.text);
    if (count > 1)
        return cli_error("unexpected argument '%s'", argv[1]);
    const struct star_operation_info *operation = &star_operations[ask->kind.operation];
    int error = check_operation(operation);
    if (operation->measure == STAR_NO_BYTES) {
        ask->size_count = 1;
        ask->sizes[0] = 0;
    }
    return error;
}

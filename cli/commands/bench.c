/* SPDX-License-Identifier: BSD-3-Clause
 * startune bench: checks the question, and becomes the measuring program of the launcher's MPI. */
#include "cli/common/messages.h"
#include "cli/common/options.h"
#include "cli/common/become.h"
#include "cli/common/settings.h"
#include "algorithms/methods.h"
#include "replay/trace.h"
#include "util/parse.h"
#include "util/placement.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZES_MOST = 64 };

/* What only some operations can be asked for, or not all together: to be looked at when all is known. */
static struct {
    const char *sizes, *methods, *root, *skew, *type, *record, *operator;
    int64_t calls;
} given;

static bool take_sizes(const char *value, struct star_why *why)
{
    char copy[1024], *rest = NULL;
    int64_t bytes;
    int count = 0;
    given.sizes = value;
    snprintf(copy, sizeof copy, "%s", value);
    for (char *word = strtok_r(copy, ",", &rest); word; word = strtok_r(NULL, ",", &rest), count++)
        if (!star_parse_bytes(word, &bytes) || bytes < 1 || bytes > INT32_MAX) {
            star_because(why, STAR_EINPUT, "'%s' is not a size from 1 to 2G-1, such as 64K", word);
            return false;
        }
    if (count >= 1 && count <= SIZES_MOST && strlen(value) < sizeof copy)
        return true;
    star_because(why, STAR_EINPUT, "1 to %d sizes, separated by commas", SIZES_MOST);
    return false;
}

/* Is VALUE one of the words of "a|b|c"? */
static bool is_word_of(const char *words, const char *value)
{
    size_t length = strlen(value);
    for (const char *at = words; length > 0 && !strchr(value, '|') && (at = strstr(at, value)) != NULL; at++)
        if ((at == words || at[-1] == '|') && (at[length] == 0 || at[length] == '|'))
            return true;
    return false;
}

static bool take_number(const struct cli_option *option, const char *value)
{
    int64_t number;
    double factor;
    if (strcmp(option->name, "compute") == 0 || strcmp(option->name, "arrival") == 0)
        return star_parse_number(value, &factor) && factor >= 0 && factor <= 1000;
    if (strcmp(option->name, "skew") == 0)
        return star_parse_number(given.skew = value, &factor) && factor >= 0 && factor <= 1;
    if (strcmp(option->name, "root") == 0)
        return star_parse_integer(given.root = value, &number) && number >= 0 && number <= 1000000;
    bool good = star_parse_integer(value, &number) && number >= 1 && number <= 1000000;
    if (good && strcmp(option->name, "calls") == 0)
        given.calls = number;
    return good;
}

static bool take_word(const struct cli_option *option, const char *value)
{
    *(strcmp(option->name, "type") == 0 ? &given.type : &given.operator) = value;
    return is_word_of(option->argument, value);
}

static bool take(const struct cli_option *option, const char *value, struct star_why *why)
{
    struct star_placement placement;
    if (option->argument == NULL)
        return true;
    if (strcmp(option->name, "sizes") == 0)
        return take_sizes(value, why);
    if (strcmp(option->name, "nodes") == 0)
        return star_placement_parse(value, &placement, why) == 0;
    if (strcmp(option->name, "record") == 0)
        given.record = value;
    if (strcmp(option->name, "topology") == 0 || strcmp(option->name, "record") == 0)
        return true; /* rank 0 looks at them where it runs */
    if (strcmp(option->name, "methods") == 0)
        return given.methods = value, true;
    if (strcmp(option->name, "mpi") == 0)
        return star_settings_set(&cli_settings_now, "mpi", value, why) == 0;
    bool is_word = strcmp(option->name, "type") == 0 || strcmp(option->name, "operator") == 0;
    bool good = is_word ? take_word(option, value) : take_number(option, value);
    if (!good)
        star_because(why, STAR_EINPUT, is_word ? "'%.80s' is not one of %s" : "'%.80s' is no good number",
                     value, option->argument);
    return good;
}

/* Sizes must be whole elements. */
static int check_sizes(const struct star_operation_info *operation)
{
    char copy[1024], *rest = NULL;
    const char *type = given.type ? given.type : "double";
    int64_t bytes, element = strcmp(type, "double") == 0 ? 8 : 4;
    if (given.sizes && operation->measure == STAR_NO_BYTES)
        return cli_error("--sizes: %s has none", operation->name);
    if (given.sizes == NULL || !operation->expected.reduces)
        return CLI_OK;
    snprintf(copy, sizeof copy, "%s", given.sizes);
    for (char *word = strtok_r(copy, ",", &rest); word; word = strtok_r(NULL, ",", &rest))
        if (star_parse_bytes(word, &bytes) && bytes % element != 0)
            return cli_error("--sizes: %s is no multiple of %lld, the bytes of a %s", word,
                             (long long)element, type);
    return CLI_OK;
}

/* A trace has each method once. Native is measured once, however often it is named. */
static int check_twins(const struct star_methods *methods)
{
    char name[STAR_METHOD_TEXT];
    for (int i = 0; given.record && i < methods->count; i++)
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
    if (given.methods == NULL)
        return CLI_OK;
    if (star_methods_parse_of((enum star_operation)(operation - star_operations), given.methods, &methods,
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
    if (given.root && !operation->rooted)
        return cli_error("--root: %s has no root", operation->name);
    if (given.skew && !operation->units)
        return cli_error("--skew: all blocks of %s are of one length", operation->name);
    if ((given.type || given.operator) && !operation->expected.reduces)
        return cli_error("--%s: %s does not reduce", given.type ? "type" : "operator", operation->name);
    if (given.record && given.calls >= STAR_BURST_MOST)
        return cli_error("--calls: %lld are more than the %d that a trace can have (--record)",
                         (long long)given.calls, STAR_BURST_MOST - 1);
    int error = check_sizes(operation);
    return error ? error : check_methods(operation);
}

/* Takes the options, and OPERATION from WORDS, which it puts in another order. CLI_OK, or the exit status. */
static int read_words(const struct cli_command *command, int argc, char **words,
                      enum star_operation *operation)
{
    struct star_why why;
    int count = cli_operands(command, argc, words);
    if (count < 0)
        return CLI_USAGE;
    if (count == 0)
        return cli_error("no operation; usage: %s", command->synopsis);
    if (star_operation_parse(words[0], operation, &why))
        return cli_error("%s", why.text);
    return count > 1 ? cli_error("unexpected argument '%s'", words[1]) : CLI_OK;
}

static int run(const struct cli_command *command, int argc, char **argv)
{
    enum star_operation operation = STAR_ALLTOALL;
    if (!cli_load_settings())
        return CLI_USAGE;
    char **words = malloc(((size_t)argc + 1) * sizeof *words); /* what measures gets them as they are */
    if (words == NULL)
        return cli_error("out of memory"), CLI_FAILED;
    memcpy(words, argv, (size_t)argc * sizeof *words);
    int error = read_words(command, argc, words, &operation);
    free(words);
    if (!error)
        error = check_operation(&star_operations[operation]);
    return error ? error : cli_become("bench", argc, argv);
}

static const struct cli_option options[] = {
    {"sizes", "BYTES,…", "as the operation measures them (startune list says how): 64,2K,64K by default"},
    {"methods", "METHODS",
     "only these, separated by spaces, the operation's name may be left out; native is always measured"},
    {"all", NULL, "also the values of knobs that the tuner does not try by itself"},
    {"rounds", "N", "how often all methods are measured, in random order: 10 by default"},
    {"calls", "N", "counted calls of a method in each round, after one that is not counted: 5 by default"},
    {"compute", "FACTOR",
     "computation before each call, as a multiple of native's time: 5 by default, as in STAR-MPI's Figure 4"},
    {"seed", "N", "of the random order: 1 by default"},
    {"root", "R", "the root, of operations that have one: 0 by default"},
    {"skew", "SHARE",
     "how uneven blocks are where they may be, 0 to 1: up to so much longer or shorter than "
     "their average; 0 by default"},
    {"type", "double|float|int", "of reductions' elements: double by default"},
    {"operator", "sum|max", "of reductions: sum by default"},
    {"nodes", "auto|none|block:K|cyclic:N",
     "which ranks share a node, for methods that ask; auto by default"},
    {"topology", "FILE|auto|none",
     "the switches between the hosts: for methods that ask, and for a column that says how near the time is "
     "to the "
     "least that the links allow, frames counted; auto by default"},
    {"mpi", "openmpi|mpich", "the MPI library, where the launcher does not tell"},
    {"arrival", "FACTOR",
     "ranks come late to each call, each by up to so many times native's time, drawn anew; 0 by default"},
    {"record", "FILE", "write a trace of all calls, for startune replay; with up to 4095 for --calls"},
    {"json", NULL, "print JSON, with every sample"},
    {NULL, NULL, NULL},
};
static const struct cli_example examples[] = {
    {"mpirun -n 8 startune bench alltoall --sizes 2K,64K", "all methods against the MPI library's own"},
    {"mpirun -n 8 startune bench allreduce --sizes 8,1M --type float", "sums of floats"},
    {"mpirun -n 8 startune bench allgatherv --skew 50%", "blocks of different lengths"},
    {"mpirun -n 8 startune bench alltoall --methods 'ring pair,sync=light' --json", "two of them"},
    {"mpirun -n 8 startune bench alltoall --compute 0 --record my.trace", "for startune replay"},
    {NULL, NULL},
};

const struct cli_command cli_bench = {
    .name = "bench",
    .synopsis = "mpirun … startune bench OPERATION [OPTIONS]",
    .summary = "measure all methods of an operation beside the MPI library's own",
    .description = "Measures every applicable method and native, interleaved in random order, in a loop that "
                   "computes between\n"
                   "the calls. A sample is the time of one call, as the mean over the ranks. Prints for each "
                   "size and method the\n"
                   "number of samples, minimum, median, spread (the middle half of the samples, as a share "
                   "of the median) and the\n"
                   "ratio of native's median to its own: above 1 it is faster than native. Each method's "
                   "result is compared\n"
                   "with native's. Where each rank has a count of its own and no rank knows all (alltoallv, "
                   "gatherv, scatterv), sizes\n"
                   "are those of a block on average.",
    .options = options,
    .examples = examples,
    .run = run,
    .take = take,
};

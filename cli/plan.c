/* SPDX-License-Identifier: BSD-3-Clause
 * startune plan: who sends what to whom in which round. */
#include "command.h"
#include "algorithms/method.h"
#include "plan/print.h"
#include "util/parse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
    int64_t size, rank, block;
    enum { TEXT, JSON, PHASES } format;
} ask = {.size = 0, .rank = -1, .block = 1024};

static bool take(const struct cli_option *option, const char *value, struct star_why *why)
{
    bool good = true;
    if (strcmp(option->name, "json") == 0)
        ask.format = JSON;
    else if (strcmp(option->name, "n") == 0)
        good = star_parse_integer(value, &ask.size) && ask.size >= 1 && ask.size <= 1000000;
    else if (strcmp(option->name, "rank") == 0)
        good = star_parse_integer(value, &ask.rank) && ask.rank >= 0;
    else if (strcmp(option->name, "block") == 0)
        good = star_parse_bytes(value, &ask.block) && ask.block >= 1;
    else if (strcmp(value, "text") == 0 || strcmp(value, "json") == 0 || strcmp(value, "phases") == 0)
        ask.format = value[0] == 't' ? TEXT : value[0] == 'j' ? JSON : PHASES;
    else
        good = false;
    if (!good)
        star_because(why, STAR_EINPUT, "'%.80s' is not %s", value, option->argument);
    return good;
}

static void print(struct star_plan **plans, int count, const struct star_method *method)
{
    struct star_text text = {0};
    char name[STAR_METHOD_TEXT];
    star_method_format(method, name, sizeof name);
    if (ask.format == PHASES) {
        star_print_phases(&text, (const struct star_plan *const *)plans, count);
    } else if (ask.format == JSON) {
        star_json_open(&text, NULL, '{');
        star_json_string(&text, "method", name);
        star_json_integer(&text, "block_bytes", ask.block);
        star_json_open(&text, "ranks", '[');
        for (int i = 0; i < count; i++) {
            star_text_add(&text, i ? ",\n" : "\n");
            star_print_plan_json(&text, plans[i]);
        }
        star_json_close(&text, ']');
        star_json_close(&text, '}');
        star_text_add(&text, "\n");
    } else {
        star_text_add(&text, "%s, blocks of %lld bytes\n", name, (long long)ask.block);
        for (int i = 0; i < count; i++)
            star_print_plan(&text, plans[i]);
    }
    fwrite(text.bytes ? text.bytes : "", 1, text.length, stdout);
    star_text_free(&text);
}

static int build_and_print(const struct star_method *method)
{
    struct star_why why;
    int from = ask.rank < 0 ? 0 : (int)ask.rank, count = ask.rank < 0 ? (int)ask.size : 1, error = 0;
    struct star_plan **plans = calloc((size_t)count, sizeof *plans);
    if (plans == NULL)
        error = star_because(&why, STAR_EMEMORY, "out of memory for %d plans", count);
    for (int i = 0; !error && i < count; i++) {
        struct star_shape shape = {.size = (int)ask.size, .rank = from + i, .block = ask.block};
        error = star_method_plan(method, &shape, INT64_MAX, &plans[i], &why);
    }
    if (!error)
        print(plans, count, method);
    for (int i = 0; plans != NULL && i < count; i++)
        star_plan_free(plans[i]);
    free(plans);
    return error ? cli_error(&cli_plan, "%s", why.text) : CLI_OK;
}

static int run(int argc, char **argv)
{
    struct star_method method;
    struct star_why why;
    int first = cli_options(&cli_plan, argc, argv);
    if (first < 0)
        return CLI_USAGE;
    if (first == argc)
        return cli_error(&cli_plan, "no method; usage: %s", cli_plan.synopsis);
    if (star_method_parse(argv[first], &method, &why))
        return cli_error(&cli_plan, "%s", why.text);
    int more = cli_options(&cli_plan, argc - first - 1, argv + first + 1);
    if (more < 0)
        return CLI_USAGE;
    if (first + 1 + more < argc)
        return cli_error(&cli_plan, "unexpected argument '%s'", argv[first + 1 + more]);
    if (ask.size == 0)
        return cli_error(&cli_plan, "the number of ranks is missing: -n P");
    if (ask.rank >= ask.size)
        return cli_error(&cli_plan, "there is no rank %lld among %lld ranks", (long long)ask.rank,
                         (long long)ask.size);
    return build_and_print(&method);
}

static const struct cli_option options[] = {
    {"n", "P", "number of ranks, 1 to 1000000"},
    {"rank", "R", "only this rank's plan"},
    {"block", "BYTES", "bytes for each pair of ranks, 1K by default"},
    {"format", "text|json|phases", "phases: PHASE SRC DST a line, data messages only"},
    {"json", NULL, "the same as --format json"},
    {NULL, NULL, NULL},
};
static const struct cli_example examples[] = {
    {"startune plan alltoall:ring,sync=light -n 8", "all ranks, as text"},
    {"startune plan alltoall:pair -n 8 --format phases", "the messages of each phase"},
    {"startune plan alltoall:bruck -n 12 --rank 3 --json", "one rank, for programs"},
    {NULL, NULL},
};

const struct cli_command cli_plan = {
    .name = "plan",
    .synopsis = "startune plan METHOD -n P [OPTIONS]",
    .summary = "print who sends what to whom in which round",
    .description = "Prints the plan of METHOD: for each rank and round what is sent, received, copied and "
                   "waited for. Places are\n"
                   "bytes of the send buffer, the receive buffer and the temporary. Needs no MPI.",
    .options = options,
    .examples = examples,
    .run = run,
    .take = take,
};

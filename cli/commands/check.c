/* SPDX-License-Identifier: BSD-3-Clause
 * startune check: proves every method by simulation, without MPI. */
#include "algorithms/method.h"
#include "algorithms/operations.h"
#include "algorithms/prove.h"
#include "cli/common/messages.h"
#include "cli/common/options.h"
#include "cli/common/progress.h"
#include "cli/common/take.h"
#include "plan/simulate.h"
#include "util/clock.h"
#include "util/parse.h"
#include "util/text.h"
#include "util/why.h"

#include <stdio.h>
#include <string.h>

static struct {
    int64_t from, to, block;
    bool json;
} ask = {.from = 1, .to = 64, .block = 3};

static struct {
    int proven, wrong, left_out, same, methods;
    int64_t messages, tokens, begin;
    struct star_text failures;
} found;

static bool take_ranks(const struct cli_option *option, const char *value, struct star_why *why)
{
    (void)option;
    char first[32];
    size_t length = strcspn(value, ":");
    snprintf(first, sizeof first, "%.*s", (int)(length < 31 ? length : 31), value);
    const char *last = value[length] ? value + length + 1 : first;
    if (star_parse_integer(first, &ask.from) && star_parse_integer(last, &ask.to) && ask.from >= 1 &&
        ask.to >= ask.from && ask.to <= 4096)
        return true;
    star_because(why, STAR_EINPUT, "'%s' is not a number of ranks or a range such as 1:64 (1 to 4096)",
                 value);
    return false;
}

/* Segments that hold the longest vector of the proofs: the plan is that without segments, proven too. */
static bool is_whole(const struct star_method *method, int size)
{
    enum { ELEMENT = 2 };
    return star_method_knob(method, "segment", 0) >= ELEMENT * star_proven_elements(ask.block, size);
}

static void check_one(const struct star_method *method, int size)
{
    struct star_simulation result;
    struct star_why why;
    char name[STAR_METHOD_TEXT];
    int error = star_method_prove_all(method, size, ask.block, &result, &why);
    found.left_out += error == STAR_ENEEDS;
    if (error == 0) {
        found.proven++;
        found.messages += result.messages;
        found.tokens += result.tokens;
    }
    if (error == 0 || error == STAR_ENEEDS)
        return;
    found.wrong++;
    star_method_format(method, name, sizeof name);
    if (!ask.json)
        printf("WRONG %s, %d ranks: %s\n", name, size, why.text);
    star_json_add(&found.failures, "{method: %s, ranks: %d, why: %s}", name, size, why.text);
}

/* CONTEXT: not NULL where the method is one of all those of its operation. */
static int check_method(const struct star_method *method, void *context)
{
    char name[STAR_METHOD_TEXT];
    if (method->algorithm->build == NULL)
        return 0;
    found.methods++;
    found.begin = found.begin ? found.begin : star_now();
    cli_progress_line("startune check", found.begin, "%s", star_method_format(method, name, sizeof name));
    for (int64_t size = ask.from; size <= ask.to; size++)
        if (context != NULL && is_whole(method, (int)size))
            found.same++;
        else
            check_one(method, (int)size);
    return 0;
}

static void report_json(void)
{
    struct star_text text = {0};
    star_json_add(&text,
                  "{methods: %d, ranks_from: %jd, ranks_to: %jd, proven: %d, wrong: %d, not_applicable: %d, "
                  "same_as_without_segments: %d, failures: [",
                  found.methods, ask.from, ask.to, found.proven, found.wrong, found.left_out, found.same);
    star_text_append(&text, found.failures.bytes ? found.failures.bytes : "", found.failures.length);
    star_json_add(&text, "]}");
    puts(text.bytes);
    star_text_free(&text);
}

static void report_text(void)
{
    printf("%d methods, %lld to %lld ranks, blocks of %lld elements: %d proven, %d wrong, %d do not apply\n",
           found.methods, (long long)ask.from, (long long)ask.to, (long long)ask.block, found.proven,
           found.wrong, found.left_out);
    if (found.same > 0)
        printf("%d more are the same plans: their segments are longer than the vectors proven\n", found.same);
    printf(
        "verified in each, with every kind of root, operator, length and placement on nodes, and in place, "
        "over\n%lld messages and %lld synchronisations: every byte in its place; reductions of each rank "
        "once, in the\norder of ranks where the operator or the method's row asks for it, and the same "
        "expression on all ranks\nwhere all get the result; nobody leaves a barrier before all have come; "
        "sends matched with receives in\norder; no deadlock though no message is buffered; no write "
        "outside the buffers or into the send buffer;\nno read of what was not written; no touch of what "
        "a request owns; every request waited for\n",
        (long long)found.messages, (long long)found.tokens);
}

static int report(void)
{
    cli_progress_end();
    (ask.json ? report_json : report_text)();
    star_text_free(&found.failures);
    return found.wrong ? CLI_FAILED : CLI_OK;
}

/* A word of the command line: a method, or an operation with all its methods. */
struct asked {
    bool is_method;
    struct star_method method;
    enum star_operation operation;
};

static int read_word(const char *word, struct asked *asked)
{
    struct star_why why;
    asked->is_method = strpbrk(word, ":,=") != NULL;
    if (!asked->is_method)
        return star_operation_parse(word, &asked->operation, &why)
                   ? cli_error("'%s' is not of the form operation:method, nor an operation: %s", word,
                               why.text)
                   : CLI_OK;
    if (star_method_parse(word, &asked->method, &why))
        return cli_error("%s", why.text);
    if (asked->method.algorithm->build == NULL)
        return cli_error("%s has no plan to prove: it runs in the MPI library", word);
    return CLI_OK;
}

static void check_operation(enum star_operation operation)
{
    star_methods_each(operation, true, check_method, &operation);
}

static int run(const struct cli_command *command, int argc, char **argv)
{
    struct asked asked;
    int words = cli_operands(command, argc, argv);
    if (words < 0)
        return CLI_USAGE;
    for (int i = 0; i < words; i++) /* all, before the minutes that one of them may take */
        if (read_word(argv[i], &asked))
            return CLI_USAGE;
    for (int i = 0; i < words; i++) {
        read_word(argv[i], &asked);
        if (asked.is_method)
            check_method(&asked.method, NULL);
        else
            check_operation(asked.operation);
    }
    for (int operation = 0; words == 0 && operation < STAR_OPERATIONS; operation++)
        check_operation((enum star_operation)operation);
    return report();
}

static const struct cli_option options[] = {
    {"n", "P|FROM:TO", "numbers of ranks; 1:64 by default", take_ranks, .at = NULL},
    {"block", "N", "elements of each block: bytes, or, of reductions, pairs of bytes; 3 by default",
     cli_take_bytes, .at = &ask.block, .least = 1, .most = 65536},
    {"json", NULL, "print JSON", cli_take_switch, .at = &ask.json},
    {.name = NULL},
};
static const struct cli_line examples[] = {
    {"startune check -n 1:24", "every method of every operation; 1 to 64 ranks take minutes"},
    {"startune check -n 1:16 bcast", "every method of one operation"},
    {"startune check -n 100:130 alltoall:bruck,radix=3", "one method, further sizes"},
    {.name = NULL},
};

const struct cli_command cli_check = {
    .name = "check",
    .synopsis = "startune check [OPTIONS] [OPERATION|METHOD…]",
    .summary = "prove every method by simulating all ranks' plans",
    .description =
        "Builds the plans of all ranks of each method, or of those that are named, and simulates them "
        "without MPI: with all roots (from ten ranks on, some), with operators that are commutative and "
        "not, in place and not, and on several nodes where a method is for such. Prints what was verified. "
        "A wrong plan is printed with its first fault, and the exit status is 1.",
    .options = options,
    .examples = examples,
    .run = run,
};

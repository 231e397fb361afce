/* SPDX-License-Identifier: BSD-3-Clause
 * startune plan: who sends what to whom in which round. */
#include "cost.h"
#include "schedule.h"
#include "cli/common/messages.h"
#include "cli/common/options.h"
#include "algorithms/method.h"
#include "plan/print.h"
#include "util/parse.h"
#include "util/placement.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
    int64_t size, rank, root, bytes, granule;
    bool in_order;
    const char *nodes; /* NULL: all ranks are on one node */
    struct star_placement placement;
    enum { TEXT, JSON, PHASES } format;
    struct cli_cost cost;
} ask = {.size = 0, .rank = -1, .root = -1, .bytes = -1};

enum { BYTES_PRESET = 1024, RANKS_MOST = 1000000 };

static bool take_format(const char *word)
{
    static const char *const formats[] = {"text", "json", "phases"};
    for (int i = TEXT; i <= PHASES; i++)
        if (strcmp(word, formats[i]) == 0) {
            ask.format = i;
            return true;
        }
    return false;
}

static bool take_nodes(const char *value)
{
    ask.nodes = value;
    return star_placement_parse(value, &ask.placement, NULL) == 0 && ask.placement.kind >= STAR_PLACED_BLOCK;
}

static bool take_assumed(const char *value, struct star_why *why)
{
    ask.cost.assumed = value;
    ask.cost.parameters = star_cost_presets;
    return star_cost_parse(value, &ask.cost.parameters, why) == 0;
}

/* What is good in place of VALUE. */
static void say_good(const struct cli_option *option, const char *value, struct star_why *why)
{
    static const struct {
        const char *name, *good;
    } numbers[] = {{"n", "a number of ranks from 1 to 1000000"},
                   {"rank", "a rank: a number from 0 on"},
                   {"root", "a rank: a number from 0 on"},
                   {"bytes", "a number of bytes from 1 to 1T, such as 64K"},
                   {"granule", "a number of bytes, such as 8"}};
    const char *good = option->argument;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (strcmp(option->name, numbers[i].name) == 0)
            good = numbers[i].good;
    star_because(why, STAR_EINPUT, "'%.80s' is not %s", value, good);
}

static bool take(const struct cli_option *option, const char *value, struct star_why *why)
{
    bool good = true;
    if (strcmp(option->name, "assume") == 0)
        return take_assumed(value, why);
    if (strcmp(option->name, "json") == 0)
        ask.format = JSON;
    else if (strcmp(option->name, "cost") == 0)
        ask.cost.wanted = true;
    else if (strcmp(option->name, "topology") == 0)
        ask.cost.topology = value;
    else if (strcmp(option->name, "map") == 0)
        good = star_placing_parse(ask.cost.map = value, &ask.cost.placing);
    else if (strcmp(option->name, "in-order") == 0)
        ask.in_order = true;
    else if (strcmp(option->name, "n") == 0)
        good = star_parse_integer(value, &ask.size) && ask.size >= 1 && ask.size <= RANKS_MOST;
    else if (strcmp(option->name, "rank") == 0)
        good = star_parse_integer(value, &ask.rank) && ask.rank >= 0;
    else if (strcmp(option->name, "root") == 0)
        good = star_parse_integer(value, &ask.root) && ask.root >= 0;
    else if (strcmp(option->name, "bytes") == 0)
        good = star_parse_bytes(value, &ask.bytes) && ask.bytes >= 1 && ask.bytes <= (int64_t)1 << 40;
    else if (strcmp(option->name, "granule") == 0)
        good = star_parse_bytes(value, &ask.granule) && ask.granule >= 1;
    else if (strcmp(option->name, "nodes") == 0)
        good = take_nodes(value);
    else
        good = take_format(value);
    if (!good)
        say_good(option, value, why);
    return good;
}

/* What does not go together in a question of cost, or of places. */
static int complete_cost(void)
{
    if (ask.cost.map && !ask.cost.topology)
        return cli_error("--map: there is no --topology to place ranks on");
    if (ask.nodes && ask.cost.topology)
        return cli_error("--nodes: the topology says which ranks share a node");
    if (!ask.cost.wanted)
        return ask.cost.assumed ? cli_error("--assume is about --cost") : CLI_OK;
    if (ask.rank >= 0 || ask.format == PHASES)
        return cli_error("--cost is of all ranks' plans: it goes without --%s",
                         ask.rank >= 0 ? "rank" : "format phases");
    if (ask.size > CLI_COST_RANKS_MOST)
        return cli_error("--cost: %lld ranks are more than %d", (long long)ask.size, CLI_COST_RANKS_MOST);
    if (!ask.cost.assumed)
        ask.cost.parameters = star_cost_presets;
    return CLI_OK;
}

/* What the question does not say, and what the operation has no use for. */
static int complete(const struct star_operation_info *operation)
{
    bool reduces = operation->expected.reduces, counted = operation->measure != STAR_NO_BYTES;
    if (ask.size == 0)
        return cli_error("the number of ranks is missing: -n P, or --topology FILE");
    if (ask.rank >= ask.size || ask.root >= ask.size)
        return cli_error("there is no rank %lld among %lld ranks",
                         (long long)(ask.rank >= ask.size ? ask.rank : ask.root), (long long)ask.size);
    if (ask.root >= 0 && !operation->rooted)
        return cli_error("--root: %s has no root", operation->name);
    if (ask.bytes >= 0 && ((operation->units && !ask.cost.wanted) || !counted))
        return cli_error("--bytes: the plans of %s %s", operation->name,
                         counted ? "are the same for all bytes: they count blocks" : "move none");
    if ((ask.granule > 0 || ask.in_order) && !reduces)
        return cli_error("--%s: %s does not reduce", ask.in_order ? "in-order" : "granule", operation->name);
    if (ask.granule > 0 && operation->units)
        return cli_error("--granule: the plans of %s count blocks", operation->name);
    ask.granule = ask.granule > 0 ? ask.granule : 1;
    ask.bytes = ask.bytes >= 0 ? ask.bytes : ask.granule > BYTES_PRESET ? ask.granule : BYTES_PRESET;
    ask.cost.parameters.block = ask.bytes;
    ask.root = ask.root >= 0 ? ask.root : 0;
    if (ask.bytes % ask.granule != 0)
        return cli_error("--bytes: %lld is no multiple of the granule, %lld", (long long)ask.bytes,
                         (long long)ask.granule);
    return CLI_OK;
}

/* "allgather:ring": what the cost of a mock-up is worked out for; NULL: of METHOD itself. */
static const char *likeness_of(const struct star_method *method, char *name, size_t room)
{
    const struct star_algorithm *like = method->algorithm->like.algorithm;
    if (!ask.cost.wanted || like == NULL)
        return NULL;
    snprintf(name, room, "%s:%s", star_operations[like->operation].name, like->name);
    return name;
}

/* The question, as members of a JSON object. */
static void describe_json(struct star_text *text, const struct star_operation_info *operation,
                          const char *name, const char *like)
{
    star_json_string(text, "method", name);
    if (like != NULL)
        star_json_string(text, "like", like);
    star_json_integer(text, "size", ask.size);
    if (operation->rooted)
        star_json_integer(text, "root", ask.root);
    star_json_string(text, "unit", operation->units ? "blocks" : "bytes");
    if (!operation->units && operation->measure != STAR_NO_BYTES) {
        star_json_integer(text, "bytes", ask.bytes);
        star_json_string(text, "bytes_are", star_measures[operation->measure]);
    }
    if (operation->units && ask.cost.wanted)
        star_json_integer(text, "block_bytes", ask.bytes);
    if (operation->expected.reduces) {
        star_json_integer(text, "granule", ask.granule);
        star_json_bool(text, "commutative", !ask.in_order);
    }
    if (ask.nodes)
        star_json_string(text, "nodes", ask.nodes);
}

static void describe(struct star_text *text, const struct star_operation_info *operation, const char *name,
                     const char *like)
{
    star_text_add(text, "%s", name);
    if (like != NULL)
        star_text_add(text, " as if it were %s", like);
    if (operation->units && ask.cost.wanted)
        star_text_add(text, ", blocks of %lld bytes", (long long)ask.bytes);
    else if (operation->units)
        star_text_add(text, ", places and lengths in blocks");
    else if (operation->measure != STAR_NO_BYTES)
        star_text_add(text, ", %lld bytes %s", (long long)ask.bytes, star_measures[operation->measure]);
    if (operation->rooted)
        star_text_add(text, ", root %lld", (long long)ask.root);
    if (ask.granule > 1)
        star_text_add(text, ", elements of %lld bytes", (long long)ask.granule);
    if (ask.in_order)
        star_text_add(text, ", operator not commutative");
    if (ask.nodes)
        star_text_add(text, ", nodes %s", ask.nodes);
    star_text_add(text, "\n");
}

static void add_plans_json(struct star_text *text, struct star_plan *const *plans, int count)
{
    star_json_open(text, "ranks", '[');
    for (int i = 0; i < count; i++) {
        star_text_add(text, i ? ",\n" : "\n");
        star_print_plan_json(text, plans[i]);
    }
    star_json_close(text, ']');
}

/* The plans, or what they cost. */
static int add_answer(struct star_text *text, struct star_plan *const *plans, int count, struct star_why *why)
{
    if (ask.cost.wanted)
        return cli_cost_add(&ask.cost, plans, count, ask.format == JSON, text, why);
    if (ask.format == JSON)
        add_plans_json(text, plans, count);
    for (int i = 0; ask.format == TEXT && i < count; i++)
        star_print_plan(text, plans[i]);
    return 0;
}

static int print(struct star_plan **plans, int count, const struct star_method *method, struct star_why *why)
{
    const struct star_operation_info *operation = &star_operations[method->algorithm->operation];
    struct star_text text = {0};
    char name[STAR_METHOD_TEXT], its_like[STAR_METHOD_TEXT];
    const char *like = likeness_of(method, its_like, sizeof its_like);
    int error = 0;
    star_method_format(method, name, sizeof name);
    if (ask.format == PHASES && star_method_knob(method, "bundle", -1) >= 0) {
        error = cli_schedule_add(method, ask.cost.network, (int)ask.rank, &text, why);
    } else if (ask.format == PHASES) {
        star_print_phases(&text, (const struct star_plan *const *)plans, count);
    } else if (ask.format == JSON) {
        star_json_open(&text, NULL, '{');
        describe_json(&text, operation, name, like);
        error = add_answer(&text, plans, count, why);
        star_json_close(&text, '}');
        star_text_add(&text, "\n");
    } else {
        describe(&text, operation, name, like);
        error = add_answer(&text, plans, count, why);
    }
    if (!error)
        fwrite(text.bytes ? text.bytes : "", 1, text.length, stdout);
    star_text_free(&text);
    return error;
}

/* NODE becomes that of each rank; NULL where all are on one. */
static int place(int **node, struct star_why *why)
{
    *node = NULL;
    if (ask.cost.topology)
        return cli_cost_place(&ask.cost, (int)ask.size, node, why);
    if (ask.nodes == NULL)
        return 0;
    *node = malloc((size_t)ask.size * sizeof **node);
    for (int r = 0; *node != NULL && r < ask.size; r++)
        (*node)[r] = star_placement_node(&ask.placement, r);
    return *node ? 0 : star_because(why, STAR_EMEMORY, "out of memory for %lld ranks", (long long)ask.size);
}

/* What the cost is of: of a mock-up, of what it is likely to do. */
static int build_plan(const struct star_method *method, const struct star_shape *shape,
                      struct star_plan **plan, struct star_why *why)
{
    return ask.cost.wanted ? star_method_likeness(method, shape, INT64_MAX, plan, why)
                           : star_method_plan(method, shape, INT64_MAX, plan, why);
}

static int build_plans(const struct star_method *method, const int *node, struct star_plan **plans, int from,
                       int count, struct star_why *why)
{
    int error = 0;
    for (int i = 0; !error && i < count; i++) {
        struct star_shape shape = star_shape_of((int)ask.size, ask.bytes);
        shape.rank = from + i;
        shape.root = (int)ask.root;
        shape.granule = ask.granule;
        shape.commutative = !ask.in_order;
        shape.node = node;
        shape.network = ask.cost.network;
        error = build_plan(method, &shape, &plans[i], why);
    }
    return error;
}

static int build_and_print(const struct star_method *method)
{
    struct star_why why;
    int from = ask.rank < 0 ? 0 : (int)ask.rank, count = ask.rank < 0 ? (int)ask.size : 1, *node;
    int error = place(&node, &why);
    struct star_plan **plans = calloc((size_t)count, sizeof *plans);
    if (plans == NULL)
        error = star_because(&why, STAR_EMEMORY, "out of memory for %d plans", count);
    if (!error)
        error = build_plans(method, node, plans, from, count, &why);
    ask.cost.node = node;
    if (!error && ask.cost.wanted)
        error = cli_cost_bound(&ask.cost, method->algorithm->operation, (int)ask.root, ask.bytes, &why);
    if (!error)
        error = print(plans, count, method, &why);
    for (int i = 0; plans != NULL && i < count; i++)
        star_plan_free(plans[i]);
    free(plans);
    free(node);
    star_network_free(ask.cost.network);
    return error ? cli_error("%s", why.text) : CLI_OK;
}

/* One rank for each slot, where nobody says how many. */
static int read_topology(void)
{
    struct star_why why;
    int64_t slots;
    if (cli_cost_read(&ask.cost, &slots, &why))
        return cli_error("%s", why.text);
    if (ask.size == 0 && slots > RANKS_MOST)
        return cli_error("%s has %lld slots, more than %d: -n P says how many ranks there are",
                         ask.cost.topology, (long long)slots, RANKS_MOST);
    ask.size = ask.size ? ask.size : slots;
    return CLI_OK;
}

static int run(const struct cli_command *command, int argc, char **argv)
{
    struct star_method method;
    struct star_why why;
    int words = cli_operands(command, argc, argv);
    if (words < 0)
        return CLI_USAGE;
    if (words == 0)
        return cli_error("no method; usage: %s", command->synopsis);
    if (star_method_parse(argv[0], &method, &why))
        return cli_error("%s", why.text);
    if (words > 1)
        return cli_error("unexpected argument '%s'", argv[1]);
    int error = read_topology();
    if (!error)
        error = complete_cost();
    if (!error)
        error = complete(&star_operations[method.algorithm->operation]);
    if (!error)
        error = build_and_print(&method);
    star_topology_free(ask.cost.read);
    return error;
}

static const struct cli_option options[] = {
    {"n", "P", "number of ranks, 1 to 1000000; with --topology one for each slot by default"},
    {"rank", "R", "only this rank's plan"},
    {"root", "R", "the root, of operations that have one: 0 by default"},
    {"bytes", "BYTES", "as the operation measures them (startune list says how), 1K by default"},
    {"granule", "BYTES", "of reductions: an element, which is never split, 1 byte by default"},
    {"in-order", NULL, "of reductions: the operator is not commutative"},
    {"nodes", "block:K|cyclic:N", "K neighbours on a node, or ranks in turn on N nodes; one node by default"},
    {"topology", "FILE", "the switches and links that the ranks are on; - is standard input"},
    {"map", "block|cyclic|random:SEED", "ranks on its machines: block by default; cyclic: switches in turn"},
    {"cost", NULL, "not the plans but their cost: time, loads of links, where messages contend"},
    {"assume", "NAME=VALUE,...", "parameters of the cost, as named above"},
    {"format", "text|json|phases", "phases: PHASE SRC DST a line, data messages only"},
    {"json", NULL, "the same as --format json"},
    {NULL, NULL, NULL},
};
static const struct cli_example examples[] = {
    {"startune plan alltoall:ring,sync=light -n 8", "all ranks, as text"},
    {"startune plan alltoall:pair -n 8 --format phases", "the messages of each phase"},
    {"startune plan alltoall:bruck -n 12 --rank 3 --json", "one rank, for programs"},
    {"startune plan bcast:chain,segment=16K -n 6 --root 2 --bytes 64K", "a pipeline from rank 2 on"},
    {"startune plan alltoall:simple -n 8 --bytes 64K --cost --assume eager=16K", "predicted on one switch"},
    {"startune plan gather:two_level -n 8 --nodes block:4", "two nodes of four ranks"},
    {NULL, NULL},
};

const struct cli_command cli_plan = {
    .name = "plan",
    .synopsis = "startune plan METHOD -n P [OPTIONS]",
    .summary = "print who sends what to whom in which round",
    .description =
        "Prints the plan of METHOD: for each rank and round what is sent, received, copied, reduced "
        "and waited for.\n"
        "Places are bytes of the send buffer, the receive buffer and the temporary; where each rank "
        "has a count of its\n"
        "own (alltoallv, reduce_scatter, …) they are blocks. Needs no MPI.\n"
        "\n"
        "With --cost all ranks' plans are walked on the topology, or on one ideal switch, where messages "
        "share links\n"
        "fairly. Predicted is Gigabit Ethernet, unless --assume says otherwise: latency, hop (of each link), "
        "overhead\n"
        "(of each message) in seconds; copy, reduce, host (a link to the ideal switch) in bytes a second; "
        "eager in bytes;\n"
        "framing, a factor; contention, what each further flow costs a port. Blocks of plans in blocks are "
        "of --bytes.\n"
        "Of a mock-up (as_…), of which only the MPI library knows what it does, that of a method like it is "
        "told.",
    .options = options,
    .examples = examples,
    .run = run,
    .take = take,
};

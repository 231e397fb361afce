/* SPDX-License-Identifier: BSD-3-Clause
 * startune plan: who sends what to whom in which round. */
#include "plan/plan.h"
#include "algorithms/method.h"
#include "algorithms/operations.h"
#include "cli/common/messages.h"
#include "cli/common/options.h"
#include "cli/common/output.h"
#include "cli/common/take.h"
#include "cost.h"
#include "plan/cost.h"
#include "plan/print.h"
#include "schedule.h"
#include "util/placement.h"
#include "util/text.h"
#include "util/why.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
    int64_t size, rank, root, bytes, granule;
    bool in_order, json;
    const char *nodes; /* NULL: all ranks are on one node */
    const char *format;
    struct star_placement placement;
    struct cli_cost cost;
} ask = {.rank = -1, .root = -1, .bytes = -1, .format = "text"};

enum { BYTES_PRESET = 1024, RANKS_MOST = 1000000 };

static bool is_phases(void)
{
    return !ask.json && strcmp(ask.format, "phases") == 0;
}

static bool take_nodes(const struct cli_option *option, const char *value, struct star_why *why)
{
    ask.nodes = value;
    if (star_placement_parse(value, &ask.placement, NULL) == 0 && ask.placement.kind >= STAR_PLACED_BLOCK)
        return true;
    star_because(why, STAR_EINPUT, "'%.80s' is not %s", value, option->argument);
    return false;
}

static bool take_assumed(const struct cli_option *option, const char *value, struct star_why *why)
{
    (void)option;
    ask.cost.assumed = value;
    ask.cost.parameters = star_cost_presets;
    return star_cost_parse(value, &ask.cost.parameters, why) == 0;
}

/* What does not go together in a question of cost, or of places. */
static int complete_cost(void)
{
    if (ask.cost.on.map && !ask.cost.on.file)
        return cli_error("--map: there is no --topology to place ranks on");
    if (ask.nodes && ask.cost.on.file)
        return cli_error("--nodes: the topology says which ranks share a node");
    if (!ask.cost.wanted)
        return ask.cost.assumed ? cli_error("--assume is about --cost") : CLI_OK;
    if (ask.rank >= 0 || is_phases())
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
    if (!operation->units && operation->measure != STAR_NO_BYTES)
        star_json_add(text, "bytes: %jd, bytes_are: %s", ask.bytes, star_measures[operation->measure]);
    if (operation->units && ask.cost.wanted)
        star_json_integer(text, "block_bytes", ask.bytes);
    if (operation->expected.reduces)
        star_json_add(text, "granule: %jd, commutative: %i", ask.granule, !ask.in_order);
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
        return cli_cost_add(&ask.cost, plans, count, ask.json, text, why);
    if (ask.json)
        add_plans_json(text, plans, count);
    for (int i = 0; !ask.json && i < count; i++)
        star_print_plan(text, plans[i]);
    return 0;
}

static int print(struct star_plan **plans, int count, const struct star_method *method, int *status,
                 struct star_why *why)
{
    const struct star_operation_info *operation = &star_operations[method->algorithm->operation];
    struct star_text text = {0};
    char name[STAR_METHOD_TEXT], its_like[STAR_METHOD_TEXT];
    const char *like = likeness_of(method, its_like, sizeof its_like);
    int error = 0;
    star_method_format(method, name, sizeof name);
    if (is_phases() && star_method_knob(method, "bundle", -1) >= 0) {
        error = cli_schedule_add(method, ask.cost.on.network, (int)ask.rank, &text, why);
    } else if (is_phases()) {
        star_print_phases(&text, (const struct star_plan *const *)plans, count);
    } else if (ask.json) {
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
        *status = cli_put(NULL, &text);
    star_text_free(&text);
    return error;
}

/* *NODE becomes that of each rank, in memory that is ask's or *OWN; NULL where all are on one. */
static int place(const int **node, int **own, struct star_why *why)
{
    int error = cli_placed_put(&ask.cost.on, (int)ask.size, why);
    *node = ask.cost.on.node;
    *own = NULL;
    if (ask.nodes == NULL)
        return error;
    *own = malloc((size_t)ask.size * sizeof **own);
    for (int r = 0; *own != NULL && r < ask.size; r++)
        (*own)[r] = star_placement_node(&ask.placement, r);
    *node = *own;
    return *own ? 0 : star_because(why, STAR_EMEMORY, "out of memory for %lld ranks", (long long)ask.size);
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
        shape.network = ask.cost.on.network;
        error = build_plan(method, &shape, &plans[i], why);
    }
    return error;
}

static int build_and_print(const struct star_method *method)
{
    struct star_why why;
    int from = ask.rank < 0 ? 0 : (int)ask.rank, count = ask.rank < 0 ? (int)ask.size : 1, *own;
    const int *node;
    int status = CLI_OK, error = place(&node, &own, &why);
    struct star_plan **plans = calloc((size_t)count, sizeof *plans);
    if (plans == NULL)
        error = star_because(&why, STAR_EMEMORY, "out of memory for %d plans", count);
    if (!error)
        error = build_plans(method, node, plans, from, count, &why);
    ask.cost.node = node;
    if (!error && ask.cost.wanted)
        error = cli_cost_bound(&ask.cost, method->algorithm->operation, (int)ask.root, ask.bytes, &why);
    if (!error)
        error = print(plans, count, method, &status, &why);
    for (int i = 0; plans != NULL && i < count; i++)
        star_plan_free(plans[i]);
    free(plans);
    free(own);
    return error ? cli_error("%s", why.text) : status;
}

/* One rank for each slot, where nobody says how many. */
static int read_topology(void)
{
    struct star_why why;
    if (cli_placed_read(&ask.cost.on, &why))
        return cli_error("%s", why.text);
    if (ask.size == 0 && ask.cost.on.slots > RANKS_MOST)
        return cli_error("%s has %lld slots, more than %d: -n P says how many ranks there are",
                         ask.cost.on.file, (long long)ask.cost.on.slots, RANKS_MOST);
    ask.size = ask.size ? ask.size : ask.cost.on.slots;
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
    ask.json = ask.json || strcmp(ask.format, "json") == 0;
    int error = read_topology();
    if (!error)
        error = complete_cost();
    if (!error)
        error = complete(&star_operations[method.algorithm->operation]);
    if (!error)
        error = build_and_print(&method);
    cli_placed_free(&ask.cost.on);
    return error;
}

static const struct cli_line formats[] = {
    {"text", "each rank's steps"},
    {"json", "the same, for programs"},
    {"phases", "a line PHASE SRC DST for each data message"},
    {.name = NULL},
};

static const struct cli_line parameters[] = {
    {"latency", "of a message, in seconds"},
    {"hop", "what each link adds to it, in seconds"},
    {"overhead", "the processors' part of a message, in seconds"},
    {"copy", "bytes a second"},
    {"reduce", "bytes a second"},
    {"host", "a host's link to the ideal switch, in bytes a second"},
    {"eager", "the longest message that is sent without asking, in bytes"},
    {"framing", "bytes on the wire over bytes of the message"},
    {"contention", "what each further flow costs a port, as a share of its rate"},
    {.name = NULL},
};

static const struct cli_option options[] = {
    {"n", "P", "number of ranks; with --topology one for each slot by default", cli_take_integer,
     .at = &ask.size, .least = 1, .most = RANKS_MOST},
    {"rank", "R", "only this rank's plan", cli_take_integer, .at = &ask.rank, .most = RANKS_MOST},
    {"root", "R", "the root, of operations that have one: 0 by default", cli_take_integer, .at = &ask.root,
     .most = RANKS_MOST},
    {"bytes", "BYTES", "as the operation measures them (startune list says how), 1K by default",
     cli_take_bytes, .at = &ask.bytes, .least = 1, .most = 0x1p40},
    {"granule", "BYTES", "of reductions: an element, which is never split, 1 byte by default", cli_take_bytes,
     .at = &ask.granule, .least = 1, .most = 0x1p40},
    {"in-order", NULL, "of reductions: the operator is not commutative", cli_take_switch,
     .at = &ask.in_order},
    {"format", "FORMAT", "what is printed", cli_take_word, .at = &ask.format, .words = formats},
    {"json", NULL, "the same as --format json", cli_take_switch, .at = &ask.json},
    {"nodes", "block:K|cyclic:N", "K neighbours on a node, or ranks in turn on N nodes; one node by default",
     take_nodes, .at = NULL, .group = "Where the ranks are"},
    {"topology", "FILE", "the switches and links that the ranks are on; - is standard input", cli_take_text,
     .at = &ask.cost.on.file},
    {"map", "block|cyclic|random:SEED", "ranks on its machines: block by default; cyclic: switches in turn",
     cli_placed_take, .at = &ask.cost.on},
    {"cost", NULL, "print not the plans but their cost: time, loads of links, where messages contend",
     cli_take_switch, .at = &ask.cost.wanted, .group = "What the plans cost"},
    {"assume", "NAME=VALUE,...", "parameters of the cost", take_assumed, .at = NULL, .words = parameters},
    {.name = NULL},
};
static const struct cli_line examples[] = {
    {"startune plan alltoall:ring,sync=light -n 8", "all ranks, as text"},
    {"startune plan alltoall:pair -n 8 --format phases", "the messages of each phase"},
    {"startune plan alltoall:bruck -n 12 --rank 3 --json", "one rank, for programs"},
    {"startune plan bcast:chain,segment=16K -n 6 --root 2 --bytes 64K", "a pipeline from rank 2 on"},
    {"startune plan alltoall:simple -n 8 --bytes 64K --cost --assume eager=16K", "predicted on one switch"},
    {"startune plan gather:two_level -n 8 --nodes block:4", "two nodes of four ranks"},
    {.name = NULL},
};

const struct cli_command cli_plan = {
    .name = "plan",
    .synopsis = "startune plan METHOD -n P [OPTIONS]",
    .summary = "print who sends what to whom in which round",
    .description =
        "Prints the plan of METHOD: for each rank and round what is sent, received, copied, reduced and "
        "waited for. Places are bytes of the send buffer, the receive buffer and the temporary. Where each "
        "rank has a count of its own (alltoallv, reduce_scatter, …) they are blocks. Needs no MPI.\n\n"
        "With --cost startune predicts how long the plans of all ranks take, on the topology or on one "
        "ideal switch. Messages share links fairly. The preset network is Gigabit Ethernet. A mock-up "
        "(as_…) has no plan of its own; the cost is that of a method like it.",
    .options = options,
    .examples = examples,
    .run = run,
};

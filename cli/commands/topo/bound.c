/* SPDX-License-Identifier: BSD-3-Clause */
#include "bound.h"
#include "algorithms/bounds.h"
#include "algorithms/method.h"
#include "algorithms/operations.h"
#include "ask.h"
#include "cli/common/messages.h"
#include "cli/common/output.h"
#include "topology/network.h"
#include "topology/topology.h"
#include "util/parse.h"
#include "util/text.h"
#include "util/why.h"

static struct {
    int64_t bytes;
    enum star_operation operation;
} of;

static int take_words(int count, char **words)
{
    struct star_why why;
    if (count < 2)
        return cli_error("bound: what is missing is %s; usage: startune topo bound FILE OPERATION BYTES",
                         count == 0 ? "the file, the operation and the bytes"
                                    : "the operation and the bytes");
    if (star_operation_parse(words[1], &of.operation, &why))
        return cli_error("bound: %s", why.text);
    const struct star_operation_info *operation = &star_operations[of.operation];
    bool counted = operation->measure != STAR_NO_BYTES;
    if (counted && count < 3)
        return cli_error("bound: the bytes are missing: %s", star_measures[operation->measure]);
    if (count > 2 + counted)
        return cli_error("unexpected argument '%s'", words[2 + counted]);
    of.bytes = 0;
    if (counted && !star_parse_bytes(words[2], &of.bytes))
        return cli_error("bound: '%s' is no number of bytes, such as 64K", words[2]);
    if (cli_topo_ask.root >= 0 && !operation->rooted)
        return cli_error("--root: %s has no root", operation->name);
    cli_topo_ask.on.file = words[0];
    return CLI_OK;
}

static int place(struct star_why *why)
{
    struct cli_topo_ask *ask = &cli_topo_ask;
    int error = cli_placed_read(&ask->on, why);
    if (error)
        return error;
    if (ask->ranks < 0)
        ask->ranks = ask->on.slots;
    if (ask->ranks > STAR_NODES_MOST)
        return star_because(why, STAR_ELIMIT,
                            "%s: one rank for each slot are %lld, more than %d: -n P says how many",
                            ask->on.file, (long long)ask->ranks, STAR_NODES_MOST);
    return cli_placed_put(&ask->on, (int)ask->ranks, why);
}

/* The lowest node of the topology above all ranks below NODE of the network: parents have lesser numbers. */
static int above_ranks(const struct cli_placed *placed, int node)
{
    const struct star_network *network = placed->network;
    const int *order = network->order + network->first[node];
    int above = placed->machine[order[0]];
    for (int i = 1; i < network->below[node]; i++)
        for (int other = placed->machine[order[i]]; other != above;)
            if (other > above)
                other = placed->topology->node[other].parent;
            else
                above = placed->topology->node[above].parent;
    return above;
}

/* The node at the lower end of the topology's link that makes the network's link of NODE as slow as it is. */
static int slowest_link(const struct cli_placed *placed, int node)
{
    const struct star_node *nodes = placed->topology->node;
    int end = above_ranks(placed, placed->network->parent[node]);
    int slowest = above_ranks(placed, node);
    for (int at = slowest; at != end; at = nodes[at].parent)
        if (nodes[at].mbps < nodes[slowest].mbps)
            slowest = at;
    return slowest;
}

/* A directed link of the topology. */
struct limit {
    const char *from, *to, *way;
    double mbps;
};

static struct limit limit_of(const struct cli_placed *placed, int directed_link)
{
    const struct star_node *nodes = placed->topology->node;
    const struct star_node *lower = &nodes[slowest_link(placed, directed_link / 2)];
    const char *above = nodes[lower->parent].name;
    if (directed_link % 2)
        return (struct limit){above, lower->name, "down", lower->mbps};
    return (struct limit){lower->name, above, "up", lower->mbps};
}

static void add_json(struct star_text *text, const struct cli_placed *placed, struct star_bound bound)
{
    const struct star_operation_info *operation = &star_operations[of.operation];
    star_json_add(text, "{topology: %s, operation: %s", placed->file, operation->name);
    if (operation->measure != STAR_NO_BYTES)
        star_json_add(text, "bytes: %jd, bytes_are: %s", of.bytes, star_measures[operation->measure]);
    star_json_add(text, "ranks: %jd, map: %s", cli_topo_ask.ranks, placed->map ? placed->map : "block");
    if (operation->rooted)
        star_json_integer(text, "root", cli_topo_ask.root);
    star_json_add(text, "bandwidths_known: %i, framing: %i, seconds: %g, limit: %s",
                  placed->topology->has_speeds, cli_topo_ask.framing, bound.seconds,
                  bound.limit == STAR_LIMIT_NONE       ? "none"
                  : bound.limit == STAR_LIMIT_TOGETHER ? "together"
                                                       : "link");
    if (bound.limit >= 0) {
        struct limit limit = limit_of(placed, bound.limit);
        star_json_add(text, "link: {from: %s, to: %s, way: %s, mbps: %g}", limit.from, limit.to, limit.way,
                      limit.mbps);
    }
    star_json_close(text, '}');
    star_text_add(text, "\n");
}

static void add_text(struct star_text *text, const struct cli_placed *placed, struct star_bound bound)
{
    char seconds[32];
    star_text_add(text, "at least %s", star_format_seconds(bound.seconds, seconds, sizeof seconds));
    if (cli_topo_ask.framing)
        star_text_add(text, ", framing counted: %d bytes of payload take %d on the wire", STAR_FRAME_PAYLOAD,
                      STAR_FRAME_WIRE);
    star_text_add(text, "\n");
    if (bound.limit == STAR_LIMIT_NONE) {
        star_text_add(text, "no link limits it\n");
    } else if (bound.limit == STAR_LIMIT_TOGETHER) {
        star_text_add(text, "limited by the links of all machines together\n");
    } else {
        struct limit limit = limit_of(placed, bound.limit);
        star_text_add(text, "limited by the link from %s %s to %s, %g Mbit/s\n", limit.from, limit.way,
                      limit.to, limit.mbps);
    }
    if (!placed->topology->has_speeds)
        star_text_add(text, "%s gives no bandwidths: taken as %g Mbit/s\n", placed->file, STAR_MBPS_PRESET);
}

int cli_bound(int count, char **words)
{
    struct star_why why;
    struct star_bound bound;
    struct star_text text = {0};
    struct cli_topo_ask *ask = &cli_topo_ask;
    int status = take_words(count, words);
    if (status != CLI_OK)
        return status;
    ask->root = ask->root < 0 ? 0 : ask->root;
    int error = place(&why);
    if (!error)
        error = star_bound_of(of.operation, ask->on.network, (int)ask->root, (double)of.bytes, &bound, &why);
    if (!error && ask->framing)
        bound.seconds *= (double)STAR_FRAME_WIRE / STAR_FRAME_PAYLOAD;
    if (!error)
        (ask->json ? add_json : add_text)(&text, &ask->on, bound);
    status = error ? cli_error("%s", why.text) : cli_put(ask->output, &text);
    cli_placed_free(&ask->on);
    return status;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "topo_bound.h"
#include "algorithms/bounds.h"
#include "topology/placing.h"
#include "topology/read.h"
#include "util/parse.h"

#include <stdlib.h>
#include <string.h>

static struct {
    const char *file, *map;
    struct star_placing placing;
    int64_t ranks, root, bytes; /* −1: not given */
    bool framing;
    enum star_operation operation;
} ask = {.map = "block", .ranks = -1, .root = -1, .bytes = -1};

bool cli_bound_take(const struct cli_option *option, const char *value, struct star_why *why)
{
    bool good = true;
    if (strcmp(option->name, "framing") == 0)
        ask.framing = true;
    else if (strcmp(option->name, "n") == 0)
        good = star_parse_integer(value, &ask.ranks) && ask.ranks >= 1 && ask.ranks <= STAR_NODES_MOST;
    else if (strcmp(option->name, "root") == 0)
        good = star_parse_integer(value, &ask.root) && ask.root >= 0;
    else
        good = star_placing_parse(ask.map = value, &ask.placing);
    if (!good)
        star_because(why, STAR_EINPUT, "'%.80s' is not %s", value, option->argument);
    return good;
}

static int take_words(int count, char **words)
{
    struct star_why why;
    if (count < 2)
        return cli_error(
            &cli_topo, "bound: what is missing is %s; usage: startune topo bound FILE OPERATION BYTES",
            count == 0 ? "the file, the operation and the bytes" : "the operation and the bytes");
    if (star_operation_parse(words[1], &ask.operation, &why))
        return cli_error(&cli_topo, "bound: %s", why.text);
    const struct star_operation_info *operation = &star_operations[ask.operation];
    bool counted = operation->measure != STAR_NO_BYTES;
    if (counted && count < 3)
        return cli_error(&cli_topo, "bound: the bytes are missing: %s", star_measures[operation->measure]);
    if (count > 2 + counted)
        return cli_error(&cli_topo, "unexpected argument '%s'", words[2 + counted]);
    ask.bytes = 0;
    if (counted && !star_parse_bytes(words[2], &ask.bytes))
        return cli_error(&cli_topo, "bound: '%s' is no number of bytes, such as 64K", words[2]);
    if (ask.root >= 0 && !operation->rooted)
        return cli_error(&cli_topo, "--root: %s has no root", operation->name);
    ask.file = words[0];
    return CLI_OK;
}

/* A topology with ranks on it. */
struct placed {
    struct star_topology *topology;
    int *machine, ranks;
    struct star_network *network;
};

static void placed_end(struct placed *placed)
{
    star_network_free(placed->network);
    free(placed->machine);
    star_topology_free(placed->topology);
}

static int place(struct placed *placed, struct star_why *why)
{
    int error = star_topology_read(ask.file, &placed->topology, why);
    if (error)
        return error;
    if (ask.ranks < 0)
        ask.ranks = star_topology_slots(placed->topology);
    if (ask.ranks > STAR_NODES_MOST)
        return star_because(why, STAR_ELIMIT,
                            "%s: one rank for each slot are %lld, more than %d: -n P says how many", ask.file,
                            (long long)ask.ranks, STAR_NODES_MOST);
    placed->ranks = (int)ask.ranks;
    placed->machine = malloc((size_t)placed->ranks * sizeof *placed->machine);
    if (placed->machine == NULL)
        return star_because(why, STAR_EMEMORY, "no memory for the places of %d ranks", placed->ranks);
    error = star_place(placed->topology, &ask.placing, placed->ranks, placed->machine, why);
    if (!error)
        error = star_network_of(placed->topology, placed->machine, placed->ranks, &placed->network, why);
    return error;
}

/* The lowest node of the topology above all ranks below NODE of the network: parents have lesser numbers. */
static int above_ranks(const struct placed *placed, int node)
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
static int slowest_link(const struct placed *placed, int node)
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

static struct limit limit_of(const struct placed *placed, int directed_link)
{
    const struct star_node *nodes = placed->topology->node;
    const struct star_node *lower = &nodes[slowest_link(placed, directed_link / 2)];
    const char *above = nodes[lower->parent].name;
    if (directed_link % 2)
        return (struct limit){above, lower->name, "down", lower->mbps};
    return (struct limit){lower->name, above, "up", lower->mbps};
}

static void add_json(struct star_text *text, const struct placed *placed, struct star_bound bound)
{
    const struct star_operation_info *operation = &star_operations[ask.operation];
    star_json_open(text, NULL, '{');
    star_json_string(text, "topology", ask.file);
    star_json_string(text, "operation", operation->name);
    if (operation->measure != STAR_NO_BYTES) {
        star_json_integer(text, "bytes", ask.bytes);
        star_json_string(text, "bytes_are", star_measures[operation->measure]);
    }
    star_json_integer(text, "ranks", placed->ranks);
    star_json_string(text, "map", ask.map);
    if (operation->rooted)
        star_json_integer(text, "root", ask.root);
    star_json_bool(text, "bandwidths_known", placed->topology->has_speeds);
    star_json_bool(text, "framing", ask.framing);
    star_json_number(text, "seconds", bound.seconds);
    star_json_string(text, "limit",
                     bound.limit == STAR_LIMIT_NONE       ? "none"
                     : bound.limit == STAR_LIMIT_TOGETHER ? "together"
                                                          : "link");
    if (bound.limit >= 0) {
        struct limit limit = limit_of(placed, bound.limit);
        star_json_open(text, "link", '{');
        star_json_string(text, "from", limit.from);
        star_json_string(text, "to", limit.to);
        star_json_string(text, "way", limit.way);
        star_json_number(text, "mbps", limit.mbps);
        star_json_close(text, '}');
    }
    star_json_close(text, '}');
    star_text_add(text, "\n");
}

static void add_text(struct star_text *text, const struct placed *placed, struct star_bound bound)
{
    char seconds[32];
    star_text_add(text, "at least %s", star_format_seconds(bound.seconds, seconds, sizeof seconds));
    if (ask.framing)
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
        star_text_add(text, "%s gives no bandwidths: taken as %g Mbit/s\n", ask.file, STAR_MBPS_PRESET);
}

int cli_bound(int count, char **words, bool json, struct star_text *text)
{
    struct star_why why;
    struct star_bound bound;
    struct placed placed = {0};
    int status = take_words(count, words);
    if (status != CLI_OK)
        return status;
    ask.root = ask.root < 0 ? 0 : ask.root;
    int root = ask.root > INT32_MAX ? INT32_MAX : (int)ask.root, error = place(&placed, &why);
    if (!error)
        error = star_bound_of(ask.operation, placed.network, root, (double)ask.bytes, &bound, &why);
    if (error) {
        placed_end(&placed);
        return cli_error(&cli_topo, "%s", why.text);
    }
    if (ask.framing)
        bound.seconds *= (double)STAR_FRAME_WIRE / STAR_FRAME_PAYLOAD;
    (json ? add_json : add_text)(text, &placed, bound);
    placed_end(&placed);
    return CLI_OK;
}

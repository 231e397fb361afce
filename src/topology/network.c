/* SPDX-License-Identifier: BSD-3-Clause
 * Pruning a topology to a communicator: a few passes over arrays, no recursion. */
#include "topology/network.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What becomes of the nodes of the topology. */
struct pruning {
    const struct star_topology *topology;
    const int *machine;
    int *ranks;    /* on a machine */
    int *branches; /* of a switch: those with ranks */
    int *node;     /* the network's node that stands for it, and for what is left out above; −1: none yet */
    double *rate;  /* of the way from that node up to here */
};

static bool pruning_begin(struct pruning *pruning, const struct star_topology *topology, const int *machine,
                          struct star_scratch *scratch)
{
    size_t nodes = (size_t)topology->nodes;
    *pruning = (struct pruning){.topology = topology,
                                .machine = machine,
                                .ranks = star_scratch(scratch, nodes, sizeof(int)),
                                .branches = star_scratch(scratch, nodes, sizeof(int)),
                                .node = star_scratch(scratch, nodes, sizeof(int)),
                                .rate = star_scratch(scratch, nodes, sizeof(double))};
    for (int i = 0; !scratch->failed && i < topology->nodes; i++)
        pruning->node[i] = -1;
    return !scratch->failed;
}

static int count_ranks(struct pruning *pruning, int ranks, struct star_why *why)
{
    const struct star_topology *topology = pruning->topology;
    for (int rank = 0; rank < ranks; rank++) {
        int machine = pruning->machine[rank];
        if (machine < 0 || machine >= topology->nodes || !topology->node[machine].machine)
            return star_because(why, STAR_ENEEDS, "rank %d runs on no machine of the topology", rank);
        pruning->ranks[machine]++;
    }
    for (int i = topology->nodes - 1; i > 0; i--)
        if (pruning->ranks[i] > 0 || pruning->branches[i] > 0)
            pruning->branches[topology->node[i].parent]++;
    if (topology->islands > 0 && pruning->branches[0] > 1)
        return star_because(why, STAR_ENEEDS,
                            "the ranks run on %d parts of the network that nothing connects",
                            pruning->branches[0]);
    return 0;
}

static bool is_kept(const struct pruning *pruning, int node)
{
    return pruning->ranks[node] > 1 || pruning->branches[node] > 1;
}

static int count_kept(const struct pruning *pruning)
{
    int kept = 0;
    for (int i = 0; i < pruning->topology->nodes; i++)
        kept += is_kept(pruning, i);
    return kept;
}

static double bytes_a_second(double mbps)
{
    return mbps * 1e6 / 8;
}

/* Numbers the nodes that are kept: machines, then switches, from the leaves to the root. */
static void number(struct pruning *pruning, struct star_network *network)
{
    const struct star_topology *topology = pruning->topology;
    int next = network->ranks;
    for (int machines = 1; machines >= 0; machines--)
        for (int i = topology->nodes - 1; i >= 0; i--)
            if (is_kept(pruning, i) && topology->node[i].machine == machines)
                pruning->node[i] = next++;
    for (int rank = 0; rank < network->ranks; rank++) {
        int machine = pruning->machine[rank];
        network->rate[rank] = 0;
        network->parent[rank] = pruning->node[machine];
        if (!is_kept(pruning, machine))
            pruning->node[machine] = rank;
    }
}

/* Hands each node, with the rate of its way so far, to the node above, until one is kept. */
static void join(struct pruning *pruning, struct star_network *network)
{
    const struct star_topology *topology = pruning->topology;
    for (int i = topology->nodes - 1; i >= 0; i--) {
        int node = pruning->node[i], above = topology->node[i].parent;
        if (node < 0)
            continue;
        bool begins = topology->node[i].machine || is_kept(pruning, i);
        double own = bytes_a_second(topology->node[i].mbps);
        network->parent[node] = -1;
        network->rate[node] = 0;
        if (above < 0 || (begins && node == network->nodes - 1))
            continue;
        double rate = begins || own < pruning->rate[i] ? own : pruning->rate[i];
        if (is_kept(pruning, above)) {
            network->parent[node] = pruning->node[above];
            network->rate[node] = rate;
        } else {
            pruning->node[above] = node;
            pruning->rate[above] = rate;
        }
    }
}

/* Puts the ranks in order: children begin in the order of their least rank, so each node is met first, when
 * ranks come in their order, on the way up from its least. NEXT and LAST hold lists of children. */
static void order(struct star_network *network, int *head, int *next, int *last)
{
    for (int i = 0; i < network->nodes; i++) {
        head[i] = next[i] = last[i] = -1;
        network->below[i] = i < network->ranks;
    }
    for (int rank = 0; rank < network->ranks; rank++) {
        int up = network->parent[rank];
        for (int node = rank; up >= 0; node = up, up = network->parent[node]) {
            bool met = last[up] >= 0;
            if (met)
                next[last[up]] = node;
            else
                head[up] = node;
            last[up] = node;
            if (met)
                break;
        }
    }
    for (int i = 0; i < network->nodes - 1; i++)
        network->below[network->parent[i]] += network->below[i];
    network->first[network->nodes - 1] = 0;
    for (int i = network->nodes - 1; i >= network->ranks; i--) {
        int place = network->first[i];
        for (int child = head[i]; child >= 0; child = next[child]) {
            network->first[child] = place;
            place += network->below[child];
        }
    }
    for (int rank = 0; rank < network->ranks; rank++) {
        network->place[rank] = network->first[rank];
        network->order[network->first[rank]] = rank;
    }
}

/* Numbers what the slowest links between inner nodes part. NUMBER is of each node. */
static void cluster(struct star_network *network, int *number)
{
    double slowest = INFINITY;
    for (int node = network->ranks; node < network->nodes - 1; node++)
        if (network->rate[node] < slowest)
            slowest = network->rate[node];
    for (int node = 0; node < network->nodes; node++)
        number[node] = -1;
    for (int rank = 0, count = 0; rank < network->ranks; rank++) {
        int top = network->parent[rank];
        while (top >= 0 && top < network->nodes - 1 && network->rate[top] > slowest)
            top = network->parent[top];
        top = top < 0 ? rank : top; /* it is alone */
        if (number[top] < 0)
            number[top] = count++;
        network->cluster[rank] = number[top];
    }
}

static struct star_network *network_new(int ranks, int nodes)
{
    struct star_network *network = calloc(1, sizeof *network);
    if (network == NULL)
        return NULL;
    struct star_scratch *memory = &network->memory;
    size_t all = (size_t)nodes, leaves = (size_t)ranks;
    network->ranks = ranks;
    network->nodes = nodes;
    network->parent = star_scratch(memory, all, sizeof(int));
    network->below = star_scratch(memory, all, sizeof(int));
    network->first = star_scratch(memory, all, sizeof(int));
    network->rate = star_scratch(memory, all, sizeof(double));
    network->order = star_scratch(memory, leaves, sizeof(int));
    network->place = star_scratch(memory, leaves, sizeof(int));
    network->cluster = star_scratch(memory, leaves, sizeof(int));
    if (!memory->failed)
        return network;
    star_network_free(network);
    return NULL;
}

static struct star_network *prune(struct pruning *pruning, int ranks)
{
    int nodes = ranks + count_kept(pruning);
    struct star_network *network = network_new(ranks, nodes);
    int *lists = malloc(3 * (size_t)nodes * sizeof *lists);
    if (network != NULL && lists != NULL) {
        number(pruning, network);
        join(pruning, network);
        order(network, lists, lists + nodes, lists + 2 * (size_t)nodes);
        cluster(network, lists);
    } else {
        star_network_free(network);
        network = NULL;
    }
    free(lists);
    return network;
}

int star_network_of(const struct star_topology *topology, const int *machine, int ranks,
                    struct star_network **network, struct star_why *why)
{
    struct pruning pruning;
    struct star_scratch scratch = {0};
    if (ranks < 1)
        return star_because(why, STAR_ENEEDS, "no rank runs on the topology");
    *network = NULL;
    bool began = pruning_begin(&pruning, topology, machine, &scratch);
    int error = began ? count_ranks(&pruning, ranks, why) : 0;
    if (began && !error)
        *network = prune(&pruning, ranks);
    if (!error && *network == NULL)
        error = star_because(why, STAR_EMEMORY, "out of memory for a network of %d ranks", ranks);
    star_scratch_free(&scratch);
    return error;
}

void star_network_free(struct star_network *network)
{
    if (network == NULL)
        return;
    star_scratch_free(&network->memory);
    free(network);
}

static bool is_below(const struct star_network *network, int node, int rank)
{
    int after = network->place[rank] - network->first[node];
    return after >= 0 && after < network->below[node];
}

int star_network_uses(const struct star_network *network, int node, int from, int to)
{
    return (int)is_below(network, node, from) - (int)is_below(network, node, to);
}

int star_network_path(const struct star_network *network, int from, int to,
                      int (*visit)(int directed_link, void *context), void *context)
{
    int result = 0;
    for (int node = from; !result && !is_below(network, node, to); node = network->parent[node])
        result = visit(2 * node, context);
    for (int node = to; !result && !is_below(network, node, from); node = network->parent[node])
        result = visit(2 * node + 1, context);
    return result;
}

static uint64_t mix(uint64_t value)
{
    value = (value ^ value >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    value = (value ^ value >> 27) * UINT64_C(0x94d049bb133111eb);
    return value ^ value >> 31;
}

uint64_t star_network_shape(const struct star_network *network)
{
    uint64_t *children = calloc((size_t)network->nodes, sizeof *children), shape = 0;
    for (int node = 0; children != NULL && node < network->nodes; node++) { /* each before its parent */
        uint64_t rate = (uint64_t)llround(network->rate[node]);
        shape = mix(children[node] + mix(rate + 1) + (uint64_t)network->below[node]);
        if (network->parent[node] >= 0)
            children[network->parent[node]] += shape; /* in any order */
    }
    free(children);
    return shape;
}

struct star_network *star_network_of_machines(const int *node, int ranks, double rate)
{
    int machines = 0;
    int *machine = malloc((size_t)ranks * sizeof *machine);
    for (int r = 0; machine != NULL && r < ranks; r++) {
        machine[r] = 1 + (node ? node[r] : r); /* behind the switch */
        machines = machine[r] > machines ? machine[r] : machines;
    }
    struct star_topology topology = {.nodes = 1 + machines, .machines = machines};
    struct star_network *network = NULL;
    topology.node = calloc((size_t)topology.nodes, sizeof *topology.node);
    if (machine != NULL && topology.node != NULL) {
        topology.node[0].parent = -1;
        for (int i = 1; i < topology.nodes; i++)
            topology.node[i] = (struct star_node){.mbps = rate * 8 / 1e6, .machine = true, .slots = ranks};
        star_network_of(&topology, machine, ranks, &network, NULL);
    }
    free(topology.node);
    free(machine);
    return network;
}

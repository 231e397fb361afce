/* SPDX-License-Identifier: BSD-3-Clause */
#include "place/load.h"

#include <string.h>

static double latency_per_rank(const struct star_load *load)
{
    return load->latencies / load->matrix->ranks;
}

double star_load_cost(const struct star_load *load)
{
    return load->most + load->sum / (2 * load->topology->machines) + latency_per_rank(load);
}

double star_load_seconds(const struct star_load *load)
{
    return load->most + latency_per_rank(load);
}

static void change(struct star_load *load, int node, double up, double down)
{
    struct star_link_pair *link = &load->link[node];
    if (link->touched != load->exchanges) {
        link->touched = load->exchanges;
        memcpy(link->before, link->seconds, sizeof link->before);
        load->changed[load->changes++] = node;
    }
    link->seconds[0] += up;
    link->seconds[1] += down;
    load->sum += up + down;
}

/* Adds what the pair sends between the machines ONE and OTHER, where SIGN is 1; −1 takes it away. Nodes are
 * numbered behind their parents, so the greater number is the one to climb from. */
static void add_pair(struct star_load *load, const struct star_pair *pair, int one, int other, double sign)
{
    const struct star_node *nodes = load->topology->node;
    double out = sign * pair->out, in = sign * pair->in;
    double messages = sign * (pair->messages_out + pair->messages_in);
    int links = 0;
    if (one == other)
        return;
    for (; one != other; links++) {
        bool ours = one > other;
        int node = ours ? one : other;
        double per_byte = load->per_byte[node];
        change(load, node, (ours ? out : in) * per_byte, (ours ? in : out) * per_byte);
        if (ours)
            one = nodes[node].parent;
        else
            other = nodes[node].parent;
    }
    load->latencies += messages * (load->parameters->latency + links * load->parameters->hop);
}

/* What WHO has with all but EXCEPT. */
static void add_all(struct star_load *load, int who, int except, double sign)
{
    const struct star_matrix *matrix = load->matrix;
    if (who >= matrix->ranks)
        return;
    for (size_t i = matrix->first[who]; i < matrix->first[who + 1]; i++)
        if (matrix->pair[i].peer != except)
            add_pair(load, &matrix->pair[i], load->machine[who], load->machine[matrix->pair[i].peer], sign);
}

/* Is a link of NODE as loaded as the most loaded one? Then it is that one. */
static bool take_most(struct star_load *load, int node)
{
    bool taken = false;
    for (int way = 0; way < 2; way++)
        if (load->link[node].seconds[way] >= load->most) {
            load->most = load->link[node].seconds[way];
            load->most_link = 2 * node + way;
            taken = true;
        }
    return taken;
}

static void find_most(struct star_load *load)
{
    load->most = 0;
    for (int node = 0; node < load->topology->nodes; node++)
        take_most(load, node);
}

/* After changes: looks at all links only where the most loaded one has become less loaded. */
static void update_most(struct star_load *load)
{
    bool less = load->link[load->most_link / 2].seconds[load->most_link % 2] < load->most;
    for (int i = 0; i < load->changes; i++)
        if (take_most(load, load->changed[i]))
            less = false;
    if (less)
        find_most(load);
}

void star_load_exchange(struct star_load *load, int one, int other)
{
    load->exchanges++;
    load->changes = 0;
    load->one = one;
    load->other = other;
    load->before.most = load->most;
    load->before.sum = load->sum;
    load->before.latencies = load->latencies;
    load->before.most_link = load->most_link;
    add_all(load, one, -1, -1);
    add_all(load, other, one, -1);
    int machine = load->machine[one];
    load->machine[one] = load->machine[other];
    load->machine[other] = machine;
    add_all(load, one, -1, 1);
    add_all(load, other, one, 1);
    update_most(load);
}

void star_load_undo(struct star_load *load)
{
    for (int i = 0; i < load->changes; i++) {
        struct star_link_pair *link = &load->link[load->changed[i]];
        memcpy(link->seconds, link->before, sizeof link->seconds);
    }
    load->most = load->before.most;
    load->sum = load->before.sum;
    load->latencies = load->before.latencies;
    load->most_link = load->before.most_link;
    int machine = load->machine[load->one];
    load->machine[load->one] = load->machine[load->other];
    load->machine[load->other] = machine;
}

void star_load_put(struct star_load *load, const int *machine, int count)
{
    const struct star_matrix *matrix = load->matrix;
    memmove(load->machine, machine, (size_t)count * sizeof *machine);
    memset(load->link, 0, (size_t)load->topology->nodes * sizeof *load->link);
    load->sum = load->latencies = 0;
    load->exchanges++;
    load->changes = 0;
    for (int r = 0; r < matrix->ranks; r++)
        for (size_t i = matrix->first[r]; i < matrix->first[r + 1]; i++)
            if (matrix->pair[i].peer > r)
                add_pair(load, &matrix->pair[i], machine[r], machine[matrix->pair[i].peer], 1);
    find_most(load);
}

bool star_load_make(struct star_load *load, const struct star_matrix *matrix,
                    const struct star_topology *topology, const struct star_cost_parameters *parameters,
                    const int *machine, int count)
{
    const double bits = 8, mega = 1e6;
    size_t nodes = (size_t)topology->nodes;
    *load = (struct star_load){.matrix = matrix, .topology = topology, .parameters = parameters};
    load->machine = star_scratch(&load->memory, (size_t)count + 1, sizeof *load->machine);
    load->per_byte = star_scratch(&load->memory, nodes, sizeof *load->per_byte);
    load->link = star_scratch(&load->memory, nodes, sizeof *load->link);
    load->changed = star_scratch(&load->memory, nodes, sizeof *load->changed);
    if (load->memory.failed)
        return false;
    for (int node = 1; node < topology->nodes; node++)
        if (topology->node[node].mbps > 0)
            load->per_byte[node] = parameters->framing * bits / (topology->node[node].mbps * mega);
    star_load_put(load, machine, count);
    return true;
}

void star_load_free(struct star_load *load)
{
    star_scratch_free(&load->memory);
}

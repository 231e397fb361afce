/* SPDX-License-Identifier: BSD-3-Clause
 * Schedules in bundles, for links between switches that are faster than those of hosts. The formula orders
 * bundles of c ranks; each of its phases becomes c phases h = 0…c−1, in which place x of the sending bundle
 * sends to place (x + h) mod c of the receiving one: c messages at once between switches, one on each host's
 * link. Ranks of one bundle exchange theirs while another bundle of their switch is the only busy one. */
#include "topology/bundles.h"
#include "topology/subtrees.h"

#include <stdlib.h>

int star_schedule_of(const struct star_network *network, struct star_schedule **schedule,
                     struct star_why *why)
{
    int root = star_schedule_root(network), subtrees = 0;
    int *subtree = calloc((size_t)network->ranks, sizeof *subtree);
    if (subtree == NULL)
        return star_because(why, STAR_EMEMORY, "no memory for the schedule of %d ranks", network->ranks);
    if (network->below[root] < network->ranks) /* the branch that the root's own link leads to: the first */
        subtrees++;
    for (int node = 0; node < root; node++) {
        if (network->parent[node] != root)
            continue;
        for (int k = 0; k < network->below[node]; k++)
            subtree[network->order[network->first[node] + k]] = subtrees;
        subtrees++;
    }
    int error = star_schedule_build(network, root, subtree, subtrees, 1, schedule, why);
    free(subtree);
    return error;
}

/* Which switch each rank is on: SUBTREE, numbered from 0 as they are met; NUMBER holds that of each node. */
static int find_switches(const struct star_network *network, int core, int *subtree, int *number,
                         struct star_why *why)
{
    int switches = 0;
    for (int node = 0; node < network->nodes; node++)
        number[node] = -1;
    for (int rank = 0; network->ranks > 1 && rank < network->ranks; rank++) {
        int on = network->parent[rank];
        bool is_near = on == core || network->parent[on] == core || on == network->parent[core];
        if (!is_near)
            return star_because(why, STAR_ENEEDS,
                                "bundles need all switches on one core, and at most half of "
                                "the ranks on each: rank %d is further away",
                                rank);
        if (number[on] < 0)
            number[on] = switches++;
        subtree[rank] = number[on];
    }
    return switches > 1 ? switches
                        : star_because(why, STAR_ENEEDS, "bundles need several switches: there is but one");
}

static int check_sizes(const struct star_network *network, const int *subtree, int switches, int bundle,
                       int *size, struct star_why *why)
{
    for (int i = 0; i < switches; i++)
        size[i] = 0;
    for (int rank = 0; rank < network->ranks; rank++)
        size[subtree[rank]]++;
    for (int i = 0; i < switches; i++) {
        if (size[i] % bundle != 0)
            return star_because(why, STAR_ENEEDS, "bundles of %d do not divide the %d ranks of a switch",
                                bundle, size[i]);
        if (size[i] < 2 * bundle)
            return star_because(why, STAR_ENEEDS,
                                "bundles of %d: a switch of %d ranks has one, and needs two at least", bundle,
                                size[i]);
        if (2 * (int64_t)size[i] > network->ranks)
            return star_because(why, STAR_ENEEDS,
                                "bundles need at most half of the ranks on each switch: %d of %d are on one",
                                size[i], network->ranks);
    }
    return 0;
}

int star_schedule_in_bundles(const struct star_network *network, int bundle, struct star_schedule **schedule,
                             struct star_why *why)
{
    if (bundle == 1)
        return star_schedule_of(network, schedule, why);
    if (bundle < 1)
        return star_because(why, STAR_EINPUT, "bundles of %d ranks: there is at least one in each", bundle);
    size_t ranks = (size_t)network->ranks, nodes = (size_t)network->nodes;
    int *subtree = calloc(ranks + nodes, sizeof *subtree), core = star_schedule_root(network);
    if (subtree == NULL)
        return star_because(why, STAR_EMEMORY, "no memory for the schedule of %d ranks", network->ranks);
    int *numbers = subtree + ranks, switches = find_switches(network, core, subtree, numbers, why);
    int error = switches < 0 ? switches : check_sizes(network, subtree, switches, bundle, numbers, why);
    if (!error)
        error = star_schedule_build(network, core, subtree, switches, bundle, schedule, why);
    free(subtree);
    return error;
}

int star_schedule_bundle(const struct star_network *network)
{
    double host = 0, between = 0;
    for (int node = 0; node + 1 < network->nodes; node++) {
        double rate = network->rate[node];
        if (node < network->ranks)
            host = rate > host ? rate : host;
        else if (rate > 0 && (between == 0 || rate < between))
            between = rate;
    }
    double ratio = host > 0 ? between / host : 1;
    if (ratio < 1)
        return 1;
    return ratio < network->ranks ? (int)(ratio * (1 + 1e-9)) : network->ranks;
}

int star_schedule_for(const struct star_network *network, int bundle, struct star_schedule **schedule,
                      struct star_why *why)
{
    int wanted = bundle > 0 ? bundle : star_schedule_bundle(network);
    int error = star_schedule_in_bundles(network, wanted, schedule, why);
    return error == STAR_ENEEDS && bundle == 0 ? star_schedule_of(network, schedule, why) : error;
}

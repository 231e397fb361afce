/* SPDX-License-Identifier: BSD-3-Clause
 * Schedules in bundles, for links between switches that are faster than those of hosts. The formula orders
 * bundles of c ranks; each of its phases becomes c phases h = 0…c−1, in which place x of the sending bundle
 * sends to place (x + h) mod c of the receiving one: c messages at once between switches, one on each host's
 * link. Ranks of one bundle exchange theirs while another bundle of their switch is the only busy one. */
#include "topology/branches.h"

#include <stdlib.h>

/* The two levels of a network: a core, or the link between two switches, and the switches with their hosts.
 */
struct levels {
    int switches;
    struct star_branch *branch;
};

static bool is_rank(const struct star_network *network, int node)
{
    return node < network->ranks;
}

/* Collects the switches on the root; whether all others are hosts, and what hangs on the root itself. */
static bool collect(const struct star_network *network, struct levels *levels, int *on_root)
{
    int root = network->nodes - 1;
    for (int node = 0; node < root; node++) {
        int parent = network->parent[node];
        if (!is_rank(network, node) && parent != root)
            return false;
        if (!is_rank(network, node))
            levels->branch[levels->switches++] =
                (struct star_branch){network->first[node], network->below[node]};
        else if (parent == root)
            ++*on_root;
    }
    return true;
}

static int find_levels(const struct star_network *network, struct levels *levels, struct star_why *why)
{
    int on_root = 0;
    if (!collect(network, levels, &on_root))
        return star_because(why, STAR_ENEEDS, "bundles need a tree of two levels: this one is deeper");
    if (levels->switches == 0)
        return star_because(why, STAR_ENEEDS, "bundles need several switches: there is one");
    if (on_root == 0)
        return 0;
    if (levels->switches > 1)
        return star_because(why, STAR_ENEEDS,
                            "bundles need all hosts on switches of one level: %d are on the "
                            "core",
                            on_root);
    /* Two switches that are joined: the other one's hosts are all that are not below this one. */
    struct star_branch other = levels->branch[0];
    levels->branch[levels->switches++] = (struct star_branch){other.first + other.ranks, on_root};
    return 0;
}

static int check_sizes(const struct star_network *network, const struct levels *levels, int bundle,
                       struct star_why *why)
{
    for (int i = 0; i < levels->switches; i++) {
        int ranks = levels->branch[i].ranks;
        if (ranks % bundle != 0)
            return star_because(why, STAR_ENEEDS, "bundles of %d do not divide the %d ranks of a switch",
                                bundle, ranks);
        if (ranks < 2 * bundle)
            return star_because(why, STAR_ENEEDS,
                                "bundles of %d: a switch of %d ranks has one, and needs two at least", bundle,
                                ranks);
        if (2 * (int64_t)ranks > network->ranks)
            return star_because(why, STAR_ENEEDS,
                                "bundles need switches of at most half of the ranks: one has %d "
                                "of %d",
                                ranks, network->ranks);
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
    struct levels levels = {.branch = calloc((size_t)network->nodes, sizeof *levels.branch)};
    if (levels.branch == NULL)
        return star_because(why, STAR_EMEMORY, "no memory for the schedule of %d ranks", network->ranks);
    int error = find_levels(network, &levels, why);
    if (!error)
        error = check_sizes(network, &levels, bundle, why);
    if (!error)
        error = star_schedule_build(network, network->nodes - 1, levels.branch, levels.switches, bundle,
                                    schedule, why);
    free(levels.branch);
    return error;
}

int star_schedule_bundle(const struct star_network *network)
{
    double host = 0, between = 0;
    for (int node = 0; node + 1 < network->nodes; node++) {
        double rate = network->rate[node];
        if (is_rank(network, node))
            host = rate > host ? rate : host;
        else if (rate > 0 && (between == 0 || rate < between))
            between = rate;
    }
    double ratio = host > 0 ? between / host : 1;
    if (ratio < 1)
        return 1;
    return ratio < network->ranks ? (int)(ratio * (1 + 1e-9)) : network->ranks;
}

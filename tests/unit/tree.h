/* SPDX-License-Identifier: BSD-3-Clause
 * Networks written by hand, and the way of a message on them. */
#pragma once

#include "expect.h"
#include "topology/network.h"

enum { NODES_MAX = 64 };

struct tree {
    struct star_network network;
    int parent[NODES_MAX], below[NODES_MAX], first[NODES_MAX], order[NODES_MAX], place[NODES_MAX],
        cluster[NODES_MAX];
    double rate[NODES_MAX];
};

/* PARENT and RATE of each node; the ranks below each node must be neighbours. */
static inline const struct star_network *plant(struct tree *tree, int ranks, int nodes, const int *parent,
                                               const double *rate)
{
    memset(tree, 0, sizeof *tree);
    assert_true(nodes <= NODES_MAX);
    for (int n = 0; n < nodes; n++) {
        tree->parent[n] = parent[n];
        tree->rate[n] = rate[n];
        tree->first[n] = ranks;
    }
    for (int r = 0; r < ranks; r++) {
        tree->order[r] = tree->place[r] = r;
        for (int n = r; n >= 0; n = parent[n]) {
            tree->below[n]++;
            tree->first[n] = r < tree->first[n] ? r : tree->first[n];
        }
    }
    tree->network = (struct star_network){.ranks = ranks,
                                          .nodes = nodes,
                                          .parent = tree->parent,
                                          .below = tree->below,
                                          .first = tree->first,
                                          .rate = tree->rate,
                                          .order = tree->order,
                                          .place = tree->place,
                                          .cluster = tree->cluster};
    return &tree->network;
}

/* RANKS on two switches, LEFT of them on the first, whose trunk to the second is its link. */
static inline const struct star_network *plant_two_switches(struct tree *tree, int ranks, int left,
                                                            double host, double trunk)
{
    int parent[NODES_MAX];
    double rate[NODES_MAX];
    for (int r = 0; r < ranks; r++) {
        parent[r] = r < left ? ranks : ranks + 1;
        rate[r] = host;
    }
    parent[ranks] = ranks + 1;
    rate[ranks] = trunk;
    parent[ranks + 1] = -1;
    rate[ranks + 1] = 0;
    const struct star_network *network = plant(tree, ranks, ranks + 2, parent, rate);
    for (int r = left; r < ranks; r++)
        tree->cluster[r] = left > 0;
    return network;
}

static inline bool is_below(const struct star_network *network, int rank, int node)
{
    for (int n = rank; n >= 0; n = network->parent[n])
        if (n == node)
            return true;
    return false;
}

/* Does the message cross the directed link: 2 × node, + 1 when it goes down? */
static inline bool crosses(const struct star_network *network, int from, int to, int link)
{
    int inside = link % 2 ? to : from, outside = link % 2 ? from : to;
    return is_below(network, inside, link / 2) && !is_below(network, outside, link / 2);
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Networks for tests of schedules: of given sizes, and random ones. */
#pragma once

#include "topology/network.h"
#include "expect.h"

enum { TREE_NODES = 256, TREE_RANKS = 128 };

struct tree {
    struct star_node node[TREE_NODES];
    int nodes, machines, ranks;
    int machine[TREE_RANKS]; /* of each rank */
};

static inline int add_node(struct tree *tree, int parent, bool machine, double mbps)
{
    assert_true(tree->nodes < TREE_NODES);
    tree->node[tree->nodes] =
        (struct star_node){.parent = parent, .mbps = parent < 0 ? 0 : mbps, .machine = machine, .slots = 1};
    tree->machines += machine;
    return tree->nodes++;
}

static inline void add_ranks(struct tree *tree, int machine, int ranks)
{
    assert_true(tree->ranks + ranks <= TREE_RANKS);
    for (int i = 0; i < ranks; i++)
        tree->machine[tree->ranks++] = machine;
}

static inline struct star_network *network_of(struct tree *tree)
{
    struct star_topology topology = {.node = tree->node, .nodes = tree->nodes, .machines = tree->machines};
    struct star_network *network = NULL;
    struct star_why why = {{0}};
    if (star_network_of(&topology, tree->machine, tree->ranks, &network, &why))
        fail_msg("%s", why.text);
    return network;
}

/* 8 Mbit/s is a million bytes a second. */
static inline double mbps(double megabytes)
{
    return 8 * megabytes;
}

enum shape { STAR, CHAIN };

/* Switches with SIZES machines of RANKS_EACH ranks, in a chain or on a core. Hosts' links carry a million
 * bytes a second, those between switches TRUNK times that. Ranks are by blocks. */
static inline struct star_network *network_of_sizes(enum shape shape, const int *sizes, int switches,
                                                    int ranks_each, double trunk)
{
    struct tree tree = {.nodes = 0};
    int above = shape == STAR ? add_node(&tree, -1, false, 0) : -1;
    for (int i = 0; i < switches; i++) {
        int node = add_node(&tree, above, false, mbps(trunk));
        for (int k = 0; k < sizes[i]; k++)
            add_ranks(&tree, add_node(&tree, node, true, mbps(1)), ranks_each);
        if (shape == CHAIN)
            above = node;
    }
    return network_of(&tree);
}

/* Shuffles which machine each rank runs on. */
static inline void shuffle(struct tree *tree, uint64_t *random)
{
    for (int i = tree->ranks - 1; i > 0; i--) {
        int k = (int)random_below(random, (uint64_t)i + 1), machine = tree->machine[i];
        tree->machine[i] = tree->machine[k];
        tree->machine[k] = machine;
    }
}

/* Of 1…MOST machines: stars, chains and any other tree, even or not; on some trees several ranks a machine;
 * in any order. */
static inline struct star_network *random_network(uint64_t *random, int most)
{
    struct tree tree = {.nodes = 0};
    int machines = 1 + (int)random_below(random, (uint64_t)most);
    int switches = 1 + (int)random_below(random, random_below(random, 2) ? 4 : 30);
    uint64_t form = random_below(random, 4), uneven = random_below(random, 3);
    for (int i = 0; i < switches; i++) {
        int parent = i - 1;
        if (i > 0 && form != 0) /* 0: a chain; 1: a star; else any */
            parent = form == 1 ? 0 : (int)random_below(random, (uint64_t)i);
        add_node(&tree, parent, false, mbps(1 + (double)random_below(random, 8)));
    }
    bool several = machines <= TREE_RANKS / 4 && random_below(random, 3) == 0;
    for (int i = 0; i < machines; i++) {
        int on = (int)random_below(random, (uint64_t)switches);
        if (uneven == 0) /* most are on a few switches */
            on = (int)random_below(random, (uint64_t)on + 1);
        int machine = add_node(&tree, on, true, mbps(1 + (double)random_below(random, 3)));
        add_ranks(&tree, machine, several ? 1 + (int)random_below(random, 4) : 1);
    }
    shuffle(&tree, random);
    return network_of(&tree);
}

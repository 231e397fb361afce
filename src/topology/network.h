/* SPDX-License-Identifier: BSD-3-Clause
 * A network: what a communicator sees of a topology. The tree is pruned to the machines of its ranks, and the
 * ranks are its leaves; a machine with several ranks is an inner node. */
#pragma once

#include "topology/topology.h"
#include "util/scratch.h"

#include <stdint.h>

/* Nodes 0…ranks−1 are the ranks; then machines that hold several, then switches; every node's number is less
 * than its parent's, so the last one is the root. A link is named by the node below it: it goes UP to the
 * parent and DOWN. A rank that has a machine of its own is that machine, with the machine's link. Switches
 * with one node below are left out (their slower link counts), and so is a root with one. Children are in the
 * order of their least rank. */
struct star_network {
    int ranks, nodes;
    int *parent; /* of each node; the root's is −1 */
    int *below;  /* ranks below each node, or at it */
    int *first;  /* of each node: the place of its first rank. Ranks below are order[first] …
                    order[first+below−1] */
    double
        *rate;  /* bytes a second of each link, each way; 0 inside a machine: not limited. The root's is 0 */
    int *order; /* the ranks depth first; order[0] is rank 0 */
    int *place; /* of each rank in that order */
    int *cluster; /* of each rank, numbered by first appearance: what is left together when the slowest links
                     are cut between machines of several ranks, and switches */
    struct star_scratch memory; /* of all these */
};

/* MACHINE[r] is the topology's node where rank r runs. STAR_EMEMORY; STAR_ENEEDS: a machine is −1, or on
 * another island. */
int star_network_of(const struct star_topology *topology, const int *machine, int ranks,
                    struct star_network **network, struct star_why *why);
/* Machines on one switch, each on a link of RATE bytes a second. NODE tells each rank's machine, numbered by
 * first appearance; NULL: each has its own. NULL when out of memory. */
struct star_network *star_network_of_machines(const int *node, int ranks, double rate);
void star_network_free(struct star_network *network);
/* A number for its shape: the same whatever hosts and ranks are called, as long as as many ranks hang on
 * equal trees of equal links. 0 when out of memory. */
uint64_t star_network_shape(const struct star_network *network);

/* Does the message FROM → TO use the link of NODE, and which way: 1 up, −1 down, 0 not at all. */
int star_network_uses(const struct star_network *network, int node, int from, int to);
/* Calls VISIT for each directed link from rank FROM to rank TO: 2 × node, + 1 when it goes down; first those
 * up, from FROM on, then those down, from TO on; until it returns non-zero, which is returned. */
int star_network_path(const struct star_network *network, int from, int to,
                      int (*visit)(int directed_link, void *context), void *context);

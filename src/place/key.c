/* SPDX-License-Identifier: BSD-3-Clause */
#include "place/key.h"
#include "topology/network.h"
#include "util/hash.h"

#include <math.h>

/* A network has its ranks in the order of the tree, in which what hangs on one switch is in the order of its
 * least rank; so a node is told by where its ranks stand there. */
static uint64_t hash_node(const struct star_network *network, int node)
{
    uint64_t hash = star_hash_add(star_hash_empty, (uint64_t)network->first[node]);
    hash = star_hash_add(hash ^ hash >> 29, (uint64_t)network->below[node]);
    return star_hash_add(hash ^ hash >> 29, (uint64_t)llround(network->rate[node]));
}

uint64_t star_placement_key(const struct star_topology *topology, const int *machine, int ranks)
{
    struct star_network *network = NULL;
    if (star_network_of(topology, machine, ranks, &network, NULL))
        return 0;
    uint64_t key = star_hash_add(star_hash_empty, (uint64_t)ranks);
    for (int r = 0; r < ranks; r++)
        key = star_hash_add(key ^ key >> 29, (uint64_t)network->order[r]);
    for (int node = 0; node < network->nodes; node++) /* in any order */
        key += hash_node(network, node);
    star_network_free(network);
    return key;
}

void star_placement_write(const struct star_topology *topology, const int *machine, int ranks,
                          struct star_text *text)
{
    for (int r = 0, next; r < ranks; r = next) {
        const char *name = topology->node[machine[r]].name;
        for (next = r + 1; next < ranks && machine[next] == machine[r]; next++)
            ;
        if (name != NULL)
            star_text_add(text, "%s%s", r > 0 ? " " : "", name);
        else
            star_text_add(text, "%s%d", r > 0 ? " " : "", machine[r]);
        if (next - r > 1)
            star_text_add(text, "*%d", next - r);
    }
}

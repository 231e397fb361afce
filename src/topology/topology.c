/* SPDX-License-Identifier: BSD-3-Clause */
#include "topology/topology.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void star_topology_free(struct star_topology *topology)
{
    if (topology == NULL)
        return;
    for (int i = 0; topology->node && i < topology->nodes; i++)
        free(topology->node[i].name);
    free(topology->node);
    free(topology->by_name);
    free(topology);
}

/* The first of the machines, by name, whose name does not stand before TEXT. */
static int first_from(const struct star_topology *topology, const char *text, size_t length)
{
    int low = 0, high = topology->machines;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (strncmp(topology->node[topology->by_name[middle]].name, text, length) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The machine whose name begins with the LENGTH characters of TEXT; the only one, or −1. */
static int only_with(const struct star_topology *topology, const char *text, size_t length, bool whole)
{
    int at = first_from(topology, text, length);
    int found = -1;
    for (; at < topology->machines; at++) {
        int node = topology->by_name[at];
        const char *name = topology->node[node].name;
        if (strncmp(name, text, length) != 0)
            break;
        if (whole && name[length] == 0)
            return node;
        if (!whole && found >= 0)
            return -1;
        if (!whole)
            found = node;
    }
    return found;
}

int star_topology_first(const struct star_topology *topology)
{
    return topology->islands > 0;
}

/* The node of NODE's island that hangs on the root. */
static int top_of(const struct star_topology *topology, int node)
{
    while (topology->node[node].parent > 0)
        node = topology->node[node].parent;
    return node;
}

bool star_topology_parts(const struct star_topology *topology, int node, int other)
{
    return topology->islands > 0 && top_of(topology, node) != top_of(topology, other);
}

int64_t star_topology_slots(const struct star_topology *topology)
{
    int64_t slots = 0;
    for (int i = 0; i < topology->nodes; i++)
        slots += topology->node[i].machine ? topology->node[i].slots : 0;
    return slots;
}

int star_topology_machine(const struct star_topology *topology, const char *name)
{
    char first[STAR_NODE_NAME_MOST + 2];
    size_t length = strlen(name), part = strcspn(name, ".");
    if (length > STAR_NODE_NAME_MOST)
        return -1;
    int node = only_with(topology, name, length, true);
    if (node < 0 && part < length)
        return only_with(topology, name, part, true);
    if (node < 0) {
        snprintf(first, sizeof first, "%s.", name);
        node = only_with(topology, first, length + 1, false);
    }
    return node;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "topology/machines.h"

#include <stdlib.h>

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

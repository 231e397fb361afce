/* SPDX-License-Identifier: BSD-3-Clause */
#include "topology/network.h"
#include "routine/routine.h"
#include "topology/topology.h"
#include "util/why.h"

#include <stdlib.h>

int star_routine_network(const struct star_topology *topology, const char *host, int room, int size,
                         struct star_network **network)
{
    *network = NULL;
    if (topology == NULL)
        return 0;
    int *machine = malloc((size_t)size * sizeof *machine), error = machine ? 0 : STAR_EMEMORY;
    for (int r = 0; !error && r < size; r++)
        machine[r] = star_topology_machine(topology, host + (ptrdiff_t)r * room);
    if (!error)
        error = star_network_of(topology, machine, size, network, NULL);
    free(machine);
    return error == STAR_ENEEDS ? 0 : error; /* some host is not in it: the same on all ranks */
}

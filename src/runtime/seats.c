/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/seats.h"
#include "runtime/nodes.h"
#include "runtime/places.h"

#include <stdlib.h>

static bool make_switch(int hosts, struct star_topology *topology, struct star_scratch *memory)
{
    topology->nodes = hosts + 1;
    topology->machines = hosts;
    topology->node = star_scratch(memory, (size_t)topology->nodes, sizeof *topology->node);
    for (int i = 0; topology->node != NULL && i <= hosts; i++)
        topology->node[i] =
            (struct star_node){.parent = i > 0 ? 0 : -1, .mbps = STAR_MBPS_PRESET, .machine = i > 0};
    return topology->node != NULL;
}

bool star_seats_find(MPI_Comm comm, int size, struct star_ranks_seats *seats)
{
    bool failed;
    *seats = (struct star_ranks_seats){.topology = &seats->one_switch};
    if (star_places_are_known()) {
        seats->machine = star_places_of(comm, size, &seats->topology);
        return seats->machine != NULL;
    }
    seats->machine = star_nodes_of(comm, size, &failed);
    if (seats->machine == NULL ||
        !make_switch(star_nodes_count(seats->machine, size), &seats->one_switch, &seats->memory))
        return false;
    for (int r = 0; r < size; r++)
        seats->machine[r]++; /* behind the switch */
    return true;
}

void star_seats_free(struct star_ranks_seats *seats)
{
    free(seats->machine);
    star_scratch_free(&seats->memory);
    *seats = (struct star_ranks_seats){.machine = NULL};
}

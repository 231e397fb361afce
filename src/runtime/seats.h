/* SPDX-License-Identifier: BSD-3-Clause
 * On which machine of which topology ranks run, as far as it is known: for the mapper. */
#pragma once

#include "topology/topology.h"
#include "util/scratch.h"

#include <mpi.h>
#include <stdbool.h>

struct star_ranks_seats {
    const struct star_topology *topology;
    int *machine; /* of each rank, the topology's node */
    /* Where nobody knows the network, TOPOLOGY is this, in MEMORY: all hosts on one switch. */
    struct star_topology one_switch;
    struct star_scratch memory;
};

/* Of COMM; false: out of memory, or they are on one machine. To be freed in any case. */
bool star_seats_find(MPI_Comm comm, int size, struct star_ranks_seats *seats);
void star_seats_free(struct star_ranks_seats *seats);

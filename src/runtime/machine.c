/* SPDX-License-Identifier: BSD-3-Clause
 * What machine this is, as maps and reports call it. */
#include "map/map.h"
#include "runtime/runtime.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "Open MPI 4.1.4": the first words of what the library says of itself, without its own ornaments. */
static void name_mpi(char *name)
{
    char library[MPI_MAX_LIBRARY_VERSION_STRING], version[64];
    int length;
    PMPI_Get_library_version(library, &length);
    if (sscanf(library, "Open MPI v%63[^, ]", version) == 1)
        snprintf(name, STAR_MAP_TEXT, "Open MPI %s", version);
    else if (sscanf(library, "MPICH Version: %63s", version) == 1)
        snprintf(name, STAR_MAP_TEXT, "MPICH %s", version);
    else {
        library[strcspn(library, "\n")] = 0;
        star_map_fact(name, library);
    }
}

struct star_map_machine star_machine_here(void)
{
    bool failed;
    int size = star_runtime.world_size, nodes = 1;
    int *node = star_nodes_of(MPI_COMM_WORLD, size, &failed);
    for (int rank = 0; node && rank < size; rank++)
        nodes = node[rank] + 1 > nodes ? node[rank] + 1 : nodes;
    free(node);
    struct star_map_machine machine = {.nodes = nodes, .ranks_per_node = (size + nodes - 1) / nodes};
    name_mpi(machine.mpi);
    return machine;
}

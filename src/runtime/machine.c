/* SPDX-License-Identifier: BSD-3-Clause
 * What machine this is, as maps and reports call it. */
#include "runtime/machine.h"
#include "map/map.h"
#include "runtime/nodes.h"
#include "runtime/places.h"
#include "runtime/session.h"
#include "topology/network.h"
#include "util/text.h"
#include "wisdom/fact.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
    int size = star_runtime.world_size;
    int *node = star_nodes_of(MPI_COMM_WORLD, size, &failed), nodes = star_nodes_count(node, size);
    free(node);
    struct star_map_machine machine = {.nodes = nodes, .ranks_per_node = (size + nodes - 1) / nodes};
    name_mpi(machine.mpi);
    return machine;
}

/* What users choose the network and its protocols with. */
static void add_choices(struct star_text *name)
{
    static const char *const variables[] = {"OMPI_MCA_pml",
                                            "OMPI_MCA_btl",
                                            "OMPI_MCA_mtl",
                                            "UCX_TLS",
                                            "UCX_NET_DEVICES",
                                            "FI_PROVIDER",
                                            "MPIR_CVAR_OFI_USE_PROVIDER",
                                            "MPIR_CVAR_CH4_NETMOD"};
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        const char *value = getenv(variables[i]);
        if (value != NULL && value[0] != 0)
            star_text_add(name, "; %s=%.40s", variables[i], value);
    }
}

static void add_topology(struct star_text *name)
{
    bool failed;
    struct star_network *network = star_network_for(MPI_COMM_WORLD, star_runtime.world_size, &failed);
    if (network != NULL)
        star_text_add(name, "; topology %016llx", (unsigned long long)star_network_shape(network));
    star_network_free(network);
}

const char *star_machine_name(void)
{
    static char known[STAR_FACT_MACHINE];
    if (known[0] != 0)
        return known;
    struct star_map_machine here = star_machine_here();
    struct star_text name = {0};
    star_text_add(&name, "%s; nodes %d; ranks a node %d; processors %ld", here.mpi, here.nodes,
                  here.ranks_per_node, sysconf(_SC_NPROCESSORS_ONLN));
    if (here.nodes > 1 && access("/sys/class/infiniband", F_OK) == 0)
        star_text_add(&name, "; InfiniBand");
    add_topology(&name);
    add_choices(&name);
    snprintf(known, sizeof known, "%s", name.bytes ? name.bytes : here.mpi);
    for (char *c = known; *c != 0; c++)
        *c = (char)(iscntrl((unsigned char)*c) ? ' ' : *c);
    star_text_free(&name);
    return known;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/machine.h"
#include "exec/library.h"
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

struct star_map_machine star_machine_here(void)
{
    bool failed;
    int size = star_runtime.world_size;
    int *node = star_nodes_of(star_all(), size, &failed), nodes = star_nodes_count(node, size);
    free(node);
    struct star_map_machine machine = {.nodes = nodes, .ranks_per_node = (size + nodes - 1) / nodes};
    char title[STAR_MAP_TEXT];
    star_library_title(title, sizeof title);
    star_map_fact(machine.mpi, title);
    return machine;
}

/* What the user has chosen of the network and its protocols. */
static void add_choices(struct star_text *name)
{
    for (const char *const *variable = star_dialect_here()->choices; *variable != NULL; variable++) {
        const char *value = getenv(*variable);
        if (value != NULL && value[0] != 0)
            star_text_add(name, "; %s=%.40s", *variable, value);
    }
}

static void add_topology(struct star_text *name)
{
    bool failed;
    struct star_network *network = star_network_for(star_all(), star_runtime.world_size, &failed);
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

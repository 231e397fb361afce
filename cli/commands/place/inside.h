/* SPDX-License-Identifier: BSD-3-Clause
 * The inside of a host: packages, NUMA nodes, caches and cores, and which core each rank is to have. */
#pragma once

#include "place/place.h"

/* Of hwloc's XML; all hosts are taken to be so. Its first cores, as many as there are, are numbered as hwloc
 * does. */
struct cli_inside {
    struct star_topology *topology; /* NULL: not given */
    int *core;                      /* of each core, the topology's node */
    int *part;                      /* of each of the topology's nodes, the part it is in, or −1 */
    int parts;
    const char *kind; /* what they are: "package", "numa", "l3" … */
    int kind_length;
};

/* What another order of a host's ranks on its cores changes: bytes between the parts. */
struct cli_inside_gain {
    double before, after;
};

/* STAR_EINPUT: FILE is no such file, or all its cores are one; STAR_EMEMORY. */
int cli_inside_read(const char *file, struct cli_inside *inside, struct star_why *why);
void cli_inside_free(struct cli_inside *inside);

/* CORE[r] becomes the core of each rank, whose host is the node MACHINE[r], of NODES. Parts get ranks alike,
 * as they have memory of their own. Ranks stay in the order of the cores where another is not expected to
 * cost less by 1 %. STAR_EMEMORY. */
int cli_inside_place(const struct cli_inside *inside, const struct star_mapping *mapping, const int *machine,
                     int *core, struct cli_inside_gain *gain, struct star_why *why);

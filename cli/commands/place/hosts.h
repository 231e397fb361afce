/* SPDX-License-Identifier: BSD-3-Clause
 * The hosts that ranks may run on: of a launcher's host file, and the links between them. */
#pragma once

#include "topology/topology.h"
#include "util/why.h"

struct cli_hosts {
    struct star_topology *topology;
    int *node;   /* of each host, in the file's order: the topology's machine */
    char **name; /* as the file calls it */
    int count;
    int *slots;  /* of each of the topology's nodes; 0: it is not in the file */
    int times;   /* as many times as slots were given, once it is widened */
    bool linked; /* the links are known: else all hosts are on one switch */
};

/* Of HOSTFILE: a host a line, "n1", "n1 slots=4" or "n1:4"; again for more slots. NULL: all of the topology.
 * TOPOLOGY NULL: the user's own one, where it has all the hosts. STAR_EINPUT, STAR_ESYSTEM, STAR_EMEMORY. */
int cli_hosts_read(const char *hostfile, const char *topology, struct cli_hosts *hosts, struct star_why *why);
/* As many times the slots as RANKS need. STAR_ELIMIT: these are too many. */
int cli_hosts_widen(struct cli_hosts *hosts, int ranks, struct star_why *why);
void cli_hosts_free(struct cli_hosts *hosts);

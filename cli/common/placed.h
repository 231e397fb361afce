/* SPDX-License-Identifier: BSD-3-Clause
 * Ranks on a topology from a file, where no program runs that could tell where they are. */
#pragma once

#include "command.h"
#include "topology/network.h"
#include "topology/placing.h"

struct cli_placed {
    const char *file, *map;         /* as given; NULL: there is no topology, and ranks are placed by block */
    struct star_placing placing;    /* what MAP says */
    struct star_topology *topology; /* after cli_placed_read */
    int64_t slots;
    int *machine,
        *node; /* after cli_placed_put: of each rank the topology's node, and as shapes number nodes */
    struct star_network *network; /* the ranks' part of it */
};

/* Takes "block|cyclic|random:SEED" into the struct at OPTION. */
bool cli_placed_take(const struct cli_option *option, const char *value, struct star_why *why);
/* Reads the file, where there is one. */
int cli_placed_read(struct cli_placed *placed, struct star_why *why);
/* Places RANKS there. Without a topology nothing is placed. */
int cli_placed_put(struct cli_placed *placed, int ranks, struct star_why *why);
/* Takes the ranks away again. */
void cli_placed_clear(struct cli_placed *placed);
void cli_placed_free(struct cli_placed *placed);

/* SPDX-License-Identifier: BSD-3-Clause */
#include "placed.h"
#include "topology/read.h"
#include "topology/topology.h"
#include "util/why.h"

#include <stdlib.h>

bool cli_placed_take(const struct cli_option *option, const char *value, struct star_why *why)
{
    struct cli_placed *placed = option->at;
    placed->map = value;
    if (star_placing_parse(value, &placed->placing))
        return true;
    star_because(why, STAR_EINPUT, "'%.80s' is not %s", value, option->argument);
    return false;
}

int cli_placed_read(struct cli_placed *placed, struct star_why *why)
{
    int error = placed->file ? star_topology_read(placed->file, &placed->topology, why) : 0;
    placed->slots = placed->topology ? star_topology_slots(placed->topology) : 0;
    return error;
}

/* Shapes number nodes by first appearance. */
static void number_nodes(const struct cli_placed *placed, int ranks, int *number)
{
    int next = 0;
    for (int i = 0; i < placed->topology->nodes; i++)
        number[i] = -1;
    for (int r = 0; r < ranks; r++) {
        if (number[placed->machine[r]] < 0)
            number[placed->machine[r]] = next++;
        placed->node[r] = number[placed->machine[r]];
    }
}

int cli_placed_put(struct cli_placed *placed, int ranks, struct star_why *why)
{
    if (placed->topology == NULL)
        return 0;
    int *number = malloc((size_t)placed->topology->nodes * sizeof *number);
    placed->machine = malloc((size_t)ranks * sizeof *placed->machine);
    placed->node = malloc((size_t)ranks * sizeof *placed->node);
    int error = number && placed->machine && placed->node
                    ? star_place(placed->topology, &placed->placing, ranks, placed->machine, why)
                    : star_because(why, STAR_EMEMORY, "out of memory for the places of %d ranks", ranks);
    if (!error)
        error = star_network_of(placed->topology, placed->machine, ranks, &placed->network, why);
    if (!error)
        number_nodes(placed, ranks, number);
    free(number);
    return error;
}

void cli_placed_clear(struct cli_placed *placed)
{
    star_network_free(placed->network);
    free(placed->machine);
    free(placed->node);
    placed->network = NULL;
    placed->machine = placed->node = NULL;
}

void cli_placed_free(struct cli_placed *placed)
{
    cli_placed_clear(placed);
    star_topology_free(placed->topology);
    placed->topology = NULL;
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Nodes: which ranks share memory. Found once, for MPI_COMM_WORLD; of other communicators it is looked up, so
 * that making them tuned costs no messages. */
#include "runtime/nodes.h"
#include "runtime/agree.h"
#include "runtime/ranks.h"
#include "runtime/session.h"
#include "util/placement.h"

#include <stdlib.h>

/* The node of each rank of MPI_COMM_WORLD; NULL: all are on one. */
static int *world_node;

/* Numbers what is equal alike, from 0 by first appearance; KNOWN has room for as many as the world has
 * ranks. */
static int number(int *node, int count, int *known)
{
    int nodes = 0;
    for (int r = 0; r < star_runtime.world_size; r++)
        known[r] = -1;
    for (int r = 0; r < count; r++) {
        int *as = &known[node[r]];
        if (*as < 0)
            *as = nodes++;
        node[r] = *as;
    }
    return nodes;
}

/* For trying what more nodes would do. */
static bool pretend(const struct star_placement *placement, int *node, int count)
{
    for (int r = 0; placement->kind >= STAR_PLACED_BLOCK && r < count; r++)
        node[r] = star_placement_node(placement, r);
    return placement->kind >= STAR_PLACED_BLOCK;
}

bool star_nodes_find(void)
{
    int size = star_runtime.world_size, nodes = 1;
    struct star_placement placement = {STAR_PLACED_AUTO, 0};
    star_placement_parse(star_runtime.settings.nodes, &placement, NULL);
    int *node = malloc((size_t)size * sizeof *node), *known = malloc((size_t)size * sizeof *known);
    bool made = node != NULL && known != NULL, same;
    if (star_agree(MPI_COMM_WORLD, made, 0, &same) && placement.kind != STAR_PLACED_NONE) {
        if (!pretend(&placement, node, size))
            made = star_agree_nodes(node);
        nodes = made ? number(node, size, known) : 1;
    }
    free(known);
    if (nodes > 1) {
        world_node = node;
        return made;
    }
    free(node);
    return made;
}

int *star_nodes_of(MPI_Comm comm, int size, bool *failed)
{
    *failed = false;
    if (world_node == NULL)
        return NULL;
    int *node = star_world_ranks(comm, size),
        *known = malloc((size_t)star_runtime.world_size * sizeof *known);
    int nodes = 0;
    *failed = node == NULL || known == NULL;
    for (int r = 0; !*failed && r < size; r++)
        node[r] = world_node[node[r]];
    if (!*failed)
        nodes = number(node, size, known);
    free(known);
    if (*failed || nodes < 2) {
        free(node);
        return NULL;
    }
    return node;
}

int star_nodes_count(const int *node, int size)
{
    int nodes = 1;
    for (int rank = 0; node != NULL && rank < size; rank++)
        nodes = node[rank] + 1 > nodes ? node[rank] + 1 : nodes;
    return nodes;
}

void star_nodes_forget(void)
{
    free(world_node);
    world_node = NULL;
}

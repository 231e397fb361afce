/* SPDX-License-Identifier: BSD-3-Clause */
#include "algorithms/parts/nodes.h"

int star_node_count(const struct star_shape *shape)
{
    int count = 1;
    for (int r = 0; shape->node != NULL && r < shape->size; r++)
        if (shape->node[r] >= count)
            count = shape->node[r] + 1;
    return count;
}

bool star_node_team(struct star_builder *b, const struct star_shape *shape, int node, struct star_team *team)
{
    int *rank = star_build_scratch(b, (size_t)shape->size * sizeof *rank);
    *team = (struct star_team){.me = -1, .rank = rank};
    for (int r = 0; rank != NULL && r < shape->size; r++)
        if (shape->node == NULL || shape->node[r] == node) {
            if (r == shape->rank)
                team->me = team->size;
            rank[team->size++] = r;
        }
    return rank != NULL;
}

static bool fill(struct star_builder *b, const struct star_shape *shape, int node, struct star_place blocks,
                 struct star_parcel *parcel)
{
    struct star_team *team = &parcel->team;
    if (!star_node_team(b, shape, node, team))
        return false;
    parcel->leader = team->rank[0];
    parcel->straight = team->rank[team->size - 1] - parcel->leader == team->size - 1;
    parcel->place = parcel->straight ? star_plus(blocks, parcel->leader * shape->block)
                                     : star_build_temp(b, team->size * shape->block);
    return true;
}

struct star_parcel *star_node_parcels(struct star_builder *b, const struct star_shape *shape,
                                      struct star_place blocks, int *count)
{
    int nodes = star_node_count(shape);
    struct star_parcel *parcels = star_build_scratch(b, (size_t)nodes * sizeof *parcels);
    *count = 0;
    for (int node = 0; parcels != NULL && node < nodes; node++)
        if (node != shape->node[shape->root] && !fill(b, shape, node, blocks, &parcels[(*count)++]))
            return NULL;
    return parcels;
}

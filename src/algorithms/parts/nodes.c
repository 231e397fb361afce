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

/* Of each node its ranks, in order; the teams' ranks stand one behind the other. NULL: out of memory. */
static struct star_parcel *ranks_by_node(struct star_builder *b, const struct star_shape *shape, int nodes)
{
    struct star_parcel *parcels = star_build_scratch(b, (size_t)nodes * sizeof *parcels);
    int *rank = star_build_scratch(b, (size_t)shape->size * sizeof *rank),
        *next = star_build_scratch(b, (size_t)nodes * sizeof *next);
    if (parcels == NULL || rank == NULL || next == NULL)
        return NULL;
    for (int r = 0; r < shape->size; r++)
        parcels[shape->node[r]].team.size++;
    for (int node = 0, begin = 0; node < nodes; begin += parcels[node++].team.size) {
        parcels[node].team.me = -1;
        parcels[node].team.rank = rank + begin;
        next[node] = begin;
    }
    for (int r = 0; r < shape->size; r++)
        rank[next[shape->node[r]]++] = r;
    return parcels;
}

static void place_at(struct star_builder *b, int64_t block, struct star_place blocks,
                     struct star_parcel *parcel)
{
    const struct star_team *team = &parcel->team;
    parcel->leader = team->rank[0];
    parcel->straight = team->rank[team->size - 1] - parcel->leader == team->size - 1;
    parcel->place =
        parcel->straight ? star_plus(blocks, parcel->leader * block) : star_build_temp(b, team->size * block);
}

struct star_parcel *star_node_parcels(struct star_builder *b, const struct star_shape *shape,
                                      struct star_place blocks, int *count)
{
    int nodes = star_node_count(shape);
    struct star_parcel *parcels = ranks_by_node(b, shape, nodes);
    *count = 0;
    for (int node = 0; parcels != NULL && node < nodes; node++)
        if (node != shape->node[shape->root]) {
            parcels[*count] = parcels[node];
            place_at(b, shape->block, blocks, &parcels[(*count)++]);
        }
    return parcels;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "algorithms/parts/lanes.h"
#include "algorithms/parts/nodes.h"

/* Numbers nodes from the root's on, and the ranks of each, of its own from the root on. */
static void number(const struct star_shape *shape, int nodes, int *node, int *index, int *size)
{
    int root = shape->root;
    for (int r = 0; r < shape->size; r++) {
        node[r] = shape->node == NULL ? 0 : (shape->node[r] - shape->node[root] + nodes) % nodes;
        index[r] = size[node[r]]++;
    }
    for (int r = 0, first = index[root]; r < shape->size; r++)
        if (node[r] == 0)
            index[r] = (index[r] - first + size[0]) % size[0];
}

bool star_lanes_of(struct star_builder *b, const struct star_shape *shape, int most, struct star_lanes *lanes)
{
    int ranks = shape->size, nodes = star_node_count(shape), *room;
    room = star_build_scratch(b, (size_t)(3 * ranks + 2 * nodes) * sizeof *room);
    if (room == NULL)
        return false;
    int *node = room, *index = node + ranks, *own = index + ranks, *size = own + ranks,
        *across = size + nodes;
    number(shape, nodes, node, index, size);
    int me = shape->rank, on = node[me];
    *lanes = (struct star_lanes){.nodes = nodes, .lanes = most, .node = node, .index = index, .size = size};
    for (int k = 0; k < nodes; k++)
        if (size[k] < lanes->lanes)
            lanes->lanes = size[k];
    for (int r = 0; r < ranks; r++) {
        if (node[r] == on)
            own[index[r]] = r;
        if (index[r] == index[me] % lanes->lanes)
            across[node[r]] = r;
    }
    lanes->own = (struct star_team){.size = size[on], .me = index[me], .rank = own};
    lanes->across = (struct star_team){.size = nodes, .me = on, .rank = across};
    return true;
}

bool star_lane_blocks(struct star_builder *b, const struct star_lanes *lanes, struct star_place at,
                      int64_t bytes, int64_t granule, struct star_blocks *blocks)
{
    int members = lanes->own.size;
    struct star_blocks even = {.at = at, .bytes = bytes, .granule = granule, .count = lanes->lanes};
    int64_t *start = star_build_scratch(b, ((size_t)members + 1) * sizeof *start);
    if (start == NULL)
        return false;
    for (int k = 0; k <= members; k++)
        start[k] = k < lanes->lanes ? star_block_start(&even, k) : bytes;
    *blocks = even;
    blocks->count = members;
    blocks->start = start;
    return true;
}

bool star_lane_order_of(struct star_builder *b, const struct star_shape *shape,
                        const struct star_lanes *lanes, struct star_lane_order *order)
{
    int nodes = lanes->nodes, count = lanes->lanes;
    int *place = star_build_scratch(b, (size_t)shape->size * sizeof *place);
    int64_t *offset = star_build_scratch(b, ((size_t)count * (size_t)nodes + 1) * sizeof *offset);
    if (place == NULL || offset == NULL)
        return false;
    for (int l = 0, i = 0; l < count; l++)
        for (int k = 0; k < nodes; k++, i++)
            offset[i + 1] = offset[i] + (lanes->size[k] - l + count - 1) / count;
    *order = (struct star_lane_order){.place = place, .offset = offset, .straight = true};
    for (int r = 0; r < shape->size; r++) {
        int lane = lanes->index[r] % count;
        place[r] = (int)offset[lane * nodes + lanes->node[r]] + lanes->index[r] / count;
        order->straight = order->straight && place[r] == r;
    }
    return true;
}

bool star_lanes_tree(struct star_builder *b, const struct star_lanes *lanes, struct star_tree *tree)
{
    struct star_tree near, far = {0};
    const struct star_team *own = &lanes->own, *across = &lanes->across;
    if (!star_tree_of(b, STAR_TREE_KNOMIAL, 2, own->size, own->me, &near) ||
        (own->me == 0 && !star_tree_of(b, STAR_TREE_KNOMIAL, 2, across->size, across->me, &far)))
        return false;
    int *child = star_build_scratch(b, (size_t)(near.children + far.children + 1) * sizeof *child);
    if (child == NULL)
        return false;
    *tree = (struct star_tree){.parent = -1, .child = child};
    if (near.parent >= 0)
        tree->parent = own->rank[near.parent];
    else if (far.parent >= 0)
        tree->parent = across->rank[far.parent];
    for (int c = 0; c < near.children; c++)
        child[tree->children++] = own->rank[near.child[c]];
    for (int c = 0; c < far.children; c++)
        child[tree->children++] = across->rank[far.child[c]];
    return true;
}

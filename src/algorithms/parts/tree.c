/* SPDX-License-Identifier: BSD-3-Clause
 * Trees, and what moves along them: a vector from the root to all, or all vectors reduced into that of the
 * root. Vectors move in segments, one a round: while a member receives segment t, it passes on segment t−1. A
 * tree of depth D and S segments takes D + S − 1 rounds of the whole. Trees and pipelines as in
 * Pješivac-Grbović et al., MPI Collective Algorithm Selection and Quadtree Encoding, EuroPVM/MPI 2006. */
#include "algorithms/parts/tree.h"
#include "topology/free_tree.h"

static void add_child(struct star_tree *tree, int64_t child, int size)
{
    if (child < size)
        tree->child[tree->children++] = (int)child;
}

/* The member's lowest digit but 0, in base RADIX, tells the parent; those below are its children's. */
static void grow_knomial(struct star_tree *tree, int64_t radix, int size, int member)
{
    for (int64_t weight = 1; weight < size; weight *= radix) {
        int64_t digit = member / weight % radix;
        if (digit != 0) {
            tree->parent = (int)(member - digit * weight);
            return;
        }
        for (int64_t i = 1; i < radix && member + i * weight < size; i++)
            add_child(tree, member + i * weight, size);
    }
}

/* A subtree is FIRST…END−1, its root FIRST; the rest falls into two halves, the larger one first. */
static void grow_in_order(struct star_tree *tree, int size, int member)
{
    int first = 0, end = size;
    while (first != member) {
        int middle = first + 1 + (end - first) / 2;
        tree->parent = first;
        if (member < middle) {
            end = middle;
            first++;
        } else {
            first = middle;
        }
    }
    add_child(tree, first + 1, end);
    if (end - first > 2)
        add_child(tree, first + 1 + (end - first) / 2, end);
}

bool star_tree_of(struct star_builder *b, enum star_tree_kind kind, int64_t radix, int size, int member,
                  struct star_tree *tree)
{
    *tree = (struct star_tree){.parent = -1, .child = star_build_scratch(b, (size_t)size * sizeof(int))};
    if (tree->child == NULL)
        return false;
    switch (kind) {
    case STAR_TREE_FLAT:
        tree->parent = member == 0 ? -1 : 0;
        for (int i = 1; member == 0 && i < size; i++)
            add_child(tree, i, size);
        break;
    case STAR_TREE_CHAIN:
        tree->parent = member - 1;
        add_child(tree, (int64_t)member + 1, size);
        break;
    case STAR_TREE_KNOMIAL:
        grow_knomial(tree, radix, size, member);
        break;
    case STAR_TREE_BINARY:
        tree->parent = member == 0 ? -1 : (member - 1) / 2;
        add_child(tree, 2 * (int64_t)member + 1, size);
        add_child(tree, 2 * (int64_t)member + 2, size);
        break;
    case STAR_TREE_IN_ORDER:
        grow_in_order(tree, size, member);
        break;
    }
    return true;
}

bool star_ranks_tree(struct star_builder *b, const struct star_shape *shape, int64_t radix,
                     struct star_tree *tree)
{
    int size = shape->size, root = shape->root;
    if (!star_tree_of(b, STAR_TREE_KNOMIAL, radix, size, (shape->rank - root + size) % size, tree))
        return false;
    tree->parent = tree->parent >= 0 ? (tree->parent + root) % size : -1;
    for (int c = 0; c < tree->children; c++)
        tree->child[c] = (tree->child[c] + root) % size;
    return true;
}

bool star_free_tree_of(struct star_builder *b, const struct star_shape *shape, struct star_team *team,
                       struct star_tree *tree)
{
    struct star_shape ordered = *shape;
    int *second = star_build_scratch(b, (size_t)shape->size * sizeof *second);
    ordered.order = shape->network->order;
    ordered.turn = shape->network->place;
    *tree = (struct star_tree){.parent = -1, .child = star_build_scratch(b, 2 * sizeof(int))};
    if (second == NULL || tree->child == NULL || !star_turned(b, &ordered, shape->root, 1, team))
        return false;
    int error = star_free_tree(shape->network, shape->root, second, NULL);
    if (error)
        star_build_fail(b);
    int first = 0, last = team->size - 1;
    while (!error && first != team->me) { /* down to this member */
        tree->parent = first;
        if (second[first] > 0 && team->me >= second[first]) {
            first = second[first];
        } else {
            last = second[first] > 0 ? second[first] - 1 : last;
            first++;
        }
    }
    if (!error && first < last)
        add_child(tree, first + 1, team->size);
    if (!error && second[first] > 0)
        add_child(tree, second[first], team->size);
    return !error;
}

void star_tree_bcast(struct star_builder *b, const struct star_team *team, const struct star_tree *tree,
                     struct star_place place, int64_t bytes, int64_t granule, int64_t segment)
{
    struct star_segments segments = star_segments_of(bytes, granule, segment);
    int receives = tree->parent >= 0, sends = tree->children > 0;
    for (int64_t t = 0; t < segments.count + (receives && sends); t++) {
        int64_t ready = t - receives; /* the root has its segments already */
        if (receives && t < segments.count)
            star_build_recv(b, star_member(team, tree->parent), star_plus(place, t * segments.step),
                            star_segment_bytes(&segments, t));
        /* The farthest child first: it has the most to pass on. */
        for (int c = tree->children - 1; ready >= 0 && c >= 0; c--)
            star_build_send(b, star_member(team, tree->child[c]), star_plus(place, ready * segments.step),
                            star_segment_bytes(&segments, ready));
        star_build_end(b);
    }
}

void star_tree_reduce(struct star_builder *b, const struct star_team *team, const struct star_tree *tree,
                      struct star_place place, int64_t bytes, int64_t granule, int64_t segment)
{
    struct star_segments segments = star_segments_of(bytes, granule, segment);
    int receives = tree->children > 0, sets = segments.count > 1 ? 2 : 1;
    int64_t set = tree->children * segments.step; /* a segment of each child */
    struct star_place in = star_build_temp(b, sets * set);
    for (int64_t t = 0; t < segments.count + receives; t++) {
        int64_t ready = t - receives; /* a leaf's segments need no others */
        for (int c = 0; t < segments.count && c < tree->children; c++)
            star_build_recv(b, star_member(team, tree->child[c]),
                            star_plus(in, t % sets * set + c * segments.step),
                            star_segment_bytes(&segments, t));
        for (int c = 0; ready >= 0 && c < tree->children; c++)
            star_build_reduce(b, star_plus(place, ready * segments.step),
                              star_plus(in, ready % sets * set + c * segments.step),
                              star_segment_bytes(&segments, ready));
        if (tree->parent >= 0 && ready >= 0)
            star_build_send(b, star_member(team, tree->parent), star_plus(place, ready * segments.step),
                            star_segment_bytes(&segments, ready));
        star_build_end(b);
    }
}

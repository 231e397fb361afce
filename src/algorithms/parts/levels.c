/* SPDX-License-Identifier: BSD-3-Clause */
#include "algorithms/parts/levels.h"
#include "topology/levels.h"

/* Of RANK on LEVEL: 0 has all ranks in one group, the last one each in its own. */
static int group_of(const struct star_levels *levels, int level, int rank)
{
    return level == 0 ? 0 : level > levels->count ? rank : levels->group[level - 1][rank];
}

/* The ranks that lead groups of the level below within this rank's group of LEVEL: the group's leader first,
 * of which this rank is one. */
static void find_leaders(const struct star_shape *shape, int level, bool *seen, int *rank,
                         struct star_team *team)
{
    const struct star_levels *levels = shape->levels;
    int own = group_of(levels, level, shape->rank), size = shape->size, root = shape->root;
    *team = (struct star_team){.me = -1, .rank = rank};
    for (int g = 0; g < size; g++)
        seen[g] = false;
    for (int i = -1; i < size; i++) { /* the root before all others */
        int r = i < 0 ? root : i, below = group_of(levels, level + 1, r);
        if (group_of(levels, level, r) != own || seen[below])
            continue;
        seen[below] = true;
        if (r == shape->rank)
            team->me = team->size;
        rank[team->size++] = r;
    }
}

bool star_levels_tree(struct star_builder *b, const struct star_shape *shape, int64_t radix,
                      struct star_tree *tree)
{
    size_t size = (size_t)shape->size;
    bool *seen = star_build_scratch(b, size * sizeof *seen);
    int *rank = star_build_scratch(b, size * sizeof *rank),
        *child = star_build_scratch(b, size * sizeof *child);
    *tree = (struct star_tree){.parent = -1, .child = child};
    if (seen == NULL || rank == NULL || child == NULL)
        return false;
    for (int level = shape->levels->count; level >= 0 && tree->parent < 0; level--) {
        struct star_team team;
        struct star_tree within;
        find_leaders(shape, level, seen, rank, &team);
        if (!star_tree_of(b, STAR_TREE_KNOMIAL, radix, team.size, team.me, &within))
            return false;
        if (within.parent >= 0)
            tree->parent = rank[within.parent];
        for (int c = 0; c < within.children; c++)
            child[tree->children++] = rank[within.child[c]];
    }
    return true;
}

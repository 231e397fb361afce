/* SPDX-License-Identifier: BSD-3-Clause */
#include "algorithms/parts/team.h"

bool star_turned(struct star_builder *b, const struct star_shape *shape, int first, int step,
                 struct star_team *team)
{
    int size = shape->size;
    int *rank = star_build_scratch(b, (size_t)size * sizeof *rank);
    if (rank == NULL)
        return false;
    struct star_team all = star_whole(shape);
    int begin = shape->turn ? shape->turn[first] : first;
    for (int i = 0; i < size; i++)
        rank[i] = star_member(&all, (begin + step * i + size) % size);
    *team = (struct star_team){.size = size, .me = (step * (all.me - begin) + size) % size, .rank = rank};
    return true;
}

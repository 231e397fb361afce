/* SPDX-License-Identifier: BSD-3-Clause
 * Teams of ranks. */
#include "algorithms/parts/parts.h"

bool star_turned(struct star_builder *b, const struct star_shape *shape, int first, int step,
                 struct star_team *team)
{
    int size = shape->size;
    int *rank = star_build_scratch(b, (size_t)size * sizeof *rank);
    if (rank == NULL)
        return false;
    for (int i = 0; i < size; i++)
        rank[i] = (first + step * i + size) % size;
    *team =
        (struct star_team){.size = size, .me = (step * (shape->rank - first) + size) % size, .rank = rank};
    return true;
}

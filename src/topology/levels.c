/* SPDX-License-Identifier: BSD-3-Clause */
#include "topology/levels.h"

#include <stddef.h>

static bool is_known(const uint64_t *locality, int ranks, int kind)
{
    bool known = true;
    for (int r = 0; r < ranks; r++)
        known = known && star_locality_of(locality[r], kind) != 0;
    return known;
}

/* Parts the groups of BEFORE, or of all ranks, by KIND; returns how many there are. Neighbours are often
 * alike. */
static int part(const uint64_t *locality, int ranks, int kind, const int *before, int *group)
{
    int groups = 0;
    for (int r = 0; r < ranks; r++) {
        int like = r - 1;
        while (like >= 0 && (star_locality_of(locality[like], kind) != star_locality_of(locality[r], kind) ||
                             (before != NULL && before[like] != before[r])))
            like--;
        group[r] = like >= 0 ? group[like] : groups++;
    }
    return groups;
}

bool star_levels_find(const uint64_t *locality, int ranks, int *room, struct star_levels *levels)
{
    int most = 1;
    *levels = (struct star_levels){0};
    for (int kind = 0; kind < STAR_LOCALITIES; kind++) {
        int *group = room + (ptrdiff_t)ranks * levels->count;
        if (!is_known(locality, ranks, kind))
            continue;
        int groups =
            part(locality, ranks, kind, levels->count ? levels->group[levels->count - 1] : NULL, group);
        if (groups > most && groups < ranks) {
            levels->group[levels->count++] = group;
            most = groups;
        }
    }
    return levels->count > 0;
}

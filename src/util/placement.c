/* SPDX-License-Identifier: BSD-3-Clause */
#include "util/placement.h"
#include "util/parse.h"

#include <string.h>

int star_placement_parse(const char *text, struct star_placement *placement, struct star_why *why)
{
    static const char *const words[] = {"auto", "none", "block:", "cyclic:"};
    for (int i = 0; i < (int)(sizeof words / sizeof *words); i++) {
        size_t length = strlen(words[i]);
        if (strncmp(text, words[i], length) != 0)
            continue;
        placement->kind = (enum star_placement_kind)i;
        placement->number = 0;
        if (i <= STAR_PLACED_NONE && text[length] == 0)
            return 0;
        if (i >= STAR_PLACED_BLOCK && star_parse_integer(text + length, &placement->number) &&
            placement->number >= 1 && placement->number <= INT32_MAX)
            return 0;
    }
    return star_because(why, STAR_EINPUT,
                        "'%.80s' is not auto, none, block:K or cyclic:N, with K and N from 1 on", text);
}

int star_placement_node(const struct star_placement *placement, int rank)
{
    return (int)(placement->kind == STAR_PLACED_BLOCK ? rank / placement->number : rank % placement->number);
}

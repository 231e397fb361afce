/* SPDX-License-Identifier: BSD-3-Clause */
#include "ask.h"
#include "algorithms/method.h"
#include "algorithms/operations.h"
#include "cli/common/messages.h"
#include "map/map.h"
#include "map/read.h"
#include "util/why.h"

#include <stddef.h>

struct cli_map_ask cli_map_ask = {.accuracy = -1};

struct star_map *cli_map_open(const char *path, const char *name, int *operation)
{
    struct star_map *map;
    struct star_why why;
    enum star_operation parsed;
    int error = star_map_read(path, &map, &why);
    if (!error && name != NULL) {
        error = star_operation_parse(name, &parsed, &why);
        if (!error && map->of[parsed].points == 0)
            error = star_because(&why, STAR_ENEEDS, "%.200s has no points of %s", path, name);
        if (error)
            star_map_free(map);
        *operation = (int)parsed;
    } else if (!error && operation != NULL) {
        *operation = -1;
    }
    if (error)
        cli_error("%s", why.text);
    return error ? NULL : map;
}

/* SPDX-License-Identifier: BSD-3-Clause
 * What the actions of `startune map` share: what the options ask for, and reading a map. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct star_map;

struct cli_map_ask {
    bool json, csv;
    const char *svg, *html, *output, *weights; /* NULL: not asked for */
    int64_t ranks;                             /* of import; 0: as the files say */
    int64_t max_depth;                         /* of encode; 0: not given */
    double accuracy;                           /* the same; negative: not given */
};
extern struct cli_map_ask cli_map_ask;

/* Reads the map and the operation, if that is not NULL, says what is wrong and returns NULL. OPERATION −1:
 * all. */
struct star_map *cli_map_open(const char *path, const char *name, int *operation);

/* SPDX-License-Identifier: BSD-3-Clause
 * The words of the map's file, which reader and writer share. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* A fact of the machine: a line of its word and its value. */
struct star_map_fact {
    const char *word;
    size_t offset; /* in struct star_map_machine */
    bool is_text;  /* else a number */
    bool decides;  /* other values of it are another machine, of which other methods may be the fastest */
};
extern const struct star_map_fact star_map_facts[];
extern const int star_map_fact_count;

enum star_map_role { STAR_MAP_WINNER, STAR_MAP_TIED, STAR_MAP_SLOWER, STAR_MAP_ROLES };
extern const char *const star_map_roles[STAR_MAP_ROLES];
extern const char *const star_map_origins[2]; /* of a point: by searched */

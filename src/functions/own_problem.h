/* SPDX-License-Identifier: BSD-3-Clause
 * What a request of a program's own function-set is about, as far as ADCL's history knows it, in a word by
 * which the wisdom remembers it. No MPI in here. */
#pragma once

#include "halo/halo.h"

#include <stdbool.h>
#include <stddef.h>

enum { STAR_OWN_NAME = 64, STAR_OWN_MAP = 16 };

struct star_own_problem {
    char name[STAR_OWN_NAME]; /* of the function-set */
    int ranks;
    int dimensions, grid[STAR_HALO_DIMENSIONS], periods[STAR_HALO_DIMENSIONS]; /* of the topology */
    int vector_dimensions, points[STAR_HALO_DIMENSIONS];
    int values, element_bytes;
    char map[STAR_OWN_MAP]; /* star_map_names */
    int number[2];          /* of the map: width; or what is sent and received; or the operator */
};

/* "own:jacobi%20exchange:4/2x2/1x0/66x34/1/8/halo/1/0": name of the function-set, ranks, grid, which of its
 * dimensions are periodic, points, values of a point, bytes of a value, map and its numbers, in one word: no
 * two problems have the same. False: it does not fit in ROOM. Reading it: STAR_EINPUT. */
bool star_own_problem_format(const struct star_own_problem *problem, char *text, size_t room);
int star_own_problem_parse(const char *text, struct star_own_problem *problem, struct star_why *why);
/* So many times as many bytes does a vector of HERE have as one of THERE. */
double star_own_problem_growth(const struct star_own_problem *here, const struct star_own_problem *there);

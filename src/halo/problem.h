/* SPDX-License-Identifier: BSD-3-Clause
 * What a neighbourhood exchange is about, in a word by which the wisdom remembers it, and how far two of
 * them are from each other. No MPI in here. */
#pragma once

#include "halo/halo.h"

#include <stdbool.h>
#include <stddef.h>

/* What an exchange is about, for one rank in the middle of its grid. */
struct star_problem {
    int dimensions;
    int points[STAR_HALO_DIMENSIONS]; /* of the block, the halo included; the last one is contiguous */
    int grid[STAR_HALO_DIMENSIONS];   /* ranks in each dimension */
    int width;                        /* of the halo */
    int point_bytes;
    int pairs; /* of neighbours: the faces' first */
    enum star_ways ways;
};

/* "neighborhood:66x34/1/8/2x3/2/1", points, halo, bytes of a point, grid, pairs and ways, in one word: no two
 * problems have the same. False: it does not fit in ROOM. Reading it: STAR_EINPUT. */
bool star_problem_format(const struct star_problem *problem, char *text, size_t room);
int star_problem_parse(const char *text, struct star_problem *problem, struct star_why *why);

/* How far problems are from each other, in factors of 2: of the bytes that move through a face (mean over the
 * faces), of the ranks in a dimension (mean over these), and half as much of the bytes that lie in one piece.
 * INFINITY: they have nothing to say to each other, as they differ in dimensions, pairs or ways. */
double star_problem_distance(const struct star_problem *a, const struct star_problem *b);
/* How many times as many bytes move through the faces HERE as THERE. */
double star_problem_growth(const struct star_problem *here, const struct star_problem *there);

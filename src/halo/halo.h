/* SPDX-License-Identifier: BSD-3-Clause
 * The geometry of a neighbourhood exchange: a block of points, the halo around its inner points, and the
 * neighbours that hold what belongs there.
 *
 * The block's surface has sides: faces, and with diagonal neighbours edges and corners. They come in pairs:
 * side 2p is the left one of pair p, side 2p + 1 the right one, opposite to it. Pairs 0 … d−1 are the faces
 * of the dimensions; then come the diagonal pairs in the order in which ADCL numbers its neighbours, and
 * where ADCL has none, those of fewer dimensions first. The left side of a face is at the low end of its
 * dimension.
 *
 * What moves through a side is the inner points beside it, WIDTH deep in the dimensions in which the side
 * lies outside. In the other dimensions it spans the inner points only, not the halo, as in ADCL: so faces
 * alone never fill corners, all messages are independent of each other, and may move in any order.
 *
 * What leaves through side k arrives at the opposite side of the receiver, k ^ 1. */
#pragma once

#include "util/why.h"

#include <stdbool.h>
#include <stdint.h>

enum { STAR_HALO_DIMENSIONS = 8, STAR_NOBODY = -1 };

struct star_block {
    int dimensions;                 /* 1 or more */
    int size[STAR_HALO_DIMENSIONS]; /* points in each dimension, those of the halo included */
    int width;                      /* of the halo, in points, the same on all sides; 0: there is none */
    int values;                     /* elements at each point: 1 or more */
    bool fortran; /* the first dimension is contiguous; VALUES is the last one in either order */
};

/* Where values move; the numbers are ADCL's. */
enum star_ways { STAR_BOTH_WAYS = 1, STAR_LEFT_TO_RIGHT = 2, STAR_RIGHT_TO_LEFT = 3 };

/* What a topology says to one rank: LEFT[p] and RIGHT[p] are its neighbours at the sides of pair p. Negative
 * is nobody. A rank may be its own neighbour, and one rank may be several neighbours. */
struct star_neighbors {
    int rank, ranks;
    int pairs;
    const int *left, *right;
    enum star_ways ways;
};

struct star_halo_side {
    signed char at[STAR_HALO_DIMENSIONS]; /* −1 low, 1 high, 0 along, in each dimension */
    int to;                               /* the rank that gets what lies inside of it, or STAR_NOBODY */
    int from;                             /* the rank whose values fill the halo there, or STAR_NOBODY */
};

struct star_halo {
    struct star_block block;
    int rank, sides;
    struct star_halo_side side[];
};

/* A part of the block. */
struct star_box {
    int start[STAR_HALO_DIMENSIONS], count[STAR_HALO_DIMENSIONS];
};

/* Pairs of sides of a block: of its faces, or with the diagonal ones. */
int star_halo_pairs(int dimensions, bool diagonal);
/* AT[p] is where the left side of pair p lies, for the first PAIRS pairs; that of the right side is the
 * opposite. */
void star_halo_lefts(int dimensions, int pairs, signed char (*at)[STAR_HALO_DIMENSIONS]);

/* Ranks in a grid, in row-major order as in MPI's Cartesian topologies. */
struct star_grid {
    int dimensions;
    int size[STAR_HALO_DIMENSIONS];
    bool periodic[STAR_HALO_DIMENSIONS];
};
/* The neighbours of RANK at the first PAIRS pairs of sides. STAR_EMEMORY. */
int star_grid_neighbors(const struct star_grid *grid, int rank, int pairs, int *left, int *right);

/* Every pair of sides may be left away from the end on: 2 pairs of a block of 2 dimensions are its faces, 9
 * of one of 3 dimensions its faces and edges, as ADCL's extended topologies. STAR_EINPUT names what does not
 * fit: the halo must not be wider than what lies inside of it. STAR_EMEMORY. Free it with free(). */
int star_halo_make(const struct star_block *block, const struct star_neighbors *neighbors,
                   struct star_halo **halo, struct star_why *why);

/* The inner points that leave through SIDE, and the points of the halo that are filled there. */
struct star_box star_halo_sent(const struct star_halo *halo, int side);
struct star_box star_halo_received(const struct star_halo *halo, int side);
/* Elements that move through SIDE one way. */
int64_t star_halo_elements(const struct star_halo *halo, int side);

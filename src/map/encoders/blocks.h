/* SPDX-License-Identifier: BSD-3-Clause
 * Quadtrees over a grid that is brought to a square of 2^k × 2^k cells by repeating rows and columns.
 * (Pješivac-Grbović et al., sections 3.1 and 3.2.) */
#pragma once

#include "map/encoding.h"

/* A node: a block of the square. Its quarters are north-west (first half of rows, first half of columns),
 * north-east, south-west, south-east. */
enum { STAR_QUARTERS = 4 };
struct star_block {
    int quarter[STAR_QUARTERS]; /* indices of nodes; 0: this is a leaf */
    int method;                 /* of a leaf */
    int depth;
};

/* Which rows of a grid a tree is of, as indices, and how they are repeated: at the end, as the paper does it,
 * or each as often as the others. */
struct star_square {
    const struct star_grid *grid;
    const int *row; /* ROWS of the grid's */
    int rows;
    bool evenly;
    bool by_penalty; /* a mixed leaf takes the method that costs least in all, not the most frequent one */
    int side;        /* 2^k; set by star_blocks_make */
};

struct star_blocks {
    struct star_block *at; /* the root first */
    int count;
};

/* STAR_EMEMORY; STAR_ELIMIT: more rows or columns than a tree is made of. */
int star_blocks_make(struct star_square *square, const struct star_looseness *looseness,
                     struct star_blocks *blocks);
void star_blocks_free(struct star_blocks *blocks);
/* Leaves and depths. */
void star_blocks_count(const struct star_blocks *blocks, struct star_form *form);

/* The first cell of the square that row or column PLACE has, of COUNT. */
int star_square_cell(const struct star_square *square, int count, int place);

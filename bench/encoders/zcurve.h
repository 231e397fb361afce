/* SPDX-License-Identifier: BSD-3-Clause
 * Quadtrees without pointers: the leaves in the order of the curve that goes through all north-west quarters
 * first (Morton's), as the number of each leaf's first cell and its method. Neighbours of one colour are one.
 * (Gargantini, An Effective Way to Represent Quadtrees, CACM 25(12), 1982.) */
#ifndef BENCH_ENCODERS_ZCURVE_H
#define BENCH_ENCODERS_ZCURVE_H

#include "map/encoding.h"

struct bench_zcurve {
    int leaves;      /* of the tree, before neighbours are joined */
    int entries;     /* what is left then */
    int steps;       /* of the bisection: there is room for 2^steps entries */
    uint32_t *begin; /* of each entry: its first cell's number on the curve; behind them, UINT32_MAX */
    uint8_t *method;
    uint32_t *of_row; /* for each row of the grid, and each column, its part of the cell's number */
    uint32_t *of_column;
};

/* Of the ROWS rows of GRID that ROW names; depths and leaves are added up in FORM. STAR_EMEMORY, STAR_ELIMIT.
 */
int bench_zcurve_make(const struct star_grid *grid, const int *row, int rows,
                      const struct star_looseness *looseness, struct bench_zcurve *curve,
                      struct star_form *form);
void bench_zcurve_free(struct bench_zcurve *curve);
size_t bench_zcurve_bytes(const struct bench_zcurve *curve, int rows, int columns);
/* Arrays NAME_row, NAME_column, … and a function NAME_at(cell). */
void bench_zcurve_generate(const struct bench_zcurve *curve, int rows, int columns, const char *name,
                           struct star_text *text);

/* The method at a cell's number: the last entry that does not begin behind it. */
static inline int bench_zcurve_at(const struct bench_zcurve *curve, uint32_t cell)
{
    int low = 0;
    for (int step = 1 << curve->steps >> 1; step > 0; step >>= 1)
        low += step & -(curve->begin[low + step] <= cell);
    return curve->method[low];
}

#endif

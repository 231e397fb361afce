/* SPDX-License-Identifier: BSD-3-Clause
 * One operation of a map as a full matrix: communicator sizes × numbers of bytes. Holes are filled. */
#pragma once

#include "map/axis.h"
#include "map/map.h"

struct star_grid {
    const struct star_map_operation *of; /* of the map, whose methods it numbers */
    int rows, columns, methods;
    int64_t *ranks, *bytes; /* of rows and columns */
    struct star_axis by_ranks, by_bytes;
    int *winner;    /* rows × columns: the method */
    bool *measured; /* rows × columns; else a hole that was filled */
    bool *tied;     /* rows × columns: measured, and others do not differ significantly from the winner */
    double *weight; /* rows × columns: how much a cell counts; 1 by itself */
    /* rows × columns × methods: the median in seconds, interpolated where it was not measured; NAN: not
     * known. Where a method does not work for that many ranks, the MPI library's own runs in its place: its
     * time. */
    double *seconds;
};

/* A hole takes the winner that its neighbours of the same communicator size agree on, else the nearer one's.
 * STAR_ENEEDS: the map has no point of the operation; STAR_ELIMIT, STAR_EMEMORY. */
int star_grid_make(const struct star_map *map, enum star_operation operation, struct star_grid *grid,
                   struct star_why *why);
/* The same with columns more, so that the nearest cell's winner is star_map_choose's for all numbers of ranks
 * and bytes, also where the rows' points lie at different bytes. */
int star_grid_make_exact(const struct star_map *map, enum star_operation operation, struct star_grid *grid,
                         struct star_why *why);
void star_grid_free(struct star_grid *grid);

static inline int star_grid_cell(const struct star_grid *grid, int row, int column)
{
    return row * grid->columns + column;
}

static inline double star_grid_seconds(const struct star_grid *grid, int cell, int method)
{
    return grid->seconds[(size_t)cell * (size_t)grid->methods + (size_t)method];
}

/* Does METHOD work for as many ranks as the cell has? Where not, its seconds are native's. */
bool star_grid_works(const struct star_grid *grid, int cell, int method);

/* By how much METHOD is slower than the cell's winner, as a share: 0.05 is five percent. A method that is
 * faster, which the winner may be tied with, loses nothing. NAN: not known. */
double star_grid_penalty(const struct star_grid *grid, int cell, int method);

/* Adds COUNT to the weight of the cell nearest to that place: an application calls it so often. */
void star_grid_weigh(struct star_grid *grid, int64_t ranks, int64_t bytes, double count);

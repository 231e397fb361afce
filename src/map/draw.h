/* SPDX-License-Identifier: BSD-3-Clause
 * Maps in the terminal. */
#pragma once

#include "map/grid.h"

/* Draws a letter a cell, communicator sizes downwards, bytes to the right, and a legend. COLOURS: for a
 * terminal that has 256. '?' behind a letter: a hole that was filled; '~': others do not differ
 * significantly. */
void star_map_draw(enum star_operation operation, const struct star_grid *grid, bool colours,
                   struct star_text *text);

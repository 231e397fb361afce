/* SPDX-License-Identifier: BSD-3-Clause
 * Matrices of programs as they are made, and machines to place them on. */
#pragma once

#include "place/matrix.h"
#include "topology/topology.h"

#include <stdbool.h>

/* Who talks to whom: grids with their neighbours, in two dimensions and in three (with edges and corners);
 * rows and columns that transpose; levels of ever fewer ranks that are further apart, as in multigrid; and
 * anybody. */
enum matrix_kind { HALO_2D, HALO_3D, ROWS, LEVELS, ANYBODY, MATRIX_KINDS };
extern const char *const matrix_names[MATRIX_KINDS];
struct star_matrix *matrix_of(enum matrix_kind kind, int ranks);

/* SWITCHES on one switch, with HOSTS each of SLOTS; each third host has half of them where it is UNEVEN. */
struct star_topology *machine_of(int switches, int hosts, int slots, double host_mbps, double trunk_mbps,
                                 bool uneven);

/* SPDX-License-Identifier: BSD-3-Clause
 * Which process is to be which rank: processes stay where they are, and ranks that talk come near each other.
 * By the mapper (place/place.h), with less effort than `startune place` has, as a program waits for it. */
#pragma once

#include "place/place.h"

/* Where processes run: as many as the matrix has ranks. */
struct star_seats {
    const struct star_topology *topology;
    const int *machine; /* of each process, the topology's node */
    const struct star_cost_parameters *parameters;
};

struct star_reordered {
    double before, after; /* seconds that are expected (place/load.h) */
    int moved;            /* processes that get another rank */
};

/* ORDER[p] becomes the rank of process p: that of its number, unless another order is expected to take less
 * time by the share LEAST_GAIN. The same every time. STAR_EMEMORY. */
int star_reorder(const struct star_matrix *matrix, const struct star_seats *seats, double least_gain,
                 int *order, struct star_reordered *found, struct star_why *why);
/* Any other order, the same every time. */
void star_reorder_anyhow(int *order, int count);

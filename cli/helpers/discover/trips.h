/* SPDX-License-Identifier: BSD-3-Clause
 * Round trips between all speakers. */
#pragma once

#include "speakers.h"

#include <stdbool.h>
#include <stdint.h>

/* Round trips between all speakers, sweep after sweep, each the least of many, asked from either end. */
struct measured {
    double *seconds; /* on rank 0, as in struct star_trips */
    int sweeps;
    double *row;     /* of the last sweep: what this rank asked */
    int *at;         /* the rank in each seat of the tournament */
    uint64_t random; /* the same on all ranks */
};
void trips_begin(struct measured *measured, const struct speakers *speakers, int sweeps_most);
void trips_end(struct measured *measured);
/* SWEEPS more, or as many as there is time for, but three. TOGETHER: pairs that have no host in common
 * measure at the same time. Collective. */
void trips_measure(struct measured *measured, const struct speakers *speakers, int sweeps, int trips,
                   bool together);

/* SPDX-License-Identifier: BSD-3-Clause
 * The mapper: ranks to the slots of a tree of machines, so that what they send costs little (place/load.h).
 * Halving gives a start, simulated annealing by exchanges the rest. The same every time. */
#pragma once

#include "place/load.h"

struct star_mapping {
    const struct star_matrix *matrix;
    const struct star_topology *topology;
    const struct star_cost_parameters *parameters;
    const int *slots; /* of each of the topology's nodes; as many as there are ranks at least */
};

/* How hard to look: exchanges are tried until WORK partners of ranks were looked at; HEAT is how bad ones are
 * accepted at first, for the mean of some. */
struct star_effort {
    double work, heat;
    uint64_t seed;
};
/* What `startune place` takes. */
struct star_effort star_effort_for(const struct star_matrix *matrix);

/* MACHINE[r] becomes the topology's node of rank r. STAR_EMEMORY. */
int star_map_ranks(const struct star_mapping *mapping, int *machine, struct star_why *why);
/* Improves MACHINE, as it is, with so much EFFORT. */
int star_improve_ranks(const struct star_mapping *mapping, const struct star_effort *effort, int *machine,
                       struct star_why *why);
/* The cost of MACHINE, and the seconds that it predicts (place/load.h). */
int star_cost_of_ranks(const struct star_mapping *mapping, const int *machine, double *cost, double *seconds,
                       struct star_why *why);

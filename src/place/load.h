/* SPDX-License-Identifier: BSD-3-Clause
 * What a placement costs: the links' loads, kept up to date while ranks change places.
 *
 *     cost = seconds of the most loaded link            (its bytes for its bandwidth)
 *          + all links' seconds for each of the machines' links   (how far bytes go)
 *          + messages' latencies, in the mean over the ranks      (and over how many links)
 *
 * Both ways of a link are two links. Within a machine nothing is charged. */
#pragma once

#include "place/matrix.h"
#include "plan/cost.h"
#include "topology/topology.h"
#include "util/scratch.h"

/* Whoever has a slot: a rank, or, numbered behind the ranks, nobody. */
struct star_load {
    const struct star_matrix *matrix;
    const struct star_topology *topology;
    const struct star_cost_parameters *parameters;
    int *machine;           /* of each, the topology's node */
    double *per_byte;       /* seconds, of each node's link to its parent */
    struct star_link_pair { /* to its parent: up and down */
        double seconds[2], before[2];
        int touched; /* by which exchange */
    } * link;
    double most, sum; /* of these seconds */
    int most_link;    /* which has MOST: 2 × node, + 1 when it goes down */
    double latencies; /* of all messages */
    /* The last exchange: whose it was, the links that it changed, and what was before. */
    int one, other, exchanges;
    int *changed, changes;
    struct {
        double most, sum, latencies;
        int most_link;
    } before;
    struct star_scratch memory; /* of all these */
};

/* Where each of COUNT is, which is copied. False when out of memory; to be freed all the same. */
bool star_load_make(struct star_load *load, const struct star_matrix *matrix,
                    const struct star_topology *topology, const struct star_cost_parameters *parameters,
                    const int *machine, int count);
void star_load_free(struct star_load *load);
/* Puts all of COUNT elsewhere. */
void star_load_put(struct star_load *load, const int *machine, int count);
double star_load_cost(const struct star_load *load);
/* The seconds that this cost predicts of the program's communication: the most loaded link, and latencies. */
double star_load_seconds(const struct star_load *load);
/* ONE and OTHER change places. */
void star_load_exchange(struct star_load *load, int one, int other);
/* Takes the last exchange back. */
void star_load_undo(struct star_load *load);

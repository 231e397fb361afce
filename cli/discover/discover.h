/* SPDX-License-Identifier: BSD-3-Clause
 * The parts of `startune topo discover`. All but main.c know only the speakers: one rank of each host. */
#ifndef STAR_CLI_DISCOVER_H
#define STAR_CLI_DISCOVER_H

#include "measure/rank.h"
#include "topology/confirm.h"
#include "topology/infer.h"
#include "topology/infer_streams.h"

#include <mpi.h>
#include <stdint.h>

/* Those who measure. */
struct speakers {
    MPI_Comm comm;
    int rank, count;
};

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

/* On rank 0 star_infer_streams or star_confirm, with streams between the speakers, who all serve meanwhile; a
 * refusal when that takes too long. RANK: of each node that is a machine. All but the speakers count on rank
 * 0 only; there a TOPOLOGY to confirm may be NULL: then nothing is. Collective. */
int streams_infer(const struct speakers *speakers, const struct star_trips *trips,
                  struct star_topology **topology, struct star_why *why);
int streams_confirm(const struct speakers *speakers, const int *rank, struct star_topology *topology,
                    struct star_why *why);

/* Says on a terminal which PART of a PHASE is done, and when it will be if all goes on as since BEGIN. */
void progress(const struct speakers *speakers, const char *phase, double part, int64_t begin);
void progress_end(const struct speakers *speakers);

#endif

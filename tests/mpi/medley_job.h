/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "medley_data.h"

/* A collective operation of medley.c, from its arguments to the comparison of its result. */

enum function {
    BARRIER,
    BCAST,
    GATHER,
    GATHERV,
    SCATTER,
    SCATTERV,
    ALLGATHER,
    ALLGATHERV,
    ALLTOALL,
    ALLTOALLV,
    ALLTOALLW,
    REDUCE,
    ALLREDUCE,
    REDUCE_SCATTER,
    REDUCE_SCATTER_BLOCK,
    SCAN,
    EXSCAN,
    NEIGHBOR_ALLGATHER,
    NEIGHBOR_ALLGATHERV,
    NEIGHBOR_ALLTOALL,
    NEIGHBOR_ALLTOALLV,
    NEIGHBOR_ALLTOALLW,
    FUNCTIONS
};
enum form { AT_ONCE, BEGUN, LASTING };

struct job {
    enum function function;
    enum form form;
    MPI_Comm comm;
    int ranks, me, root;
    const int *in, *out; /* neighbors, or NULL */
    int ins, outs;
    enum kind kind;
    enum reduction reduction;
    int length; /* of a block, at most */
    bool in_place, same_way, freed_early;
    uint64_t seed;
    int round; /* of a lasting one */
    /* From here on it is the job's own. */
    uint64_t values;
    MPI_Request request;
    struct buffer give, take;
    int *counts;
    MPI_Aint *give_at, *take_at;
    MPI_Op op;
    bool op_made;
    char *kept; /* what was given, to see whether it stays */
};

extern const char *const function_names[FUNCTIONS];

/* Prepares JOB, whose first members are set, with what is this rank's own taken from DICE. */
void prepare_job(struct job *job, struct dice *dice);
/* Makes the call; a lasting one only begins to exist. Returns MPI's result. */
int begin_job(struct job *job);
/* The values of ROUND, before a lasting one is started. */
void fill_job(struct job *job, int round);
/* Says what is wrong, or NULL. */
const char *wrong_in_job(struct job *job);
void end_job(struct job *job);

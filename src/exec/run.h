/* SPDX-License-Identifier: BSD-3-Clause
 * What a run of a plan is given, and how far it has come. */
#pragma once

#include "exec/runner.h"

/* What a call gives to a plan. Sides that the plan does not use may be zeros. */
struct star_buffers {
    struct star_side send, recv;
    MPI_Op op; /* of plans that reduce: both sides have one type then */
};

/* Where the messages of a plan travel. Several communicators of the program may share COMM: then each has
 * tags of its own, and its ranks are others in COMM. */
struct star_segment; /* exec/segment.h */
struct star_route {
    MPI_Comm
        comm; /* of messages; its error handler is MPI_ERRORS_RETURN, and the program has no part in it */
    MPI_Comm whole;   /* of barriers: all ranks of the plan, and nobody else; its errors are raised already */
    const int *ranks; /* the rank in COMM of each rank of the plan; NULL: the same */
    int tag;          /* the first of its tags */
    struct star_segment *segment; /* what all ranks of the plan share; NULL: nothing */
};
/* The tags of a route: those of enum star_channel, what the runtime needs, and those of plans that are under
 * way at once, each in a lane. */
enum { STAR_TAG_OF_LANES = 11, STAR_LANES = 4, STAR_TAGS_OF_LANE = 2 };
enum { STAR_TAGS = STAR_TAG_OF_LANES + STAR_LANES * STAR_TAGS_OF_LANE };

static inline int star_route_rank(const struct star_route *route, int rank)
{
    return route->ranks != NULL && rank >= 0 ? route->ranks[rank] : rank;
}

/* A communicator that carries nothing else. */
static inline struct star_route star_route_alone(MPI_Comm comm)
{
    return (struct star_route){.comm = comm, .whole = comm};
}

/* One call of a plan, and the step that comes next. */
struct star_run {
    struct star_runner *runner;
    struct star_side side[STAR_BUFFERS];
    MPI_Op op;
    struct star_route route;
    int32_t next;
    bool over;                 /* to the end */
    bool staged;               /* packed bytes are received, and unpacked at the end to where */
    struct star_side received; /* they belong */
    int64_t most;              /* bytes of the longest vector that others have shown in shared memory */
};

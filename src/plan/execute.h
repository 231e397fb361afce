/* SPDX-License-Identifier: BSD-3-Clause
 * Runs plans: the only place that moves a program's messages. */
#ifndef STAR_PLAN_EXECUTE_H
#define STAR_PLAN_EXECUTE_H

#include "plan/plan.h"

#include <limits.h>
#include <mpi.h>

/* A program's buffer, seen as the packed bytes of its datatype's signature. */
struct star_side {
    void *base;
    MPI_Datatype type;
    int64_t size, extent; /* of one element */
    bool dense;           /* the packed bytes are the bytes in memory */
    bool named;           /* one of MPI's own types, which never change */
    /* Of plans in units: block k has COUNTS[k] × SCALE elements, and lies at DISPLS[k] × SCALE or, where
     * there are none, behind the blocks before it. No COUNTS: there is one block, of COUNT elements. */
    const void *counts, *displs; /* int, or, WIDE, MPI_Count and MPI_Aint (MPI-4's large counts) */
    bool wide;
    int64_t count, scale;
};

static inline void *star_shifted(const void *base, int64_t bytes)
{
    /* The base may be MPI_BOTTOM: no pointer arithmetic. */
    return (void *)((uintptr_t)base + (uintptr_t)bytes);
}

/* All return an MPI error code, raised nowhere. */

/* How TYPE was made, as MPI_Type_get_envelope says. */
int star_combiner_of(MPI_Datatype type, int *combiner);
int star_side_of(struct star_side *side, void *base, MPI_Datatype type);
/* The same where SIDE holds zeros or the side of an earlier call: a named type is not looked at again. */
int star_side_renew(struct star_side *side, void *base, MPI_Datatype type);
/* What MPI refuses in a buffer or a datatype, also where only packing would meet it: a null buffer, a type
 * that was not committed. */
int star_side_check(const struct star_side *side, MPI_Comm comm);
/* A side of plain packed bytes. */
struct star_side star_side_packed(void *base);
/* The same side from ELEMENTS elements on. */
struct star_side star_side_shifted(const struct star_side *side, int64_t elements);
/* Can it be packed? Before MPI-4 an int must count the bytes of an element. */
static inline bool star_side_packs(const struct star_side *side)
{
    return MPI_VERSION >= 4 || side->size <= INT_MAX;
}
/* Copies LENGTH packed bytes between sides that do not overlap, one of which is dense at least, and the other
 * dense or one that can be packed: else MPI_ERR_INTERN. */
int star_side_copy(struct star_side to, int64_t to_offset, struct star_side from, int64_t from_offset,
                   int64_t length, MPI_Comm comm);
static inline int64_t star_side_count(const struct star_side *side, int64_t k)
{
    if (side->counts == NULL)
        return k == 0 ? side->count * side->scale : 0;
    return (side->wide ? (int64_t)((const MPI_Count *)side->counts)[k] : ((const int *)side->counts)[k]) *
           side->scale;
}

/* Where a step's message lies for datatypes of a given layout: from the buffer's base, in elements or, where
 * it ends inside of one, in packed bytes. */
struct star_spot {
    int64_t from_base, count;
    bool packed;
};

/* What spots depend on. */
struct star_layout {
    int64_t size[STAR_BUFFERS], extent[STAR_BUFFERS];
    bool dense[STAR_BUFFERS];
};

/* A plan with all that it needs to run, so that running allocates nothing; but for temporaries of types whose
 * elements have gaps, and for staging blocks of different lengths, which grow when a call needs more. */
struct star_runner {
    struct star_plan *plan; /* owned */
    char *temp;
    MPI_Request *requests;
    MPI_Status *statuses;
    struct star_spot *spots; /* of each step, for LAYOUT: the last call's */
    struct star_layout layout;
    bool uses[STAR_BUFFERS];
    int64_t recv_bytes; /* of the receive buffer that the plan fills, from its start */
    char *staged;       /* as many, where messages cannot be received in the program's datatype */
    char *cut;          /* the send buffer packed, CUT_BYTES, where messages are cut inside of elements */
    int64_t cut_bytes;
    int64_t *starts; /* in units: where each block of a page or a staged buffer begins, in elements */
    char *grown, *grown_staged; /* temporary and staged buffer of a size that only the call tells */
    size_t grown_room, grown_staged_room;
    size_t bytes; /* of all that does not grow */
};

/* Bytes of the send buffer that messages of the plan are cut from, from its start: what `cut` has. */
int64_t star_cut_bytes(const struct star_plan *plan);
/* Takes the plan, also when it fails: NULL when out of memory. */
struct star_runner *star_runner_new(struct star_plan *plan);
void star_runner_free(struct star_runner *runner);
size_t star_runner_bytes(const struct star_runner *runner);
/* Gives back what has grown with calls. */
void star_runner_rest(struct star_runner *runner);

/* What a call gives to a plan. Sides that the plan does not use may be zeros. */
struct star_buffers {
    struct star_side send, recv;
    MPI_Op op; /* of plans that reduce: both sides have one type then */
};

/* Where the messages of a plan travel. Several communicators of the program may share COMM: then each has
 * tags of its own, and its ranks are others in COMM. */
struct star_route {
    MPI_Comm
        comm; /* of messages; its error handler is MPI_ERRORS_RETURN, and the program has no part in it */
    MPI_Comm whole;   /* of barriers: all ranks of the plan, and nobody else; its errors are raised already */
    const int *ranks; /* the rank in COMM of each rank of the plan; NULL: the same */
    int tag;          /* the first of its tags */
};
/* So many tags a route has: those of enum star_channel, and what the runtime needs. */
enum { STAR_TAGS = 8 };

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
};

/* Collective over the ranks of ROUTE. */
int star_execute(struct star_runner *runner, const struct star_buffers *buffers,
                 const struct star_route *route);

/* Can it go in pieces? Not with buffers that have gaps, nor in units or with barriers. */
bool star_execute_in_pieces(const struct star_runner *runner, const struct star_buffers *buffers);
/* The same in pieces. BEGIN and PROGRESS go as far as they can without waiting; *DONE: to the end. FINISH
 * waits. On one route one plan may be under way. */
int star_execute_begin(struct star_run *run, struct star_runner *runner, const struct star_buffers *buffers,
                       const struct star_route *route);
int star_execute_progress(struct star_run *run, bool *done);
int star_execute_finish(struct star_run *run);

#endif

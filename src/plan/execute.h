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
    /* Of temporaries, where elements interleave: so many bytes more lie behind every CELL elements, in units
     * behind each block. Negative where elements go downwards; 0: all lie as one array. */
    int64_t gap, cell;
};

static inline void *star_shifted(const void *base, int64_t bytes)
{
    /* The base may be MPI_BOTTOM: no pointer arithmetic. */
    return (void *)((uintptr_t)base + (uintptr_t)bytes);
}

/* Where ELEMENT lies, in bytes from the buffer's base; not in units. */
static inline int64_t star_side_place(const struct star_side *side, int64_t element)
{
    return element * side->extent + (side->gap != 0 ? element / side->cell * side->gap : 0);
}

/* So many elements from ELEMENT on, MOST at most, lie as an array; not in units. */
static inline int64_t star_side_run(const struct star_side *side, int64_t element, int64_t most)
{
    int64_t left = side->gap != 0 ? side->cell - element % side->cell : most;
    return left < most ? left : most;
}

/* All return an MPI error code, raised nowhere. */

/* How TYPE was made, as MPI_Type_get_envelope says. */
int star_combiner_of(MPI_Datatype type, int *combiner);
/* What MPI_Type_get_contents has told of: MPI's own types are lent, others are to be freed. */
void star_inner_free(MPI_Datatype *inner);
int star_side_of(struct star_side *side, void *base, MPI_Datatype type);
/* The same where SIDE holds zeros or the side of an earlier call: a named type is not looked at again. */
int star_side_renew(struct star_side *side, void *base, MPI_Datatype type);
/* What MPI refuses in a buffer or a datatype, also where only packing would meet it: a null buffer, a type
 * that was not committed. */
int star_side_check(const struct star_side *side, MPI_Comm comm);
/* A side of plain packed bytes. */
struct star_side star_side_packed(void *base);
/* Where an element lies, in bytes from its address on. FIRST…END is what its datatype moves. If that lies
 * within the datatype's bounds, LOWER…UPPER are these, since operators may copy whole structs. */
struct star_reach {
    int64_t first, end, lower, upper;
};
int star_side_reach(const struct star_side *side, struct star_reach *reach);
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
    bool parted; /* it lies in several pieces */
};

/* What spots depend on. */
struct star_layout {
    int64_t size[STAR_BUFFERS], extent[STAR_BUFFERS], gap[STAR_BUFFERS], cell[STAR_BUFFERS];
    bool dense[STAR_BUFFERS];
};

/* Memory that grows when a call needs more. Only what is touched of it takes any: where elements have huge
 * gaps, next to nothing. */
struct star_room {
    char *at;
    size_t bytes;
};
/* What it held is lost. */
int star_room_grow(struct star_room *room, size_t needed);
void star_room_free(struct star_room *room);

/* How elements lie in memory of ours: in so many BYTES, the first one so many BEFORE it. */
struct star_plot {
    int64_t bytes, before;
};
/* Lays out COUNT elements like those of ELEMENTS. That they do not overlap is known of VECTOR elements in a
 * row, so many lie as an array; or, with BLOCKS, of those of each block. */
int star_elements_lay(struct star_side *elements, int64_t count, int64_t vector, int64_t blocks,
                      struct star_plot *plot);
/* They lie in MEMORY. */
void star_elements_put(struct star_side *elements, const struct star_plot *plot, void *memory);

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
    int64_t *starts;        /* in units: where each block of a page or a staged buffer begins, in elements */
    struct star_room parts; /* of what becomes one message of a type of ours */
    struct star_room grown, grown_staged; /* temporary and staged buffer of a size that only the call tells */
    size_t bytes;                         /* of all that does not grow */
};

/* Bytes of the receive buffer that the plan fills, or that it touches at all, from its start. */
int64_t star_receive_bytes(const struct star_plan *plan, bool filled);
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
/* The side of a run's temporary: packed bytes, or, of reductions, elements of the program's datatype. */
int star_temporary_make(struct star_run *run);

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

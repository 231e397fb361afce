/* SPDX-License-Identifier: BSD-3-Clause
 * Collective calls of all kinds, nonblocking ones mostly, whose results are known without asking the MPI
 * library: work_begin, then complete the request by whatever means, then work_end. */
#ifndef TESTS_WORK_H
#define TESTS_WORK_H

#include "layouts.h"
#include "reductions.h"

#include <stddef.h>

enum work_kind {
    WORK_BARRIER,
    WORK_BCAST,
    WORK_ALLREDUCE,
    WORK_REDUCE,
    WORK_SHORT_KINDS, /* those above are the ones that programs call most */
    WORK_ALLGATHER = WORK_SHORT_KINDS,
    WORK_ALLGATHERV,
    WORK_GATHER,
    WORK_GATHERV,
    WORK_SCATTER,
    WORK_SCATTERV,
    WORK_ALLTOALL,
    WORK_ALLTOALLV,
    WORK_ALLTOALLW,
    WORK_SCAN,
    WORK_EXSCAN,
    WORK_REDUCE_SCATTER_BLOCK,
    WORK_REDUCE_SCATTER,
    WORK_KINDS
};
enum { WORK_RANKS = 16 };
extern const char *const work_name[WORK_KINDS];
bool work_reduces(enum work_kind which);
bool work_has_root(enum work_kind which);
bool work_is_irregular(enum work_kind which); /* blocks of different lengths */

struct work_call {
    enum work_kind which;
    bool blocking, in_place;
    bool persistent; /* the request is to be started by work_start, again and again */
    bool frees;      /* the datatype and the operator, as soon as the call has begun */
    MPI_Comm comm;
    int root, units;                   /* of the kind's units in a block, or of elements to reduce */
    int shift;                         /* bytes by which all buffers are misaligned */
    uint64_t seed;                     /* of all lengths and values, the same on all ranks */
    const struct kind *kind;           /* NULL: ints */
    const struct reduction *reduction; /* NULL: the sum of ints */
};

/* A send or receive buffer: blocks of elements, in a memory with room around. */
struct side {
    const struct layout *layout;
    int blocks, counts[WORK_RANKS], places[WORK_RANKS]; /* in elements */
    char *memory, *image, *base;
    size_t bytes;
};

struct work {
    struct work_call call;
    int me, ranks;
    struct side out, in;
    MPI_Datatype send, recv;
    MPI_Op op;
    /* The arrays of irregular calls, which must stay while a call is under way. */
    int shares[WORK_RANKS], out_bytes[WORK_RANKS], in_bytes[WORK_RANKS];
    int out_counts[WORK_RANKS], in_counts[WORK_RANKS]; /* of alltoallw: of elements of these */
    MPI_Datatype out_types[WORK_RANKS], in_types[WORK_RANKS];
    uint64_t values; /* the seed of values */
    int error;       /* what the call returned */
    MPI_Request request;
};

void work_setup(void); /* after MPI_Init */
void work_finish(void);
/* Is it nothing that an MPI library is known to do wrong? See work.c. */
bool work_is_possible(const struct work_call *call);
/* All blocks of an irregular one may be. */
bool work_is_empty(const struct work_call *call, int ranks);
void work_begin(struct work *work, const struct work_call *call);
/* How many bytes of its buffers are wrong; the buffers are gone then. */
int work_end(struct work *work);
/* Of a persistent one: writes other values, of which SEED is the same on all ranks, before it is started; and
 * how many bytes are wrong when it has completed. work_free: it is not needed any more. */
bool work_can_persist(void);
void work_fill(struct work *work, uint64_t seed);
int work_check(struct work *work);
int work_free(struct work *work);

uint64_t work_mix(uint64_t a, uint64_t b);

#endif

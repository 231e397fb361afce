/* SPDX-License-Identifier: BSD-3-Clause
 * The measuring part of `startune bench`: what was asked for, the calls that are measured, and the figures.
 */
#ifndef STAR_CLI_BENCH_H
#define STAR_CLI_BENCH_H

#include "runtime/runtime.h"
#include "util/text.h"

enum { SIZES_MOST = 64 };

struct question {
    enum star_operation operation;
    const char *methods, *type, *operator, * nodes, *topology;
    int64_t sizes[SIZES_MOST];
    int size_count, rounds, calls, seed, root;
    double compute, skew;
    bool all, json;
};

/* calls.c: one call of the operation with its buffers, the same one again and again. */
struct call {
    struct star_call call;
    struct star_facts facts;
    char *send, *recv;
    char *right; /* what native received */
    int64_t send_bytes, recv_bytes;
    int64_t right_bytes; /* of the first rank of exscan: none, MPI says nothing of its receive buffer */
    bool sends_recv;     /* the root of a bcast */
    int *counts[2], *displs[2]; /* of the send and the receive buffer */
};
/* At BYTES as the operation measures them, or, where nobody knows them, of a block on average. STAR_EINPUT,
 * STAR_EMEMORY. Local. */
int call_open(struct call *call, const struct question *question, int64_t bytes,
              const struct star_communicator *state, MPI_Comm comm, struct star_why *why);
/* Runs it natively, and keeps what it received; MPI error code. Collective. */
int call_learn(struct call *call);
/* Makes the receive buffer what it is before a call. */
void call_prepare(struct call *call);
bool call_is_right(const struct call *call);
void call_close(struct call *call);

struct contender {
    struct star_method method;
    struct star_shared_runner *runner; /* NULL: native */
    double *samples;                   /* mean over ranks, seconds */
    bool wrong;
};

/* figures.c: before all sizes (KNOWN: with limits), of one size (its samples sorted; LIMIT: the least seconds
 * that the network allows, 0 where it is not known), and behind all. */
void figures_begin(struct star_text *text, const struct question *question, int ranks, bool known);
void figures_add(struct star_text *text, const struct question *question, int64_t bytes, double limit,
                 const struct contender *contenders, int count, int samples);
void figures_end(struct star_text *text, const struct question *question);

#endif

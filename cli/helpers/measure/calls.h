/* SPDX-License-Identifier: BSD-3-Clause
 * Calls of an operation with their buffers, as bench and tune measure them. */
#pragma once

#include "ground.h"
#include "cli/common/bench_question.h"
#include "runtime/call.h"
#include "runtime/state.h"

/* One call of the operation with its buffers, the same one again and again. */
struct call {
    struct star_call call;
    struct star_facts facts;
    char *send, *recv;
    char *right; /* what native received */
    int64_t send_bytes, recv_bytes;
    int64_t right_bytes; /* of the first rank of exscan: none, MPI says nothing of its receive buffer */
    bool sends_recv;     /* the root of a bcast */
    int *counts[2], *displs[2]; /* of the send and the receive buffer */
    MPI_Datatype *types;        /* of both, of alltoallw */
};
/* At BYTES as the operation measures them, or, where nobody knows them, of a block on average. STAR_EINPUT,
 * STAR_EMEMORY. Local; to be closed in any case. */
int call_open(struct call *call, const struct call_kind *kind, int64_t bytes, const struct ground *ground,
              struct star_why *why);
/* Runs it natively, and keeps what it received; MPI error code. Collective. */
int call_learn(struct call *call);
/* Makes the receive buffer what it is before a call. */
void call_prepare(struct call *call);
/* Runs it by RUNNER, or, where that is NULL, natively; an error ends all. Collective. */
void call_run(struct call *call, struct ground *ground, struct star_shared_runner *runner);
/* The least of so many TIMES that it takes natively, as all ranks agree. A rank's own time would not do: it
 * has the waiting for others in it, and so what is a multiple of it would grow from call to call. */
double call_native_seconds(struct call *call, struct ground *ground, int times);
bool call_is_right(const struct call *call);
void call_close(struct call *call);

/* SPDX-License-Identifier: BSD-3-Clause
 * Proves the plans of all ranks together, without MPI. What holds when star_simulate returns 0:
 *   - every byte of each receive buffer is the one that the operation puts there, or the reduction of just
 *     the bytes that it reduces, each once, in the order of ranks where the operator asks for it;
 *   - where the operation gives one result to all ranks, it is the same expression on all: the same bits;
 *   - each send meets a receive of its length, in order, per pair of ranks and channel, and none is left
 *     over;
 *   - nothing deadlocks though every message is a rendezvous: a send completes only with its receive;
 *   - nothing is written outside the buffers, nor ever into the send buffer, nor where the operation writes
 *     nothing;
 *   - no byte is read before it is written, and none is touched while a request still owns it;
 *   - every request is waited for;
 *   - in units, a block is only put where a block of its length has room;
 *   - of a barrier: nobody leaves it before all have come;
 *   - in shared memory each count that is awaited is posted. That nobody reads there before it is written,
 * nor writes while another may read, in whatever order ranks go, is shown by races.h. */
#pragma once

#include "plan/plan.h"

/* What belongs at a byte: byte OFFSET of the send buffers of ranks FIRST…LAST, reduced in that order where
 * they are several. FIRST > LAST: nothing may be written there. */
struct star_origin {
    int first, last;
    int64_t offset;
};

/* What an operation does. All offsets are in bytes, or in blocks where the shape is in units. */
struct star_expectation {
    int64_t (*send_bytes)(const struct star_shape *shape, int rank);
    int64_t (*recv_bytes)(const struct star_shape *shape, int rank);
    struct star_origin (*origin)(const struct star_shape *shape, int rank, int64_t offset);
    /* Where the input of RANK lies in its receive buffer when the program says MPI_IN_PLACE, or −1; NULL
     * where the operation has none, or where the runtime copies the input. */
    int64_t (*in_place)(const struct star_shape *shape, int rank);
    bool reduces;
    bool one_buffer; /* the input lies in the receive buffer always (bcast) */
    bool same;       /* all ranks receive the same */
    bool meets;      /* nobody leaves before all have come (barrier) */
};

struct star_simulation {
    int64_t messages, tokens, bytes; /* data messages, empty sync messages, bytes of the data messages */
    int rounds;
    bool rank_order; /* each reduction was r0 op (r1 op (r2 op …)) */
};

/* PLANS[r] is rank r's; SHAPE's rank does not matter. IN_PLACE: the input lies in the receive buffers. 0,
 * STAR_EWRONG with the first fault found, or STAR_EMEMORY. RESULT may be NULL. */
int star_simulate(const struct star_plan *const *plans, const struct star_shape *shape,
                  const struct star_expectation *expected, bool in_place, struct star_simulation *result,
                  struct star_why *why);

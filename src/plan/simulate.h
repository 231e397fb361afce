/* SPDX-License-Identifier: BSD-3-Clause
 * Proves the plans of all ranks together, without MPI. What holds when star_simulate returns 0:
 *   - every byte of each receive buffer is the one that the operation puts there;
 *   - each send meets a receive of its length, in order, per pair of ranks and channel, and none is left
 * over;
 *   - nothing deadlocks though every message is a rendezvous: a send completes only with its receive;
 *   - nothing is written outside the buffers, nor ever into the send buffer;
 *   - no byte is read before it is written, and none is touched while a request still owns it;
 *   - every request is waited for. */
#ifndef STAR_PLAN_SIMULATE_H
#define STAR_PLAN_SIMULATE_H

#include "plan/plan.h"

struct star_expectation {
    int64_t send_bytes, recv_bytes; /* of each rank */
    /* Which byte of whose send buffer belongs at OFFSET of RANK's receive buffer. */
    void (*source)(const struct star_expectation *self, int rank, int64_t offset, int *from_rank,
                   int64_t *from_offset);
    int size;
    int64_t block;
};

struct star_simulation {
    int64_t messages, tokens, bytes; /* data messages, empty sync messages, bytes of the data messages */
    int rounds;
};

/* PLANS[r] is rank r's. 0, STAR_EWRONG with the first fault found, or STAR_EMEMORY. RESULT may be NULL. */
int star_simulate(const struct star_plan *const *plans, const struct star_expectation *expected,
                  struct star_simulation *result, struct star_why *why);

#endif

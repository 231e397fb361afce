/* SPDX-License-Identifier: BSD-3-Clause
 * A call that comes again, while native is what runs: it is counted and goes straight to the MPI library, as
 * the dispatcher would have let it, without finding out once more what the call is and whose context. What a
 * repeat counts is to the last bit what the dispatcher counts, since the one rank's call may be a repeat and
 * the other's not: which calls are remembered depends on addresses.
 *
 * Remembered are calls with datatypes and operators of MPI's own alone, which are never freed: a handle of
 * the program's may come again and mean something else. */
#ifndef STAR_RUNTIME_REPEAT_H
#define STAR_RUNTIME_REPEAT_H

#include "runtime/runtime.h"
#include "util/hash.h"

/* How a call's buffers are given, as far as it matters which context is the call's. */
enum star_giving { STAR_TWO_BUFFERS, STAR_ONE_BUFFER, STAR_SEND_IN_PLACE, STAR_RECEIVE_IN_PLACE };

/* A line of a processor's cache. */
struct star_repeat {
    const void *site; /* NULL: nothing is remembered */
    struct star_context *context;
    int64_t sendcount, recvcount;
    MPI_Datatype sendtype, recvtype;
    MPI_Op op;
    int32_t root;
    uint16_t operation;
    uint8_t giving;
    bool large;
};
_Static_assert(sizeof(struct star_repeat) <= 64, "a repeat fits into a line");

enum { STAR_REPEATS = 16 }; /* of a communicator */

static inline enum star_giving star_giving_of(const void *sendbuf, const void *recvbuf)
{
    if (sendbuf == MPI_IN_PLACE)
        return STAR_SEND_IN_PLACE;
    if (recvbuf == MPI_IN_PLACE)
        return STAR_RECEIVE_IN_PLACE;
    return sendbuf == recvbuf ? STAR_ONE_BUFFER : STAR_TWO_BUFFERS;
}

static inline struct star_repeat *star_repeat_of(const struct star_communicator *state, const void *site)
{
    return &state->repeats[(uint64_t)(uintptr_t)site * UINT64_C(0x9e3779b97f4a7c15) >> 60];
}

/* Counts the call and is true, if native is to take it at once. CALL by value, so that the compiler need not
 * build it. */
__attribute__((always_inline)) static inline bool star_repeats(struct star_communicator *state,
                                                               const struct star_call call)
{
    if (state->repeats == NULL)
        return false;
    const struct star_repeat *known = star_repeat_of(state, call.site);
    if (known->site != call.site || known->operation != call.operation ||
        known->sendcount != call.sendcount || known->recvcount != call.recvcount ||
        known->sendtype != call.sendtype || known->recvtype != call.recvtype || known->op != call.op ||
        known->root != call.root || known->large != call.large ||
        known->giving != star_giving_of(call.sendbuf, call.recvbuf))
        return false;
    struct star_context *context = known->context;
    if (context->untimed == 0 || !context->straight)
        return false;
    context->untimed--;
    context->calls++;
    context->skipped++;
    state->calls++;
    if (context->site != 0)
        state->sites = star_hash_add(state->sites, context->site);
    return true;
}

#endif

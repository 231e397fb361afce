/* SPDX-License-Identifier: BSD-3-Clause
 * A call that comes again: what it is, and whose context, was found out before and is remembered. Where
 * native is what runs, such a call is counted and goes straight to the MPI library; for all other methods
 * the dispatcher goes on with the facts that are remembered.
 *
 * One rank's call may be a repeat and the other's not: which calls are remembered depends on addresses. So
 * what a repeat counts is what the dispatcher counts, and a call that the dispatcher would leave uncounted,
 * because it is a mistake, must be no repeat.
 *
 * Remembered are calls with datatypes and operators of MPI's own alone, which are never freed: a handle of
 * the program's may come again and mean something else. */
#pragma once

#include "runtime/serve.h"
#include "runtime/state.h"
#include "util/hash.h"

#include <stddef.h>

/* What of a call's buffers matters for which context is the call's, and whether it is a mistake. */
enum star_giving {
    STAR_SENDS_IN_PLACE = 1,
    STAR_RECEIVES_IN_PLACE = 2,
    STAR_ONE_BUFFER = 4,
    STAR_SENDS_NULL = 8,
    STAR_RECEIVES_NULL = 16
};

/* What is compared, and then needed to run native, is one line of a processor's cache. */
struct star_repeat {
    const void *site;             /* NULL: nothing is remembered */
    struct star_context *context; /* NULL: it is a short one of nonblocking.h */
    int64_t sendcount, recvcount;
    MPI_Datatype sendtype, recvtype;
    MPI_Op op;
    int32_t root;
    uint16_t operation;
    uint8_t giving;
    bool large;
    int64_t own; /* of the next line: bytes before this rank's block, where each rank has one */
    struct star_facts facts;
} __attribute__((aligned(64)));
_Static_assert(offsetof(struct star_repeat, own) <= 64, "what is compared fits into a line");

enum { STAR_REPEATS_BITS = 5, STAR_REPEATS = 1 << STAR_REPEATS_BITS }; /* of a communicator */

static inline unsigned star_giving_of(const void *sendbuf, const void *recvbuf)
{
    return (sendbuf == MPI_IN_PLACE ? STAR_SENDS_IN_PLACE : 0) |
           (recvbuf == MPI_IN_PLACE ? STAR_RECEIVES_IN_PLACE : 0) |
           (sendbuf == recvbuf ? STAR_ONE_BUFFER : 0) | (sendbuf == NULL ? STAR_SENDS_NULL : 0) |
           (recvbuf == NULL ? STAR_RECEIVES_NULL : 0);
}

/* Some libraries refuse buffers that are one where the rank's own block lies: the dispatcher has a look. */
static inline bool star_meets_itself(const struct star_repeat *known, const struct star_call *call)
{
    intptr_t apart = (intptr_t)((uintptr_t)call->sendbuf - (uintptr_t)call->recvbuf);
    return apart != 0 && (apart == known->own || apart == -known->own);
}

/* Where it may be remembered: from one place calls may come with many counts, and roots. */
static inline struct star_repeat *star_repeat_of(const struct star_communicator *state,
                                                 const struct star_call *call)
{
    uint64_t key = (uint64_t)(uintptr_t)call->site + 2 * (uint64_t)call->sendcount +
                   (uint64_t)call->recvcount + 4 * (uint64_t)call->root;
    return &state->repeats[key * UINT64_C(0x9e3779b97f4a7c15) >> (64 - STAR_REPEATS_BITS)];
}

/* What is remembered of the call; NULL: nothing. CALL by value, so that the compiler need not build it. */
__attribute__((always_inline)) static inline const struct star_repeat *
star_repeat_find(const struct star_communicator *state, const struct star_call call)
{
    if (state->repeats == NULL)
        return NULL;
    const struct star_repeat *known = star_repeat_of(state, &call);
    if (known->site != call.site || known->operation != call.operation ||
        known->sendcount != call.sendcount || known->recvcount != call.recvcount ||
        known->sendtype != call.sendtype || known->recvtype != call.recvtype || known->op != call.op ||
        known->root != call.root || known->large != call.large ||
        known->giving != star_giving_of(call.sendbuf, call.recvbuf) || star_meets_itself(known, &call))
        return NULL;
    return known;
}

/* A call of the context comes: all that is counted of it before anything runs. */
static inline void star_count_call(struct star_communicator *state, uint64_t site)
{
    state->calls++;
    if (site != 0)
        state->sites = star_hash_add(state->sites, site);
}

/* Counts the call that is KNOWN and is true, if native is to take it at once. */
static inline bool star_repeat_is_natives(struct star_communicator *state, const struct star_repeat *known)
{
    struct star_context *context = known->context;
    if (context == NULL && state->rests[known->operation] > 0) {
        state->rests[known->operation]--;
        star_count_call(state, 0);
        star_tell_native(state);
        return true;
    }
    if (context == NULL || !context->straight || !star_subject_skips(&context->subject))
        return false;
    star_count_call(state, context->site);
    star_tell_native(state);
    return true;
}

/* Room for calls to remember, a little; without memory for it none are. */
void star_repeats_begin(struct star_communicator *state);
/* What a call is counted for has changed: remembers none. */
void star_repeats_forget(struct star_communicator *state);
void star_repeats_end(struct star_communicator *state);
/* The context and the facts of a call, for when it comes again. */
void star_repeat_remember(struct star_communicator *state, const struct star_call *call,
                          struct star_context *context, const struct star_facts *facts);

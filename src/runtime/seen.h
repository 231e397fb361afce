/* SPDX-License-Identifier: BSD-3-Clause
 * Communicators that a thread has seen lately, for communicator.c and for where calls come in. A handle may
 * be used again for another one, but only after ours was freed, which starts a new generation. */
#pragma once

#include "runtime/state.h"

enum { STAR_COMMUNICATORS_SEEN = 8 };
struct star_seen_communicator {
    MPI_Comm comm;
    uint64_t generation;
    struct star_communicator *state;
};
extern atomic_uint_fast64_t star_generation;
/* At a place that is known when the library is loaded (static TLS), as each call of a program looks here: to
 * ask where it is would take a call of its own. A library that is loaded while a program runs must find room
 * for that, of some 1,600 bytes for all such: this takes 192, and with all else that is thread-local less
 * than the 256 that a test allows. */
extern _Thread_local struct star_seen_communicator star_seen_lately[STAR_COMMUNICATORS_SEEN]
    __attribute__((tls_model("initial-exec")));

static inline struct star_seen_communicator *star_communicator_slot(MPI_Comm comm)
{
    uintptr_t handle = (uintptr_t)comm;
    return &star_seen_lately[(handle ^ handle >> 6) % STAR_COMMUNICATORS_SEEN];
}

/* NULL: it was not seen lately; star_communicator_of has more to look at. */
static inline struct star_communicator *star_communicator_seen(MPI_Comm comm)
{
    const struct star_seen_communicator *slot = star_communicator_slot(comm);
    uint64_t now = atomic_load_explicit(&star_generation, memory_order_acquire);
    return slot->comm == comm && slot->generation == now ? slot->state : NULL;
}

/* All its calls are, at once. */
static inline bool star_is_natives(const struct star_communicator *state)
{
    return state->native_only && !state->checked;
}

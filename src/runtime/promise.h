/* SPDX-License-Identifier: BSD-3-Clause
 * Does what a communicator's calls of one operation and size take promise to pay for tuning them? Setting up
 * a context takes a handful of agreements, each as long as a short call, and some work on each rank. A
 * program has many contexts of a few calls, which never earn that. So a context is early at first: native
 * runs, each call is counted, some are timed. At a call whose number all ranks know they ask each other
 * when what is spent there is many times what setting up takes; if it is not yet, again at that call, or when
 * twice as many have come. Where they cannot ask, they begin to talk after so many calls.
 */
#pragma once

#include "runtime/state.h"

/* Can contexts of the operation be early at first? Not where a method must run, or be looked at, from the
 * first call on; nor with the setting `tune_after`. The same on all ranks. */
bool star_promise_is_asked(enum star_operation operation);
/* Then: is a new one for calls of BYTES? Where ranks talk (talk.h), nobody waits to be asked, and the talk is
 * the shorter the earlier it begins, as a root runs farther ahead with each call. So there only contexts of
 * short messages are early. On crowded nodes all are. The same on all ranks. */
bool star_promise_is_needed(enum star_operation operation, int64_t bytes);
/* A new early context for calls like CALL. NULL: there is no memory left at all. Local. */
struct star_context *star_promise_new(struct star_communicator *state, const struct star_call *call,
                                      const struct star_facts *facts);
/* A call of an early context. MPI error code, raised already. */
int star_promise_run(struct star_communicator *state, struct star_context *context,
                     const struct star_call *call);

/* An early context whose calls count no more. */
void star_promise_drop(struct star_communicator *state, const struct star_context *context);

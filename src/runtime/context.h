/* SPDX-License-Identifier: BSD-3-Clause
 * What the ranks do with contexts together: contexts are what is tuned independently. */
#pragma once

#include "runtime/state.h"

/* NULL when out of memory, or while a rank has switched tuning off. Collective over the communicator. */
struct star_context *star_context_new(struct star_communicator *state, const struct star_call *call,
                                      const struct star_facts *facts, uint64_t site);
/* An early context is tuned from now on, on all ranks or on none: then it stays early. Collective over the
 * communicator, which is tuned. */
bool star_context_promote(struct star_communicator *state, struct star_context *context);
/* What the cost model and earlier runs say was taken, for which this rank took NANOSECONDS: they are the
 * price of tuning, as agreeing is. */
void star_context_foreseen(struct star_context *context, int64_t nanoseconds);
/* Before the leader decides: it finds out what is worth knowing. The question is asked while it decides. */
struct star_consultation {
    struct star_communicator *state;
    struct star_context *context;
};
void star_context_consult(struct star_consultation *consultation);
/* All ranks, after a decision for which the agreement took NANOSECONDS. */
void star_context_decided(struct star_communicator *state, struct star_context *context,
                          const struct star_decision *decision, const struct star_spread *spread,
                          int64_t nanoseconds);
/* After a timed call was counted: how many calls need not be timed now. */
void star_context_leave_untimed(struct star_context *context);
/* Makes the tuner's candidate the current one, for calls with these facts, on all ranks or on none.
 * Collective when it is another one. */
void star_context_settle(struct star_communicator *state, struct star_context *context,
                         const struct star_facts *facts);
/* What was done since BEGIN is the price of tuning, as agreeing is. Returns star_now(). */
int64_t star_context_paid(struct star_context *context, int64_t begin);
/* Makes the context's runner one for calls with FACTS: another root, another datatype. NULL: native runs.
 * Collective when it is another one. */
struct star_shared_runner *star_context_runner(struct star_communicator *state, struct star_context *context,
                                               const struct star_facts *facts);
/* Is the method that is to run now, here or for these facts, used for the first time, and to be verified?
 * Collective as star_context_runner is. */
bool star_context_is_unverified(struct star_communicator *state, struct star_context *context,
                                const struct star_facts *facts);
/* CANDIDATE is wrong: it never runs again here. Collective. */
void star_context_refuse(struct star_communicator *state, struct star_context *context, int candidate);
/* After a run of NANOSECONDS: counts it, and agrees where that is due. */
void star_context_ran(struct star_communicator *state, struct star_context *context, int64_t nanoseconds);

/* SPDX-License-Identifier: BSD-3-Clause
 * Calls at which ranks may not wait for each other: see talk.h. */
#pragma once

#include "runtime/state.h"

/* The same at operations at which ranks may not wait for each other: see talk.h. */
int star_rooted_dispatch(const struct star_call *call, struct star_communicator *state,
                         const struct star_facts *facts, uint64_t site);
/* The early context (promise.h) of CALL is tuned from the next call on, where the ranks can talk. The same on
 * all ranks. */
void star_rooted_begin(const struct star_call *call, struct star_communicator *state,
                       struct star_context *context);
/* One of a context that is known. */
int star_rooted_run(const struct star_call *call, struct star_communicator *state,
                    struct star_context *context, const struct star_facts *facts);
/* At each counted call on a tuned communicator, before it. */
void star_rooted_step(const struct star_call *call, struct star_communicator *state,
                      const struct star_facts *facts);

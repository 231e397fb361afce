/* SPDX-License-Identifier: BSD-3-Clause
 * What each rank does of contexts by itself: it makes them, gives up, and frees them. All is local. */
#pragma once

#include "runtime/state.h"

/* One for calls like CALL, which the communicator does not have yet. NULL when out of memory. */
struct star_context *star_context_make(struct star_communicator *state, const struct star_call *call,
                                       const struct star_facts *facts, uint64_t site);
/* One of the communicator that has native alone, until its calls promise to pay (promise.h). NULL: out of
 * memory, and very many have none already. */
struct star_context *star_context_early(struct star_communicator *state, const struct star_call *call,
                                        const struct star_facts *facts);
/* It has all candidates from now on. False: this rank has no memory for them, and nothing changed. */
bool star_context_mature(const struct star_communicator *state, struct star_context *context);
/* One that has native alone, where there is no memory for a context; NULL: there are very many already. */
struct star_context *star_context_stub(struct star_communicator *state, enum star_operation operation,
                                       const struct star_facts *facts, uint64_t site);
/* Native alone runs from now on. */
void star_context_give_up(struct star_context *context);
/* STATE: the runner goes back to it; NULL: there is none. */
void star_context_free(struct star_communicator *state, struct star_context *context);
size_t star_context_bytes(const struct star_context *context);

/* SPDX-License-Identifier: BSD-3-Clause
 * Runners: a method, made for calls with the same facts, which contexts of a communicator share. */
#pragma once

#include "runtime/state.h"

/* NULL when one rank could not make it: then all get NULL. Collective when it is not at hand. */
struct star_shared_runner *star_runner_acquire(struct star_communicator *state,
                                               const struct star_method *method,
                                               const struct star_facts *facts);
void star_runner_release(struct star_communicator *state, struct star_shared_runner *runner);
/* The same where nobody may be waited for: NULL: it is not at hand, or not all ranks could make it. Local. */
struct star_shared_runner *star_runner_at_hand(struct star_communicator *state,
                                               const struct star_method *method,
                                               const struct star_facts *facts);
/* This rank makes one, which is added once all are found to have made theirs; NULL: it cannot. Local. */
struct star_shared_runner *star_runner_make(const struct star_communicator *state,
                                            const struct star_method *method, const struct star_facts *facts);
void star_runner_add(struct star_communicator *state, struct star_shared_runner *runner);
void star_runner_discard(struct star_shared_runner *runner);
/* On some rank idle ones take so many bytes, as all ranks know: too many are given back. */
void star_runners_limit(struct star_communicator *state, int64_t idle_bytes);
/* Or is it for calls of so many bytes that only the last one of them is kept? */
bool star_runner_is_kept(const struct star_communicator *state, const struct star_shared_runner *runner);
size_t star_shared_runner_bytes(const struct star_shared_runner *runner);
/* Does it serve calls with these facts? Contexts' calls may differ in root and type. */
bool star_runner_serves(const struct star_shared_runner *runner, const struct star_method *method,
                        const struct star_facts *facts);
void star_runners_free(struct star_communicator *state);
/* Runs it for CALL; MPI error code, not raised. */
int star_runner_run(struct star_communicator *state, struct star_shared_runner *runner,
                    const struct star_call *call, const struct star_facts *facts);

/* This rank does not run it, as its call is wrong. */
void star_runner_refuse(const struct star_communicator *state, const struct star_shared_runner *runner);

/* What the methods of the communicator are built for. */
struct star_shape star_shape_for(const struct star_communicator *state, enum star_operation operation,
                                 const struct star_facts *facts);

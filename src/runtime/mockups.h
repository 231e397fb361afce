/* SPDX-License-Identifier: BSD-3-Clause
 * Mock-ups: an operation by other operations of the MPI library. */
#pragma once

#include "runtime/state.h"

/* Bytes of scratch that a mock-up needs on this rank for these facts; negative: it cannot. */
int64_t star_mockup_scratch(enum star_mockup mockup, const struct star_communicator *state,
                            const struct star_facts *facts);
/* Runs it on the private communicator; MPI error code, not raised. */
int star_mockup_run(enum star_mockup mockup, const struct star_communicator *state,
                    const struct star_call *call, const struct star_facts *facts, char *scratch);

/* SPDX-License-Identifier: BSD-3-Clause
 * The setting `verify`. */
#pragma once

#include "runtime/state.h"

/* Runs the method on a copy, then native, and compares them. False: it cannot be verified, and
 * nothing has run; else *ERROR is native's, raised already, and *RIGHT the same on all ranks. */
enum { STAR_VERDICT_TEXT = 200 };
bool star_verify(struct star_communicator *state, struct star_shared_runner *runner,
                 const struct star_call *call, const struct star_facts *facts, int *error, bool *right);

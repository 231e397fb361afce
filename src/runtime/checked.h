/* SPDX-License-Identifier: BSD-3-Clause
 * Do all ranks make the same call? */
#pragma once

#include "runtime/state.h"

/* Do all ranks make the same call? Else says what differs and ends the program. Collective over
 * the call's communicator. */
void star_check(const struct star_call *call, struct star_communicator *state);

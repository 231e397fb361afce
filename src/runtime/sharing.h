/* SPDX-License-Identifier: BSD-3-Clause
 * The ranks of a communicator come to share memory at operations that some of them may leave before others
 * have come: by a talk, for which nobody waits. Elsewhere they do when it becomes tuned (opening.h). */
#pragma once

#include "runtime/state.h"

/* Do the ranks still have to find out whether they can, at a call of SPEAKER's at which a talk is possible?
 * Then they talk about it, or will. The same on all ranks. */
bool star_sharing_goes_on(struct star_communicator *state, int speaker);
/* What was to come will not. */
void star_sharing_end(struct star_communicator *state);

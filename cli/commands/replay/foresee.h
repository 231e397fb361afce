/* SPDX-License-Identifier: BSD-3-Clause
 * What the cost model would have said of a trace's methods, had the tuner known the topology. */
#ifndef STAR_CLI_REPLAY_FORESEE_H
#define STAR_CLI_REPLAY_FORESEE_H

#include "replay.h"

/* Replaces what the traces have of the cost model by what it says on the topology. */
int cli_replay_foresee(struct cli_replay *replay, struct star_why *why);

#endif

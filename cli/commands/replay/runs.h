/* SPDX-License-Identifier: BSD-3-Clause
 * The runs of startune replay. */
#pragma once

#include "replay.h"

/* The moments of one run. */
struct star_moment *cli_replay_moments(const struct cli_replay *replay, int trace, int contender, int repeat);
/* What is true of each trace. STAR_EMEMORY. */
int cli_replay_find_truth(struct cli_replay *replay, struct star_why *why);
/* Makes all runs. STAR_EMEMORY. */
int cli_replay_run(struct cli_replay *replay, struct star_why *why);
/* Replaces what the traces have of the cost model by what it says on the topology. */
int cli_replay_foresee(struct cli_replay *replay, struct star_why *why);

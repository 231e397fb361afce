/* SPDX-License-Identifier: BSD-3-Clause
 * startune replay --fleet: how many jobs of a site would be hurt. */
#ifndef STAR_CLI_REPLAY_FLEET_H
#define STAR_CLI_REPLAY_FLEET_H

#include "replay.h"

/* Of the traces that were read. The exit status. */
int cli_replay_fleet(struct cli_replay *replay, int64_t days);

#endif

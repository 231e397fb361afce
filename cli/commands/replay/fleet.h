/* SPDX-License-Identifier: BSD-3-Clause
 * startune replay --fleet: how many jobs of a site would be hurt. */
#pragma once

#include "replay.h"

/* Of the traces that were read. The exit status. */
int cli_replay_fleet(struct cli_replay *replay, int64_t days);

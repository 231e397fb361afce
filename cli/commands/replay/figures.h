/* SPDX-License-Identifier: BSD-3-Clause
 * What startune replay prints. */
#pragma once

#include "replay.h"
#include "util/text.h"

void cli_replay_table(const struct cli_replay *replay, struct star_text *text);
void cli_replay_json(const struct cli_replay *replay, struct star_text *text);
void cli_replay_svg(const struct cli_replay *replay, struct star_text *text);

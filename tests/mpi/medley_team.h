/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "medley_player.h"

/* Communicators of medley.c: made, given attributes, and freed. DICE is the same on all ranks. */

void begin_teams(void);
void act_make(struct dice *dice);
void act_close(struct dice *dice);
void close_team(struct team *team, bool disconnects);
/* Attributes that were set or copied, and not deleted. */
long attributes_left(void);

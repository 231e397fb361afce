/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "medley_data.h"

/* Acts of medley.c: collective operations. DICE is the same on all ranks. */

void act_blocking(struct dice *dice);
void act_burst(struct dice *dice);
void act_begun(struct dice *dice);
void act_lasting(struct dice *dice);
void act_start(struct dice *dice);

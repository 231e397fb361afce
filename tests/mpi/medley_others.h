/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "medley_data.h"

/* Acts of medley.c that are no collective operations of one group. DICE is the same on all ranks. */

void act_message(struct dice *dice);
void act_alone(struct dice *dice);
void act_exchange(struct dice *dice);
void act_across(struct dice *dice);
void act_window(struct dice *dice);
void act_file(struct dice *dice);
void act_wrong(struct dice *dice);

/* SPDX-License-Identifier: BSD-3-Clause
 * What becomes of the messages of plans that are walked. */
#pragma once

#include "plan/world.h"

/* The step starts a message, or comes to one. */
int star_message_post(struct star_world *world, struct star_walker *rank, const struct star_step *step);
int star_message_ready(struct star_world *world, int m);
int star_message_left(struct star_world *world, int m);
int star_message_arrives(struct star_world *world, int m);

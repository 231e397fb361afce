/* SPDX-License-Identifier: BSD-3-Clause
 * Communicators that are open. */
#pragma once

#include "runtime/state.h"

/* All ranks are able to tune it. */
void star_communicator_tuned(struct star_communicator *state);
/* It is told of at the end of the program, or no more. */
void star_communicator_link(struct star_communicator *state);
void star_communicator_unlink(struct star_communicator *state);
/* Its ranks call from different places: from now on contexts have no site. */
void star_communicator_forget_sites(struct star_communicator *state);
/* Visits those that are told of at the end, as far as they are there now. */
void star_communicators_each(void (*visit)(const struct star_communicator *state, void *into), void *into);
/* Nobody visits them while they are held. */
void star_communicators_hold(bool held);
/* The one opened last; NULL: none is. */
struct star_communicator *star_communicators_first(void);

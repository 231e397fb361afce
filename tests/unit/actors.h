/* SPDX-License-Identifier: BSD-3-Clause
 * The scripts of all ranks of a neighbourhood exchange, acted out together without MPI, where no send is
 * buffered: a blocking send returns once its receive has begun. */
#ifndef TESTS_ACTORS_H
#define TESTS_ACTORS_H

#include "halo/neighborhood.h"
#include "expect.h"

enum { ACTORS_MOST = 32, ACTOR_SIDES = 80 };

/* Fails the test unless every message arrives once, packed before it moves and unpacked after, inside of an
 * epoch where it needs one, and every rank comes to its end. */
void act_out(struct star_halo *const *halo, int ranks, const struct star_neighborhood *method);

#endif

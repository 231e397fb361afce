/* SPDX-License-Identifier: BSD-3-Clause
 * What earlier runs saw, as far as it orders candidates. */
#pragma once

#include "tuner/decision.h"
#include "tuner/standing.h"

/* What is remembered is wrong by more than this factor: no noise. */
#define STAR_MEMORY_FAR 8.0

/* Forgets what is remembered of candidate I where it is far from the SECONDS that were measured now, so that
 * it says nothing of others. */
void star_memory_correct(struct star_standing *standing, int i, double seconds);
/* What candidate I may be expected to take: if nothing is remembered of it, as much as native; 0 if of that
 * neither. */
double star_memory_promise(const struct star_standing *standing, int i);
/* Orders the list: native, then who was fast in earlier runs. */
void star_memory_order(const struct star_standing *standing, struct star_decision *decision);

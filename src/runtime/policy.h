/* SPDX-License-Identifier: BSD-3-Clause
 * What settings allow of an operation. The same on all ranks. */
#pragma once

#include "algorithms/methods.h"

/* Reductions must be in the order of ranks, in this run. */
enum { STAR_REPRODUCIBLE_OFF, STAR_REPRODUCIBLE_ORDER, STAR_REPRODUCIBLE_NATIVE }; /* of the setting */
bool star_keeps_rank_order(enum star_operation operation);
/* May calls of the operation wait for all ranks? Either nobody leaves it before all have come, or the user
 * has asked for what cannot be had otherwise. */
bool star_may_wait(enum star_operation operation);

/* SPDX-License-Identifier: BSD-3-Clause
 * What the cost model says of a context's candidates, before the first is measured. */
#pragma once

#include "runtime/state.h"

/* Orders and prunes the candidates, as the setting says, before the first is measured. Collective
 * over the communicator. */
/* Tells the race on rank 0 what the cost model says, before the first visit or as soon as its budget pays for
 * asking it. */
void star_context_expect(struct star_communicator *state, struct star_context *context);
void star_context_forecast(struct star_communicator *state, struct star_context *context);
/* The two halves of the latter: rank 0 fills LIST, and all ranks take it. Local. */
struct star_forecast_list;
void star_context_foresee(struct star_communicator *state, struct star_context *context,
                          struct star_forecast_list *list);
void star_context_take_forecast(struct star_communicator *state, struct star_context *context,
                                const struct star_forecast_list *list);

/* SPDX-License-Identifier: BSD-3-Clause
 * Wisdom for others than contexts, who have operations of their own: what earlier runs learned, and what this
 * one learns. Local; for leaders. */
#ifndef STAR_RUNTIME_WISDOM_H
#define STAR_RUNTIME_WISDOM_H

#include "wisdom/fact.h"

/* Is anything asked and learned at all? The same on all ranks of MPI_COMM_WORLD. */
bool star_wisdom_is_open(void);
/* Calls VISIT, which asks nothing itself, for each fact that is known of this machine, in the default
 * floating-point environment. */
void star_wisdom_each(void (*visit)(const struct star_fact *fact, void *context), void *context);
/* For the store, and for whoever asks later in this run. The machine need not be named. */
void star_wisdom_learn(const struct star_fact *fact);
/* Of what took so long in COUNT calls that were compared (means over ranks), and WATCHED seconds in as many
 * calls as the chosen one, which count more than those. False: it was not measured. */
bool star_wisdom_figures(const double *samples, int count, double watched, int64_t watched_calls,
                         struct star_figures *figures);

#endif

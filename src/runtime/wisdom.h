/* SPDX-License-Identifier: BSD-3-Clause
 * Wisdom for others than contexts, who have operations of their own: what earlier runs learned, and what this
 * one learns. Local; for leaders. */
#pragma once

#include "runtime/state.h"
#include "wisdom/fact.h"

/* Is anything asked and learned at all? The same on all ranks of MPI_COMM_WORLD. */
bool star_wisdom_is_open(void);
/* Calls VISIT, which asks nothing itself, for each fact that is known of this machine, in the default
 * floating-point environment. */
void star_wisdom_each_known(void (*visit)(const struct star_fact *fact, void *context), void *context);
/* For the store, and for whoever asks later in this run. The machine need not be named. */
void star_wisdom_learn(const struct star_fact *fact);
/* What this run has seen of an alternative: in calls that were compared, and as the chosen one, which count
 * more than those. False: it was not measured. */
bool star_wisdom_figures(const struct star_subject *subject, int alternative, struct star_figures *figures);

/* On rank 0: asks for what earlier runs learned. */
void star_wisdom_read(struct star_text *text);
/* Takes what rank 0 has read. A rank without memory for it knows nothing. Local; true. */
bool star_wisdom_find(struct star_text *text, int64_t length);
/* Tells the context's tuner what is known of its candidates. Collective over the communicator. */
void star_context_recall(struct star_communicator *state, struct star_context *context);
/* Its two halves, as star_context_forecast's; at most MOST of the fastest, and native. */
struct star_recollections;
void star_context_remember(const struct star_communicator *state, const struct star_context *context,
                           int most, struct star_recollections *known);
void star_context_take_recollections(struct star_context *context, const struct star_recollections *known);
/* Leader only: a method was chosen, which others of this run may learn of. */
void star_wisdom_note_choice(const struct star_communicator *state, const struct star_context *context);
/* Leader only: what this run has learned, at the context's end. */
void star_wisdom_keep(const struct star_communicator *state, const struct star_context *context);
/* At the end: what this rank has learned. Rank 0 gives that of all ranks to the store (remember.h). */
void star_wisdom_end(struct star_text *lines);

/* SPDX-License-Identifier: BSD-3-Clause
 * What the leaders of communicators remember for the summary and the report. */
#pragma once

#include "runtime/records.h"

/* Each rank tells its own; those of rank 0 of the communicator are kept. */
void star_ledger_add_communicator(const struct star_communicator *state);
/* What a context saved that is told of no more. */
void star_ledger_drop(const struct star_context *context);
/* At the end, collective over MPI_COMM_WORLD: rank 0 gets what all have, also in WARNINGS and LINES. */
void star_ledger_collect(struct star_text *warnings, struct star_text *lines);
/* Then rank 0 tells it. */
void star_ledger_close(void);
/* A request's record, and, for the report, its JSON object behind a comma; each rank tells its own, and those
 * of the rank that LEADS are kept. */
void star_ledger_add_request(const struct star_record *record, const struct star_text *json, bool leads);

/* What was saved on this rank elsewhere. */
void star_ledger_add_balance(const struct star_balance *balance);

void star_ledger_add_verified(const struct star_verified *record);
/* Of the setting `checked`, by rank 0 of a communicator: a call was compared; or nothing can be there. */
void star_ledger_add_compared(void);
void star_ledger_add_unchecked(void);

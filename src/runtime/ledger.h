/* SPDX-License-Identifier: BSD-3-Clause
 * What the leaders of communicators remember for the summary and the report. */
#ifndef STAR_RUNTIME_LEDGER_H
#define STAR_RUNTIME_LEDGER_H

#include "runtime/records.h"

/* What the leaders of communicators remember for the summary and the report. */
void star_ledger_add_communicator(const struct star_communicator *state);
void star_ledger_close(void);
/* ledger.c: a request's record, and, for the report, its JSON object behind a comma. */
void star_ledger_add_request(const struct star_record *record, const struct star_text *json);

void star_ledger_add_verified(const struct star_verified *record);

#endif

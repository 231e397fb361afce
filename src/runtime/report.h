/* SPDX-License-Identifier: BSD-3-Clause
 * The report in a file: rank 0 of MPI_COMM_WORLD writes it at the end. */
#pragma once

#include "runtime/records.h"

/* Will there be a report, to be kept or in a file? */
bool star_report_is_wanted(void);
/* Appends the context as a JSON object. */
void star_report_context(struct star_text *text, const struct star_communicator *state,
                         const struct star_context *context);
/* Gathers what all ranks remember, and their WARNINGS and what they have learned in LINES, on rank 0.
 * Collective over MPI_COMM_WORLD. */
void star_report_collect(struct star_ledger *ledger, struct star_text *warnings, struct star_text *lines);
/* There: the summary and the report. */
void star_report_tell(struct star_ledger *ledger);

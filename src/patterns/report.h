/* SPDX-License-Identifier: BSD-3-Clause
 * Requests in the summary and the report. */
#pragma once

#include "patterns/patterns.h"

/* How choices speak of themselves. */
extern const struct star_subject_kind star_functions_told;
/* What its requests have learnt goes into the ledger. Each rank of its communicator. */
void star_report_choice(const struct star_choice *choice);

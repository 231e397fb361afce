/* SPDX-License-Identifier: BSD-3-Clause
 * A subject in the report: members of its JSON object. */
#pragma once

#include "subject/balance.h"

/* Calls, what they took, and what was saved. */
void star_subject_tell(struct star_text *text, const struct star_subject *subject,
                       const struct star_balance *balance);
/* Its decisions, and what was measured of each alternative. */
void star_subject_tell_course(struct star_text *text, const struct star_subject *subject);

/* SPDX-License-Identifier: BSD-3-Clause
 * The setting `log`: each decision in one line on standard error, from the rank that decides. */
#pragma once

#include "subject/subject.h"

enum { STAR_LOG_NOTHING, STAR_LOG_DECISIONS }; /* of the setting */
/* DECISION is in force, and not noted yet; or the tuner's candidate is to be left out. */
void star_subject_say(const struct star_subject *subject, const struct star_decision *decision);
void star_subject_say_left_out(const struct star_subject *subject, enum star_reason reason);

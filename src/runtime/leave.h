/* SPDX-License-Identifier: BSD-3-Clause
 * Programs that lost time in their last runs are left alone for a while (wisdom/losses.h): they run as with
 * --off, and rank 0 says so. Where the user has asked for what startune does, it does it, and such a run is
 * no evidence of what it does by itself. */
#pragma once

#include "subject/balance.h"
#include "util/text.h"

/* On rank 0, at the start: why the program is left alone; nothing where it is not. */
void star_leave_read(struct star_text *text);
/* Rank 0 says so. */
void star_leave_say(void);
/* On rank 0, at the end: the account of the run, by which it is judged; and as it was TOLD, for the site
 * (wisdom/hours.h), with what own work may have held up in its error. COUNTED: it has
 * nearly all calls; IDLE: there were none to tune, so that startune's own time is all there is. */
void star_leave_note(const struct star_balance *account, const struct star_balance *told, bool counted,
                     bool idle);

/* SPDX-License-Identifier: BSD-3-Clause
 * Writing without signals: none ends the process in the middle, and none tells of a pipe that nobody reads
 * any more, or of a file that has become too long, which errno says anyway. */
#pragma once

#include <signal.h>
#include <stdbool.h>

struct star_quiet {
    sigset_t mask, pending; /* as they were */
};

/* Of this thread, those two wait; ALL: and all others, too. */
void star_quiet_begin(struct star_quiet *quiet, bool all);
/* Those two are forgotten, if they have come since; others that have come take effect now. Keeps errno. */
void star_quiet_end(const struct star_quiet *quiet);

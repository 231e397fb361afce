/* SPDX-License-Identifier: BSD-3-Clause
 * Asking another program, from within a program that is not ours and must not notice: no signal tells it that
 * the other one ended, its wait() does not find it, a pipe that breaks raises none, and no file of its own is
 * handed on. The other one gets of the environment only where homes and libraries are: nothing that would put
 * a library in front of it, and nothing of an MPI launcher. */
#ifndef STAR_UTIL_PROCESS_H
#define STAR_UTIL_PROCESS_H

#include "util/text.h"
#include "util/why.h"

#include <sys/types.h>

/* One that has begun and can be asked, once. All 0: none. */
struct star_process {
    pid_t number;
    int end; /* ours of what connects the two */
};

/* Runs WORDS[0], a path, with WORDS up to a NULL, wherever the system likes, not where this process is bound
 * to. STAR_ESYSTEM: it cannot be run. */
int star_process_begin(struct star_process *process, char *const *words, struct star_why *why);
/* Gives it INPUT on its standard input, and adds what it writes on standard output to ANSWER; what it says on
 * standard error is lost. NAME is for messages. STAR_ESYSTEM: it has not ended after SECONDS, and was killed.
 */
int star_process_talk(struct star_process *process, const char *name, const struct star_text *input,
                      double seconds, struct star_text *answer, struct star_why *why);
/* Kills it, if there is one. */
void star_process_abandon(struct star_process *process);

#endif

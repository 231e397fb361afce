/* SPDX-License-Identifier: BSD-3-Clause
 * Asking another program, from within a program that is not ours and must not notice: no signal tells it that
 * the other one ended, its wait() does not find it, a pipe that breaks raises none, and no file of its own is
 * handed on. The other one gets of the environment only where homes and libraries are: nothing that would put
 * a library in front of it, and nothing of an MPI launcher. It leaves no zombie, whoever process 1 is. */
#pragma once

#include "util/text.h"
#include "util/why.h"

/* No answer may be longer. */
enum { STAR_ANSWER_MOST = 8 << 20 };

/* Runs WORDS[0], a path, with WORDS up to a NULL, wherever the system likes, not where this process is bound
 * to. Gives it INPUT on its standard input, and adds what it writes on standard output to ANSWER; what it
 * says on standard error is lost. The calling thread stands still meanwhile, others go on. STAR_ESYSTEM: it
 * cannot be run; it has not ended after SECONDS, or has said too much, and was killed. STAR_EMEMORY. */
int star_process_ask(char *const *words, const struct star_text *input, double seconds,
                     struct star_text *answer, struct star_why *why);

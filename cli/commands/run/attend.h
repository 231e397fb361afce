/* SPDX-License-Identifier: BSD-3-Clause
 * `startune run` before a program that may lose the library: a script that sets or unsets LD_PRELOAD. */
#ifndef STAR_CLI_ATTEND_H
#define STAR_CLI_ATTEND_H

/* Runs the program by BECOME, which returns only where it cannot, in a process of its own, and waits for it:
 * says so at its end where startune was never reached. Signals are handed on. Returns the exit status, or
 * does not return, where the program was ended by a signal, which ends this process too. Negative: there is
 * no other process, and this one is still to become the program. */
int cli_attend(void (*become)(void *), void *whom);

#endif

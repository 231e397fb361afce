/* SPDX-License-Identifier: BSD-3-Clause
 * Floating-point environments that programs choose, for tests. */
#ifndef TESTS_ENVIRONMENT_H
#define TESTS_ENVIRONMENT_H

#include <stdbool.h>

struct environment {
    int traps, rounding; /* as <fenv.h> has them */
    bool flushes;        /* what is less than normal numbers to zero, as operand and as result; x86 alone */
};

/* Of words with commas between them: invalid, divide, overflow, underflow, inexact: they trap; up, down,
 * zero: where results are rounded to; flush. Ends the process where a word is none of these. */
struct environment environment_of(const char *words);
struct environment environment_now(void);
bool environment_is(const struct environment *environment);
void environment_set(const struct environment *environment);

#endif

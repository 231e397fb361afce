/* SPDX-License-Identifier: BSD-3-Clause
 * cmocka, with what it wants included before, and what every refusal must look like. */
#pragma once

#include "util/why.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* How many trials a test makes: ALL where LONG_TESTS is yes (./check --long), else FEW, which take no time.
 */
static inline int trials(int all, int few)
{
    const char *is_long = getenv("LONG_TESTS");
    return is_long != NULL && strcmp(is_long, "yes") == 0 ? all : few;
}

/* A reason is one line that is not empty. */
static inline void expect_one_line(const char *text)
{
    if (text[0] == 0 || strpbrk(text, "\n\r") != NULL)
        fail_msg("not one line: '%s'", text);
}

/* … and names WORD. */
static inline void expect_reason(const struct star_why *why, const char *word)
{
    expect_one_line(why->text);
    if (strstr(why->text, word) == NULL)
        fail_msg("'%s' does not name '%s'", why->text, word);
}

static inline void expect_between(double value, double least, double most)
{
    if (!(value >= least && value <= most))
        fail_msg("%g is not between %g and %g", value, least, most);
}

/* Numbers for tests that must be the same on every run: xorshift64*. */
static inline uint64_t random_next(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * UINT64_C(2685821657736338717);
}

/* One of 0…BOUND−1. */
static inline uint64_t random_below(uint64_t *state, uint64_t bound)
{
    return (random_next(state) >> 11) % bound;
}

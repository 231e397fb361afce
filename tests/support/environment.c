/* SPDX-License-Identifier: BSD-3-Clause */
#include "environment.h"

#include <fenv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __SSE2__
#include <xmmintrin.h>
enum { FLUSH = 0x8040 };
static bool flushes_now(void)
{
    return (_mm_getcsr() & FLUSH) == FLUSH;
}

static void let_flush(bool flushes)
{
    _mm_setcsr((_mm_getcsr() & ~(unsigned int)FLUSH) | (flushes ? FLUSH : 0));
}
#else
static bool flushes_now(void)
{
    return false;
}

static void let_flush(bool flushes)
{
    (void)flushes;
}
#endif

static const struct {
    const char *name;
    struct environment change;
} words[] = {{"invalid", {FE_INVALID, 0, false}},   {"divide", {FE_DIVBYZERO, 0, false}},
             {"overflow", {FE_OVERFLOW, 0, false}}, {"underflow", {FE_UNDERFLOW, 0, false}},
             {"inexact", {FE_INEXACT, 0, false}},   {"up", {0, FE_UPWARD, false}},
             {"down", {0, FE_DOWNWARD, false}},     {"zero", {0, FE_TOWARDZERO, false}},
             {"flush", {0, FE_TONEAREST, true}}};
enum { WORDS = sizeof words / sizeof *words };
_Static_assert(FE_TONEAREST == 0, "another way to round is no combination with it");

struct environment environment_of(const char *text)
{
    struct environment made = {0, FE_TONEAREST, false};
    while (*text != 0) {
        size_t length = strcspn(text, ",");
        int i = 0;
        while (i < WORDS && (strlen(words[i].name) != length || strncmp(words[i].name, text, length) != 0))
            i++;
        if (i == WORDS) {
            fprintf(stderr, "FAILED: '%s' is no floating-point environment\n", text);
            exit(2);
        }
        made.traps |= words[i].change.traps;
        made.rounding |= words[i].change.rounding;
        made.flushes = made.flushes || words[i].change.flushes;
        text += length + (text[length] == ',');
    }
    return made;
}

struct environment environment_now(void)
{
    return (struct environment){fegetexcept(), fegetround(), flushes_now()};
}

bool environment_is(const struct environment *environment)
{
    struct environment now = environment_now();
    return now.traps == environment->traps && now.rounding == environment->rounding &&
           now.flushes == environment->flushes;
}

void environment_set(const struct environment *environment)
{
    fedisableexcept(FE_ALL_EXCEPT);
    feclearexcept(FE_ALL_EXCEPT);
    fesetround(environment->rounding);
    let_flush(environment->flushes);
    feenableexcept(environment->traps);
}

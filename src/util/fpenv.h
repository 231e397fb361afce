/* SPDX-License-Identifier: BSD-3-Clause
 * The floating-point environment: rounding, traps, flush-to-zero, and which exceptions have occurred. It is
 * the program's. Startune's own calculations run in the default environment: nothing in them traps, whatever
 * the program wants, and all ranks round alike.
 *
 * MPI functions are called in the program's environment, but for those in MPI_Init and MPI_Finalize: while
 * one waits, the library may go on with a reduction of the program's. */
#pragma once

/* On x86-64 the C library's functions take 0.3 µs, as they save all of the x87 unit. Compilers use that for
 * long double alone. Its control word and that of SSE are enough for all else, and take 5 ns. */
#if defined(__x86_64__) && __has_include(<fpu_control.h>)
#define STAR_FPENV_WORDS
struct star_fpenv {
    unsigned int sse;
    unsigned short x87;
};
#else
#include <fenv.h>
struct star_fpenv {
    fenv_t all;
};
#endif

/* Makes the default environment the current one; returns what was, for star_fpenv_restore. */
struct star_fpenv star_fpenv_default(void);
/* Exceptions that have occurred since are forgotten. */
void star_fpenv_restore(const struct star_fpenv *before);

/* A declaration: the function that begins with it runs in the default environment, whichever way it ends. It
 * must not use long double. Such functions may call each other. */
#define STAR_FPENV_DEFAULT                                                                                   \
    const struct star_fpenv before_ __attribute__((unused, cleanup(star_fpenv_restore))) =                   \
        star_fpenv_default()

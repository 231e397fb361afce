/* SPDX-License-Identifier: BSD-3-Clause
 * Errors: a function that can fail returns 0 or a negative code, and says why in one line. */
#pragma once

#include <stdarg.h>

enum star_error {
    STAR_OK = 0,
    STAR_EINPUT = -1,  /* the user's input is wrong */
    STAR_EMEMORY = -2, /* out of memory */
    STAR_ELIMIT = -3,  /* a bound of the settings would be exceeded */
    STAR_ENEEDS = -4,  /* the method does not apply here */
    STAR_EWRONG = -5,  /* a plan is wrong: the simulator's verdict */
    STAR_ESYSTEM = -6  /* the operating system refused */
};

struct star_why {
    char text[400];
};

/* Writes the reason (when WHY is not NULL) and returns CODE. */
int star_because(struct star_why *why, int code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

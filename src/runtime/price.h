/* SPDX-License-Identifier: BSD-3-Clause
 * What startune's own instructions take at calls that it serves. One call in many is timed as a whole, less
 * what served it. What a program's calls leave of the processor's caches decides how long that is, so that it
 * has to be measured in the program. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { STAR_PRICES = 64 };
struct star_price {
    int64_t calls;                     /* that were looked at as a whole, */
    int64_t taken;                     /* and of which so many were timed */
    bool open;                         /* one is: */
    int64_t served;                    /* nanoseconds that what serves it has taken so far */
    uint32_t nanoseconds[STAR_PRICES]; /* of the last ones */
};

/* A call begins. True: it is one to be timed, by the two that follow. Where several threads communicate, none
 * is. */
bool star_price_is_due(void);
int64_t star_price_begin(void);
void star_price_end(int64_t begin);
/* Where something serves a call that is timed. */
void star_price_served(int64_t begin);

struct star_balance;
/* What all calls of this rank cost it, CALLS in all: the wall time of a rank that shares its processor. */
struct star_balance star_price_balance(int64_t calls);

/* SPDX-License-Identifier: BSD-3-Clause */
#include "util/numerals.h"

#include <pthread.h>

/* Made once, and never changed: the C library has no constant one for numbers alone. */
static locale_t plain;

static void make(void)
{
    plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

locale_t star_numerals_plain(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make);
    return uselocale(plain); /* if none could be made, nothing changes */
}

void star_numerals_restore(locale_t own)
{
    uselocale(own);
}

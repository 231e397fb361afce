/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/price.h"
#include "dialect/launcher.h"
#include "runtime/session.h"
#include "subject/balance.h"
#include "util/clock.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool star_price_is_due(void)
{
    enum { APART = 61 }; /* prime: programs repeat calls in rounds */
    return ++star_runtime.price.calls % APART == 0 && !star_runtime.threads;
}

int64_t star_price_begin(void)
{
    star_runtime.price.open = true;
    star_runtime.price.served = 0;
    return star_now();
}

void star_price_served(int64_t begin)
{
    star_runtime.price.served += star_since(begin);
}

void star_price_end(int64_t begin)
{
    struct star_price *price = &star_runtime.price;
    int64_t readings = 2 * star_runtime.reading / 1000, own = star_since(begin) - price->served - readings;
    if (price->served > 0)
        price->nanoseconds[price->taken++ % STAR_PRICES] = own > 0 ? own : 0;
    price->open = false;
}

static int compare(const void *one, const void *other)
{
    int64_t a = *(const int64_t *)one, b = *(const int64_t *)other;
    return (a > b) - (a < b);
}

/* Nanoseconds of a call: a mean without the quarter that took longest, in which other processes ran, or ranks
 * agreed, which is counted elsewhere. */
static double mean(const struct star_price *price)
{
    int64_t sorted[STAR_PRICES], sum = 0;
    int64_t count = price->taken < STAR_PRICES ? price->taken : STAR_PRICES, kept = count - count / 4;
    memcpy(sorted, price->nanoseconds, (size_t)count * sizeof sorted[0]);
    qsort(sorted, (size_t)count, sizeof sorted[0], compare);
    for (int64_t i = 0; i < kept; i++)
        sum += sorted[i];
    return (double)sum / (double)kept;
}

static double sharers(void)
{
    double ranks = star_launched_here(), processors = (double)sysconf(_SC_NPROCESSORS_ONLN);
    return ranks > processors && processors > 0 ? ranks / processors : 1;
}

/* A call that goes straight to the MPI library takes about as long as reading the clock (bench/overhead), and
 * as long as it may be wrong. Where none was timed, one that is looked at takes four times that. */
struct star_balance star_price_balance(int64_t calls)
{
    const struct star_price *price = &star_runtime.price;
    double reading = (double)star_runtime.reading * 1e-3, looked = (double)price->calls;
    double straight = calls > price->calls ? (double)calls - looked : 0;
    double each = price->taken > 0 ? mean(price) : 4 * reading;
    double scale = sharers() * 1e-9;
    return (struct star_balance){.saved = -scale * (straight * reading + looked * each),
                                 .error = scale * (straight * reading + looked * each / 2)};
}

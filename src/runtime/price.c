/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/price.h"
#include "dialect/launcher.h"
#include "runtime/session.h"
#include "subject/balance.h"
#include "util/clock.h"
#include "util/quantile.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

bool star_price_is_due(void)
{
    enum { APART = 61 }; /* prime: programs repeat calls in rounds */
    return !star_runtime.threads && ++star_runtime.price.calls % APART == 0;
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
        price->nanoseconds[price->taken++ % STAR_PRICES] = own < 0            ? 0
                                                           : own < UINT32_MAX ? (uint32_t)own
                                                                              : UINT32_MAX;
    price->open = false;
}

/* Nanoseconds of a call. When ranks agreed in it, that is counted elsewhere. */
static double mean(const struct star_price *price)
{
    uint32_t times[STAR_PRICES];
    uint32_t count = price->taken < STAR_PRICES ? (uint32_t)price->taken : STAR_PRICES;
    memcpy(times, price->nanoseconds, count * sizeof times[0]);
    return star_sort_typical(times, count);
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
    double reading = (double)star_runtime.reading * 1e-3;
    double looked = (double)(star_runtime.threads ? calls : price->calls);
    double straight = fmax((double)calls - looked, 0);
    double each = price->taken > 0 ? mean(price) : 4 * reading;
    double scale = sharers() * 1e-9;
    return (struct star_balance){.saved = -scale * (straight * reading + looked * each),
                                 .error = scale * (straight * reading + looked * each / 2)};
}

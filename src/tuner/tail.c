/* SPDX-License-Identifier: BSD-3-Clause
 * Calls that take far longer than the others now and then, such as those in which TCP waits for a time-out:
 * they count for little in what a call usually takes, since any method may meet the machine's noise, but a
 * method that meets more of them than others do in as much time is to blame for them. */
#include "tuner/tail.h"

#include <math.h>

/* So many are none of chance; and in as much time as another method would have met so many of them, it tells
 * whether it does. */
static const double enough = 3, telling = 6;
/* Deviations of how many long calls there are by chance, which are not held against a method. */
static const double by_chance = 2;
/* What more calls than these told is halved. */
static const double calls_most = 4096;
/* A method is given another trial after so many times the calls in which it showed its long ones. */
static const double again = 8;

/* Did OTHER run long enough to have met the long calls that ONE meets, or as long as is remembered? */
static bool tells(const struct star_tail *other, const struct star_tail *one)
{
    return other->calls >= calls_most / 2 || other->usual * one->longer >= telling * one->usual;
}

/* By which share of its time calls of a method may take longer if they meet no other noise than OTHER's, of
 * which one takes as long as those of ONE, or of OTHER itself. */
static double noise_of(const struct star_tail *other, const struct star_tail *one)
{
    double longer = other->longer, own = one->excess / one->longer,
           each = longer > 0 ? fmax(own, other->excess / longer) : own;
    return (other->excess + by_chance * sqrt(longer + 1) * each) / other->usual;
}

/* The least of that: who met no more than that met noise alone. */
static double noise_beside(const struct star_standing *standing, const struct star_tail *one)
{
    double least = INFINITY;
    for (int i = 0; i < standing->count; i++) {
        const struct star_tail *tail = &standing->visit[i].tail;
        if (tail->usual > 0 && tells(tail, one))
            least = fmin(least, noise_of(tail, one));
    }
    return least;
}

double star_tail_of(const struct star_standing *standing, int i)
{
    const struct star_tail *tail = &standing->visit[i].tail;
    if (tail->longer < enough || !(tail->usual > 0))
        return 0;
    double noise = noise_beside(standing, tail); /* infinite where nobody tells */
    return fmax(tail->excess - noise * tail->usual, 0) / tail->calls;
}

int64_t star_tail_unknown(const struct star_standing *standing, int i, double seconds)
{
    const struct star_tail *tail = &standing->visit[i].tail, *native = &standing->visit[0].tail;
    if (i == 0 || tail->longer < enough || tells(native, tail) ||
        (tail->usual + tail->excess) / tail->calls <= seconds)
        return 0;
    double calls = (telling * tail->usual / tail->longer - native->usual) / seconds;
    return (int64_t)ceil(fmin(calls, STAR_VISIT_MOST));
}

void star_tails_forgive(struct star_standing *standing, double left)
{
    for (int i = 0; i < standing->count; i++) {
        struct star_tail *tail = &standing->visit[i].tail;
        double seconds = star_tail_of(standing, i) * tail->ran,
               since = (double)(standing->calls - standing->visit[i].all.at);
        if (!(seconds > 0) || since < again * (tail->ever + tail->ran) ||
            left < enough * tail->excess / tail->longer)
            continue;
        standing->seconds += i > 0 ? seconds : 0; /* native takes what it takes */
        *tail = (struct star_tail){.ever = tail->ever + tail->ran};
    }
}

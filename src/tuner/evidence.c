/* SPDX-License-Identifier: BSD-3-Clause */
#include "tuner/evidence.h"
#include "tuner/tail.h"

#include <math.h>

/* By how much a method differs from visit to visit, and its calls within one: standard deviations of
 * logarithms. */
static const double of_visits = 0.05, of_calls = 0.15;
/* In a short visit ranks run ahead of each other, or connections are slow at first. When a visit is twice as
 * long as all before, so much of what they told is believed; of one a quarter as long as another, too. */
static const double longer = 2, of_shorter = 0.2;
/* At most as much is known as so many visits tell: the last ones count. */
enum { VISITS_MOST = 64 };
/* What was measured long ago may have changed: variance, for each time that the calls since have doubled. */
static const double fading = 0.03 * 0.03;
/* And after so many times the calls until then, shorter visits than those tell as much. */
static const double long_ago = 4;
/* Where ranks were apart by more than this share in a candidate's first visit, its calls overlap in the long
 * run. */
static const double least_apart = 0.15;
/* By how much each may take another time once the chosen one has changed for good. */
static const double of_change = 0.3;
/* Native was slow at first, if it is faster than it was in so many visits; else it has changed now. */
enum { OFTEN = 2 };

/* Before anything was seen the noise is taken to be 1, with the weight of so many looks; of all looks the
 * last ones count. One look raises it to so many times as much at most. */
enum { NOISE_SUPPOSED = 4, NOISE_MEMORY = 32 };
static const double noise_most = 9;

double star_evidence_noise(const struct star_standing *standing)
{
    double seen = (double)standing->looks;
    return fmax((NOISE_SUPPOSED + seen * standing->noise) / (NOISE_SUPPOSED + seen), 1);
}

double star_evidence_variance(double noise, int64_t calls)
{
    return noise * (of_visits * of_visits + of_calls * of_calls / (double)calls);
}

/* How many times as many calls there have been now as when a candidate was last measured, those of earlier
 * runs among them. */
static double ago(const struct star_standing *standing, const struct star_evidence *all)
{
    double then = (double)all->at + standing->earlier;
    return ((double)standing->calls + standing->earlier) / fmax(then, 1);
}

double star_evidence_faded(const struct star_standing *standing, const struct star_evidence *all)
{
    return fading * log2(fmax(ago(standing, all), 1));
}

/* The variance of CALLS calls around what was measured before. */
static double variance_beside(const struct star_evidence *all, double noise, int64_t calls)
{
    return noise / all->weight + star_evidence_variance(noise, calls);
}

/* Nothing makes a call faster by chance; but what makes a few slower may pass. */
static bool is_surprise(const struct star_evidence *all, double noise, double level, int64_t calls)
{
    enum { ENOUGH = 8 };
    static const double sure = 3;
    double deviation = all->weight > 0 ? sqrt(variance_beside(all, noise, calls)) : INFINITY;
    return all->level - level > sure * deviation ||
           (calls >= ENOUGH && level - all->level > sure * deviation);
}

/* From calls in a row of about as many as before: longer rows tell of pipelines. */
static void learn_noise(struct star_standing *standing, const struct star_evidence *all, double noise,
                        double level, int64_t calls)
{
    double off = level - all->level,
           seen = noise * fmin(off * off / variance_beside(all, noise, calls), noise_most);
    standing->looks += standing->looks < NOISE_MEMORY;
    standing->noise += (seen - standing->noise) / (double)standing->looks;
}

void star_evidence_note(struct star_standing *standing, int candidate, double seconds, int64_t calls,
                        int64_t row)
{
    struct star_evidence *all = &standing->visit[candidate].all;
    if (calls < 1)
        return;
    double weight = 1 / star_evidence_variance(1, calls), noise = star_evidence_noise(standing);
    if (!(seconds > 0)) { /* calls that take no time say nothing, and more of them would not either */
        all->weight = all->weight > 0 ? fmax(all->weight, weight) : 0;
        return;
    }
    if (all->longest == 0) {
        all->first = log(seconds);
        all->first_calls = row;
        all->pipelined = standing->visit[candidate].apart > least_apart;
    }
    bool old = all->weight > 0 && ago(standing, all) > long_ago;
    if (star_evidence_faded(standing, all) > 0)
        all->weight = fmin(all->weight, 1 / star_evidence_faded(standing, all));
    bool surprise = is_surprise(all, noise, log(seconds), calls);
    bool alike = (double)row < longer * (double)all->longest && 4 * row > all->longest;
    if (all->weight > 0 && alike)
        learn_noise(standing, all, noise, log(seconds), calls);
    if (surprise && candidate == 0 && standing->visit[0].ever > OFTEN)
        star_standing_settle(standing);
    if (surprise)
        all->weight = fmin(all->weight, of_shorter * weight);
    else if ((double)row >= longer * (double)all->longest)
        all->weight *= of_shorter;
    else if (4 * row <= all->longest && !old)
        weight *= of_shorter;
    all->level = (all->level * all->weight + log(seconds) * weight) / (all->weight + weight);
    all->weight = fmin(all->weight + weight, VISITS_MOST / (of_visits * of_visits));
    all->longest = row > all->longest ? row : all->longest;
    all->lately = row > all->lately ? row : all->lately;
    all->at = standing->calls;
}

void star_evidence_doubt(struct star_standing *standing)
{
    star_standing_settle(standing);
    for (int i = 0; i < standing->count; i++) {
        if (i > 0) /* what long calls took is a cost all the same */
            standing->seconds += star_tail_of(standing, i) * standing->visit[i].tail.ran;
        struct star_evidence *all = &standing->visit[i].all;
        all->weight = fmin(all->weight, 1 / (of_change * of_change));
        all->lately = 0;
        all->first_calls = 0; /* says nothing beside what is measured from now on */
        standing->visit[i].tail = (struct star_tail){0};
    }
}

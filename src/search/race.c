/* SPDX-License-Identifier: BSD-3-Clause */
#include "search/race.h"
#include "search/times.h"
#include "util/random.h"
#include "util/why.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* From so many counted runs on, medians are compared; before, the least times. */
enum { MEDIANS_FROM = 3 };
/* So many times the fastest's time puts a racer out after its cold run, and after 1, 2, more that count. */
#define FAR 10.0
static const double behind[] = {FAR, 3, 2, 1.5};
/* Those who are still in have so many runs together at most, but two are kept. */
enum { RUNS_TOGETHER = 24 };
/* Who was disturbed so often, and never else, is out. */
enum { DISTURBED_MOST = 12 };

int star_race_begin(struct star_race *race, const struct star_race_rules *rules, int racers, uint64_t seed)
{
    *race = (struct star_race){.rules = *rules, .random = seed};
    race->racer = calloc((size_t)racers + 1, sizeof *race->racer);
    if (race->racer == NULL)
        return STAR_EMEMORY;
    for (; race->racers < racers; race->racers++) {
        struct star_racer *racer = &race->racer[race->racers];
        racer->cold = NAN;
        racer->times = malloc((size_t)(rules->samples_most + STAR_RACE_ROUNDS) * sizeof *racer->times);
        if (racer->times == NULL) {
            star_race_end(race);
            return STAR_EMEMORY;
        }
    }
    return 0;
}

void star_race_end(struct star_race *race)
{
    for (int i = 0; i < race->racers; i++)
        free(race->racer[i].times);
    free(race->racer);
    race->racer = NULL;
    race->racers = 0;
}

static bool is_known(const struct star_race *race, const struct star_racer *racer)
{
    return racer->count >= race->rules.samples_most ||
           star_median_interval(racer->times, racer->count).width <= race->rules.precision;
}

static int count_in(const struct star_race *race)
{
    int in = 0;
    for (int i = 0; i < race->racers; i++)
        in += !race->racer[i].out;
    return in;
}

/* Must it run again? The last who is in needs no more than an interval: nobody is compared with it. */
static bool is_running(const struct star_race *race, const struct star_racer *racer, int in)
{
    if (racer->out)
        return false;
    bool alone = race->rules.prune && in == 1;
    return alone ? racer->count < STAR_TIMES_LEAST && racer->count < race->rules.samples_most
                 : !is_known(race, racer);
}

/* Runs from the one look at the race to the next: at first each matters. */
static int rounds_of(const struct star_race *race)
{
    int least = race->rules.samples_most;
    for (int i = 0; i < race->racers; i++)
        if (!race->racer[i].out && race->racer[i].count < least)
            least = race->racer[i].count;
    return least < MEDIANS_FROM ? 1 : STAR_RACE_ROUNDS;
}

int star_race_next(struct star_race *race, int *order)
{
    int running = 0, in = count_in(race), rounds = rounds_of(race);
    if (race->spent >= race->rules.seconds)
        return 0;
    for (int i = 0; i < race->racers; i++)
        if (is_running(race, &race->racer[i], in))
            order[running++] = i;
    for (int round = 0, *at = order; round < rounds; round++, at += running) {
        if (round > 0)
            memcpy(at, order, (size_t)running * sizeof *at);
        star_shuffle(at, running, &race->random);
    }
    return rounds * running;
}

/* By what a racer is compared: the least of few times, as a disturbed one among them says nothing. */
static double standing(const struct star_racer *racer)
{
    if (racer->count >= MEDIANS_FROM)
        return star_median(racer->times, racer->count);
    double least = isnan(racer->cold) ? INFINITY : racer->cold;
    for (int i = 0; i < racer->count; i++)
        least = fmin(least, racer->times[i]);
    return least;
}

static struct star_racer *leader_of(const struct star_race *race)
{
    struct star_racer *leader = NULL;
    for (int i = 0; i < race->racers; i++)
        if (!race->racer[i].out && (leader == NULL || standing(&race->racer[i]) < standing(leader)))
            leader = &race->racer[i];
    return leader;
}

/* The factor that puts the racer out: that of its runs, or of one less where they are so short that others
 * may have had the processor meanwhile. What neighbours rule out nearly is out by its cold run, if that is
 * slow too. */
static double limit_of(const struct star_race *race, const struct star_racer *racer)
{
    enum { LAST = sizeof behind / sizeof *behind - 1 };
    int runs = racer->count - (standing(racer) < race->rules.disturbance);
    if (racer->count == 0 && racer->hope > 1)
        return fmax(behind[1] / racer->hope, behind[LAST]);
    if (runs < 0)
        return INFINITY;
    return behind[runs < LAST ? runs : LAST];
}

static bool is_beaten(const struct star_race *race, const struct star_racer *racer,
                      const struct star_racer *leader)
{
    if (isinf(standing(racer))) /* nothing is known of it yet */
        return racer->disturbed >= DISTURBED_MOST;
    double ratio = standing(racer) / standing(leader), limit = limit_of(race, racer);
    bool kept = racer->keep && racer->count < STAR_TIMES_LEAST;
    if (ratio > (kept ? fmax(FAR, limit) : limit))
        return true;
    return !kept && ratio > 1 && racer->count >= MEDIANS_FROM &&
           star_slower_by_chance(racer->times, racer->count, leader->times, leader->count) <=
               STAR_RACE_CHANCE;
}

/* Of many who are alike the slower ones go: the longer it lasts, the more. */
static void thin_out(struct star_race *race)
{
    for (;;) {
        struct star_racer *last = NULL;
        int in = 0, runs = 0;
        for (int i = 0; i < race->racers; i++) {
            struct star_racer *racer = &race->racer[i];
            if (racer->out)
                continue;
            in++;
            runs += racer->count;
            bool kept = racer->count < (racer->keep ? STAR_TIMES_LEAST : MEDIANS_FROM);
            if (!kept && (last == NULL || standing(racer) > standing(last)))
                last = racer;
        }
        if (in <= 2 || runs <= RUNS_TOGETHER || last == NULL)
            return;
        last->out = true;
    }
}

void star_race_take(struct star_race *race, const int *order, int runs, const double *seconds, double spent)
{
    race->spent += spent;
    for (int i = 0; i < runs; i++) {
        struct star_racer *racer = &race->racer[order[i]];
        racer->disturbed += isinf(seconds[i]) ? 1 : 0;
        if (isnan(seconds[i]))
            racer->out = racer->wrong = true;
        else if (isnan(racer->cold))
            racer->cold = seconds[i];
        else if (isfinite(seconds[i]))
            racer->times[racer->count++] = seconds[i];
    }
    if (!race->rules.prune)
        return;
    struct star_racer *leader = leader_of(race);
    for (int i = 0; leader && i < race->racers; i++) {
        struct star_racer *racer = &race->racer[i];
        if (!racer->out && racer != leader && is_beaten(race, racer, leader))
            racer->out = true;
    }
    thin_out(race);
}

/* SPDX-License-Identifier: BSD-3-Clause
 * What a candidate's calls are expected to take. Times are multiplied by what influences them, so their
 * logarithms are taken to be normally distributed. Before a candidate was measured, it is expected to be to
 * others as what is known of it beforehand is to what is known of them: an earlier run's times, else the cost
 * model's; else to be as fast as others of its group, or as all. What was measured is then weighed
 * against that (a normal prior and normal samples: Gelman et al., Bayesian Data Analysis, 2.5). */
#include "tuner/strategy.h"

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
/* By how much each may take another time once the chosen one has changed for good. */
static const double of_change = 0.3;
/* Native was slow at first, if it is faster than it was in so many visits; else it has changed now. */
enum { OFTEN = 2 };
/* How far methods' times are apart, unless those that were measured say otherwise: as many as SUPPOSED say
 * this. And how much slower than native they are expected to be. */
static const double spread_of_methods = 0.6;
const double star_behind_native = 0.2;
enum { SUPPOSED = 3 };
/* How far they are from what is foreseen of them. */
static const double spread_of_foreseen = 0.3;
/* Where ranks were apart by more than this share in a candidate's first visit, its calls overlap in the long
 * run. A first call takes longer than later ones then, by about so much; of those that were visited once and
 * then in LONGER calls, each tells as much of that as one in SUPPOSED_EARLY. It is not the same of all.
 * Pipelines fill over several calls: of four in a row it is half of that. */
static const double least_apart = 0.15, of_early = 0.3;
const double star_early_usual = 0.7;
enum { SUPPOSED_EARLY = 2, LONGER = 4 };
/* Of the variance between methods the part that groups explain, once others of the group were measured. */
static const double of_groups = 0.5;

/* What is known of a candidate beforehand. */
enum source { NOTHING, FORECAST, MEMORY, SOURCES };

struct beforehand {
    enum source source;
    double level;    /* the logarithm of its seconds; 0 where nothing is known */
    double variance; /* of that, where it depends on which network it is */
};

/* Of the mean of CALLS calls in a row. */
static double variance_of(int64_t calls)
{
    return of_visits * of_visits + of_calls * of_calls / (double)calls;
}

/* How many times as many calls there have been now as when a candidate was last measured, those of earlier
 * runs among them. */
static double ago(const struct star_standing *standing, const struct star_evidence *all)
{
    double then = (double)all->at + standing->earlier;
    return ((double)standing->calls + standing->earlier) / fmax(then, 1);
}

/* The variance of what has changed since. */
static double faded(const struct star_standing *standing, const struct star_evidence *all)
{
    return fading * log2(fmax(ago(standing, all), 1));
}

/* Nothing makes a call faster by chance; but what makes a few slower may pass. */
static bool is_surprise(const struct star_evidence *all, double level, int64_t calls)
{
    enum { ENOUGH = 8 };
    static const double sure = 3;
    double deviation = all->weight > 0 ? sqrt(1 / all->weight + variance_of(calls)) : INFINITY;
    return all->level - level > sure * deviation ||
           (calls >= ENOUGH && level - all->level > sure * deviation);
}

void star_expect_note(struct star_standing *standing, int candidate, double seconds, int64_t calls,
                      int64_t row)
{
    struct star_evidence *all = &standing->visit[candidate].all;
    if (calls < 1)
        return;
    double weight = 1 / variance_of(calls);
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
    if (faded(standing, all) > 0)
        all->weight = fmin(all->weight, 1 / faded(standing, all));
    bool surprise = is_surprise(all, log(seconds), calls);
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

void star_expect_doubt(struct star_standing *standing)
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

bool star_was_measured(const struct star_standing *standing, int i)
{
    return standing->visit[i].all.weight > 0;
}

/* Of that the part that CALLS in a row take longer. */
static double early_part(double calls)
{
    return 1 / sqrt(calls);
}

/* By how much longer the first call of those takes that are pipelined, as a logarithm. */
static double find_early(const struct star_standing *standing)
{
    double sum = SUPPOSED_EARLY * star_early_usual;
    int count = SUPPOSED_EARLY;
    for (int i = 0; i < standing->count; i++) {
        const struct star_evidence *all = &standing->visit[i].all;
        if (all->pipelined && all->first_calls == 1 && all->longest >= LONGER) {
            sum += (all->first - all->level) / (1 - early_part((double)all->longest));
            count++;
        }
    }
    return fmax(sum / count, 0);
}

/* What I is thought to take in the long run by what was measured of it alone, where a first call takes longer
 * by EARLY. */
static struct star_outlook measured_of(const struct star_standing *standing, double early, int i)
{
    const struct star_evidence *all = &standing->visit[i].all;
    double share = all->pipelined ? early_part((double)all->longest) : 0;
    return (struct star_outlook){all->level - early * share, 1 / all->weight + faded(standing, all) +
                                                                 of_early * of_early * share * share};
}

/* Native, which is seldom slow, tells what to expect of all that are foreseen. */
static void find_beforehand(const struct star_standing *standing, const struct star_outlook *measured,
                            struct beforehand *before)
{
    struct star_outlook foreseen[STAR_CANDIDATES_MAX];
    bool native = star_was_measured(standing, 0);
    if (standing->foreseen != NULL) {
        native = native && !star_is_foreseen(standing, 0); /* else it is one of the others */
        star_networks_expect(standing, measured, native ? &measured[0] : NULL, foreseen);
    }
    for (int i = 0; i < standing->count; i++) {
        before[i] = (struct beforehand){NOTHING, 0, 0};
        if (standing->remembered[i] > 0)
            before[i] = (struct beforehand){MEMORY, log(standing->remembered[i]), 0};
        else if (star_is_foreseen(standing, i))
            before[i] = (struct beforehand){FORECAST, foreseen[i].mean, foreseen[i].variance};
    }
}

/* What is known beforehand of those with SOURCE, in the mean. */
static double known_of(const struct star_standing *standing, const struct beforehand *before,
                       enum source source)
{
    double sum = 0;
    int count = 0;
    for (int i = 0; i < standing->count; i++)
        if (before[i].source == source) {
            sum += before[i].level;
            count++;
        }
    return count > 0 ? sum / count : 0;
}

/* The mean of what there is evidence of, less that of what is known beforehand of those with SOURCE: what to
 * expect of them where none of them was measured. */
static double beside_all(const struct star_standing *standing, const struct beforehand *before,
                         const struct star_outlook *measured, enum source source)
{
    double sum = 0;
    int count = 0;
    for (int i = 0; i < standing->count; i++)
        if (star_was_measured(standing, i)) {
            sum += measured[i].mean;
            count++;
        }
    return (count > 0 ? sum / count : 0) + star_behind_native - known_of(standing, before, source);
}

/* By how much each that was measured, with SOURCE, takes longer than what is known beforehand. If native has
 * none such, it counts as one that is as fast as can be expected beside all of them: a single slow one says
 * little of the others. Returns how many there are. */
static int deviations_of(const struct star_standing *standing, const struct beforehand *before,
                         const struct star_outlook *measured, enum source source, double *each)
{
    int count = 0;
    for (int i = 0; i < standing->count; i++)
        if (star_was_measured(standing, i) && before[i].source == source)
            each[count++] = measured[i].mean - before[i].level;
    if (count > 0 && before[0].source != source && star_was_measured(standing, 0))
        each[count++] = measured[0].mean + star_behind_native - known_of(standing, before, source);
    return count;
}

/* What is foreseen is said in seconds: others take no longer than that because some do. */
static struct star_outlook spread_around_foreseen(const struct star_standing *standing,
                                                  const struct beforehand *before,
                                                  const struct star_outlook *measured)
{
    double squares = SUPPOSED * spread_of_foreseen * spread_of_foreseen;
    int count = SUPPOSED;
    for (int i = 0; i < standing->count; i++)
        if (star_was_measured(standing, i) && before[i].source == FORECAST) {
            double off = measured[i].mean - before[i].level;
            squares += off * off;
            count++;
        }
    return (struct star_outlook){0, squares / count};
}

/* By how much those with SOURCE take longer than what is known beforehand. */
static struct star_outlook offset_of(const struct star_standing *standing, const struct beforehand *before,
                                     const struct star_outlook *measured, enum source source)
{
    double each[STAR_CANDIDATES_MAX + 1], sum = 0, squares = 0;
    if (source == FORECAST)
        return spread_around_foreseen(standing, before, measured);
    int count = deviations_of(standing, before, measured, source, each);
    for (int i = 0; i < count; i++)
        sum += each[i];
    double mean = count > 0 ? sum / count : beside_all(standing, before, measured, source);
    for (int i = 0; i < count; i++)
        squares += (each[i] - mean) * (each[i] - mean);
    /* Where native alone was measured, which is seldom slow. */
    if (count == 1 && source == NOTHING)
        mean += star_behind_native;
    double variance = (squares + SUPPOSED * spread_of_methods * spread_of_methods) / (count + SUPPOSED);
    return (struct star_outlook){mean, variance * (1 + 1.0 / (count > 0 ? count : 1))};
}

/* Of CANDIDATE, as if it had not been measured: OFFSET weighs as much as two others of its group. */
static struct star_outlook prior_of(const struct star_standing *standing, const struct beforehand *before,
                                    const struct star_outlook *measured, const struct star_outlook *offset,
                                    int candidate)
{
    enum source source = before[candidate].source;
    double own = 0.5, sum = own * offset[source].mean, count = own;
    for (int i = 0; i < standing->count; i++)
        if (i != candidate && standing->group[i] == standing->group[candidate] &&
            before[i].source == source && star_was_measured(standing, i)) {
            sum += measured[i].mean - before[i].level;
            count++;
        }
    double variance = offset[source].variance * (1 - of_groups + of_groups * own / count);
    return (struct star_outlook){sum / count + before[candidate].level,
                                 variance + before[candidate].variance};
}

static struct star_outlook joined(const struct star_outlook *one, const struct star_outlook *other)
{
    double weight = 1 / one->variance, others = 1 / other->variance;
    return (struct star_outlook){(one->mean * weight + other->mean * others) / (weight + others),
                                 1 / (weight + others)};
}

void star_expect(const struct star_standing *standing, struct star_outlook *each)
{
    static const struct star_outlook unknown = {0, INFINITY};
    struct beforehand before[STAR_CANDIDATES_MAX];
    struct star_outlook measured[STAR_CANDIDATES_MAX], offset[SOURCES];
    double early = find_early(standing);
    for (int i = 0; i < standing->count; i++)
        measured[i] = star_was_measured(standing, i) ? measured_of(standing, early, i) : unknown;
    find_beforehand(standing, measured, before);
    for (int source = 0; source < SOURCES; source++)
        offset[source] = offset_of(standing, before, measured, (enum source)source);
    for (int i = 0; i < standing->count; i++) {
        each[i] = prior_of(standing, before, measured, offset, i);
        if (star_was_measured(standing, i))
            each[i] = joined(&each[i], &measured[i]);
    }
}

double star_expected(const struct star_outlook *expectation)
{
    return exp(expectation->mean + expectation->variance / 2);
}

double star_usual_overlap(const struct star_standing *standing)
{
    int pipelined = 0, all = 0;
    for (int i = 1; i < standing->count; i++) /* native tells nothing of the others here */
        if (standing->visit[i].all.first_calls > 0) {
            pipelined += standing->visit[i].all.pipelined;
            all++;
        }
    return all > 0 ? (double)pipelined / all : standing->ahead;
}

double star_overlap(const struct star_evidence *all, double usual)
{
    return all->first_calls > 0 ? all->pipelined : usual;
}

double star_expected_at_first(const struct star_evidence *all, const struct star_outlook *expectation,
                              double overlap, double calls)
{
    double early = all->first_calls == 1 ? fmax(all->first - expectation->mean, 0) : star_early_usual;
    return star_expected(expectation) * exp(overlap * early * early_part(calls));
}

static double below(double deviations)
{
    return 0.5 * erfc(-deviations / sqrt(2));
}

double star_expected_gain(const struct star_outlook *expectation, double seconds, int64_t calls,
                          double overlap)
{
    double variance = expectation->variance, told = variance, early = overlap * of_early;
    if (calls > 0)
        told = variance * variance / (variance + variance_of(calls) + early * early / (double)calls);
    double deviation = sqrt(told), mean = expectation->mean + (variance - told) / 2,
           z = (log(seconds) - mean) / deviation;
    return seconds * below(z) - exp(mean + told / 2) * below(z - deviation);
}

/* SPDX-License-Identifier: BSD-3-Clause
 * What a candidate's calls are expected to take. Times are multiplied by what influences them, so their
 * logarithms are taken to be normally distributed. Before a candidate was measured, it is expected to be to
 * others as what is known of it beforehand is to what is known of them: an earlier run's times, else the cost
 * model's; else to be as fast as others of its group, or as all. What was measured is then weighed
 * against that (a normal prior and normal samples: Gelman et al., Bayesian Data Analysis, 2.5). */
#include "tuner/expect.h"
#include "tuner/evidence.h"

#include <math.h>

/* How far methods' times are apart, unless those that were measured say otherwise: as many as SUPPOSED say
 * this. */
static const double spread_of_methods = 0.6;
enum { SUPPOSED = 3 };
/* How far they are from what is foreseen of them. */
static const double spread_of_foreseen = 0.3;
/* Where calls overlap in the long run, a first one takes longer than later ones, by about STAR_EARLY_USUAL;
 * of those that were visited once and then in LONGER calls, each tells as much of that as one in
 * SUPPOSED_EARLY. It is not the same of all: by so much they differ. Pipelines fill over several calls: of
 * four in a row it is half of that. */
static const double of_early = 0.3;
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

/* Of that the part that CALLS in a row take longer. */
static double early_part(double calls)
{
    return 1 / sqrt(calls);
}

/* By how much longer the first call of those takes that are pipelined, as a logarithm. */
static double find_early(const struct star_standing *standing)
{
    double sum = SUPPOSED_EARLY * STAR_EARLY_USUAL;
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
    return (struct star_outlook){all->level - early * share, star_evidence_noise(standing) / all->weight +
                                                                 star_evidence_faded(standing, all) +
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
    return (count > 0 ? sum / count : 0) + STAR_BEHIND_NATIVE - known_of(standing, before, source);
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
        each[count++] = measured[0].mean + STAR_BEHIND_NATIVE - known_of(standing, before, source);
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
        mean += STAR_BEHIND_NATIVE;
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
    double early = all->first_calls == 1 ? fmax(all->first - expectation->mean, 0) : STAR_EARLY_USUAL;
    return star_expected(expectation) * exp(overlap * early * early_part(calls));
}

static double below(double deviations)
{
    return 0.5 * erfc(-deviations / sqrt(2));
}

double star_expected_gain(const struct star_outlook *expectation, double seconds, int64_t calls,
                          double overlap, double noise)
{
    double variance = expectation->variance, told = variance, early = overlap * of_early;
    if (calls > 0)
        told = variance * variance /
               (variance + star_evidence_variance(noise, calls) + early * early / (double)calls);
    double deviation = sqrt(told), mean = expectation->mean + (variance - told) / 2,
           z = (log(seconds) - mean) / deviation;
    return seconds * below(z) - exp(mean + told / 2) * below(z - deviation);
}

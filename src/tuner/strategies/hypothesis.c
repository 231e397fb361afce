/* SPDX-License-Identifier: BSD-3-Clause
 * ADCL's performance hypothesis (Gabriel and Huang: Runtime Optimization of Application Level Communication
 * Patterns, HIPS 2007, slides 10 to 12). Candidates that differ in one attribute only are a set. Which of a
 * set is fastest says which value of that attribute is best: a hypothesis, of confidence 1. Each further set
 * that says the same raises the confidence by 1, each that says otherwise lowers it; at 0 the next set makes
 * another hypothesis. Once it is as high as the setting, candidates with other values fall out. Where no
 * value convinces, all are measured in the end.
 *
 * What the slides leave open is chosen so that few are measured: the attribute with the fewest values is
 * next, so that the many values of another are compared once, with the best of that; and of its sets the one
 * that takes the fewest measurements.
 *
 * Times that noise alone may have set apart (the setting `apart`; at 0 none are) say nothing against a
 * hypothesis. Where nothing more than that was seen, a candidate with another value falls out only if its
 * twin with the value that is believed is left.
 *
 * ADCL's functions are a grid, in which each value meets each other. Elsewhere a value falls out only if it
 * was compared with the one that is believed, or for a twin, and who has no such attribute stays, as does
 * native. */
#include "tuner/choose.h"
#include "util/quantile.h"

#include <math.h>
#include <string.h>

static bool is_measured(const struct star_standing *standing, int i)
{
    return standing->visit[i].visits > 0;
}

static bool is_in_set(const struct star_standing *standing, int attribute, int first, int i)
{
    return star_standing_runs(standing, i) && star_traits_agree_but(standing, first, i, attribute);
}

/* Sets are known by their first candidate, whether or not it runs. */
static bool is_first(const struct star_standing *standing, int attribute, int i)
{
    for (int j = 0; j < i; j++)
        if (star_traits_agree_but(standing, i, j, attribute))
            return false;
    return star_trait(standing, i, attribute) >= 0;
}

/* Does the set still have something to say? */
static bool is_to_tell(const struct star_standing *standing, int attribute, int first)
{
    int one = -1;
    if (standing->belief[attribute].settled || standing->told[attribute * standing->count + first] ||
        !is_first(standing, attribute, first))
        return false;
    for (int i = first; i < standing->count; i++)
        if (is_in_set(standing, attribute, first, i)) {
            int value = star_trait(standing, i, attribute);
            if (one >= 0 && value != one)
                return true;
            one = value;
        }
    return false;
}

static int unmeasured(const struct star_standing *standing, int attribute, int first)
{
    int count = 0;
    for (int i = first; i < standing->count; i++)
        count += is_in_set(standing, attribute, first, i) && !is_measured(standing, i);
    return count;
}

static int fastest_of(const struct star_standing *standing, int attribute, int first)
{
    int best = -1;
    for (int i = first; i < standing->count; i++)
        if (is_in_set(standing, attribute, first, i) &&
            (best < 0 || standing->estimate[i] < standing->estimate[best]))
            best = i;
    return best;
}

/* How much single calls differ, as a share: the median of the candidates that tell; 0: none does. */
static double noise(const struct star_standing *standing)
{
    double deviations[STAR_CANDIDATES_MAX];
    int count = 0;
    for (int i = 0; i < standing->count; i++)
        if (standing->visit[i].calls > 1)
            deviations[count++] = standing->visit[i].deviation;
    star_sort(deviations, count);
    return count > 0 ? star_quantile(deviations, count, 0.5) : 0;
}

/* By more than noise explains, of which single calls differ by the share APART. */
static bool is_slower(const struct star_standing *standing, double apart, int i, int than)
{
    double calls = fmin(standing->visit[i].calls, standing->visit[than].calls),
           chance = calls > 0 ? apart * sqrt(2 / calls) : 0;
    return standing->estimate[i] > (1 + chance) * standing->estimate[than];
}

/* For which value a set speaks: that which is believed, if it is as fast as the fastest. */
static int best_value(const struct star_standing *standing, double apart, int attribute, int first)
{
    const struct star_belief *belief = &standing->belief[attribute];
    int fastest = fastest_of(standing, attribute, first);
    for (int i = first; belief->confidence > 0 && i < standing->count; i++)
        if (star_trait(standing, i, attribute) == belief->value && is_in_set(standing, attribute, first, i) &&
            !is_slower(standing, apart, i, fastest))
            return belief->value;
    return star_trait(standing, fastest, attribute);
}

static void hear(struct star_belief *belief, int value)
{
    if (belief->confidence == 0)
        *belief = (struct star_belief){.confidence = 1, .value = (int16_t)value};
    else
        belief->confidence += belief->value == value ? 1 : -1;
}

/* Has candidate ONE a value of the attribute with which it, or another one, was slower than with VALUE? */
static bool has_lost(const struct star_standing *standing, double apart, int attribute, int one, int value)
{
    for (int i = 0; i < standing->count; i++) {
        if (star_trait(standing, i, attribute) != star_trait(standing, one, attribute) ||
            !is_measured(standing, i))
            continue;
        for (int j = 0; j < standing->count; j++)
            if (star_trait(standing, j, attribute) == value && is_measured(standing, j) &&
                star_traits_agree_but(standing, i, j, attribute) && is_slower(standing, apart, i, j))
                return true;
    }
    return false;
}

/* Does one run that has VALUE, and is as this one in all else? */
static bool has_twin(const struct star_standing *standing, int attribute, int one, int value)
{
    for (int i = 0; i < standing->count; i++)
        if (star_trait(standing, i, attribute) == value && is_in_set(standing, attribute, one, i))
            return true;
    return false;
}

/* Candidates without the value that is believed fall out. Those whose value was as fast do only where one
 * with the other value is left instead. */
static void drop_others(struct star_standing *standing, double apart, int attribute)
{
    struct star_belief *belief = &standing->belief[attribute];
    belief->settled = true;
    for (int i = 1; i < standing->count; i++) {
        int value = star_trait(standing, i, attribute);
        if (value >= 0 && value != belief->value && !standing->out[i])
            standing->out[i] = has_twin(standing, attribute, i, belief->value) ||
                               has_lost(standing, apart, attribute, i, belief->value);
    }
}

/* All sets that are wholly measured say what they have to; then what is believed has its effect. */
static void hear_all(struct star_standing *standing, const struct star_tuning *tuning)
{
    double apart = tuning->apart * noise(standing);
    for (int a = 0; a < standing->attributes; a++)
        for (int i = 0; i < standing->count; i++)
            if (is_to_tell(standing, a, i) && unmeasured(standing, a, i) == 0) {
                standing->told[a * standing->count + i] = true;
                if (standing->belief[a].confidence < tuning->confidence)
                    hear(&standing->belief[a], best_value(standing, apart, a, i));
            }
    for (int a = 0; a < standing->attributes; a++)
        if (!standing->belief[a].settled && standing->belief[a].confidence >= tuning->confidence)
            drop_others(standing, apart, a);
}

/* The set of an attribute that takes the fewest measurements; −1: no set has anything to say any more. */
static int next_set(const struct star_standing *standing, int attribute)
{
    int next = -1, fewest = 0;
    for (int i = 0; i < standing->count; i++) {
        int count = is_to_tell(standing, attribute, i) ? unmeasured(standing, attribute, i) : 0;
        if (count > 0 && (next < 0 || count < fewest)) {
            next = i;
            fewest = count;
        }
    }
    return next;
}

/* How many different values those have that run. */
static int values_left(const struct star_standing *standing, int attribute)
{
    int count = 0;
    for (int i = 0; i < standing->count; i++) {
        int value = star_trait(standing, i, attribute);
        bool is_new = value >= 0 && star_standing_runs(standing, i);
        for (int j = 0; j < i && is_new; j++)
            is_new = star_trait(standing, j, attribute) != value || !star_standing_runs(standing, j);
        count += is_new;
    }
    return count;
}

/* Lists what is missing of the next set. False: no set has anything to say any more. */
static bool list_set(const struct star_standing *standing, const struct star_tuning *tuning,
                     struct star_decision *decision)
{
    bool wanted[STAR_CANDIDATES_MAX];
    int attribute = -1, first = -1, fewest = 0;
    for (int a = 0; a < standing->attributes; a++) {
        int set = next_set(standing, a), values = set < 0 ? 0 : values_left(standing, a);
        if (set >= 0 && (attribute < 0 || values < fewest)) {
            attribute = a;
            first = set;
            fewest = values;
        }
    }
    for (int i = 0; attribute >= 0 && i < standing->count; i++)
        wanted[i] = is_in_set(standing, attribute, first, i);
    return attribute >= 0 && star_choose_list(standing, tuning, wanted, STAR_COMPARED, decision);
}

static void begin(struct star_standing *standing, const struct star_tuning *tuning,
                  struct star_decision *decision)
{
    size_t attributes = (size_t)standing->attributes;
    if (attributes > 0) {
        memset(standing->belief, 0, attributes * sizeof *standing->belief);
        memset(standing->told, 0, attributes * (size_t)standing->count * sizeof *standing->told);
    }
    star_choose_alone(standing, tuning, decision);
}

static void advance(struct star_standing *standing, const struct star_tuning *tuning,
                    const struct star_decision *course, struct star_decision *decision)
{
    if (course->reason != STAR_CONFIRM) {
        hear_all(standing, tuning);
        if (list_set(standing, tuning, decision) ||
            star_choose_list(standing, tuning, NULL, STAR_REMAINS, decision))
            return;
    }
    star_choose_best(standing, tuning, course, STAR_SELECTED, decision);
}

const struct star_way star_hypothesis = {.first = begin,
                                         .select = advance,
                                         .adapt = star_choose_adapt,
                                         .by_traits = true,
                                         .estimator = STAR_MAX_OF_FILTERED_MEAN,
                                         .watch = STAR_WATCH_EPSILON};

/* SPDX-License-Identifier: BSD-3-Clause
 * ADCL's performance hypothesis (Gabriel and Huang: Runtime Optimization of Application Level Communication
 * Patterns, HIPS 2007, slides 10 to 12). Candidates that differ in one attribute only are a set. Which of a
 * set is fastest says which value of that attribute is best: a hypothesis, of confidence 1. Each further set
 * that says the same raises the confidence by 1, each that says otherwise lowers it; at 0 the next set makes
 * another hypothesis. Once it is as high as the setting, candidates with other values fall out. Where no
 * value convinces, all are measured in the end.
 *
 * ADCL's functions are a grid, in which each value meets each other. Elsewhere a value falls out only if it
 * was compared with the one that is believed, and who has no such attribute stays, as does native. Attributes
 * take their turn in their order; of the sets that could say something the one that takes the fewest
 * measurements is next. */
#include "tuner/strategy.h"

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

static void hear(struct star_belief *belief, int value)
{
    if (belief->confidence == 0)
        *belief = (struct star_belief){.confidence = 1, .value = (int16_t)value};
    else
        belief->confidence += belief->value == value ? 1 : -1;
}

static bool was_compared(const struct star_standing *standing, int attribute, int value, int other)
{
    for (int i = 0; i < standing->count; i++) {
        if (star_trait(standing, i, attribute) != value || !is_measured(standing, i))
            continue;
        for (int j = 0; j < standing->count; j++)
            if (star_trait(standing, j, attribute) == other && is_measured(standing, j) &&
                star_traits_agree_but(standing, i, j, attribute))
                return true;
    }
    return false;
}

/* Candidates without the value that is believed fall out. */
static void drop_others(struct star_standing *standing, int attribute)
{
    struct star_belief *belief = &standing->belief[attribute];
    belief->settled = true;
    for (int i = 1; i < standing->count; i++) {
        int value = star_trait(standing, i, attribute);
        if (value >= 0 && value != belief->value && !standing->out[i])
            standing->out[i] = was_compared(standing, attribute, value, belief->value);
    }
}

/* All sets that are wholly measured say what they have to. */
static void hear_all(struct star_standing *standing, const struct star_tuning *tuning)
{
    for (int a = 0; a < standing->attributes; a++)
        for (int i = 0; i < standing->count; i++) {
            if (!is_to_tell(standing, a, i) || unmeasured(standing, a, i) > 0)
                continue;
            standing->told[a * standing->count + i] = true;
            hear(&standing->belief[a], star_trait(standing, fastest_of(standing, a, i), a));
            if (standing->belief[a].confidence >= tuning->confidence)
                drop_others(standing, a);
        }
}

/* Lists what is missing of the next set. False: no set has anything to say any more. */
static bool list_set(const struct star_standing *standing, const struct star_tuning *tuning,
                     struct star_decision *decision)
{
    bool wanted[STAR_CANDIDATES_MAX];
    for (int a = 0; a < standing->attributes; a++) {
        int next = -1, fewest = 0;
        for (int i = 0; i < standing->count; i++) {
            int count = is_to_tell(standing, a, i) ? unmeasured(standing, a, i) : 0;
            if (count > 0 && (next < 0 || count < fewest)) {
                next = i;
                fewest = count;
            }
        }
        for (int i = 0; next >= 0 && i < standing->count; i++)
            wanted[i] = is_in_set(standing, a, next, i);
        if (next >= 0)
            return star_strategy_list(standing, tuning, wanted, STAR_COMPARED, decision);
    }
    return false;
}

static void begin(struct star_standing *standing, const struct star_tuning *tuning,
                  struct star_decision *decision)
{
    size_t attributes = (size_t)standing->attributes;
    if (attributes > 0) {
        memset(standing->belief, 0, attributes * sizeof *standing->belief);
        memset(standing->told, 0, attributes * (size_t)standing->count * sizeof *standing->told);
    }
    star_strategy_begin_alone(standing, tuning, decision);
}

static void advance(struct star_standing *standing, const struct star_tuning *tuning,
                    const struct star_decision *course, struct star_decision *decision)
{
    if (course->reason != STAR_CONFIRM) {
        hear_all(standing, tuning);
        if (list_set(standing, tuning, decision) ||
            star_strategy_list(standing, tuning, NULL, STAR_REMAINS, decision))
            return;
    }
    star_strategy_choose(standing, tuning, course, STAR_SELECTED, decision);
}

const struct star_way star_hypothesis = {.first = begin,
                                         .select = advance,
                                         .adapt = star_strategy_adapt,
                                         .by_traits = true,
                                         .estimator = STAR_MAX_OF_FILTERED_MEAN,
                                         .watch = STAR_WATCH_EPSILON};

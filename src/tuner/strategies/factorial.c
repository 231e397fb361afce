/* SPDX-License-Identifier: BSD-3-Clause
 * A 2^k factorial design (Jain: The Art of Computer Systems Performance Analysis, 1991, chapter 17): of each
 * of k attributes two values, its levels; the candidates that have a level in each are the corners, and all
 * of them that there are, are measured. The variation of the logarithms of their times, as attributes
 * multiply times, is allocated to the attributes by sums of squares; of those that explain as much as the
 * setting, the candidates with the worse level fall out, but never the fastest corner or native. The same
 * again with the values that are left, until nobody falls out; then all that remain are measured.
 *
 * Of an attribute with more values the levels are the two that most candidates have, which makes most corners
 * exist; of equals the least and the greatest, as effects mostly go one way. Who lacks an attribute may be a
 * corner by the others. Where corners are missing, effects are means over the pairs that there are: of
 * corners at both levels that agree in all other attributes that both have. */
#include "tuner/choose.h"

#include <math.h>
#include <string.h>

struct levels {
    int low, high; /* LOW −1: there are no two values */
};

struct design {
    struct levels levels[STAR_ATTRIBUTES_MAX];
    bool corner[STAR_CANDIDATES_MAX];
    double variation; /* of all corners */
    int fastest;      /* corner; −1: there is none */
};

/* The value that most have, but for EXCEPT; of equals the greatest or the least; −1: there is none. */
static int commonest(const struct star_standing *standing, int attribute, int except, bool greatest)
{
    int best = -1, most = 0;
    for (int i = 0; i < standing->count; i++) {
        int value = star_trait(standing, i, attribute), count = 0;
        if (value < 0 || value == except || !star_standing_runs(standing, i))
            continue;
        for (int j = 0; j < standing->count; j++)
            count += star_standing_runs(standing, j) && star_trait(standing, j, attribute) == value;
        if (count > most || (count == most && (greatest ? value > best : value < best))) {
            best = value;
            most = count;
        }
    }
    return best;
}

static bool is_corner(const struct star_standing *standing, const struct design *design, int i)
{
    bool stands = false;
    for (int a = 0; a < standing->attributes; a++) {
        const struct levels *levels = &design->levels[a];
        int value = star_trait(standing, i, a);
        if (levels->low < 0 || value < 0)
            continue;
        if (value != levels->low && value != levels->high)
            return false;
        stands = true;
    }
    return stands && star_standing_runs(standing, i);
}

static void lay_out(const struct star_standing *standing, struct design *design)
{
    memset(design, 0, sizeof *design);
    for (int a = 0; a < standing->attributes; a++) {
        int low = commonest(standing, a, -1, false), high = commonest(standing, a, low, true);
        design->levels[a] = high < 0 ? (struct levels){-1, -1} : (struct levels){low, high};
    }
    for (int i = 0; i < standing->count; i++)
        design->corner[i] = is_corner(standing, design, i);
}

/* A time of nothing, or without end, is none that can be compared. */
static double logarithm(const struct star_standing *standing, int i)
{
    static const double least = 1e-9, most = 1e9;
    return log(fmin(fmax(standing->estimate[i], least), most));
}

static void survey(const struct star_standing *standing, struct design *design)
{
    double total = 0;
    int count = 0;
    design->fastest = -1;
    for (int i = 0; i < standing->count; i++)
        if (design->corner[i]) {
            total += logarithm(standing, i);
            count++;
            if (design->fastest < 0 || standing->estimate[i] < standing->estimate[design->fastest])
                design->fastest = i;
        }
    for (int i = 0; i < standing->count; i++)
        if (design->corner[i])
            design->variation += pow(logarithm(standing, i) - total / count, 2);
}

static bool are_pair(const struct star_standing *standing, const struct design *design, int attribute,
                     int low, int high)
{
    const struct levels *levels = &design->levels[attribute];
    if (!design->corner[low] || !design->corner[high] ||
        star_trait(standing, low, attribute) != levels->low ||
        star_trait(standing, high, attribute) != levels->high)
        return false;
    for (int a = 0; a < standing->attributes; a++) {
        int one = star_trait(standing, low, a), other = star_trait(standing, high, a);
        if (a != attribute && one >= 0 && other >= 0 && one != other)
            return false;
    }
    return true;
}

/* What the high level makes of the low one, and the share of the variation that this explains. */
static double effect_of(const struct star_standing *standing, const struct design *design, int attribute,
                        double *share)
{
    double difference = 0;
    int pairs = 0, corners = 0;
    *share = 0;
    for (int i = 0; i < standing->count; i++) {
        corners += design->corner[i] && star_trait(standing, i, attribute) >= 0;
        for (int j = 0; j < standing->count; j++)
            if (are_pair(standing, design, attribute, i, j)) {
                difference += logarithm(standing, j) - logarithm(standing, i);
                pairs++;
            }
    }
    if (pairs == 0 || !(design->variation > 0))
        return 0;
    /* Half of a mean difference is the effect q; each corner varies by q². */
    double q = difference / pairs / 2;
    *share = corners * q * q / design->variation;
    return 2 * q;
}

/* The worse levels of the attributes that matter fall out. False: nobody did. */
static bool drop_worse(struct star_standing *standing, const struct star_tuning *tuning,
                       const struct design *design)
{
    bool dropped = false;
    for (int a = 0; a < standing->attributes; a++) {
        const struct levels *levels = &design->levels[a];
        double share = 0, effect = levels->low < 0 ? 0 : effect_of(standing, design, a, &share);
        int worse = effect > 0 ? levels->high : levels->low;
        if (effect == 0 || share < tuning->effect || star_trait(standing, design->fastest, a) == worse)
            continue;
        for (int i = 1; i < standing->count; i++)
            if (star_trait(standing, i, a) == worse && !standing->out[i])
                dropped = standing->out[i] = true;
    }
    return dropped;
}

static void advance(struct star_standing *standing, const struct star_tuning *tuning,
                    const struct star_decision *course, struct star_decision *decision)
{
    struct design design;
    bool goes_on = course->reason != STAR_CONFIRM && standing->attributes > 0;
    while (goes_on) {
        lay_out(standing, &design);
        if (star_choose_list(standing, tuning, design.corner, STAR_COMPARED, decision))
            return;
        survey(standing, &design);
        goes_on = drop_worse(standing, tuning, &design);
    }
    if (course->reason == STAR_CONFIRM || !star_choose_list(standing, tuning, NULL, STAR_REMAINS, decision))
        star_choose_best(standing, tuning, course, STAR_SELECTED, decision);
}

const struct star_way star_factorial = {.first = star_choose_alone,
                                        .select = advance,
                                        .adapt = star_choose_adapt,
                                        .by_traits = true,
                                        .estimator = STAR_MAX_OF_FILTERED_MEAN,
                                        .watch = STAR_WATCH_EPSILON};

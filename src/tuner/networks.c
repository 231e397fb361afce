/* SPDX-License-Identifier: BSD-3-Clause
 * Which network it may be. What the cost model says holds for links as fast as it assumes, and, where the
 * network is not known, for machines on one switch. Links may be slower or faster than that, beside what a
 * message takes; machines may be on two switches, by halves or by turns. Each of these networks says how long
 * methods take beside each other; the better that fits what was measured, the likelier it is (Bayes), and the
 * more it counts. */
#include "tuner/strategy.h"

#include <math.h>

enum tree { ONE_SWITCH, HALVES, TURNS, TREES };
/* Links' speeds are told apart by factors of two: from 16 times as fast as assumed to 256 times as slow. */
enum { RATES = 13, FASTEST = -4, NETWORKS = TREES * RATES };
/* How likely each tree is before anything was measured; and by how many doublings speeds may well be off. */
static const double likely[TREES] = {0.5, 0.25, 0.25}, doublings = 3;
/* By how much methods differ from what the true network says of them, and as how many that counts before any
 * was measured. */
static const double of_methods = 0.25, supposed = 2;
/* Where ranks may run ahead calls overlap: the busiest link says more than a call alone, by this share. */
static const double overlapping = 0.8;
/* So much of what other contexts found out counts here. */
static const double of_others = 0.5;
/* Networks that are less likely, beside the likeliest, say nothing. */
static const double least_likely = 1e-3;

_Static_assert((int)NETWORKS == (int)STAR_NETWORKS, "the header says how many there are");

/* What is thought of one of them: methods take longer than it says by OFFSET. */
struct fit {
    double offset, weight;
};

static int slower_by(int network)
{
    return network % RATES + FASTEST;
}

/* The logarithm of how likely it is before anything was measured, but for a constant. */
static double prior_of(int network)
{
    double off = slower_by(network) / doublings;
    return log(likely[network / RATES]) - off * off / 2;
}

/* The logarithm of the seconds of a call there. */
static double level_of(const struct star_prospect *prospect, int network, bool ahead)
{
    if (isnan(prospect->latency))
        return log(prospect->seconds);
    enum tree tree = (enum tree)(network / RATES);
    double slower = ldexp(1, slower_by(network)), share = ahead ? overlapping : 0,
           trunk = tree == HALVES  ? prospect->halves
                   : tree == TURNS ? prospect->turns
                                   : 0,
           across = fmax(trunk, 0), /* NaN: the network is known */
        alone = hypot(fmax(prospect->seconds - prospect->latency, 0), across),
           busiest = fmax(prospect->link, across);
    return log(fmax((1 - share) * (prospect->latency + slower * alone) + share * slower * busiest, 1e-12));
}

static bool is_foreseen(const struct star_standing *standing, int i)
{
    return standing->forecast[i].seconds > 0;
}

static float *level_at(const struct star_standing *standing, int i, int network)
{
    return &standing->foreseen->level[i * NETWORKS + network];
}

void star_networks_begin(struct star_standing *standing)
{
    for (int n = 0; n < NETWORKS; n++) {
        double sum = 0;
        int count = 0;
        for (int i = 0; i < standing->count; i++)
            if (is_foreseen(standing, i)) {
                double level = level_of(&standing->forecast[i], n, standing->ahead);
                *level_at(standing, i, n) = (float)level;
                sum += level;
                count++;
            }
        standing->foreseen->mean[n] = count > 0 ? sum / count : 0;
    }
}

static struct fit fit_of(const struct star_standing *standing, const struct star_outlook *measured,
                         double usual, int network)
{
    double sum = 0, squares = 0;
    int count = 0;
    for (int i = 0; i < standing->count; i++)
        if (is_foreseen(standing, i) && star_was_measured(standing, i)) {
            double longer = measured[i].mean - (double)*level_at(standing, i, network);
            sum += longer;
            squares += longer * longer;
            count++;
        }
    if (!isnan(usual)) {
        double longer = usual - standing->foreseen->mean[network];
        sum += longer;
        squares += longer * longer;
        count++;
    }
    if (count == 0)
        return (struct fit){-standing->foreseen->mean[network], 0};
    double mean = sum / count, apart = fmax(squares - sum * mean, 0) / (supposed * of_methods * of_methods);
    return (struct fit){mean, -(supposed + count - 1) / 2 * log1p(apart)};
}

/* With what was known before, and what other contexts found out. Their methods, and those of this one, are
 * off the truth together, as they are alike: so that counts in part. */
static void add_others(struct star_foreseen *foreseen, struct fit *fits)
{
    struct star_networks *shared = foreseen->shared;
    for (int n = 0; n < NETWORKS; n++) {
        double own = fits[n].weight;
        fits[n].weight += prior_of(n);
        if (shared == NULL)
            continue;
        fits[n].weight += of_others * (shared->evidence[n] - foreseen->told[n]);
        shared->evidence[n] += own - foreseen->told[n];
        foreseen->told[n] = own;
    }
}

static void weigh(struct fit *fits)
{
    double most = -INFINITY, sum = 0;
    for (int n = 0; n < NETWORKS; n++)
        most = fmax(most, fits[n].weight);
    for (int n = 0; n < NETWORKS; n++) {
        double weight = exp(fits[n].weight - most);
        fits[n].weight = weight < least_likely ? 0 : weight;
        sum += fits[n].weight;
    }
    for (int n = 0; n < NETWORKS; n++)
        fits[n].weight /= sum;
}

void star_networks_expect(const struct star_standing *standing, const struct star_outlook *measured,
                          double usual, struct star_outlook *each)
{
    struct fit fits[NETWORKS];
    for (int n = 0; n < NETWORKS; n++)
        fits[n] = fit_of(standing, measured, usual, n);
    add_others(standing->foreseen, fits);
    weigh(fits);
    for (int i = 0; i < standing->count; i++) {
        double mean = 0, squares = 0;
        for (int n = 0; is_foreseen(standing, i) && n < NETWORKS; n++) {
            if (!(fits[n].weight > 0))
                continue;
            double level = fits[n].offset + (double)*level_at(standing, i, n);
            mean += fits[n].weight * level;
            squares += fits[n].weight * level * level;
        }
        each[i] = (struct star_outlook){mean, fmax(squares - mean * mean, 0)};
    }
}

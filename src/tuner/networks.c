/* SPDX-License-Identifier: BSD-3-Clause
 * Which network it may be. What the cost model says holds for links as fast as it assumes, and, where the
 * network is not known, for machines on one switch. Links may be slower or faster than that, beside what a
 * message takes; machines may be on two switches, by halves or by turns. Each of these networks says how long
 * methods take beside each other; the better that fits what was measured, the likelier it is (Bayes), and the
 * more it counts. Contexts of the same ranks tell each other. */
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
/* Networks that are less likely, beside the likeliest, say nothing. */
static const double least_likely = 1e-3;

_Static_assert((int)NETWORKS == (int)STAR_NETWORKS, "the header says how many there are");

/* What is thought of one of them: methods take longer than it says by OFFSET; and how likely it is. */
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

static float *level_at(const struct star_standing *standing, int i, int network)
{
    return &standing->foreseen->level[i * NETWORKS + network];
}

bool star_is_foreseen(const struct star_standing *standing, int i)
{
    return standing->foreseen != NULL && !isnan(*level_at(standing, i, 0));
}

void star_networks_begin(struct star_standing *standing, const struct star_prospect *each)
{
    for (int n = 0; n < NETWORKS; n++) {
        double sum = 0;
        int count = 0;
        for (int i = 0; i < standing->count; i++) {
            bool is_foreseen = each[i].seconds > 0;
            double level = is_foreseen ? level_of(&each[i], n, standing->ahead) : NAN;
            *level_at(standing, i, n) = (float)level;
            sum += is_foreseen ? level : 0;
            count += is_foreseen;
        }
        standing->foreseen->mean[n] = count > 0 ? sum / count : 0;
    }
}

/* By how much methods took longer than is said of them there. */
struct residuals {
    int count;
    double sum, squares;
};

static void add_residual(struct residuals *residuals, double longer)
{
    residuals->count++;
    residuals->sum += longer;
    residuals->squares += longer * longer;
}

/* The logarithm of how likely they are, but for a constant, where nobody knows their mean and variance. */
static double likelihood(const struct residuals *residuals)
{
    if (residuals->count == 0)
        return 0;
    double apart = fmax(residuals->squares - residuals->sum * residuals->sum / residuals->count, 0);
    return -(supposed + residuals->count - 1) / 2 * log1p(apart / (supposed * of_methods * of_methods));
}

static struct residuals residuals_on(const struct star_standing *standing,
                                     const struct star_outlook *measured, int network)
{
    struct residuals residuals = {0};
    for (int i = 0; i < standing->count; i++)
        if (star_is_foreseen(standing, i) && star_was_measured(standing, i))
            add_residual(&residuals, measured[i].mean - (double)*level_at(standing, i, network));
    return residuals;
}

/* What others have found out, in the mean. They are off the truth together, as methods are alike: so all of
 * them are worth as much as one. */
static double evidence_of_others(const struct star_foreseen *foreseen, int network)
{
    const struct star_networks *shared = foreseen->shared;
    int others = shared == NULL ? 0 : shared->contexts - foreseen->tells;
    return others > 0 ? (shared->evidence[network] - foreseen->told[network]) / others : 0;
}

static void tell(struct star_foreseen *foreseen, int network, double evidence)
{
    if (foreseen->shared == NULL || !isfinite(evidence))
        return;
    foreseen->shared->evidence[network] += evidence - foreseen->told[network];
    foreseen->told[network] = evidence;
}

/* WEIGHT is the logarithm of how likely it is, but for a constant. What is told to others is what was
 * measured alone: what is USUAL is only thought. */
static struct fit fit_of(struct star_foreseen *foreseen, const struct residuals *measured, double usual,
                         int network)
{
    struct residuals all = *measured;
    if (!isnan(usual))
        add_residual(&all, usual - foreseen->mean[network]);
    double mean = all.count > 0 ? all.sum / all.count : -foreseen->mean[network];
    return (struct fit){mean, prior_of(network) + likelihood(&all) + evidence_of_others(foreseen, network)};
}

/* Then how likely each is. */
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
    struct star_foreseen *foreseen = standing->foreseen;
    struct fit fits[NETWORKS];
    for (int n = 0; n < NETWORKS; n++) {
        struct residuals residuals = residuals_on(standing, measured, n);
        fits[n] = fit_of(foreseen, &residuals, usual, n);
        tell(foreseen, n, likelihood(&residuals));
    }
    if (foreseen->shared != NULL && !foreseen->tells) {
        foreseen->shared->contexts++;
        foreseen->tells = true;
    }
    weigh(fits);
    for (int i = 0; i < standing->count; i++) {
        double mean = 0, squares = 0;
        for (int n = 0; star_is_foreseen(standing, i) && n < NETWORKS; n++) {
            if (!(fits[n].weight > 0))
                continue;
            double level = fits[n].offset + (double)*level_at(standing, i, n);
            mean += fits[n].weight * level;
            squares += fits[n].weight * level * level;
        }
        each[i] = (struct star_outlook){mean, fmax(squares - mean * mean, 0)};
    }
}

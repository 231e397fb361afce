/* SPDX-License-Identifier: BSD-3-Clause
 * Which network it may be. What the cost model says holds for links as fast as it assumes, and, where the
 * network is not known, for machines on one switch. Links may be slower or faster than that, beside what a
 * message takes; machines may be on two switches, by halves or by turns. Each of these networks says how long
 * methods take beside each other; the better that fits what was measured, the likelier it is (Bayes), and the
 * more it counts. Contexts of the same ranks tell each other.
 *
 * It may be that what the cost model says is right on the true network, but for what methods differ from it
 * each; or that it is right in proportion only, as where messages take another time than it assumes. Both are
 * supposed of each network. Where it is right, one method that was measured tells which links there are, and
 * native tells something as well: it is seldom faster than the best method that there is, or far slower. */
#include "tuner/networks.h"

#include <math.h>
#include <stdlib.h>

enum tree { ONE_SWITCH, HALVES, TURNS, TREES };
/* Links' speeds are told apart by factors of two: from 16 times as fast as assumed to 256 times as slow. */
enum { RATES = 13, FASTEST = -4, NETWORKS = TREES * RATES };
/* How likely each tree is before anything was measured; and by how many doublings speeds may well be off. */
static const double likely[TREES] = {0.5, 0.25, 0.25}, doublings = 3;
/* By how much methods differ from what the true network says of them, and as how many that counts before any
 * was measured. */
static const double of_methods = 0.25, supposed = 2;
/* By how much all methods may take longer than what is right, and than what is so in proportion. */
static const double of_right = 0.15, of_proportion = 2;
/* Native is slower than the best that is foreseen, by about so much; faster by more than this it is not. */
static const double native_above = 0.5, native_below = 0.1;
/* Where ranks may run ahead it tells so much of which network it is, beside one that is foreseen: it may be
 * like the fastest or like the slowest of them there, and was seen in few calls. */
static const double of_native = 0.1;
/* Where ranks may run ahead calls overlap: the busiest link says more than a call alone, by this share. */
static const double overlapping = 0.8;
/* Where ranks may run ahead, others tell no more against a network than that it is so much less likely, as a
 * logarithm: a few calls would say too little for it, were they wrong. */
static const double told_most = 3;
/* Networks that are less likely, beside the likeliest, say nothing. */
static const double least_likely = 1e-3;

_Static_assert((int)NETWORKS == (int)STAR_NETWORKS, "the header says how many there are");

/* One supposition: methods take longer than it says by OFFSET, about; and how likely it is. */
struct fit {
    double offset, variance, weight;
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
    if (!star_is_known(prospect->latency))
        return log(prospect->seconds);
    enum tree tree = (enum tree)(network / RATES);
    double slower = ldexp(1, slower_by(network)), share = ahead ? overlapping : 0,
           trunk = tree == HALVES  ? prospect->halves
                   : tree == TURNS ? prospect->turns
                                   : 0,
           across = fmax(trunk, 0), /* unknown: the network is known */
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
    return standing->foreseen != NULL && standing->foreseen->says[i];
}

/* What the cost model's word of EACH is on all networks. */
static void lay_out(struct star_standing *standing, const struct star_prospect *each)
{
    for (int i = 0; i < standing->count; i++)
        standing->foreseen->says[i] = each[i].seconds > 0;
    for (int n = 0; n < NETWORKS; n++) {
        double sum = 0, least = INFINITY;
        int count = 0;
        for (int i = 0; i < standing->count; i++) {
            if (!star_is_foreseen(standing, i))
                continue;
            double level = level_of(&each[i], n, standing->ahead);
            *level_at(standing, i, n) = (float)level;
            sum += level;
            least = fmin(least, level);
            count++;
        }
        standing->foreseen->mean[n] = count > 0 ? sum / count : 0;
        standing->foreseen->least[n] = count > 0 ? least : 0;
    }
}

static size_t bytes_of(int count)
{
    return sizeof(struct star_foreseen) + (size_t)count * STAR_NETWORKS * sizeof(float);
}

size_t star_networks_bytes(const struct star_standing *standing)
{
    return standing->foreseen != NULL ? bytes_of(standing->count) : 0;
}

void star_networks_foresee(struct star_standing *standing, const struct star_prospect *each,
                           struct star_networks *shared)
{
    if (standing->foreseen == NULL)
        standing->foreseen = calloc(1, bytes_of(standing->count));
    if (standing->foreseen == NULL)
        return;
    standing->foreseen->shared = shared;
    lay_out(standing, each);
}

/* By how much methods took longer than is said of them there, each by its weight: one over by how many times
 * more than methods it varies, as a variance. Of all weights the sum of their LOGARITHMS. */
struct residuals {
    double count, sum, squares, logarithms;
};

static void add_residual(struct residuals *residuals, double longer)
{
    residuals->count++;
    residuals->sum += longer;
    residuals->squares += longer * longer;
}

static void add_weighted(struct residuals *residuals, double longer, double weight)
{
    residuals->count += weight;
    residuals->sum += weight * longer;
    residuals->squares += weight * longer * longer;
    residuals->logarithms += log(weight);
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

/* The second half of the suppositions; and all of them, where ranks may run ahead: a few calls say too little
 * then of what they take in the long run. */
static bool is_in_proportion(const struct star_standing *standing, int supposition)
{
    return supposition >= NETWORKS || standing->ahead;
}

static double offset_variance(const struct star_standing *standing, int supposition)
{
    double deviation = is_in_proportion(standing, supposition) ? of_proportion : of_right;
    return deviation * deviation;
}

/* What they say of the offset that methods have in common, which differs by VARIANCE: normal, as they are. */
static struct star_outlook offset_of(const struct residuals *residuals, double variance)
{
    double weight = residuals->count / (of_methods * of_methods), all = weight + 1 / variance;
    return (struct star_outlook){residuals->sum / (of_methods * of_methods) / all, 1 / all};
}

/* The logarithm of how likely they are, but for a constant: a multivariate t distribution, as nobody knows by
 * how much methods differ. */
static double likelihood(const struct residuals *residuals, double variance)
{
    double n = residuals->count;
    if (!(n > 0))
        return 0;
    double own = of_methods * of_methods, mean = residuals->sum / n,
           apart = fmax(residuals->squares - residuals->sum * mean, 0) / own +
                   n * mean * mean / (own + n * variance);
    return residuals->logarithms / 2 - log1p(n * variance / own) / 2 -
           (supposed + n) / 2 * log1p(apart / supposed);
}

/* The same of native, where what is foreseen is right. */
static double native_fits(double level, double variance, double least)
{
    double deviation = sqrt(variance + native_below * native_below), above = level - least,
           height = native_above + sqrt(M_PI / 2) * deviation;
    double off =
        above < 0 ? above * above / (2 * deviation * deviation) : fmax(above - deviation, 0) / native_above;
    return -log(height) - off;
}

/* What others have found out, in the mean. They are off the truth together, as methods are alike: so all of
 * them are worth as much as one. */
static double evidence_of_others(const struct star_foreseen *foreseen, int supposition)
{
    const struct star_networks *shared = foreseen->shared;
    int others = shared == NULL ? 0 : shared->contexts - foreseen->tells;
    return others > 0 ? (shared->evidence[supposition] - foreseen->told[supposition]) / others : 0;
}

static double most_of_others(const struct star_foreseen *foreseen)
{
    double most = -INFINITY;
    for (int s = 0; s < STAR_SUPPOSITIONS; s++)
        most = fmax(most, evidence_of_others(foreseen, s));
    return most;
}

static void tell(struct star_foreseen *foreseen, int supposition, double evidence)
{
    if (foreseen->shared == NULL || !isfinite(evidence))
        return;
    foreseen->shared->evidence[supposition] += evidence - foreseen->told[supposition];
    foreseen->told[supposition] = evidence;
}

/* WEIGHT is the logarithm of how likely it is, but for a constant; others' evidence counts as LEAST at least.
 * What is told to others is what was measured of methods alone: what native says is only thought. */
static struct fit fit_of(const struct star_standing *standing, const struct residuals *measured,
                         const struct star_outlook *native, double least, int supposition)
{
    struct star_foreseen *foreseen = standing->foreseen;
    struct residuals all = *measured, telling = *measured;
    int network = supposition % NETWORKS;
    bool in_proportion = is_in_proportion(standing, supposition);
    double variance = offset_variance(standing, supposition);
    if (native != NULL && in_proportion) {
        double longer = native->mean + STAR_BEHIND_NATIVE - foreseen->mean[network];
        add_residual(&all, longer);
        add_weighted(&telling, longer, standing->ahead ? of_native : 1);
    }
    struct star_outlook offset = offset_of(&all, variance);
    if (!(all.count > 0) && in_proportion)
        offset.mean = -foreseen->mean[network];
    double weight = prior_of(network) + likelihood(&telling, variance) +
                    fmax(evidence_of_others(foreseen, supposition), least);
    if (native != NULL && !in_proportion)
        weight += native_fits(native->mean, native->variance + offset.variance,
                              foreseen->least[network] + offset.mean);
    tell(foreseen, supposition, likelihood(measured, variance));
    return (struct fit){offset.mean, offset.variance, weight};
}

/* Then how likely each is. */
static void weigh(struct fit *fits)
{
    double most = -INFINITY, sum = 0;
    for (int s = 0; s < STAR_SUPPOSITIONS; s++)
        most = fmax(most, fits[s].weight);
    for (int s = 0; s < STAR_SUPPOSITIONS; s++) {
        double weight = exp(fits[s].weight - most);
        fits[s].weight = weight < least_likely ? 0 : weight;
        sum += fits[s].weight;
    }
    for (int s = 0; s < STAR_SUPPOSITIONS; s++)
        fits[s].weight /= sum;
}

static struct star_outlook mean_over(const struct star_standing *standing, const struct fit *fits, int i)
{
    double mean = 0, squares = 0;
    for (int s = 0; star_is_foreseen(standing, i) && s < STAR_SUPPOSITIONS; s++) {
        if (!(fits[s].weight > 0))
            continue;
        double level = fits[s].offset + (double)*level_at(standing, i, s % NETWORKS);
        mean += fits[s].weight * level;
        squares += fits[s].weight * (level * level + fits[s].variance);
    }
    return (struct star_outlook){mean, fmax(squares - mean * mean, 0)};
}

void star_networks_expect(const struct star_standing *standing, const struct star_outlook *measured,
                          const struct star_outlook *native, struct star_outlook *each)
{
    struct star_foreseen *foreseen = standing->foreseen;
    struct fit fits[STAR_SUPPOSITIONS];
    double least = standing->ahead ? most_of_others(foreseen) - told_most : -INFINITY;
    bool told = false;
    for (int n = 0; n < NETWORKS; n++) {
        struct residuals residuals = residuals_on(standing, measured, n);
        told = residuals.count > 0;
        fits[n] = fit_of(standing, &residuals, native, least, n);
        fits[NETWORKS + n] = fit_of(standing, &residuals, native, least, NETWORKS + n);
    }
    if (foreseen->shared != NULL && !foreseen->tells && told) {
        foreseen->shared->contexts++;
        foreseen->tells = true;
    }
    weigh(fits);
    for (int i = 0; i < standing->count; i++)
        each[i] = mean_over(standing, fits, i);
}

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
 * native tells something as well: it is seldom faster than the best method that there is, or far slower.
 *
 * And no method is faster than the busiest of its links: what was measured says how slow links are at most,
 * and, if it is not far above that, what others take at least. Where native is as fast as links are, there is
 * nothing to look for. */
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
/* By how much all methods may take longer than what is right, and than what is so in proportion. */
static const double of_right = 0.15, of_proportion = 2;
/* Native is slower than the best that is foreseen, by about so much; faster by more than this it is not. */
static const double native_above = 0.5, native_below = 0.1;
/* Where ranks may run ahead calls overlap: the busiest link says more than a call alone, by this share. */
static const double overlapping = 0.8;
/* Networks that are less likely, beside the likeliest, say nothing. */
static const double least_likely = 1e-3;

/* No method is faster than the busiest link that it needs. By how much methods take longer than that in the
 * mean, as a logarithm, as so many say before any was measured; and those of which nothing is foreseen longer
 * than the method that needs least. */
static const double above_link = 0.25, above_link_supposed = 2, above_least = 0.6;

_Static_assert((int)NETWORKS == (int)STAR_NETWORKS && (int)TREES == (int)STAR_TREES,
               "the header says how many there are");

/* What is thought of one supposition: methods take longer than it says by OFFSET, about; and how likely it
 * is.
 */
struct fit {
    double offset, variance, weight;
};

static enum tree tree_of(int network)
{
    return (enum tree)(network / RATES);
}

static int slower_by(int network)
{
    return network % RATES + FASTEST;
}

/* The logarithm of how likely it is before anything was measured, but for a constant. */
static double prior_of(int network)
{
    double off = slower_by(network) / doublings;
    return log(likely[tree_of(network)]) - off * off / 2;
}

/* What a link between two switches needs, if links are as fast as assumed; 0: there is none, or the network
 * is known. */
static double across_of(const struct star_prospect *prospect, enum tree tree)
{
    double trunk = tree == HALVES ? prospect->halves : tree == TURNS ? prospect->turns : 0;
    return fmax(trunk, 0);
}

/* The logarithm of the seconds of a call there. */
static double level_of(const struct star_prospect *prospect, int network, bool ahead)
{
    if (isnan(prospect->latency))
        return log(prospect->seconds);
    enum tree tree = tree_of(network);
    double slower = ldexp(1, slower_by(network)), share = ahead ? overlapping : 0,
           across = across_of(prospect, tree),
           alone = hypot(fmax(prospect->seconds - prospect->latency, 0), across),
           busiest = fmax(prospect->link, across);
    return log(fmax((1 - share) * (prospect->latency + slower * alone) + share * slower * busiest, 1e-12));
}

/* The logarithm of what the busiest link needs on such a TREE, if links are as fast as assumed; NaN where
 * that is not known, or no link is needed. */
static double link_of(const struct star_prospect *prospect, enum tree tree)
{
    double busiest = fmax(prospect->link, across_of(prospect, tree));
    return isnan(prospect->latency) || !(busiest > 0) ? NAN : log(busiest);
}

static float *level_at(const struct star_standing *standing, int i, int network)
{
    return &standing->foreseen->level[i * NETWORKS + network];
}

static float *link_at(const struct star_standing *standing, int i, enum tree tree)
{
    return &standing->foreseen->level[standing->count * NETWORKS + i * (int)TREES + (int)tree];
}

bool star_is_foreseen(const struct star_standing *standing, int i)
{
    return standing->foreseen != NULL && !isnan(*level_at(standing, i, 0));
}

void star_networks_begin(struct star_standing *standing, const struct star_prospect *each)
{
    for (int n = 0; n < NETWORKS; n++) {
        double sum = 0, least = INFINITY;
        int count = 0;
        for (int i = 0; i < standing->count; i++) {
            bool is_foreseen = each[i].seconds > 0;
            double level = is_foreseen ? level_of(&each[i], n, standing->ahead) : NAN;
            *level_at(standing, i, n) = (float)level;
            sum += is_foreseen ? level : 0;
            least = fmin(least, level);
            count += is_foreseen;
        }
        standing->foreseen->mean[n] = count > 0 ? sum / count : 0;
        standing->foreseen->least[n] = count > 0 ? least : 0;
    }
    for (int i = 0; i < standing->count; i++)
        for (int t = 0; t < TREES; t++)
            *link_at(standing, i, (enum tree)t) = (float)link_of(&each[i], (enum tree)t);
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
    int n = residuals->count;
    if (n == 0)
        return 0;
    double own = of_methods * of_methods, mean = residuals->sum / n,
           apart = fmax(residuals->squares - residuals->sum * mean, 0) / own +
                   n * mean * mean / (own + n * variance);
    return -log1p(n * variance / own) / 2 - (supposed + n) / 2 * log1p(apart / supposed);
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

static void tell(struct star_foreseen *foreseen, int supposition, double evidence)
{
    if (foreseen->shared == NULL || !isfinite(evidence))
        return;
    foreseen->shared->evidence[supposition] += evidence - foreseen->told[supposition];
    foreseen->told[supposition] = evidence;
}

/* WEIGHT is the logarithm of how likely it is, but for a constant. What is told to others is what was
 * measured of methods alone: what native says is only thought. */
static struct fit fit_of(const struct star_standing *standing, const struct residuals *measured,
                         const struct star_outlook *unforeseen, int supposition)
{
    struct star_foreseen *foreseen = standing->foreseen;
    struct residuals all = *measured;
    int network = supposition % NETWORKS;
    bool in_proportion = is_in_proportion(standing, supposition);
    double variance = offset_variance(standing, supposition);
    if (unforeseen != NULL && in_proportion)
        add_residual(&all, unforeseen->mean + star_behind_native - foreseen->mean[network]);
    struct star_outlook offset = offset_of(&all, variance);
    if (all.count == 0 && in_proportion)
        offset.mean = -foreseen->mean[network];
    double weight =
        prior_of(network) + likelihood(&all, variance) + evidence_of_others(foreseen, supposition);
    if (unforeseen != NULL && !in_proportion)
        weight += native_fits(unforeseen->mean, unforeseen->variance + offset.variance,
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

/* What the method needs of its busiest link that needs least; infinite: nothing is known of any. */
static double least_link(const struct star_standing *standing, enum tree tree)
{
    double least = INFINITY;
    for (int i = 0; i < standing->count; i++)
        least = fmin(least, (double)*link_at(standing, i, tree));
    return least;
}

/* How slow links may be on TREE: the logarithm of by how much longer than assumed they take. They are no
 * slower than the method says that comes closest to them; how close that is, the others tell: if methods are
 * above their links by an exponentially distributed part, the closest one is so by that part's mean over
 * their number. */
static double link_rate(const struct star_standing *standing, const struct star_outlook *measured,
                        enum tree tree)
{
    double least = least_link(standing, tree), closest = INFINITY, sum = 0;
    int count = 0, others = 0;
    for (int i = 0; i < standing->count; i++) {
        double link = (double)*link_at(standing, i, tree);
        if (!star_was_measured(standing, i))
            continue;
        double above = measured[i].mean + sqrt(measured[i].variance) - (isnan(link) ? least : link);
        closest = fmin(closest, above);
        sum += isnan(link) ? 0 : above;
        count += !isnan(link);
        others += isnan(link);
    }
    double mean =
        (above_link_supposed * above_link + fmax(sum - count * closest, 0)) / (above_link_supposed + count);
    return closest - 1 / (count / mean + others / above_least);
}

/* Of each that is foreseen the logarithm of the seconds that it takes at least: the mean over suppositions.
 * In each links are as fast as it says, if what was measured does not need faster ones: where messages take
 * the time, not bytes, links are fast, and limit nobody. */
static void find_limits(const struct star_standing *standing, const struct star_outlook *measured,
                        const struct fit *fits, double *limit)
{
    double rate[TREES], slower[TREES] = {0}; /* than assumed, times how likely the tree is */
    for (int t = 0; t < TREES; t++)
        rate[t] = link_rate(standing, measured, (enum tree)t);
    for (int s = 0; s < STAR_SUPPOSITIONS; s++) {
        enum tree tree = tree_of(s % NETWORKS);
        double supposed_rate = slower_by(s % NETWORKS) * M_LN2 + fits[s].offset;
        if (fits[s].weight > 0)
            slower[tree] += fits[s].weight * exp(fmin(rate[tree], supposed_rate));
    }
    for (int i = 0; i < standing->count; i++) {
        double least = 0;
        for (int t = 0; t < TREES; t++)
            least += slower[t] * exp((double)*link_at(standing, i, (enum tree)t));
        limit[i] = least > 0 ? log(least) : -INFINITY; /* NaN: not known */
    }
}

void star_networks_expect(const struct star_standing *standing, const struct star_outlook *measured,
                          const struct star_outlook *unforeseen, struct star_outlook *each, double *limit)
{
    struct star_foreseen *foreseen = standing->foreseen;
    struct fit fits[STAR_SUPPOSITIONS];
    bool told = false;
    for (int n = 0; n < NETWORKS; n++) {
        struct residuals residuals = residuals_on(standing, measured, n);
        told = residuals.count > 0;
        fits[n] = fit_of(standing, &residuals, unforeseen, n);
        fits[NETWORKS + n] = fit_of(standing, &residuals, unforeseen, NETWORKS + n);
    }
    if (foreseen->shared != NULL && !foreseen->tells && told) {
        foreseen->shared->contexts++;
        foreseen->tells = true;
    }
    weigh(fits);
    for (int i = 0; i < standing->count; i++)
        each[i] = mean_over(standing, fits, i);
    find_limits(standing, measured, fits, limit);
}

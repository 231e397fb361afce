/* SPDX-License-Identifier: BSD-3-Clause
 * Round trips to hop counts, by groups in one dimension. infer_tree.c makes the tree. */
#include "topology/infer.h"
#include "topology/infer_tree.h"
#include "util/parse.h"
#include "util/quantile.h"

#include <math.h>
#include <stdlib.h>

enum { UNITS_MOST = 3, BEST = 3, SECONDS_TEXT = 32 };

/* The round trips of all pairs, the least first, each the minimum over all that was measured; what lies apart
 * is a group. */
struct groups {
    double *sorted;
    int pairs;
    double noise;   /* the most that the best three sweeps of a pair differ by */
    int noisy[2];   /* that pair */
    double split;   /* from where on a gap parts groups */
    double *centre; /* of each group */
    int count;
    double inner;      /* the widest gap within one */
    double width, gap; /* of the widest group, of the narrowest gap between two; no gap: infinite */
};

static void groups_free(struct groups *groups)
{
    free(groups->sorted);
    free(groups->centre);
}

static double measured(const struct star_trips *trips, int sweep, int from, int to)
{
    size_t machines = (size_t)trips->machines;
    return trips->seconds[((size_t)sweep * machines + (size_t)from) * machines + (size_t)to];
}

/* Either end may have measured: one round trip goes both ways. */
static double of_sweep(const struct star_trips *trips, int sweep, int one, int other)
{
    return fmin(measured(trips, sweep, one, other), measured(trips, sweep, other, one));
}

/* The least of all sweeps. THIRD: the third, where there are so many. */
static double least(const struct star_trips *trips, int one, int other, double *third)
{
    double best[BEST] = {INFINITY, INFINITY, INFINITY};
    for (int sweep = 0; sweep < trips->sweeps; sweep++) {
        double seconds = of_sweep(trips, sweep, one, other);
        for (int i = 0; i < BEST; i++)
            if (seconds < best[i]) {
                double worse = best[i];
                best[i] = seconds;
                seconds = worse;
            }
    }
    *third = best[BEST - 1];
    return best[0];
}

static int sort_pairs(const struct star_trips *trips, struct groups *groups, struct star_why *why)
{
    for (int one = 0; one < trips->machines; one++)
        for (int other = one + 1; other < trips->machines; other++) {
            double third, low = least(trips, one, other, &third);
            if (!(low > 0) || !isfinite(third))
                return star_because(why, STAR_ENEEDS, "no time was measured between %.80s and %.80s",
                                    trips->name[one], trips->name[other]);
            if (third - low >= groups->noise) {
                groups->noise = third - low;
                groups->noisy[0] = one;
                groups->noisy[1] = other;
            }
            groups->sorted[groups->pairs++] = low;
        }
    star_sort(groups->sorted, groups->pairs);
    return 0;
}

static void part(struct groups *groups)
{
    int first = 0;
    groups->split = fmax(STAR_INFER_GAP_SHARE * groups->sorted[0], STAR_INFER_GAP_TO_NOISE * groups->noise);
    groups->gap = INFINITY;
    for (int i = 1; i <= groups->pairs; i++) {
        double gap = i < groups->pairs ? groups->sorted[i] - groups->sorted[i - 1] : INFINITY;
        if (gap < groups->split) {
            groups->inner = fmax(groups->inner, gap);
            continue;
        }
        groups->centre[groups->count++] = (groups->sorted[first] + groups->sorted[i - 1]) / 2;
        groups->width = fmax(groups->width, groups->sorted[i - 1] - groups->sorted[first]);
        groups->gap = fmin(groups->gap, gap);
        first = i;
    }
}

/* With one group only, there must be no room for a gap that would count. */
static int check_groups(const struct star_trips *trips, const struct groups *groups, struct star_why *why)
{
    char noise[SECONDS_TEXT], gap[SECONDS_TEXT], width[SECONDS_TEXT], inner[SECONDS_TEXT];
    double narrowest = groups->count > 1 ? groups->gap : STAR_INFER_LONE_SHARE * groups->sorted[0];
    star_format_seconds(narrowest, gap, sizeof gap);
    if (STAR_INFER_GAP_TO_NOISE * groups->noise > narrowest)
        return star_because(
            why, STAR_ENEEDS,
            "too noisy: the best round trips between %.80s and %.80s differ by %s, and a gap of "
            "%s would have to be %g times that",
            trips->name[groups->noisy[0]], trips->name[groups->noisy[1]],
            star_format_seconds(groups->noise, noise, sizeof noise), gap, STAR_INFER_GAP_TO_NOISE);
    if (STAR_INFER_GAP_TO_WIDTH * groups->width > narrowest ||
        STAR_INFER_GAP_TO_INNER * groups->inner > narrowest)
        return star_because(
            why, STAR_ENEEDS,
            "not clear: round trips that seem equally long differ by up to %s, with gaps up to "
            "%s; a gap of %s would have to be %g times the one and %g times the other",
            star_format_seconds(groups->width, width, sizeof width),
            star_format_seconds(groups->inner, inner, sizeof inner), gap, STAR_INFER_GAP_TO_WIDTH,
            STAR_INFER_GAP_TO_INNER);
    return 0;
}

static int groups_of(const struct star_trips *trips, struct groups *groups, struct star_why *why)
{
    size_t machines = (size_t)trips->machines, pairs = machines * (machines - 1) / 2;
    *groups = (struct groups){.sorted = calloc(pairs, sizeof *groups->sorted),
                              .centre = calloc(pairs, sizeof *groups->centre)};
    if (groups->sorted == NULL || groups->centre == NULL)
        return star_because(why, STAR_EMEMORY, "out of memory for the round trips of %d machines",
                            trips->machines);
    int error = sort_pairs(trips, groups, why);
    if (error)
        return error;
    part(groups);
    return check_groups(trips, groups, why);
}

/* What a link adds: as the groups at both ends say, since their distance is the longest. */
static double link_seconds(const struct groups *groups, int unit)
{
    double gap = INFINITY, span = groups->centre[groups->count - 1] - groups->centre[0];
    for (int i = 1; i < groups->count; i++)
        gap = fmin(gap, groups->centre[i] - groups->centre[i - 1]);
    return groups->count > 1 ? span / round(span * unit / gap) : 1;
}

static int hops_of(const struct groups *groups, double link, double seconds)
{
    return 2 + (int)lround((seconds - groups->centre[0]) / link);
}

/* Groups must be where whole numbers of links put them. */
static int check_even(const struct groups *groups, double link, struct star_why *why)
{
    char first[SECONDS_TEXT], this[SECONDS_TEXT], each[SECONDS_TEXT];
    for (int i = 0; i < groups->count; i++) {
        double links = (groups->centre[i] - groups->centre[0]) / link;
        if (fabs(links - round(links)) > STAR_INFER_UNEVEN)
            return star_because(why, STAR_ENEEDS,
                                "links seem to differ: from the round trips of %s to those of %s are %.2f "
                                "times the %s that a link adds elsewhere",
                                star_format_seconds(groups->centre[0], first, sizeof first),
                                star_format_seconds(groups->centre[i], this, sizeof this), links,
                                star_format_seconds(link, each, sizeof each));
    }
    return 0;
}

/* Links between each two machines, 2 at least: HOPS[from × machines + to]. STAR_ENEEDS: not clear; with two
 * machines or more only. STAR_EMEMORY. UNIT, the factor that the tree needs: see star_infer. */
static int find_hops(const struct star_trips *trips, int unit, int *hops, struct star_why *why)
{
    struct groups groups;
    if (trips->machines < 2 || trips->sweeps < BEST)
        return star_because(why, STAR_ENEEDS, "round trips need two machines and %d sweeps at least", BEST);
    int error = groups_of(trips, &groups, why);
    double link = error ? 1 : link_seconds(&groups, unit);
    if (!error)
        error = check_even(&groups, link, why);
    for (int from = 0; from < trips->machines && !error; from++)
        for (int to = 0; to < trips->machines; to++) {
            double third;
            hops[from * trips->machines + to] =
                from == to ? 0 : hops_of(&groups, link, least(trips, from, to, &third));
        }
    groups_free(&groups);
    return error;
}

void star_infer_order(const struct star_trips *trips, int one, int *order)
{
    double third;
    int count = 0;
    order[count++] = one;
    for (int i = 0; i < trips->machines; i++) {
        int at = count;
        double seconds = least(trips, one, i, &third);
        if (i == one)
            continue;
        for (; at > 1 && least(trips, one, order[at - 1], &third) > seconds; at--)
            order[at] = order[at - 1];
        order[at] = i;
        count++;
    }
}

int star_infer(const struct star_trips *trips, struct star_topology **topology, struct star_why *why)
{
    struct star_why last; /* the first reason is that of the plainest reading */
    int error = STAR_ENEEDS;
    int *hops = malloc((size_t)trips->machines * (size_t)trips->machines * sizeof *hops);
    if (hops == NULL)
        return star_because(why, STAR_EMEMORY, "out of memory for the hops of %d machines", trips->machines);
    for (int unit = 1; unit <= UNITS_MOST && error == STAR_ENEEDS; unit++) {
        struct star_why *reason = unit == 1 ? why : &last;
        error = find_hops(trips, unit, hops, reason);
        if (!error)
            error = star_infer_tree(hops, trips->machines, trips->name, topology, reason);
    }
    free(hops);
    return error;
}

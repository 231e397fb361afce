/* SPDX-License-Identifier: BSD-3-Clause */
#include "algorithms/traits.h"
#include "replay/replay.h"

#include "util/quantile.h"

#include <math.h>
#include <stdlib.h>

enum { EARLY_MOST = 8 };
/* A call that takes more than so many medians was held up by the operating system: it counts as so many. */
static const double held_up = 10;

static void find_bursts(struct star_truth *truth)
{
    const struct star_trace *trace = truth->trace;
    for (int m = 0, count = 0; m < trace->methods.count; m++) {
        truth->first[m] = count;
        for (int b = 0; b < trace->bursts; b++)
            if (truth->alike[trace->burst[b].method] == truth->alike[m])
                truth->its_burst[count++] = b;
        truth->first[m + 1] = count;
    }
}

static double mean_over_ranks(const struct star_truth *truth, int call)
{
    const float *seconds = star_trace_call(truth->trace, call);
    int ranks = star_trace_ranks(truth->trace);
    double sum = 0;
    for (int r = 0; r < ranks; r++)
        sum += (double)seconds[r];
    return sum / ranks;
}

/* Adds to SUMS what a call took on each rank, or as much less as it was held up. */
static void add_call(const struct star_truth *truth, int call, double most, double *sums)
{
    const float *seconds = star_trace_call(truth->trace, call);
    double mean = mean_over_ranks(truth, call), share = mean > most ? most / mean : 1;
    for (int r = 0; r < star_trace_ranks(truth->trace); r++)
        sums[r] += share * (double)seconds[r];
}

static double largest(const double *sums, int ranks)
{
    double most = 0;
    for (int r = 0; r < ranks; r++)
        most = fmax(most, sums[r]);
    return most;
}

/* The mean of a method's calls in the later halves of its bursts, on the slowest rank. */
static double steady_of(const struct star_truth *truth, int method, double most)
{
    double sums[STAR_TRACE_RANKS] = {0};
    int count = 0;
    for (int i = truth->first[method]; i < truth->first[method + 1]; i++) {
        const struct star_burst *burst = &truth->trace->burst[truth->its_burst[i]];
        for (int k = burst->count / 2; k < burst->count; k++, count++)
            add_call(truth, burst->first + k, most, sums);
    }
    return largest(sums, star_trace_ranks(truth->trace)) / count;
}

/* What each of the first calls adds to the time after which the slowest rank has come so far, in the mean
 * over bursts. */
static void find_early(struct star_truth *truth, int method, double most)
{
    int first = truth->first[method], bursts = truth->first[method + 1] - first;
    double sums[STAR_TRACE_RANKS] = {0}, before = 0;
    for (int k = 0; k < truth->early_calls; k++) {
        for (int i = 0; i < bursts; i++)
            add_call(truth, truth->trace->burst[truth->its_burst[first + i]].first + k, most, sums);
        double come = largest(sums, star_trace_ranks(truth->trace)) / bursts;
        truth->early[method * truth->early_calls + k] = come - before;
        before = come;
    }
}

static double median_of(struct star_truth *truth, int method)
{
    int count = 0;
    for (int i = truth->first[method]; i < truth->first[method + 1]; i++) {
        const struct star_burst *burst = &truth->trace->burst[truth->its_burst[i]];
        for (int k = 0; k < burst->count; k++)
            truth->room[count++] = mean_over_ranks(truth, burst->first + k);
    }
    star_sort(truth->room, count);
    return star_quantile(truth->room, count, 0.5);
}

static void average(struct star_truth *truth)
{
    for (int m = 0; m < truth->trace->methods.count; m++) {
        double most = held_up * median_of(truth, m);
        truth->steady[m] = steady_of(truth, m, most);
        find_early(truth, m, most);
        if (truth->steady[m] < truth->steady[truth->best])
            truth->best = m;
    }
}

int star_truth_make(struct star_truth *truth, const struct star_trace *trace, struct star_why *why)
{
    size_t methods = (size_t)trace->methods.count;
    int shortest = EARLY_MOST;
    *truth = (struct star_truth){.trace = trace, .ahead = !star_operation_awaits_all(trace->operation)};
    for (int b = 0; b < trace->bursts; b++)
        shortest = trace->burst[b].count / 2 < shortest ? trace->burst[b].count / 2 : shortest;
    truth->early_calls = shortest;
    truth->steady = malloc(methods * sizeof *truth->steady);
    truth->early = malloc(methods * EARLY_MOST * sizeof *truth->early);
    truth->first = malloc((methods + 1) * sizeof *truth->first);
    truth->alike = malloc(methods * sizeof *truth->alike);
    truth->its_burst = malloc(methods * (size_t)trace->bursts * sizeof *truth->its_burst);
    truth->room = malloc((size_t)trace->calls * sizeof *truth->room);
    truth->group = star_methods_groups(&trace->methods);
    truth->trait = star_methods_traits(&trace->methods, STAR_ATTRIBUTES_MAX, &truth->attributes);
    if (!truth->room || !truth->steady || !truth->early || !truth->first || !truth->its_burst ||
        !truth->alike || !truth->group || !truth->trait || star_trace_alike(trace, truth->alike)) {
        star_truth_free(truth);
        return star_because(why, STAR_EMEMORY, "out of memory for a replay");
    }
    find_bursts(truth);
    average(truth);
    return 0;
}

void star_truth_free(struct star_truth *truth)
{
    free(truth->room);
    free(truth->group);
    free(truth->trait);
    free(truth->steady);
    free(truth->early);
    free(truth->alike);
    free(truth->its_burst);
    free(truth->first);
    *truth = (struct star_truth){0};
}

double star_truth_distance(const struct star_truth *truth, int method)
{
    return truth->steady[method] / truth->steady[truth->best] - 1;
}

double star_moment_regret(const struct star_truth *truth, const struct star_moment *moment)
{
    return moment->seconds / ((double)moment->calls * truth->steady[truth->best]) - 1;
}

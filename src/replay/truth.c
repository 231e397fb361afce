/* SPDX-License-Identifier: BSD-3-Clause */
#include "replay/truth.h"
#include "algorithms/traits.h"
#include "tuner/candidates.h"

#include "util/quantile.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

/* Of a burst's calls one in so many fills pipelines. */
enum { EARLY_ONE_IN = 8 };
/* A burst that takes more than so many times the median of its method's was held up by the operating system,
 * or by a lost message: it counts as so many. */
static const double held_up = 3;

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

/* Adds to SUMS what a call, or all of a burst, took on each rank, less what the burst was held up. */
static void add_call(const struct star_truth *truth, int burst, int call, double *sums)
{
    const float *seconds = star_trace_call(truth->trace, truth->trace->burst[burst].first + call);
    for (int r = 0; r < star_trace_ranks(truth->trace); r++)
        sums[r] += truth->share[burst] * (double)seconds[r];
}

static void add_burst(const struct star_truth *truth, int burst, double *sums)
{
    for (int k = 0; k < truth->trace->burst[burst].count; k++)
        add_call(truth, burst, k, sums);
}

static double largest(const double *sums, int ranks)
{
    double most = 0;
    for (int r = 0; r < ranks; r++)
        most = fmax(most, sums[r]);
    return most;
}

/* What a call of a burst took, in the mean, on the slowest rank. */
static double mean_of_burst(const struct star_truth *truth, int burst)
{
    double sums[STAR_TRACE_RANKS] = {0};
    add_burst(truth, burst, sums);
    return largest(sums, star_trace_ranks(truth->trace)) / truth->trace->burst[burst].count;
}

static void find_held_up(struct star_truth *truth, int method)
{
    int first = truth->first[method], bursts = truth->first[method + 1] - first;
    for (int i = 0; i < bursts; i++) {
        truth->share[truth->its_burst[first + i]] = 1;
        truth->room[i] = mean_of_burst(truth, truth->its_burst[first + i]);
    }
    star_sort(truth->room, bursts);
    double most = held_up * star_quantile(truth->room, bursts, 0.5);
    for (int i = 0; i < bursts; i++) {
        int burst = truth->its_burst[first + i];
        truth->share[burst] = fmin(most / mean_of_burst(truth, burst), 1);
    }
}

/* The mean of a method's calls on the slowest rank. */
static double mean_of_all(const struct star_truth *truth, int method)
{
    double sums[STAR_TRACE_RANKS] = {0};
    int count = 0;
    for (int i = truth->first[method]; i < truth->first[method + 1]; i++) {
        add_burst(truth, truth->its_burst[i], sums);
        count += truth->trace->burst[truth->its_burst[i]].count;
    }
    return largest(sums, star_trace_ranks(truth->trace)) / count;
}

/* Of a burst's calls behind the first ones: what is left, so that a burst costs what it took. */
static double rest_of(const struct star_truth *truth, int method)
{
    const double *early = truth->early + (ptrdiff_t)method * truth->early_calls;
    double left = truth->burst_calls * truth->steady[method];
    for (int k = 0; k < truth->early_calls; k++)
        left -= early[k];
    return fmax(left, 0) / (truth->burst_calls - truth->early_calls);
}

/* What each of the first calls adds to the time after which the slowest rank has come so far, in the mean
 * over bursts. */
static void find_early(struct star_truth *truth, int method)
{
    int first = truth->first[method], bursts = truth->first[method + 1] - first;
    double sums[STAR_TRACE_RANKS] = {0}, before = 0;
    for (int k = 0; k < truth->early_calls; k++) {
        for (int i = 0; i < bursts; i++)
            add_call(truth, truth->its_burst[first + i], k, sums);
        double come = largest(sums, star_trace_ranks(truth->trace)) / bursts;
        truth->early[(ptrdiff_t)method * truth->early_calls + k] = come - before;
        before = come;
    }
}

static void average(struct star_truth *truth)
{
    for (int m = 0; m < truth->trace->methods.count; m++) {
        find_held_up(truth, m);
        truth->steady[m] = mean_of_all(truth, m);
        find_early(truth, m);
        truth->rest[m] = rest_of(truth, m);
        if (truth->steady[m] < truth->steady[truth->best])
            truth->best = m;
    }
}

int star_truth_make(struct star_truth *truth, const struct star_trace *trace, struct star_why *why)
{
    size_t methods = (size_t)trace->methods.count;
    int shortest = INT_MAX;
    *truth = (struct star_truth){.trace = trace, .ahead = !star_operation_awaits_all(trace->operation)};
    for (int b = 0; b < trace->bursts; b++)
        shortest = trace->burst[b].count < shortest ? trace->burst[b].count : shortest;
    truth->burst_calls = shortest;
    truth->early_calls = shortest > EARLY_ONE_IN ? shortest / EARLY_ONE_IN : 1;
    truth->steady = malloc(methods * sizeof *truth->steady);
    truth->rest = malloc(methods * sizeof *truth->rest);
    truth->early = malloc(methods * (size_t)truth->early_calls * sizeof *truth->early);
    truth->first = malloc((methods + 1) * sizeof *truth->first);
    truth->alike = malloc(methods * sizeof *truth->alike);
    truth->foreseeing = malloc(methods * sizeof *truth->foreseeing);
    truth->its_burst = malloc(methods * (size_t)trace->bursts * sizeof *truth->its_burst);
    truth->share = malloc((size_t)trace->bursts * sizeof *truth->share);
    truth->room = malloc((size_t)trace->bursts * sizeof *truth->room);
    truth->group = star_methods_groups(&trace->methods);
    truth->trait = star_methods_traits(&trace->methods, STAR_ATTRIBUTES_MAX, &truth->attributes);
    if (!truth->share || !truth->room || !truth->steady || !truth->rest || !truth->early || !truth->first ||
        !truth->its_burst || !truth->alike || !truth->foreseeing || !truth->group || !truth->trait ||
        star_trace_alike(trace, truth->alike) || star_trace_foreseeing(trace, truth->foreseeing)) {
        star_truth_free(truth);
        return star_because(why, STAR_EMEMORY, "out of memory for a replay");
    }
    find_bursts(truth);
    average(truth);
    return 0;
}

void star_truth_free(struct star_truth *truth)
{
    free(truth->share);
    free(truth->room);
    free(truth->group);
    free(truth->trait);
    free(truth->steady);
    free(truth->rest);
    free(truth->early);
    free(truth->alike);
    free(truth->foreseeing);
    free(truth->its_burst);
    free(truth->first);
    *truth = (struct star_truth){0};
}

double star_truth_seconds(const struct star_truth *truth, int method, int64_t calls)
{
    double seconds = 0;
    for (int64_t k = 0; k < calls && k < truth->early_calls; k++)
        seconds += truth->early[(ptrdiff_t)method * truth->early_calls + k];
    if (calls > truth->early_calls)
        seconds += truth->rest[method] *
                   (double)((calls < truth->burst_calls ? calls : truth->burst_calls) - truth->early_calls);
    if (calls > truth->burst_calls)
        seconds += truth->steady[method] * (double)(calls - truth->burst_calls);
    return seconds;
}

double star_truth_distance(const struct star_truth *truth, int method)
{
    return truth->steady[method] / truth->steady[truth->best] - 1;
}

double star_moment_regret(const struct star_truth *truth, const struct star_moment *moment)
{
    return moment->seconds / ((double)moment->calls * truth->steady[truth->best]) - 1;
}

double star_moment_share(const struct star_truth *truth, const struct star_moment *moment,
                         enum star_spent what)
{
    return moment->spent[what] / ((double)moment->calls * truth->steady[truth->best]);
}

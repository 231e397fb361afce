/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench.h"
#include "algorithms/forecast.h"
#include "replay/trace.h"
#include "tuner/tuner.h"
#include "util/clock.h"
#include "util/file.h"
#include "util/quantile.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static struct star_traces traces;
static struct star_trace trace; /* of the size at hand */
static const struct ground *here;
static bool wanted;

static void insist(int error, const struct star_why *why)
{
    if (error) {
        fprintf(stderr, "startune bench: error: %s\n", why->text);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

/* What the tuner's agreements take: two reductions of some figures, and a decision that is broadcast. */
static double time_agreements(MPI_Comm comm)
{
    enum { TIMES = 11, FIGURES = 16 };
    double figures[FIGURES] = {0}, all[FIGURES], seconds[TIMES];
    struct star_decision decision = {0};
    for (int i = 0; i < TIMES; i++) {
        int64_t begin = star_now();
        MPI_Reduce(figures, all, FIGURES, MPI_DOUBLE, MPI_SUM, 0, comm);
        MPI_Reduce(figures, all, FIGURES, MPI_DOUBLE, MPI_MAX, 0, comm);
        MPI_Bcast(&decision, (int)sizeof decision, MPI_BYTE, 0, comm);
        seconds[i] = (double)(star_now() - begin) * 1e-9;
        MPI_Barrier(comm);
    }
    MPI_Allreduce(MPI_IN_PLACE, seconds, TIMES, MPI_DOUBLE, MPI_MAX, comm);
    star_sort(seconds, TIMES);
    return star_quantile(seconds, TIMES, 0.5);
}

static void keep(void)
{
    struct star_why why;
    if (trace.bursts > 0)
        insist(star_traces_add(&traces, &trace, &why), &why);
    star_trace_free(&trace);
}

void record_size(const struct question *question, const struct ground *ground, int64_t bytes)
{
    wanted = question->record != NULL;
    if (!wanted)
        return;
    keep();
    here = ground;
    trace = (struct star_trace){.operation = question->kind.operation,
                                .ranks = ground->here.size,
                                .bytes = bytes,
                                .agreement = time_agreements(ground->comm)};
}

/* What the cost model says of it: on the topology, or on a switch where ranks are on several nodes. */
static double forecast_of(const struct star_method *method, const struct star_shape *shape)
{
    static const double patience = 0.1;
    struct star_method one = *method;
    const struct star_methods alone = {.at = &one, .count = 1};
    const struct star_forecast_terms terms = {
        .parameters = star_cost_presets, .temp_limit = star_runtime.settings.memory, .patience = patience};
    double seconds = NAN;
    if (here->here.rank == 0 &&
        (here->here.network != NULL || star_nodes_count(here->here.node, here->here.size) > 1))
        star_forecast(&alone, shape, &terms, &seconds);
    return seconds;
}

void record_method(const struct star_method *method, const struct star_shape *shape, double making)
{
    struct star_why why;
    if (wanted)
        insist(star_trace_add_method(&trace, method, making, forecast_of(method, shape), &why), &why);
}

void record_burst(int method, const double *times, int count)
{
    struct star_why why;
    if (!wanted)
        return;
    double *sum = must(malloc(2 * (size_t)count * sizeof *sum)), *most = sum + count;
    struct star_sample *samples = must(malloc((size_t)count * sizeof *samples));
    MPI_Allreduce(times, sum, count, MPI_DOUBLE, MPI_SUM, here->comm);
    MPI_Allreduce(times, most, count, MPI_DOUBLE, MPI_MAX, here->comm);
    for (int i = 0; i < count; i++)
        samples[i] = (struct star_sample){(float)(sum[i] / here->here.size), (float)most[i]};
    insist(star_trace_add_burst(&trace, method, samples, count, &why), &why);
    free(sum);
    free(samples);
}

bool record_end(const struct question *question)
{
    struct star_text text = {0};
    struct star_why why = {"out of memory"};
    bool good = true;
    if (!wanted)
        return true;
    keep();
    if (here->here.rank == 0 && traces.count > 0) {
        struct star_traces again = {0};
        star_traces_write(&traces, &text);
        /* Native alone, or a method named twice, is nothing to replay. */
        good = !text.failed &&
               star_traces_parse(text.bytes, text.length, question->record, &again, &why) == 0 &&
               star_file_write(question->record, text.bytes, text.length, &why) == 0;
        star_traces_free(&again);
    }
    if (!good)
        fprintf(stderr, "startune bench: error: %s\n", why.text);
    star_text_free(&text);
    star_traces_free(&traces);
    return good;
}

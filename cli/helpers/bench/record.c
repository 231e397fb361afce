/* SPDX-License-Identifier: BSD-3-Clause */
#include "record.h"
#include "algorithms/forecast.h"
#include "algorithms/method.h"
#include "algorithms/methods.h"
#include "algorithms/operations.h"
#include "cli/helpers/measure/rank.h"
#include "plan/cost.h"
#include "plan/plan.h"
#include "replay/reader.h"
#include "replay/trace.h"
#include "runtime/nodes.h"
#include "runtime/session.h"
#include "tuner/decision.h"
#include "util/clock.h"
#include "util/file_write.h"
#include "util/parse.h"
#include "util/prospect.h"
#include "util/quantile.h"
#include "util/text.h"
#include "util/why.h"

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
    enum { COLD = 100, TIMES = 21, FIGURES = 16 };
    double figures[FIGURES] = {0}, all[FIGURES], seconds[TIMES];
    struct star_decision decision = {0};
    for (int i = -COLD; i < TIMES; i++) {
        int64_t begin = star_now();
        MPI_Reduce(figures, all, FIGURES, MPI_DOUBLE, MPI_SUM, 0, comm);
        MPI_Reduce(figures, all, FIGURES, MPI_DOUBLE, MPI_MAX, 0, comm);
        MPI_Bcast(&decision, (int)sizeof decision, MPI_BYTE, 0, comm);
        seconds[i < 0 ? 0 : i] = (double)(star_now() - begin) * 1e-9;
        MPI_Barrier(comm);
    }
    MPI_Allreduce(MPI_IN_PLACE, seconds, TIMES, MPI_DOUBLE, MPI_MAX, comm);
    return star_sort_median(seconds, TIMES);
}

/* Native alone is nothing to replay: no reader takes it. Bursts are on rank 0. */
static void keep(void)
{
    struct star_why why;
    char size[32];
    if (trace.bursts > 0 && trace.methods.count < 2)
        fprintf(stderr, "startune bench: warning: %s, %s: nothing but native ran, which makes no trace\n",
                star_operations[trace.operation].name, star_format_bytes(trace.bytes, size, sizeof size));
    else if (trace.bursts > 0)
        insist(star_traces_add(&traces, &trace, &why), &why);
    star_trace_free(&trace);
}

void record_size(const struct bench_question *question, const struct ground *ground, int64_t bytes)
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
static struct star_prospect forecast_of(const struct star_method *method, const struct star_shape *shape)
{
    static const double patience = 0.1;
    struct star_method one = *method;
    const struct star_methods alone = {.at = &one, .count = 1};
    const struct star_forecast_terms terms = {.parameters = star_cost_presets,
                                              .temp_limit = star_runtime.settings.memory,
                                              .patience = patience,
                                              .parts = true};
    struct star_prospect prospect = STAR_NO_PROSPECT;
    if (here->here.rank == 0 &&
        (here->here.network != NULL || star_nodes_count(here->here.node, here->here.size) > 1))
        star_forecast(&alone, shape, &terms, &prospect);
    return prospect;
}

void record_method(const struct star_method *method, const struct star_shape *shape, double making)
{
    struct star_why why;
    if (!wanted)
        return;
    struct star_prospect prospect = forecast_of(method, shape);
    insist(star_trace_add_method(&trace, method, making, &prospect, &why), &why);
}

/* The ranks whose times are kept: all, or of many the one whose calls took longest, and others at equal
 * distances. */
static void choose_ranks(const double *all, int size, int count, int *ranks)
{
    int kept = size < STAR_TRACE_RANKS ? size : STAR_TRACE_RANKS;
    double most = 0;
    for (int i = 0; i < kept; i++)
        ranks[i] = kept == size ? i : (int)((int64_t)i * size / kept);
    for (int r = 0; kept < size && r < size; r++) {
        double sum = 0;
        for (int k = 0; k < count; k++)
            sum += all[(size_t)r * (size_t)count + (size_t)k];
        ranks[kept - 1] = sum > most ? r : ranks[kept - 1];
        most = fmax(most, sum);
    }
}

/* Rank 0 keeps what ALL ranks measured: COUNT calls of each. */
static void keep_burst(int method, const double *all, int count)
{
    struct star_why why;
    int ranks[STAR_TRACE_RANKS] = {0};
    choose_ranks(all, here->here.size, count, ranks);
    insist(star_trace_add_burst(&trace, method, &why), &why);
    for (int k = 0; k < count; k++) {
        float seconds[STAR_TRACE_RANKS];
        for (int i = 0; i < star_trace_ranks(&trace); i++)
            seconds[i] = (float)all[(size_t)ranks[i] * (size_t)count + (size_t)k];
        insist(star_trace_add_call(&trace, seconds, &why), &why);
    }
}

void record_burst(int method, const double *times, int count)
{
    if (!wanted)
        return;
    bool root = here->here.rank == 0;
    double *all = root ? must(malloc((size_t)here->here.size * (size_t)count * sizeof *all)) : NULL;
    MPI_Gather(times, count, MPI_DOUBLE, all, count, MPI_DOUBLE, 0, here->comm);
    if (root)
        keep_burst(method, all, count);
    free(all);
}

/* Writes the file, if it can be read again. */
static bool write_traces(const char *file, struct star_why *why)
{
    struct star_text text = {0};
    struct star_traces again = {0};
    if (traces.count == 0) {
        star_because(why, STAR_ELIMIT, "nothing was measured that makes a trace; %s was not written", file);
        return false;
    }
    star_traces_write(&traces, &text);
    bool good = !text.failed && star_traces_parse(text.bytes, text.length, file, &again, why) == 0 &&
                star_file_write(file, text.bytes, text.length, why) == 0;
    star_traces_free(&again);
    star_text_free(&text);
    return good;
}

bool record_end(const struct bench_question *question)
{
    struct star_why why = {"out of memory"};
    if (!wanted)
        return true;
    keep();
    bool good = here->here.rank != 0 || write_traces(question->record, &why);
    if (!good)
        fprintf(stderr, "startune bench: error: %s\n", why.text);
    star_traces_free(&traces);
    return good;
}

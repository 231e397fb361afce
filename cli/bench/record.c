/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench.h"
#include "algorithms/forecast.h"
#include "replay/trace.h"
#include "runtime/agree.h"
#include "runtime/sounding.h"
#include "tuner/tuner.h"
#include "util/clock.h"
#include "util/file.h"
#include "util/parse.h"
#include "util/quantile.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static struct star_traces traces;
static struct star_trace trace; /* of the size at hand */
static const struct ground *here;
static struct star_shape shape_here; /* of the size at hand */
static bool wanted, prepared;

static void insist(int error, const struct star_why *why)
{
    if (error) {
        fprintf(stderr, "startune bench: error: %s\n", why->text);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

/* A call of a candidate, so that the race has something to look at. */
static double made_up(int candidate)
{
    enum { KINDS = 5 };
    return 1e-5 * (1 + candidate % KINDS);
}

/* What an agreement takes of a race of so many methods, on the rank that takes longest. */
static double time_agreement(const struct star_communicator *ranks, struct star_tuner *tuner)
{
    struct star_decision decision;
    while (!star_tuner_record(tuner, made_up(star_tuner_candidate(tuner))))
        ;
    MPI_Barrier(ranks->private);
    int64_t begin = star_now();
    star_agree_tuner(ranks->private, ranks->rank, ranks->size, tuner, NULL, &decision);
    return (double)star_since(begin) * 1e-9;
}

/* The median of the agreements of some races, behind those of others: the first ones of a program are slow.
 */
static double time_agreements(const struct star_communicator *ranks, int methods)
{
    enum { RACES = 8, COLD = 4, AGREEMENTS = 8 };
    double seconds[RACES * AGREEMENTS];
    struct star_settings settings = star_runtime.settings;
    settings.strategy = STAR_RACE;
    const struct star_tuning tuning = star_tuning_of(&settings);
    int *groups = must(calloc((size_t)methods, sizeof *groups));
    for (int i = 0; i < methods; i++)
        groups[i] = i;
    for (int i = -COLD; i < RACES; i++) {
        struct star_tuner *tuner = must(star_tuner_new(&tuning, groups, NULL, methods, ranks->rank == 0));
        for (int k = 0; k < AGREEMENTS; k++)
            seconds[(i < 0 ? 0 : i) * AGREEMENTS + k] = time_agreement(ranks, tuner);
        star_tuner_free(tuner);
    }
    free(groups);
    MPI_Allreduce(MPI_IN_PLACE, seconds, RACES * AGREEMENTS, MPI_DOUBLE, MPI_MAX, ranks->private);
    star_sort(seconds, RACES * AGREEMENTS);
    return star_quantile(seconds, RACES * AGREEMENTS, 0.5);
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

void record_size(const struct question *question, const struct ground *ground, int64_t bytes)
{
    wanted = question->record != NULL;
    if (!wanted)
        return;
    keep();
    here = ground;
    trace = (struct star_trace){
        .operation = question->kind.operation, .ranks = ground->here.size, .bytes = bytes};
    prepared = false;
}

/* What the cost model says of it: on the topology, or on one switch, or one machine. */
static struct star_prospect forecast_of(const struct star_method *method, const struct star_shape *shape)
{
    static const double patience = 0.1;
    bool together = here->here.network == NULL && here->here.node == NULL;
    struct star_method one = *method;
    const struct star_methods alone = {.at = &one, .count = 1};
    const struct star_forecast_terms terms = {.parameters = star_cost_presets,
                                              .temp_limit = star_runtime.settings.memory,
                                              .patience = patience,
                                              .parts = !together};
    struct star_prospect prospect = STAR_NO_PROSPECT;
    if (here->here.rank == 0)
        star_forecast(&alone, shape, &terms, &prospect);
    return prospect;
}

void record_method(const struct star_method *method, const struct star_shape *shape, double making)
{
    struct star_why why;
    const struct star_prospect none = STAR_NO_PROSPECT;
    if (!wanted)
        return;
    shape_here = *shape;
    insist(star_trace_add_method(&trace, method, making, &none, &why), &why);
}

/* Some soundings, as a run would make one. */
static void record_soundings(const struct star_communicator *ranks)
{
    enum { TIMES = 12 };
    const struct star_cost_parameters *presets = &star_cost_presets;
    double assumed = presets->framing / presets->host,
           least = star_forecast_least_link(trace.predicted, trace.methods.count);
    MPI_Bcast(&least, 1, MPI_DOUBLE, 0, ranks->private);
    for (int i = -1; ranks->node != NULL && !isinf(least) && i < TIMES; i++) {
        struct star_sounded sounded;
        struct star_why why;
        MPI_Barrier(ranks->private);
        int64_t begin = star_now();
        bool told = star_sound(ranks, star_sounding_amount(least / assumed), assumed, &sounded.found);
        sounded.seconds = (double)star_since(begin) * 1e-9;
        if (told && i >= 0) /* the first one makes connections, which methods have, too */
            insist(star_trace_add_sounding(&trace, &sounded, &why), &why);
    }
}

/* Once all methods are known, and before the first burst: else a rank that predicts would be waited for where
 * plans are timed. */
static void prepare(void)
{
    const struct star_communicator *ranks = &here->here;
    prepared = true;
    if (trace.methods.count < 2)
        return;
    int *zeros = must(calloc((size_t)ranks->size, sizeof *zeros));
    if (ranks->node == NULL && ranks->network == NULL)
        shape_here.node = zeros;
    for (int i = 1; i < trace.methods.count; i++)
        trace.predicted[i] = forecast_of(&trace.methods.at[i], &shape_here);
    free(zeros);
    trace.agreement = time_agreements(ranks, trace.methods.count);
    if (ranks->network == NULL)
        record_soundings(ranks);
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
    int ranks[STAR_TRACE_RANKS];
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
    if (!prepared)
        prepare();
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

bool record_end(const struct question *question)
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

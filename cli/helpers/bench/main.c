/* SPDX-License-Identifier: BSD-3-Clause
 * The measuring part of `startune bench`: an MPI program. Its arguments were checked by the command, as far
 * as one can without knowing the number of ranks. */
#include "algorithms/bounds.h"
#include "algorithms/method.h"
#include "algorithms/methods.h"
#include "cli/common/progress.h"
#include "cli/helpers/measure/rank.h"
#include "figures.h"
#include "plan/plan.h"
#include "record.h"
#include "runtime/call.h"
#include "runtime/runners.h"
#include "util/clock.h"
#include "util/quantile.h"
#include "util/random.h"
#include "util/text.h"
#include "util/why.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct bench_question *const ask = &bench_question;
static struct ground ground;
static int done;    /* rounds of the size at hand */
static int printed; /* sizes: others may have failed */

/* Ctrl-C, as mpirun passes it on: what was measured is printed, if mpirun leaves the time for it. */
static volatile sig_atomic_t interrupted;
static bool stopped; /* as all ranks agree */

static void interrupt(int number)
{
    (void)number;
    interrupted = 1;
}

static bool any_interrupted(void)
{
    int mine = interrupted, any;
    MPI_Allreduce(&mine, &any, 1, MPI_INT, MPI_MAX, ground.comm);
    stopped = any;
    return any;
}

struct contenders {
    struct contender *at;
    int count;
    const struct call *call;
    bool named; /* in --methods */
};

static void complain(const struct contenders *contenders, const char *why)
{
    if (contenders->named && ground.here.rank == 0)
        fprintf(stderr, "startune bench: warning: %s\n", why);
}

/* Takes METHOD among those to be measured, if it can run. Collective. */
static int enter(const struct star_method *method, void *context)
{
    struct contenders *contenders = context;
    struct star_facts facts = contenders->call->facts;
    struct star_shape shape = star_shape_for(&ground.here, ask->kind.operation, &facts);
    struct star_why why;
    char name[STAR_METHOD_TEXT];
    if (star_method_applies(method, &shape, &why)) {
        complain(contenders, why.text);
        return 0;
    }
    int64_t segment = star_method_knob(method, "segment", 0);
    if (!contenders->named && segment > 0 && segment >= facts.bytes && facts.bytes >= 0)
        return 0; /* the same as without segments */
    struct contender c = {.method = *method};
    int64_t begin = star_now();
    if (!star_is_native(method)) {
        c.runner = star_runner_acquire(&ground.here, method, &facts);
        if (c.runner == NULL) {
            star_because(&why, STAR_ENEEDS, "%s needs more memory than it may have, or cannot do this call",
                         star_method_format(method, name, sizeof name));
            complain(contenders, why.text);
            return 0;
        }
    }
    record_method(method, &shape, c.runner ? (double)(star_now() - begin) * 1e-9 : 0);
    c.samples = must(calloc((size_t)ask->rounds * (size_t)ask->calls, sizeof *c.samples));
    contenders->at = must(realloc(contenders->at, ((size_t)contenders->count + 1) * sizeof *contenders->at));
    contenders->at[contenders->count++] = c;
    return 0;
}

/* Native, then what was asked for or all that applies. */
static struct contenders contenders_of(const struct call *call)
{
    struct contenders contenders = {.call = call};
    struct star_methods named;
    struct star_method native = star_native_of(ask->kind.operation);
    if (star_methods_parse_of(ask->kind.operation, ask->methods, &named, NULL))
        MPI_Abort(MPI_COMM_WORLD, 1);
    if (named.count == 0) {
        star_methods_each(ask->kind.operation, ask->all, enter, &contenders);
        return contenders;
    }
    enter(&native, &contenders);
    contenders.named = true;
    for (int i = 0; i < named.count; i++)
        if (!star_is_native(&named.at[i]))
            enter(&named.at[i], &contenders);
    star_methods_free(&named);
    return contenders;
}

static void compute_for(double seconds)
{
    int64_t end = star_now() + (int64_t)(seconds * 1e9);
    while (star_now() < end)
        ;
}

/* Seconds between calls: of computation, and up to so many more by which a rank comes late. */
struct pause {
    double compute, late;
    uint64_t random; /* differs from rank to rank */
};

/* A burst of calls. */
static void measure(struct contender *contender, struct call *call, struct pause *pause, double *times)
{
    call_prepare(call);
    for (int i = 0; i <= ask->calls; i++) {
        compute_for(pause->compute + pause->late * star_draw_share(&pause->random));
        int64_t begin = star_now();
        call_run(call, &ground, contender->runner);
        times[i] = (double)(star_now() - begin) * 1e-9;
    }
    contender->wrong = contender->wrong || !call_is_right(call);
}

static void progress(int size, int round, int64_t begin)
{
    if (ground.here.rank == 0)
        cli_progress("", (size + (double)round / ask->rounds) / ask->size_count, begin);
}

static void measure_all(const struct contenders *contenders, struct call *call, int which, int64_t begin)
{
    int *order = must(malloc((size_t)contenders->count * sizeof *order));
    double *times = must(malloc(((size_t)ask->calls + 1) * sizeof *times));
    uint64_t state = (uint64_t)ask->seed;
    for (int i = 0; i < contenders->count; i++)
        order[i] = i;
    if (call_learn(call))
        MPI_Abort(MPI_COMM_WORLD, 1);
    double native = call_native_seconds(call, &ground, 5);
    struct pause pause = {ask->compute * native, ask->arrival * native,
                          (uint64_t)ask->seed + 1000003u * (uint64_t)ground.here.rank};
    for (done = 0; done < ask->rounds && !any_interrupted(); done++) {
        progress(which, done, begin);
        star_shuffle(order, contenders->count, &state);
        for (int i = 0; i < contenders->count; i++) {
            struct contender *contender = &contenders->at[order[i]];
            measure(contender, call, &pause, times);
            record_burst(order[i], times, ask->calls + 1);
            /* The first call is not counted: it follows another method. */
            MPI_Allreduce(times + 1, contender->samples + (size_t)done * (size_t)ask->calls, ask->calls,
                          MPI_DOUBLE, MPI_SUM, ground.comm);
        }
    }
    free(order);
    free(times);
}

/* Samples become means over the ranks, sorted; returns whether any result was wrong on any rank. */
static bool sum_up(const struct contenders *contenders)
{
    bool wrong = false;
    for (int i = 0; i < contenders->count; i++) {
        struct contender *c = &contenders->at[i];
        int mine = c->wrong, any;
        MPI_Allreduce(&mine, &any, 1, MPI_INT, MPI_MAX, ground.comm);
        c->wrong = any;
        wrong = wrong || any;
        for (int j = 0; j < done * ask->calls; j++)
            c->samples[j] /= ground.here.size;
        star_sort(c->samples, done * ask->calls);
    }
    return wrong;
}

static void put(struct star_text *text)
{
    if (ground.here.rank == 0 && text->length > 0) {
        fputs(text->bytes, stdout);
        fflush(stdout);
    }
    star_text_free(text);
}

/* Do all ranks have their call? Else one says why not. */
static bool open_everywhere(struct call *call, int64_t bytes)
{
    struct star_why why;
    struct {
        int failed, rank;
    } mine = {call_open(call, &bench_question.kind, bytes, &ground, &why) != 0, ground.here.rank}, all;
    MPI_Allreduce(&mine, &all, 1, MPI_2INT, MPI_MAXLOC, ground.comm);
    if (all.failed && all.rank == ground.here.rank)
        fprintf(stderr, "startune bench: error: %s\n", why.text);
    return !all.failed;
}

/* The least seconds that the links allow, frames counted; 0: not known. */
static double limit_of(int64_t bytes)
{
    struct star_bound bound;
    if (ground.here.network == NULL || star_bound_of(ask->kind.operation, ground.here.network,
                                                     (int)ask->kind.root, (double)bytes, &bound, NULL))
        return 0;
    return bound.seconds * STAR_FRAME_WIRE / STAR_FRAME_PAYLOAD;
}

static bool bench_size(int which, int64_t begin)
{
    struct star_text text = {0};
    struct call call;
    bool wrong = true;
    if (open_everywhere(&call, ask->sizes[which])) {
        record_size(&bench_question, &ground, ask->sizes[which]);
        struct contenders contenders = contenders_of(&call);
        measure_all(&contenders, &call, which, begin);
        wrong = sum_up(&contenders);
        if (ground.here.rank == 0)
            cli_progress_end();
        if (done > 0) {
            star_text_add(&text, ask->json && printed > 0 ? ",\n" : "");
            figures_add(&text, &bench_question, ask->sizes[which], limit_of(ask->sizes[which]), contenders.at,
                        contenders.count, done * ask->calls);
            printed++;
        }
        for (int i = 0; i < contenders.count; i++)
            free(contenders.at[i].samples);
        free(contenders.at);
        star_runners_free(&ground.here);
    }
    put(&text);
    call_close(&call);
    return wrong;
}

/* Can all that was asked for be done? 0, or the exit status after rank 0 has said why not. Collective. */
static int refuse(void)
{
    struct star_why why;
    int error = 0;
    if (ask->kind.root >= ground.here.size)
        error = star_because(&why, STAR_EINPUT, "there is no rank %d among %d ranks", (int)ask->kind.root,
                             ground.here.size);
    else if (ask->record != NULL)
        error = check_output(ask->record, &why);
    if (error && ground.here.rank == 0)
        fprintf(stderr, "startune bench: error: %s\n", why.text);
    return status_of(error);
}

/* Measures all sizes, and prints what was found; the exit status. */
static int bench(void)
{
    struct star_text text = {0};
    bool wrong = false;
    figures_begin(&text, &bench_question, ground.here.size, ground.here.network != NULL);
    put(&text);
    int64_t begin = star_now();
    signal(SIGINT, interrupt);
    signal(SIGTERM, interrupt);
    for (int i = 0; i < ask->size_count && !stopped; i++)
        wrong = bench_size(i, begin) || wrong;
    figures_end(&text, &bench_question);
    put(&text);
    bool written = record_end(&bench_question);
    return wrong || !written ? 1 : stopped ? 130 : 0;
}

int main(int argc, char **argv)
{
    const struct cli_command command = {.name = "bench", .options = bench_options};
    MPI_Init(&argc, &argv);
    if (bench_question_read(&command, argc - 1, argv + 1) != 0)
        MPI_Abort(MPI_COMM_WORLD, 1);
    ground_begin(ask->nodes, ask->topology);
    ground_open(&ground, MPI_COMM_WORLD);
    int status = refuse();
    if (status == 0)
        status = bench();
    ground_close(&ground);
    ground_end();
    MPI_Finalize();
    return status;
}

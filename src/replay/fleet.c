/* SPDX-License-Identifier: BSD-3-Clause */
#include "replay/fleet.h"
#include "algorithms/operations.h"
#include "replay/run.h"
#include "subject/balance.h"
#include "util/random.h"
#include "util/version.h"
#include "wisdom/known.h"
#include "wisdom/losses.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

const double star_fleet_hurt = 0.01;
enum { CONTEXTS_MOST = 3, CALLS_LEAST = 100, CALLS_MOST = 20000 };
static const double own_factor = 0.15, job_factor = 0.03, common_factor = 0.1;
/* What starting under startune takes, in seconds, and the shortest job. */
static const double starting = 0.003, shortest = 2;
static const int64_t begin = 1700000000;

struct member {
    const struct star_truth *truth;
    int64_t calls;
    double own[STAR_CANDIDATES_MAX];
    struct star_figures figures[STAR_CANDIDATES_MAX]; /* what runs have learned; count 0: nothing */
};

struct program {
    const struct star_fleet_ask *ask;
    uint64_t random;
    struct member member[CONTEXTS_MOST];
    int contexts, ranks;
    double share; /* of its time that calls take, with native */
    double pause;
    struct star_losses losses;
    struct star_loss_run run;
    bool withdrawn;
};

struct job {
    int64_t date;
    double native, calls; /* seconds with native alone: of all, and of calls */
    double tuned;         /* of calls */
    double common;
    struct star_balance account[STAR_TRACE_RANKS];
};

static double between(struct program *program, double least, double most)
{
    return least * pow(most / least, star_draw_share(&program->random));
}

/* A factor whose logarithm is normal, by the sum of twelve. */
static double factor(struct program *program, double deviation)
{
    double sum = -6;
    for (int i = 0; i < 12; i++)
        sum += star_draw_share(&program->random);
    return exp(deviation * sum);
}

/* A trace of as many ranks as the program's first one. */
static void draw_member(struct program *program, struct member *member, bool first)
{
    const struct star_fleet_ask *ask = program->ask;
    do
        member->truth = &ask->truth[star_draw(&program->random, (uint32_t)ask->count)];
    while (!first && star_trace_ranks(member->truth->trace) != program->ranks);
    program->ranks = star_trace_ranks(member->truth->trace);
    member->calls = llround(between(program, CALLS_LEAST, CALLS_MOST));
    for (int m = 0; m < member->truth->trace->methods.count; m++) {
        int alike = member->truth->alike[m];
        member->own[m] = alike < m ? member->own[alike] : factor(program, own_factor);
        member->figures[m] = (struct star_figures){0};
    }
}

static void draw_program(const struct star_fleet_ask *ask, int64_t number, struct program *program)
{
    program->ask = ask;
    program->random = (ask->seed * 1000003 + (uint64_t)number) * 2654435761u;
    program->contexts = 1 + (int)star_draw(&program->random, CONTEXTS_MOST);
    program->losses = (struct star_losses){0};
    program->withdrawn = false;
    for (int i = 0; i < program->contexts; i++)
        draw_member(program, &program->member[i], i == 0);
    program->share = between(program, 0.03, 0.8);
    program->pause = between(program, 3600, 2 * 86400.);
    program->run = (struct star_loss_run){.ranks = program->ranks};
    snprintf(program->run.program, sizeof program->run.program, "program-%lld", (long long)number);
    snprintf(program->run.machine, sizeof program->run.machine, "fleet");
    snprintf(program->run.version, sizeof program->run.version, "%s", STAR_VERSION);
}

static struct star_fact point_of(const struct member *member, int index)
{
    const struct star_trace *trace = member->truth->trace;
    struct star_fact point = {
        .ranks = trace->ranks, .nodes = index + 1, .bytes = trace->bytes, .commutative = true};
    snprintf(point.machine, sizeof point.machine, "fleet");
    snprintf(point.operation, sizeof point.operation, "%s", star_operations[trace->operation].name);
    return point;
}

typedef char method_name[STAR_METHOD_TEXT];

/* What runs before have left, as a run finds it. */
static int recall(const struct member *member, int index, int64_t date, struct star_replay_seen *known,
                  double *confidence)
{
    struct star_known all = {0};
    struct star_expected expected[STAR_CANDIDATES_MAX];
    const char *methods[STAR_CANDIDATES_MAX];
    const struct star_methods *list = &member->truth->trace->methods;
    method_name *names = calloc((size_t)list->count, sizeof *names);
    int error = names == NULL ? STAR_EMEMORY : 0;
    known->count = 0;
    for (int m = 0; !error && m < list->count; m++) {
        struct star_fact fact = point_of(member, index);
        methods[m] = star_method_format(&list->at[m], names[m], sizeof names[m]);
        snprintf(fact.method, sizeof fact.method, "%s", methods[m]);
        fact.figures = star_figures_fade(member->figures[m], date);
        if (member->figures[m].count > 0)
            error = star_known_add(&fact, &all);
    }
    if (!error) {
        struct star_fact point = point_of(member, index);
        *confidence = star_known_ask(&all, &point, methods, list->count, expected);
        for (int m = 0; m < list->count; m++)
            if (expected[m].count > 0)
                known->of[known->count++] =
                    (struct star_recollection){m, expected[m].count, expected[m].mean, expected[m].deviation};
    }
    star_known_free(&all);
    free(names);
    return error;
}

static void learn(struct member *member, const struct star_replay_seen *seen, int64_t date)
{
    for (int i = 0; i < seen->count; i++) {
        const struct star_recollection *of = &seen->of[i];
        double count = fmin(of->count, STAR_FACT_RUN);
        struct star_figures now = {.count = count,
                                   .mean = of->mean,
                                   .squares = of->deviation * of->deviation * count,
                                   .least = of->mean,
                                   .date = date},
                            *figures = &member->figures[of->candidate];
        *figures = figures->count > 0 ? star_figures_add(*figures, now) : now;
    }
}

/* In one job: with native, and, where it is TUNED, under startune. */
static int run_member(struct program *program, int index, struct job *job, bool tuned, struct star_why *why)
{
    struct member *member = &program->member[index];
    const struct star_truth *truth = member->truth;
    double scale[STAR_CANDIDATES_MAX], confidence = 0;
    struct star_replay_seen known, seen;
    for (int m = 0; m < truth->trace->methods.count; m++) {
        int alike = truth->alike[m];
        scale[m] = alike < m ? scale[alike] : job->common * member->own[m] * factor(program, job_factor);
    }
    struct star_moment end = {.calls = member->calls};
    struct star_replay_run run = {.truth = truth,
                                  .tuning = program->ask->tuning,
                                  .seed = (program->random ^ 0x9e3779b97f4a7c15u) * 2654435761u,
                                  .forecast = program->ask->predicts ? truth->trace->predicted : NULL,
                                  .seen = &seen,
                                  .scale = scale,
                                  .account = job->account};
    double native = scale[0] * star_truth_seconds(truth, 0, member->calls);
    job->calls += native;
    if (!tuned) {
        job->tuned += native;
        return 0;
    }
    if (recall(member, index, job->date, &known, &confidence) != 0)
        return star_because(why, STAR_EMEMORY, "out of memory for a fleet");
    run.known = known.count > 0 ? &known : NULL;
    run.confidence = confidence;
    int error = star_replay(&run, &end, 1, why);
    job->tuned += end.seconds;
    learn(member, &seen, job->date);
    return error;
}

/* As rank 0 says it at the end: in the mean over ranks. */
static void judge(struct program *program, struct job *job, double seconds)
{
    double saved = 0, error = 0;
    int64_t calls = 0, unknown = 0;
    bool known = false;
    struct star_loss loss = {.run = program->run, .date = job->date};
    for (int r = 0; r < program->ranks; r++) {
        saved += job->account[r].saved / program->ranks;
        error += job->account[r].error / program->ranks;
        calls += job->account[r].calls;
        unknown += job->account[r].unknown_calls;
        known = known || job->account[r].known;
    }
    if (known && unknown * 10 <= calls)
        star_losses_judge(&program->losses, seconds, saved - starting, error, &loss);
}

static void count_job(struct star_fleet_jobs *jobs, const struct job *job, bool left)
{
    double lost = job->tuned + (left ? 0 : starting) - job->calls, share = lost / job->native;
    jobs->jobs++;
    jobs->left += left;
    jobs->hurt += share > star_fleet_hurt;
    jobs->worst = fmax(jobs->worst, share);
    jobs->native += job->native;
    jobs->saved -= lost;
}

static int run_job(struct program *program, int64_t number, struct star_fleet *fleet, struct star_why *why)
{
    struct job job = {.date = begin + llround((double)number * program->pause)};
    struct star_loss sum;
    bool left = star_losses_enough(&program->losses, &program->run, job.date, program->ask->days, &sum);
    int error = 0;
    job.common = factor(program, common_factor);
    for (int i = 0; !error && i < program->contexts; i++)
        error = run_member(program, i, &job, !left, why);
    job.native = fmax(job.calls / program->share, shortest);
    double seconds = job.native + job.tuned - job.calls + starting;
    if (!left && !error)
        judge(program, &job, seconds);
    program->withdrawn = program->withdrawn || left;
    count_job(number < STAR_FLEET_KNOWN ? &fleet->before : &fleet->known, &job, left);
    return error;
}

/* Of the program whose jobs came since BEFORE. */
static void count_program(struct star_fleet_jobs *jobs, const struct star_fleet_jobs *before)
{
    double hurt = (double)(jobs->hurt - before->hurt), all = (double)(jobs->jobs - before->jobs);
    jobs->programs += all > 0;
    jobs->hurt_squares += hurt * hurt;
    jobs->squares += all * all;
    jobs->products += hurt * all;
}

/* By the variance of a ratio of sums over programs; where none is hurt, or each, that is not known. */
double star_fleet_weight(const struct star_fleet_jobs *jobs)
{
    double all = (double)jobs->jobs, programs = (double)jobs->programs, share = (double)jobs->hurt / all;
    double alone = share * (1 - share) / all;
    double together = (jobs->hurt_squares - 2 * share * jobs->products + share * share * jobs->squares) /
                      (all * all) * programs / (programs - 1);
    bool known = programs > 1 && alone > 0 && together > 0;
    return known ? fmax(fmin(all * alone / together, all), 1) : programs;
}

int star_fleet(const struct star_fleet_ask *ask, struct star_fleet *fleet, struct star_why *why)
{
    struct program *program = malloc(sizeof *program);
    int error = program == NULL ? star_because(why, STAR_EMEMORY, "out of memory for a fleet") : 0;
    *fleet = (struct star_fleet){0};
    for (int64_t job = 0; !error && job < ask->jobs;) {
        struct star_fleet_jobs before = fleet->before, known = fleet->known;
        draw_program(ask, fleet->programs++, program);
        for (int64_t i = 0; !error && i < ask->runs && job < ask->jobs; i++, job++)
            error = run_job(program, i, fleet, why);
        count_program(&fleet->before, &before);
        count_program(&fleet->known, &known);
        fleet->withdrawn += program->withdrawn;
        star_losses_free(&program->losses);
        if (ask->progress != NULL)
            ask->progress((double)job / (double)ask->jobs, ask->context);
    }
    free(program);
    return error;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "fleet.h"
#include "cli/common/messages.h"
#include "cli/common/output.h"
#include "cli/common/progress.h"
#include "plot/table.h"
#include "replay/fleet.h"
#include "runs.h"
#include "tuner/strategies.h"
#include "util/clock.h"
#include "util/text.h"
#include "util/why.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void tell(double part, void *context)
{
    const int64_t *began = context;
    cli_progress("", part, *began);
}

/* The share of JOBS that is hurt, and what it is with 95 % confidence (Wilson), as far as programs differ. */
struct share {
    double share, low, high;
};

static struct share share_of(const struct star_fleet_jobs *jobs)
{
    const double z = 1.96, n = star_fleet_weight(jobs), p = (double)jobs->hurt / (double)jobs->jobs;
    double middle = (p + z * z / (2 * n)) / (1 + z * z / n),
           half = z * sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / (1 + z * z / n);
    return (struct share){p, jobs->hurt > 0 ? middle - half : 0, jobs->hurt < jobs->jobs ? middle + half : 1};
}

static const struct star_column columns[] = {
    {"when", "runs known", STAR_AS_WORDS},   {"jobs", "jobs", STAR_AS_COUNTS},
    {"hurt", "hurt", STAR_AS_COUNTS},        {"share", "share", STAR_AS_FINE_SHARES},
    {"low", "from", STAR_AS_FINE_SHARES},    {"high", "to", STAR_AS_FINE_SHARES},
    {"worst", "worst", STAR_AS_FINE_SHARES}, {"left", "left alone", STAR_AS_COUNTS},
    {"saved", "saved", STAR_AS_FINE_SHARES}};

static void add_row(const char *when, const struct star_fleet_jobs *jobs, struct star_table *table)
{
    struct share share = share_of(jobs);
    star_table_words(table, "%s", when);
    star_table_numbers(table, (double)jobs->jobs, (double)jobs->hurt, share.share, share.low, share.high,
                       jobs->worst, (double)jobs->left, jobs->saved / jobs->native);
}

static void add_text(const struct star_fleet *fleet, struct star_text *text)
{
    char fewer[40], enough[40];
    struct star_table table = STAR_TABLE_OF(columns);
    star_text_add(
        text,
        "%lld jobs of %lld programs, of which %lld were left alone for a while; hurt: by more than %g %%\n",
        (long long)(fleet->before.jobs + fleet->known.jobs), (long long)fleet->programs,
        (long long)fleet->withdrawn, 100 * star_fleet_hurt);
    snprintf(fewer, sizeof fewer, "fewer than %d", STAR_FLEET_KNOWN);
    snprintf(enough, sizeof enough, "%d or more", STAR_FLEET_KNOWN);
    add_row(fewer, &fleet->before, &table);
    if (fleet->known.jobs > 0)
        add_row(enough, &fleet->known, &table);
    star_table_write(&table, text);
}

static void add_json_jobs(const char *key, const struct star_fleet_jobs *jobs, struct star_text *text)
{
    struct share share = share_of(jobs);
    star_json_open(text, key, '{');
    star_json_add(text,
                  "jobs: %jd, hurt: %jd, hurt_share: %g, hurt_low: %g, hurt_high: %g, worst: %g, left_alone: "
                  "%jd, native_seconds: %g, saved_seconds: %g}",
                  jobs->jobs, jobs->hurt, share.share, share.low, share.high, jobs->worst, jobs->left,
                  jobs->native, jobs->saved);
}

static void add_json(const struct cli_replay *replay, const struct star_fleet *fleet, struct star_text *text)
{
    star_json_add(text,
                  "{seed: %jd, programs: %jd, withdrawn_programs: %jd, hurt_by_more_than: %g, known_runs: %d",
                  replay->seed, fleet->programs, fleet->withdrawn, star_fleet_hurt, STAR_FLEET_KNOWN);
    add_json_jobs("before", &fleet->before, text);
    add_json_jobs("known", &fleet->known, text);
    star_json_close(text, '}');
    star_text_add(text, "\n");
}

/* The fleet does not depend on the order in which a shell names files. */
static int by_trace(const void *a, const void *b)
{
    const struct star_trace *one = a, *other = b;
    int order = strcmp(one->from, other->from);
    if (order == 0)
        order = (int)one->operation - (int)other->operation;
    if (order == 0)
        order = one->ranks - other->ranks;
    return order != 0 ? order : (one->bytes > other->bytes) - (one->bytes < other->bytes);
}

int cli_replay_fleet(struct cli_replay *replay, int64_t days)
{
    struct star_why why;
    struct star_text text = {0};
    struct star_fleet fleet;
    int64_t began = star_now();
    struct star_fleet_ask ask = {.count = replay->traces.count,
                                 .jobs = replay->jobs,
                                 .runs = replay->repeats,
                                 .seed = (uint64_t)replay->seed,
                                 .tuning = replay->tuning,
                                 .predicts = replay->predicts,
                                 .days = days,
                                 .progress = tell,
                                 .context = &began};
    ask.tuning.strategy = replay->contenders == 1 ? replay->contender[0].strategy : STAR_RACE;
    ask.tuning.estimator = star_estimator_of(ask.tuning.strategy, replay->tuning.estimator);
    qsort(replay->traces.at, (size_t)replay->traces.count, sizeof *replay->traces.at, by_trace);
    int error = cli_replay_find_truth(replay, &why);
    ask.truth = replay->truth;
    if (!error)
        error = star_fleet(&ask, &fleet, &why);
    cli_progress_end();
    if (error)
        return cli_refuse(error, &why);
    if (replay->json)
        add_json(replay, &fleet, &text);
    else
        add_text(&fleet, &text);
    return cli_put(NULL, &text);
}

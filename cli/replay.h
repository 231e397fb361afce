/* SPDX-License-Identifier: BSD-3-Clause
 * What the files of startune replay share. */
#ifndef STAR_CLI_REPLAY_H
#define STAR_CLI_REPLAY_H

#include "command.h"
#include "replay/run.h"
#include "topology/placing.h"

enum { CALLS_MOST = 16, MOMENTS_MOST = 80, CONTENDERS = STAR_STRATEGIES + 3 };

/* A strategy by its setting's name; then the race of a program's second context, and with the wisdom of an
 * earlier run, and, of no strategy,
 * what it would cost to try each method once. */
enum cli_contender_kind { CLI_ALONE, CLI_SECOND, CLI_WISDOM, CLI_ONCE };
struct cli_contender {
    const char *name;
    enum cli_contender_kind kind;
    enum star_strategy strategy;
};

/* What was asked for, and the moments of all runs. */
struct cli_replay {
    struct star_traces traces;
    struct star_truth *truth; /* of each trace */
    struct cli_contender contender[CONTENDERS];
    int64_t calls[CALLS_MOST], moment_calls[MOMENTS_MOST];
    int contenders, calls_count, moments, repeats;
    int64_t earlier; /* calls of the run that wisdom is from */
    uint64_t seed;
    struct star_tuning tuning;
    bool predicts; /* the race knows what the cost model says */
    struct star_moment *at;
    const char *plot, *topology; /* files, or NULL */
    const char *map;             /* as given, or NULL */
    struct star_placing placing;
    bool json, contexts, spent;
};

/* The moments of one run. */
struct star_moment *cli_replay_moments(const struct cli_replay *replay, int trace, int contender, int repeat);
/* replay_foresee.c: replaces what the traces have of the cost model by what it says on the topology. */
int cli_replay_foresee(struct cli_replay *replay, struct star_why *why);
/* replay_run.c: makes all runs. STAR_EMEMORY. */
int cli_replay_run(struct cli_replay *replay, struct star_why *why);

/* replay_figures.c: of a contender after CALLS, over all traces: a trace's regret is the median of its runs.
 */
struct cli_replay_summary {
    double median, worst, native; /* regret; and the median of native's time over the run's */
    double near;                  /* the share of runs that have come to a method as good as the best */
    double settled, switches;     /* medians */
};
struct cli_replay_summary cli_replay_sum_up(const struct cli_replay *replay, int contender, int64_t calls);
double cli_replay_regret(const struct cli_replay *replay, int trace, int contender, int64_t calls);
void cli_replay_table(const struct cli_replay *replay, struct star_text *text);
void cli_replay_json(const struct cli_replay *replay, struct star_text *text);
void cli_replay_svg(const struct cli_replay *replay, struct star_text *text);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * What startune replay was asked for, and the moments of all runs. */
#pragma once

#include "cli/common/placed.h"
#include "replay/run.h"
#include "replay/trace.h"
#include "replay/truth.h"

enum { CALLS_MOST = 16, MOMENTS_MOST = 80, CONTENDERS = STAR_STRATEGIES + 3 };

/* A strategy by its setting's name; the race of a program's second context; the race with the wisdom of an
 * earlier run; and, of no strategy, what it would cost to try each method once. */
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
    int contenders, calls_count, moments;
    int64_t repeats, seed;
    int64_t earlier; /* calls of the run that wisdom is from */
    struct star_tuning tuning;
    bool predicts; /* the race knows what the cost model says */
    struct star_moment *at;
    const char *plot;     /* a file, or NULL */
    struct cli_placed on; /* the topology */
    bool json, contexts, spent;
    bool fleet;
    int64_t jobs; /* of the fleet */
};

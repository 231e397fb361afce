/* SPDX-License-Identifier: BSD-3-Clause
 * startune replay: what the tuner's strategies would have cost a program, by recorded calls. */
#include "replay.h"
#include "cli/common/messages.h"
#include "cli/common/options.h"
#include "cli/common/output.h"
#include "cli/common/settings.h"
#include "cli/common/take.h"
#include "figures.h"
#include "fleet.h"
#include "replay/reader.h"
#include "runs.h"
#include "tuner/tuning.h"
#include "util/parse.h"
#include "util/quantile.h"
#include "util/settings.h"
#include "util/text.h"
#include "util/why.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct cli_replay replay = {
    .calls = {100, 500, 5000}, .calls_count = 3, .repeats = 20, .seed = 1, .earlier = 500, .jobs = 10000};
#define STAR_STRATEGY(word, name, does) {#name, CLI_ALONE, STAR_##word},
static const struct cli_contender all[CONTENDERS] = {
#include "util/strategies.def"
    {"second", CLI_SECOND, STAR_RACE}, {"wisdom", CLI_WISDOM, STAR_RACE}, {"once", CLI_ONCE, STAR_RACE}};
#undef STAR_STRATEGY
enum { CALLS_OF_A_RUN = 10000000 };

static bool add_strategy(const char *word, struct star_why *why)
{
    const char *names[CONTENDERS];
    for (int i = 0; i < CONTENDERS; i++) {
        names[i] = all[i].name;
        if (strcmp(word, names[i]) != 0)
            continue;
        for (int j = 0; j < replay.contenders; j++)
            if (strcmp(replay.contender[j].name, word) == 0)
                return star_because(why, STAR_EINPUT, "'%s' stands there twice", word), false;
        replay.contender[replay.contenders++] = all[i];
        return true;
    }
    star_because(why, STAR_EINPUT, "'%.40s' is no strategy%s", word, star_hint(word, names, CONTENDERS).text);
    return false;
}

static bool add_calls(const char *word, struct star_why *why)
{
    int64_t calls;
    bool good = star_parse_integer(word, &calls) && calls >= 1 && calls <= CALLS_OF_A_RUN &&
                replay.calls_count < CALLS_MOST &&
                (replay.calls_count == 0 || replay.calls[replay.calls_count - 1] < calls);
    if (!good) {
        star_because(why, STAR_EINPUT, "'%.40s': up to %d ascending numbers from 1 to %d are good", word,
                     CALLS_MOST, CALLS_OF_A_RUN);
        return false;
    }
    replay.calls[replay.calls_count++] = calls;
    return true;
}

static bool take_list(const char *value, int *count, bool (*add)(const char *word, struct star_why *why),
                      struct star_why *why)
{
    char copy[400], *rest = NULL;
    *count = 0;
    if ((size_t)snprintf(copy, sizeof copy, "%s", value) >= sizeof copy)
        return star_because(why, STAR_EINPUT, "too long a list"), false;
    for (char *word = strtok_r(copy, ",", &rest); word; word = strtok_r(NULL, ",", &rest))
        if (!add(word, why))
            return false;
    if (*count == 0)
        star_because(why, STAR_EINPUT, "nothing is listed");
    return *count > 0;
}

static bool take_strategies(const struct cli_option *option, const char *value, struct star_why *why)
{
    (void)option;
    return take_list(value, &replay.contenders, add_strategy, why);
}

static bool take_calls(const struct cli_option *option, const char *value, struct star_why *why)
{
    (void)option;
    return take_list(value, &replay.calls_count, add_calls, why);
}

static bool take_budget(const struct cli_option *option, const char *value, struct star_why *why)
{
    return star_settings_set(&cli_settings_now, option->name, value, why) == 0;
}

/* The calls that were asked for, and, where there is a plot, some of each power of ten. */
static void choose_moments(void)
{
    static const int steps[] = {10, 15, 20, 30, 50, 70};
    int64_t most = replay.calls[replay.calls_count - 1], *at = replay.moment_calls;
    int count = replay.calls_count;
    memcpy(at, replay.calls, (size_t)count * sizeof *at);
    for (int64_t power = 1; replay.plot && power * 10 <= most; power *= 10)
        for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
            if (steps[i] * power <= most)
                at[count++] = steps[i] * power;
    replay.moments = star_sort_distinct(at, count);
}

static int put(void)
{
    struct star_text text = {0}, plot = {0};
    int status = CLI_OK;
    (replay.json ? cli_replay_json : cli_replay_table)(&replay, &text);
    if (replay.plot) {
        cli_replay_svg(&replay, &plot);
        status = cli_put(replay.plot, &plot);
    }
    if (status == CLI_OK)
        status = cli_put(NULL, &text);
    star_text_free(&text);
    star_text_free(&plot);
    return status;
}

static void end(void)
{
    for (int t = 0; replay.truth && t < replay.traces.count; t++)
        star_truth_free(&replay.truth[t]);
    free(replay.truth);
    free(replay.at);
    star_traces_free(&replay.traces);
}

static int run(const struct cli_command *command, int argc, char **argv)
{
    struct star_why why;
    if (!cli_load_settings())
        return CLI_USAGE;
    int files = cli_operands(command, argc, argv), error = 0, status = CLI_OK;
    if (files < 0)
        return CLI_USAGE;
    if (files == 0)
        return cli_error("no trace; usage: %s", command->synopsis);
    if (replay.fleet && (replay.contexts || replay.spent || replay.plot))
        return cli_error("--contexts, --spent and --plot are not about a fleet");
    if (replay.on.map && !replay.on.file)
        return cli_error("--map is about --topology");
    for (int i = 0; !error && i < files; i++)
        error = star_traces_read(argv[i], &replay.traces, &why);
    if (!error && replay.on.file)
        error = cli_replay_foresee(&replay, &why);
    if (!error && replay.plot)
        status = cli_check_output(replay.plot);
    if (replay.contenders == 0) {
        memcpy(replay.contender, all, sizeof all);
        replay.contenders = CONTENDERS;
    }
    choose_moments();
    replay.tuning = star_tuning_of(&cli_settings_now, STAR_RANKS_MEET); /* runs say which */
    replay.predicts = cli_settings_now.predict != STAR_PREDICT_OFF;
    if (!error && replay.fleet) {
        status = cli_replay_fleet(&replay, cli_settings_now.retry_after);
        end();
        return status;
    }
    if (!error && !status)
        error = cli_replay_run(&replay, &why);
    if (error)
        status = cli_error("%s", why.text);
    else if (!status)
        status = put();
    end();
    return status;
}

#define STAR_STRATEGY(word, name, does) {#name, does},
static const struct cli_line strategies[] = {
#include "util/strategies.def"
    {"second", "the race, after another context of the program has had --earlier calls"},
    {"wisdom", "the race, after an earlier run of --earlier calls has left its wisdom"},
    {"once", "plan and call each method once, and know the best from then on"},
    {.name = NULL},
};
#undef STAR_STRATEGY

static const struct cli_option options[] = {
    {"strategy", "NAME,…", "only these; all by default", take_strategies, .at = NULL, .words = strategies},
    {"calls", "N,…", "figures after so many calls of each context: 100,500,5000 by default", take_calls,
     .at = NULL},
    {"earlier", "N", "calls of the earlier context, or run: 500 by default", cli_take_integer,
     .at = &replay.earlier, .least = 1, .most = CALLS_OF_A_RUN},
    {"budget", "SHARE", "what exploring may cost: the setting budget", take_budget, .at = NULL},
    {"runs", "N", "simulated runs of each context: 20 by default", cli_take_integer, .at = &replay.repeats,
     .least = 1, .most = 10000},
    {"seed", "N", "of what is drawn: 1 by default", cli_take_integer, .at = &replay.seed, .most = INT32_MAX},
    {"fleet", NULL,
     "simulate the jobs of a site instead: how many are hurt by more than 1 %, before and after three runs "
     "of "
     "their program are known",
     cli_take_switch, .at = &replay.fleet, .group = "A fleet"},
    {"jobs", "N", "so many of them: 10000 by default; each program has --runs of them", cli_take_integer,
     .at = &replay.jobs, .least = 1, .most = 10000000},
    {"topology", "FILE",
     "let the cost model speak of this network, instead of what it said when the traces were made: what "
     "would knowing the topology be worth?",
     cli_take_text, .at = &replay.on.file, .group = "The network"},
    {"map", "block|cyclic|random:SEED", "where the ranks were on it: block by default", cli_placed_take,
     .at = &replay.on},
    {"contexts", NULL, "a line for each context too", cli_take_switch, .at = &replay.contexts,
     .group = "What is printed"},
    {"spent", NULL,
     "and what the regret is spent for: slower methods that run, others that are tried, agreeing, making "
     "plans, and asking the cost model",
     cli_take_switch, .at = &replay.spent},
    {"plot", "FILE", "draw the median regret against calls, as SVG", cli_take_text, .at = &replay.plot},
    {"json", NULL, "print JSON", cli_take_switch, .at = &replay.json},
    {.name = NULL},
};
static const struct cli_line examples[] = {
    {"startune replay my.trace", "all strategies"},
    {"startune replay --strategy race,wisdom --calls 500 --contexts --spent my.trace",
     "where does it cost most, and why?"},
    {"startune replay --strategy race --topology cluster.topo my.trace",
     "if startune had known the switches"},
    {"startune replay --fleet --jobs 100 my.trace", "how many of a site's jobs would be hurt?"},
    {"mpirun -n 8 startune bench alltoall --record my.trace", "how traces are made"},
    {.name = NULL},
};

const struct cli_command cli_replay = {
    .name = "replay",
    .synopsis = "startune replay TRACE… [OPTIONS]",
    .summary = "compare the tuner's strategies by recorded calls",
    .description =
        "Simulates programs that call an operation again and again, with the tuner that runs use. Their "
        "times are drawn from traces (startune bench --record), so all strategies meet the same noise, and "
        "the best method is known.\n\n"
        "After so many calls it prints the regret: the time since the first call over that of the best "
        "method, less one. A context's regret is the median of its runs; the table has the median and the "
        "worst of all contexts. Further columns are native's time over the run's, the share of runs whose "
        "method is near the best (within 5 %), the call since which it is, and how often the method "
        "changed.\n\n"
        "--fleet simulates jobs that come one after the other, of programs made of the traces, with noise "
        "from job "
        "to job. Each finds what earlier runs of its program learned, and a program that lost time twice is "
        "left "
        "alone, by the rule that runs go by (setting retry-after). The same seed gives the same fleet.\n\n"
        "Settings count here too, such as STARTUNE_ITER. STARTUNE_PREDICT=off hides the cost model's "
        "forecasts from the race.",
    .options = options,
    .examples = examples,
    .uses = "settings",
    .run = run,
};

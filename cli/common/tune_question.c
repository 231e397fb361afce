/* SPDX-License-Identifier: BSD-3-Clause */
#include "tune_question.h"
#include "messages.h"
#include "options.h"
#include "settings.h"
#include "take.h"
#include "util/version.h"

struct star_question tune_question;

static bool take(const struct cli_option *option, const char *value, struct star_why *why)
{
    return star_question_take(option->at, option->name, value, why) == 0;
}

static bool take_duration(const struct cli_option *option, const char *value, struct star_why *why)
{
    double *seconds = option->at;
    if (star_parse_duration(value, seconds) && *seconds >= option->least && *seconds <= option->most)
        return true;
    star_because(why, STAR_EINPUT, "'%.80s' is no duration from %g to %g seconds, such as 90s, 10m or 2h",
                 value, option->least, option->most);
    return false;
}

static const struct cli_line searches[] = {
    {"pruned", "drop methods that are clearly slower, and leave out what neighbouring points rule out"},
    {"exhaustive", "measure all methods at all points"},
    {.name = NULL},
};
static const struct cli_line starts[] = {
    {"auto", "window if each rank has a processor, else barrier"},
    {"window", "at a moment on the ranks' compared clocks"},
    {"barrier", "behind a barrier"},
    {"mpptest", "many calls behind one barrier"},
    {.name = NULL},
};

const struct cli_option tune_options[] = {
    {"o", "FILE", "the map; must be given", cli_take_text, .at = &tune_question.output},
    {"resume", NULL, "go on with the map in FILE, from the same machine, where there is one", cli_take_switch,
     .at = &tune_question.resume},
    {"json", NULL, "print at the end what was found as JSON", cli_take_switch, .at = &tune_question.json},
    {"op", "OPERATION,…|all", "alltoall,allgather,allreduce,bcast,reduce by default", take,
     .at = &tune_question, .group = "What is measured"},
    {"sizes", "BYTES,…|A:B",
     "as the operation measures them (startune list says how); of reductions, whole elements. A:B stands for "
     "A, B and between them 1, 64, 256, 1K, 2K, 4K and so on. 1:256K by default",
     take, .at = &tune_question},
    {"np", "RANKS,…|A:B",
     "communicator sizes: the first ranks of all. A:B stands for A, B and the powers of two between them. 2: "
     "by default, up to all ranks",
     take, .at = &tune_question},
    {"methods", "METHODS", "only these, separated by spaces, and native; all by default", take,
     .at = &tune_question},
    {"root", "R", "the root, of operations that have one: 0 by default", cli_take_integer,
     .at = &tune_question.root, .most = 1000000},
    {"type", "double|float|int", "of reductions' elements: double by default", cli_take_word,
     .at = &tune_question.type},
    {"search", "HOW", "pruned by default", cli_take_word, .at = &tune_question.search, .words = searches,
     .group = "How much is measured"},
    {"crossovers", "on|off", "look for the sizes at which the winner changes; on by default", cli_take_word,
     .at = &tune_question.crossovers},
    {"time", "DURATION", "end after so long (90s, 10m, 2h); no limit by default", take_duration,
     .at = &tune_question.seconds, .least = 0.1, .most = 1e7},
    {"point", "DURATION", "of one size of one communicator at most: 30s by default", take_duration,
     .at = &tune_question.point_seconds, .least = 0.01, .most = 1e7},
    {"precision", "SHARE",
     "measure a method again until the 95% confidence interval of its median is so narrow to both sides: 5% "
     "by default",
     cli_take_number, .at = &tune_question.precision, .least = 0.001, .most = 1},
    {"samples", "N", "but no more often than this: 30 by default", cli_take_integer,
     .at = &tune_question.samples, .least = 1, .most = 10000},
    {"start", "HOW", "how ranks begin a call together; auto by default", cli_take_word,
     .at = &tune_question.start, .words = starts, .group = "How it is measured"},
    {"arrival", "none|random:K",
     "let ranks come late, each up to K times native's time; timed from the last one. none by default", take,
     .at = &tune_question},
    {"seed", "N", "of the random order: 1 by default", cli_take_integer, .at = &tune_question.seed,
     .least = 1, .most = 1000000},
    {"nodes", "auto|none|block:K|cyclic:N", "which ranks share a node, for methods that ask; auto by default",
     take, .at = &tune_question, .group = "The machine"},
    {"topology", "FILE|auto|none", "the switches between the hosts, for methods that ask; auto by default",
     cli_take_text, .at = &tune_question.topology},
    {"mpi", STAR_MPIS, "the MPI library, where the launcher does not tell", cli_take_mpi, .at = NULL},
    {.name = NULL},
};

int tune_question_read(const struct cli_command *command, int argc, char **argv)
{
    struct star_why why;
    star_question_preset(&tune_question);
    int first = cli_options(command, argc, argv);
    if (first < 0)
        return CLI_USAGE;
    if (first < argc)
        return cli_error("unexpected argument '%s'", argv[first]);
    return star_question_close(&tune_question, &why) ? cli_error("%s", why.text) : CLI_OK;
}

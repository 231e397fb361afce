/* SPDX-License-Identifier: BSD-3-Clause
 * startune tune: checks the question, and becomes the tuning program of the launcher's MPI. */
#include "cli/common/become.h"
#include "cli/common/messages.h"
#include "cli/common/options.h"
#include "cli/common/settings.h"
#include "search/question.h"
#include "util/version.h"
#include "util/why.h"

static struct star_question question;

static bool take(const struct cli_option *option, const char *value, struct star_why *why)
{
    return star_question_take(&question, option->name, value, why) == 0;
}

static int run(const struct cli_command *command, int argc, char **argv)
{
    struct star_why why;
    star_question_preset(&question);
    if (!cli_load_settings())
        return CLI_USAGE;
    int first = cli_options(command, argc, argv);
    if (first < 0)
        return CLI_USAGE;
    if (first < argc)
        return cli_error("unexpected argument '%s'", argv[first]);
    if (star_question_close(&question, &why))
        return cli_error("%s", why.text);
    return cli_become("tune", argc, argv);
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

static const struct cli_option options[] = {
    {"o", "FILE", "the map; must be given", take, .at = NULL},
    {"resume", NULL, "go on with the map in FILE, from the same machine, where there is one", take,
     .at = NULL},
    {"json", NULL, "print at the end what was found as JSON", take, .at = NULL},
    {"op", "OPERATION,…|all", "alltoall,allgather,allreduce,bcast,reduce by default", take, .at = NULL,
     .group = "What is measured"},
    {"sizes", "BYTES,…|A:B",
     "as the operation measures them (startune list says how); of reductions, whole elements. A:B stands for "
     "A, B and between them 1, 64, 256, 1K, 2K, 4K and so on. 1:256K by default",
     take, .at = NULL},
    {"np", "RANKS,…|A:B",
     "communicator sizes: the first ranks of all. A:B stands for A, B and the powers of two between them. 2: "
     "by default, up to all ranks",
     take, .at = NULL},
    {"methods", "METHODS", "only these, separated by spaces, and native; all by default", take, .at = NULL},
    {"root", "R", "the root, of operations that have one: 0 by default", take, .at = NULL},
    {"type", "double|float|int", "of reductions' elements: double by default", take, .at = NULL},
    {"search", "HOW", "pruned by default", take, .at = NULL, .words = searches,
     .group = "How much is measured"},
    {"crossovers", "on|off", "look for the sizes at which the winner changes; on by default", take,
     .at = NULL},
    {"time", "DURATION", "end after so long (90s, 10m, 2h); no limit by default", take, .at = NULL},
    {"point", "DURATION", "of one size of one communicator at most: 30s by default", take, .at = NULL},
    {"precision", "SHARE",
     "measure a method again until the 95% confidence interval of its median is so narrow to both sides: 5% "
     "by default",
     take, .at = NULL},
    {"samples", "N", "but no more often than this: 30 by default", take, .at = NULL},
    {"start", "HOW", "how ranks begin a call together; auto by default", take, .at = NULL, .words = starts,
     .group = "How it is measured"},
    {"arrival", "none|random:K",
     "let ranks come late, each up to K times native's time; timed from the last one. none by default", take,
     .at = NULL},
    {"seed", "N", "of the random order: 1 by default", take, .at = NULL},
    {"nodes", "auto|none|block:K|cyclic:N", "which ranks share a node, for methods that ask; auto by default",
     take, .at = NULL, .group = "The machine"},
    {"topology", "FILE|auto|none", "the switches between the hosts, for methods that ask; auto by default",
     take, .at = NULL},
    {"mpi", STAR_MPIS, "the MPI library, where the launcher does not tell", cli_take_mpi, .at = NULL},
    {.name = NULL},
};
static const struct cli_line examples[] = {
    {"mpirun -n 16 startune tune -o cluster.map", "the usual operations, sizes and communicators"},
    {"mpirun -n 16 startune tune --op alltoall --np 16 --time 10m -o cluster.map",
     "one operation on all ranks, within ten minutes"},
    {"mpirun -n 16 startune tune --resume -o cluster.map", "go on where it ended"},
    {"mpirun -n 16 startune tune --json -o cluster.map >found.json",
     "what was found, for a program: winners, ties, crossovers, guidelines that the MPI library breaks"},
    {.name = NULL},
};

const struct cli_command cli_tune = {
    .name = "tune",
    .synopsis = "mpirun … startune tune -o FILE [OPTIONS]",
    .summary = "measure methods for all sizes, and write a decision map",
    .description =
        "Measures the methods of each operation at several communicator and message sizes, and writes a "
        "decision map with all samples.\n\n"
        "At each point the methods run in random order, round after round. The first run of a method warms "
        "up and does not count. The method with the least median wins. A method ties with it if the "
        "rank-sum test (5%) finds no difference. Among ties within the precision, the method is used that "
        "wins at neighbouring points. Where the winners at two sizes differ, both are compared at sizes in "
        "between, until the sizes are neighbours or the methods tie.\n\n"
        "A method whose result differs from native's is left out with a warning. At the end startune tells "
        "where the MPI library's routines are slower than others of its own, or than for more bytes.\n\n"
        "FILE is replaced every few seconds: Ctrl-C and --time leave what was measured until then.",
    .options = options,
    .examples = examples,
    .uses = "settings topology",
    .run = run,
};

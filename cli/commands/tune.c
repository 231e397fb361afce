/* SPDX-License-Identifier: BSD-3-Clause
 * startune tune: checks the question, and becomes the tuning program of the launcher's MPI. */
#include "cli/common/become.h"
#include "cli/common/messages.h"
#include "cli/common/settings.h"
#include "cli/common/tune_question.h"

static int run(const struct cli_command *command, int argc, char **argv)
{
    if (!cli_load_settings())
        return CLI_USAGE;
    int status = tune_question_read(command, argc, argv);
    return status ? status : cli_become("tune", argc, argv);
}

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
    .options = tune_options,
    .examples = examples,
    .uses = "settings topology",
    .run = run,
};

/* SPDX-License-Identifier: BSD-3-Clause
 * startune bench: checks the question, and becomes the measuring program of the launcher's MPI. */
#include "cli/common/become.h"
#include "cli/common/bench_question.h"
#include "cli/common/messages.h"
#include "cli/common/settings.h"

#include <stdlib.h>
#include <string.h>

static int run(const struct cli_command *command, int argc, char **argv)
{
    if (!cli_load_settings())
        return CLI_USAGE;
    char **words = malloc(((size_t)argc + 1) * sizeof *words); /* what measures gets them as they are */
    if (words == NULL)
        return cli_error("out of memory"), CLI_FAILED;
    memcpy(words, argv, (size_t)argc * sizeof *words);
    int status = bench_question_read(command, argc, words);
    free(words);
    return status ? status : cli_become("bench", argc, argv);
}

static const struct cli_line examples[] = {
    {"mpirun -n 8 startune bench alltoall --sizes 2K,64K", "all methods against the MPI library's own"},
    {"mpirun -n 8 startune bench allreduce --sizes 8,1M --type float", "sums of floats"},
    {"mpirun -n 8 startune bench allgatherv --skew 50%", "blocks of different lengths"},
    {"mpirun -n 8 startune bench alltoall --methods 'ring pair,sync=light' --json", "two of them"},
    {"mpirun -n 8 startune bench alltoall --compute 0 --record my.trace", "for startune replay"},
    {.name = NULL},
};

const struct cli_command cli_bench = {
    .name = "bench",
    .synopsis = "mpirun … startune bench OPERATION [OPTIONS]",
    .summary = "measure all methods of an operation beside the MPI library's own",
    .description =
        "Measures every applicable method and native, interleaved in random order, in a loop that computes "
        "between the calls. A sample is the time of one call, as the mean over the ranks. The result of "
        "each method is compared with native's.\n\n"
        "For each size and method the table has the number of samples, the least and the median time, the "
        "spread (the middle half of the samples, as a share of the median) and the ratio of native's "
        "median to the method's: above 1 the method is faster.",
    .options = bench_options,
    .examples = examples,
    .uses = "settings topology",
    .run = run,
};

/* SPDX-License-Identifier: BSD-3-Clause
 * startune bench: checks the question, and becomes the measuring program of the launcher's MPI. */
#include "command.h"
#include "algorithms/methods.h"
#include "util/parse.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SIZES_MOST = 64 };

static bool take_sizes(const char *value, struct star_why *why)
{
    char copy[1024], *rest = NULL;
    int64_t bytes;
    int count = 0;
    snprintf(copy, sizeof copy, "%s", value);
    for (char *word = strtok_r(copy, ",", &rest); word; word = strtok_r(NULL, ",", &rest), count++)
        if (!star_parse_bytes(word, &bytes) || bytes < 1 || bytes > INT32_MAX) {
            star_because(why, STAR_EINPUT, "'%s' is not a size from 1 to 2G-1, such as 64K", word);
            return false;
        }
    if (count >= 1 && count <= SIZES_MOST && strlen(value) < sizeof copy)
        return true;
    star_because(why, STAR_EINPUT, "1 to %d sizes, separated by commas", SIZES_MOST);
    return false;
}

static bool take(const struct cli_option *option, const char *value, struct star_why *why)
{
    struct star_methods methods;
    int64_t number;
    double factor;
    if (option->argument == NULL)
        return true;
    if (strcmp(option->name, "sizes") == 0)
        return take_sizes(value, why);
    if (strcmp(option->name, "methods") == 0) {
        if (star_methods_parse(value, &methods, why))
            return false;
        star_methods_free(&methods);
        return true;
    }
    if (strcmp(option->name, "mpi") == 0) {
        if (star_settings_set(&cli_settings_now, "mpi", value, why))
            return false;
        return true;
    }
    bool good = strcmp(option->name, "compute") == 0
                    ? star_parse_number(value, &factor) && factor >= 0 && factor <= 1000
                    : star_parse_integer(value, &number) && number >= 1 && number <= 1000000;
    if (!good)
        star_because(why, STAR_EINPUT, "'%.80s' is no good number", value);
    return good;
}

static enum cli_mpi choose_mpi(void)
{
    if (strcmp(cli_settings_now.mpi, "auto") != 0)
        return strcmp(cli_settings_now.mpi, "openmpi") == 0 ? CLI_MPI_OPENMPI : CLI_MPI_MPICH;
    return cli_mpi_of_launcher();
}

static int become(enum cli_mpi mpi, char **argv, int argc)
{
    char file[64], path[4096];
    if (mpi == CLI_MPI_NONE)
        return cli_error(&cli_bench, "start it with mpirun (or name the MPI library with --mpi)");
    if (!cli_mpi_is_built(mpi))
        return cli_error(&cli_bench, "the launcher is %s's, and this startune was built for %s only",
                         cli_mpi_names[mpi], STARTUNE_BUILT);
    snprintf(file, sizeof file, "startune-bench-%s", cli_mpi_names[mpi]);
    if (!cli_path_beside(STARTUNE_TO_HELPERS, file, path, sizeof path)) {
        cli_error(&cli_bench, "the program %s is missing: is startune installed whole?", path);
        return CLI_FAILED;
    }
    char **words = calloc((size_t)argc + 2, sizeof *words);
    if (words != NULL) {
        words[0] = path;
        memcpy(words + 1, argv, (size_t)argc * sizeof *words);
        execv(path, words);
        free(words);
    }
    cli_error(&cli_bench, "%s: %s", path, strerror(errno));
    return CLI_FAILED;
}

static int run(int argc, char **argv)
{
    if (!cli_load_settings())
        return CLI_USAGE;
    int first = cli_options(&cli_bench, argc, argv);
    if (first < 0)
        return CLI_USAGE;
    const char *word = first < argc ? argv[first] : "";
    int operation = 0;
    while (operation < STAR_OPERATIONS && strcmp(star_operations[operation].name, word))
        operation++;
    if (operation == STAR_OPERATIONS) {
        const char *names[STAR_OPERATIONS];
        for (int i = 0; i < STAR_OPERATIONS; i++)
            names[i] = star_operations[i].name;
        const char *nearest = star_nearest(word, names, STAR_OPERATIONS);
        return cli_error(
            &cli_bench, first < argc ? "unknown operation '%s'%s%s%s" : "no operation%s; usage: %s%s%s",
            first < argc ? word : "", first < argc ? (nearest ? ": did you mean '" : "") : cli_bench.synopsis,
            first < argc && nearest ? nearest : "", first < argc && nearest ? "'?" : "");
    }
    int more = cli_options(&cli_bench, argc - first - 1, argv + first + 1);
    if (more < 0)
        return CLI_USAGE;
    if (first + 1 + more < argc)
        return cli_error(&cli_bench, "unexpected argument '%s'", argv[first + 1 + more]);
    return become(choose_mpi(), argv, argc);
}

static const struct cli_option options[] = {
    {"sizes", "BYTES,…", "bytes for each pair of ranks: 64,2K,64K by default"},
    {"methods", "METHODS", "only these, separated by spaces; native is always measured"},
    {"all", NULL, "also the values of knobs that the tuner does not try by itself"},
    {"rounds", "N", "how often all methods are measured, in random order: 10 by default"},
    {"calls", "N", "counted calls of a method in each round, after one that is not counted: 5 by default"},
    {"compute", "FACTOR",
     "computation before each call, as a multiple of native's time: 5 by default, as in STAR-MPI's Figure 4"},
    {"seed", "N", "of the random order: 1 by default"},
    {"mpi", "openmpi|mpich", "the MPI library, where the launcher does not tell"},
    {"json", NULL, "print JSON, with every sample"},
    {NULL, NULL, NULL},
};
static const struct cli_example examples[] = {
    {"mpirun -n 8 startune bench alltoall --sizes 2K,64K", "all methods against the MPI library's own"},
    {"mpirun -n 8 startune bench alltoall --methods 'alltoall:ring alltoall:pair,sync=light' --json",
     "two of them"},
    {NULL, NULL},
};

const struct cli_command cli_bench = {
    .name = "bench",
    .synopsis = "mpirun … startune bench OPERATION [OPTIONS]",
    .summary = "measure all methods of an operation beside the MPI library's own",
    .description = "Measures every applicable method and native, interleaved in random order, in a loop that "
                   "computes between\n"
                   "the calls. A sample is the time of one call, as the mean over the ranks. Prints for each "
                   "size and method the\n"
                   "number of samples, minimum, median, spread (the middle half of the samples, as a share "
                   "of the median) and the\n"
                   "ratio of native's median to its own: above 1 it is faster than native. Each method's "
                   "result is checked.",
    .options = options,
    .examples = examples,
    .run = run,
    .take = take,
};

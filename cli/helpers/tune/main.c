/* SPDX-License-Identifier: BSD-3-Clause
 * The program that `startune tune` becomes: the command has checked its arguments, as far as one can without
 * knowing the number of ranks. */
#include "cli/helpers/measure/rank.h"
#include "orders.h"
#include "search.h"
#include "search/question.h"
#include "starts.h"
#include "util/why.h"

#include <stdio.h>
#include <string.h>

/* Ctrl-C, as mpirun passes it on: rank 0 ends the search, and keeps what was measured. The others wait for
 * that. */
static volatile sig_atomic_t interrupted;

static void interrupt(int number)
{
    (void)number;
    interrupted = 1;
}

static int read_arguments(int argc, char **argv, struct star_question *ask, struct star_why *why)
{
    int error = 0;
    star_question_preset(ask);
    for (int i = 1; !error && i < argc && strcmp(argv[i], "--") != 0; i++) {
        char name[64];
        const char *word = argv[i] + strspn(argv[i], "-");
        size_t length = strcspn(word, "=");
        snprintf(name, sizeof name, "%.*s", (int)length, word);
        if (strcmp(name, "mpi") == 0) { /* the command's affair */
            i += word[length] == 0;
            continue;
        }
        bool bare = star_question_is_bare(name);
        error = star_question_take(
            ask, name,
            word[length] || bare || i + 1 == argc ? word + length + (word[length] != 0) : argv[++i], why);
    }
    return error ? error : star_question_close(ask, why);
}

static int refuse(int rank, int status, const struct star_why *why)
{
    if (rank == 0)
        fprintf(stderr, "startune tune: error: %s\n", why->text);
    MPI_Finalize();
    return status;
}

int main(int argc, char **argv)
{
    struct star_question ask;
    struct star_why why = {"its arguments are not those that the command has checked"};
    int rank, ranks, status = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int error = read_arguments(argc, argv, &ask, &why);
    if (!error)
        error = star_question_communicators(&ask, ranks, &why);
    if (error)
        return refuse(rank, 2, &why);
    error = check_output(ask.output, &why);
    if (error)
        return refuse(rank, status_of(error), &why);
    signal(SIGINT, interrupt);
    signal(SIGTERM, interrupt);
    ground_begin(ask.nodes, ask.topology);
    struct stage stage = {.ask = &ask, .start = starts_choose(&ask)};
    if (rank == 0) {
        status = search_all(&stage, &interrupted);
        order_gather(&stage, 0);
    } else {
        orders_obey(&stage);
    }
    ground_end();
    MPI_Finalize();
    return rank == 0 ? status : 0;
}

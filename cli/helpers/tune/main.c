/* SPDX-License-Identifier: BSD-3-Clause
 * The program that `startune tune` becomes: the command has checked its arguments, as far as one can without
 * knowing the number of ranks. */
#include "cli/common/tune_question.h"
#include "cli/helpers/measure/rank.h"
#include "orders.h"
#include "search.h"
#include "starts.h"
#include "util/why.h"

#include <stdio.h>

/* Ctrl-C, as mpirun passes it on: rank 0 ends the search, and keeps what was measured. The others wait for
 * that. */
static volatile sig_atomic_t interrupted;

static void interrupt(int number)
{
    (void)number;
    interrupted = 1;
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
    const struct cli_command command = {.name = "tune", .options = tune_options};
    struct star_question *ask = &tune_question;
    struct star_why why;
    int rank, ranks, status = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (tune_question_read(&command, argc - 1, argv + 1) != 0)
        MPI_Abort(MPI_COMM_WORLD, 1);
    int error = star_question_communicators(ask, ranks, &why);
    if (error)
        return refuse(rank, 2, &why);
    error = check_output(ask->output, &why);
    if (error)
        return refuse(rank, status_of(error), &why);
    signal(SIGINT, interrupt);
    signal(SIGTERM, interrupt);
    ground_begin(ask->nodes, ask->topology);
    struct stage stage = {.ask = ask, .start = starts_choose(ask)};
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

/* SPDX-License-Identifier: BSD-3-Clause
 * Orders: rank 0 says what is done next, all ranks of the stage do it. */
#include "orders.h"
#include "algorithms/method.h"
#include "algorithms/operations.h"
#include "algorithms/repository.h"
#include "cli/helpers/measure/rank.h"
#include "clocks.h"
#include "runtime/runners.h"
#include "search/search.h"
#include "starts.h"
#include "util/clock.h"
#include "util/why.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Clocks are compared again after so long, as they drift; and how far ahead a start is set. */
#define COMPARE_AFTER_SECONDS 1.0
static const int64_t slack_least = 20000, slack_most = 50000000;

/* What an order says; the lists that go with it follow it. */
struct command {
    enum order order;
    enum star_operation operation;
    int64_t bytes;
    int count;    /* of methods or runs */
    bool compare; /* clocks first */
};

/* A method as it travels. */
struct parcel {
    int row; /* of the repository */
    int64_t knob[STAR_KNOBS_MAX];
};

static bool on_all(const struct stage *stage, bool here)
{
    int mine = here, all;
    MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, stage->ground.comm);
    return all;
}

/* STAR_ENEEDS: some rank could not make the call; WHY is this rank's reason, or that it is another one's. */
static int do_open(struct stage *stage, const struct command *command, struct star_why *why)
{
    struct call_kind kind = {.operation = command->operation,
                             .type = stage->ask->type,
                             .operator= "sum",
                             .root = (int)stage->ask->root};
    star_because(why, STAR_ENEEDS, "another rank cannot make the call");
    if (!on_all(stage, call_open(&stage->call, &kind, command->bytes, &stage->ground, why) == 0))
        return STAR_ENEEDS;
    if (call_learn(&stage->call))
        MPI_Abort(MPI_COMM_WORLD, 1);
    if (stage->ask->arrival > 0)
        stage->native_seconds = call_native_seconds(&stage->call, &stage->ground, 3);
    return 0;
}

/* METHOD counts on rank 0 alone. */
static void do_enter(struct stage *stage, const struct command *command, const struct star_method *method)
{
    size_t count = (size_t)command->count;
    struct parcel *parcels = must(calloc(count + 1, sizeof *parcels));
    stage->player = must(calloc(count + 1, sizeof *stage->player));
    stage->players = command->count;
    for (size_t i = 0; method && i < count; i++) {
        while (star_repository[parcels[i].row] != method[i].algorithm)
            parcels[i].row++;
        memcpy(parcels[i].knob, method[i].knob, sizeof parcels[i].knob);
    }
    MPI_Bcast(parcels, (int)(count * sizeof *parcels), MPI_BYTE, 0, stage->ground.comm);
    for (size_t i = 0; i < count; i++) {
        struct player *player = &stage->player[i];
        player->method.algorithm = star_repository[parcels[i].row];
        memcpy(player->method.knob, parcels[i].knob, sizeof player->method.knob);
        bool native = star_is_native(&player->method);
        if (!native)
            player->runner = star_runner_acquire(&stage->ground.here, &player->method, &stage->call.facts);
        player->ready = native || player->runner != NULL;
    }
    free(parcels);
}

/* ORDER and SECONDS count on rank 0 alone. */
static void do_run(struct stage *stage, const struct command *command, const int *order, double *seconds)
{
    size_t runs = (size_t)command->count;
    int *whom = must(malloc((runs + 1) * sizeof *whom)),
        *outcome = must(malloc((runs + 1) * sizeof *outcome));
    double *mine = must(malloc((runs + 1) * sizeof *mine));
    bool averaged = starts_are_averaged(stage), leads = stage->ground.here.rank == 0;
    if (order)
        memcpy(whom, order, runs * sizeof *whom);
    MPI_Bcast(whom, command->count, MPI_INT, 0, stage->ground.comm);
    if (command->compare)
        stage->offset = clocks_compare(stage->ground.comm);
    for (size_t i = 0; i < runs; i++)
        outcome[i] = (int)starts_run(stage, &stage->player[whom[i]], &mine[i]);
    MPI_Reduce(leads ? MPI_IN_PLACE : outcome, outcome, command->count, MPI_INT, MPI_MAX, 0,
               stage->ground.comm);
    MPI_Reduce(mine, seconds, command->count, MPI_DOUBLE, averaged ? MPI_SUM : MPI_MAX, 0,
               stage->ground.comm);
    int late = 0;
    for (size_t i = 0; leads && i < runs; i++) {
        late += outcome[i] == LATE;
        seconds[i] = outcome[i] == WRONG  ? NAN
                     : outcome[i] == LATE ? INFINITY
                                          : seconds[i] / (averaged ? stage->ground.here.size : 1);
    }
    if (10 * late > command->count)
        stage->slack = 2 * stage->slack < slack_most ? 2 * stage->slack : slack_most;
    else if (late == 0 && stage->slack > slack_least)
        stage->slack -= stage->slack / 16;
    free(whom);
    free(outcome);
    free(mine);
}

static void do_close(struct stage *stage)
{
    for (int i = 0; i < stage->players; i++)
        star_runner_release(&stage->ground.here, stage->player[i].runner);
    free(stage->player);
    stage->player = NULL;
    stage->players = 0;
    call_close(&stage->call);
}

static void give(struct stage *stage, struct command *command)
{
    MPI_Bcast(command, (int)sizeof *command, MPI_BYTE, 0, stage->ground.comm);
}

int order_open(struct stage *stage, const struct star_trial *trial, struct star_why *why)
{
    struct command command = {.order = ORDER_OPEN, .operation = trial->operation, .bytes = trial->bytes};
    give(stage, &command);
    return do_open(stage, &command, why);
}

void order_enter(struct stage *stage, const struct star_method *method, int methods, bool *ready)
{
    struct command command = {.order = ORDER_ENTER, .count = methods};
    give(stage, &command);
    do_enter(stage, &command, method);
    for (int i = 0; i < methods; i++)
        ready[i] = stage->player[i].ready;
}

void order_run(struct stage *stage, const int *order, int runs, double *seconds)
{
    static int64_t compared;
    struct command command = {.order = ORDER_RUN, .count = runs};
    command.compare = stage->start == STAR_START_WINDOW &&
                      (compared == 0 || (double)(star_now() - compared) * 1e-9 > COMPARE_AFTER_SECONDS);
    if (command.compare)
        compared = star_now();
    give(stage, &command);
    do_run(stage, &command, order, seconds);
}

void order_close(struct stage *stage)
{
    struct command command = {.order = ORDER_CLOSE};
    give(stage, &command);
    do_close(stage);
}

/* All ranks of the world. Native is called once, so that connections are there. */
static void take_stage(struct stage *stage, int ranks)
{
    MPI_Comm comm;
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank < ranks ? 0 : MPI_UNDEFINED, rank, &comm);
    if (comm == MPI_COMM_NULL)
        return;
    int *from = must(calloc((size_t)ranks, sizeof *from)), *to = must(calloc((size_t)ranks, sizeof *to));
    ground_open(&stage->ground, comm);
    MPI_Comm_free(&comm);
    MPI_Alltoall(from, 1, MPI_INT, to, 1, MPI_INT, stage->ground.comm);
    MPI_Alltoall(from, 1, MPI_INT, to, 1, MPI_INT, stage->ground.here.private);
    stage->offset = clocks_compare(stage->ground.comm);
    stage->slack = slack_least;
    stage->random = (uint64_t)stage->ask->seed;
    free(from);
    free(to);
}

void order_gather(struct stage *stage, int ranks)
{
    MPI_Request told;
    if (stage->ground.here.size > 0) {
        struct command command = {.order = ORDER_LEAVE};
        give(stage, &command);
        ground_close(&stage->ground);
    }
    stage->ground.here.size = 0;
    MPI_Ibcast(&ranks, 1, MPI_INT, 0, MPI_COMM_WORLD, &told);
    MPI_Wait(&told, MPI_STATUS_IGNORE);
    if (ranks > 0)
        take_stage(stage, ranks);
}

static void obey_on_stage(struct stage *stage)
{
    for (;;) {
        struct command command;
        give(stage, &command);
        if (command.order == ORDER_LEAVE)
            break;
        if (command.order == ORDER_OPEN)
            do_open(stage, &command, NULL);
        else if (command.order == ORDER_ENTER)
            do_enter(stage, &command, NULL);
        else if (command.order == ORDER_RUN)
            do_run(stage, &command, NULL, NULL);
        else
            do_close(stage);
    }
    ground_close(&stage->ground);
}

void orders_obey(struct stage *stage)
{
    int rank, ranks = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    while (ranks > 0) {
        MPI_Request told;
        MPI_Ibcast(&ranks, 1, MPI_INT, 0, MPI_COMM_WORLD, &told);
        await(&told);
        if (ranks == 0)
            return;
        take_stage(stage, ranks);
        if (rank < ranks)
            obey_on_stage(stage);
    }
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Tuning begins when it promises to pay. */
#include "laws.h"
#include "algorithms/operations.h"
#include "check.h"
#include "runtime/call.h"
#include "runtime/communicator.h"
#include "runtime/dispatch.h"
#include "runtime/session.h"

#include <stdio.h>

/* Has the communicator begun to count what its calls take? */
static bool counts_calls(MPI_Comm comm)
{
    return state_of(comm)->contexts.first != NULL;
}

/* Nothing is set up before calls promise to pay for it; and communicators may be short-lived. */
static void set_up_when_it_pays(void)
{
    enum { FIRST_LOOK = 256 };
    MPI_Comm comm;
    star_runtime.settings.tune_after = -1;
    for (int round = 0; round < FIRST_LOOK - 1; round++)
        exchange(MPI_COMM_WORLD, 2, round);
    struct star_communicator *world = state_of(MPI_COMM_WORLD);
    if (rank > 0) /* here they seem to have been long, and there not yet: the last rank's time counts */
        world->contexts.first->subject.nanoseconds += INT64_C(1000000000000);
    else
        world->contexts.first->subject.nanoseconds = 1;
    exchange(MPI_COMM_WORLD, 2, FIRST_LOOK - 1);
    CHECK(!world->tuned && only_context(world)->early,
          "what is short on one rank is tuned at the first look");
    long look = (long)only_context(world)->look, most = 0;
    PMPI_Allreduce(&look, &most, 1, MPI_LONG, MPI_MAX, MPI_COMM_WORLD);
    CHECK(look == most && look > 2L * FIRST_LOOK, "ranks look again at call %ld, and at %ld", look, most);
    world->contexts.first->subject.nanoseconds += INT64_C(1000000000000);
    for (long round = FIRST_LOOK; round < look - 1; round++)
        exchange(MPI_COMM_WORLD, 2, (int)round);
    CHECK(!world->tuned, "the ranks do not wait for the second look");
    exchange(MPI_COMM_WORLD, 2, 0);
    CHECK(world->tuned && !only_context(world)->early, "long calls are not tuned at the second look");
    PMPI_Comm_dup(MPI_COMM_WORLD, &comm);
    star_communicator_made("MPI_Comm_dup", MPI_COMM_WORLD, comm, true);
    for (int round = 0; round < 3; round++)
        exchange(comm, 2, round);
    CHECK(!counts_calls(comm), "a communicator of three calls has a context");
    exchange(comm, 2, 3);
    CHECK(counts_calls(comm), "a communicator of four calls has none");
    MPI_Comm_free(&comm);
    for (int child = 1; child < 20; child++) { /* the last one is one of many */
        PMPI_Comm_dup(MPI_COMM_WORLD, &comm);
        star_communicator_made("MPI_Comm_dup", MPI_COMM_WORLD, comm, true);
        if (child < 19)
            MPI_Comm_free(&comm);
    }
    for (int round = 0; round < 100; round++)
        exchange(comm, 2, round);
    CHECK(!counts_calls(comm), "one of many communicators has a context after a hundred calls");
    exchange(comm, 2, 100);
    CHECK(counts_calls(comm), "one of many communicators has none after 101 calls");
    MPI_Comm_free(&comm);
}

/* A broadcast of INTS ints from rank 0, checked. */
static void broadcast(MPI_Comm comm, int ints, int round)
{
    int buffer[4096];
    for (int i = 0; i < ints; i++)
        buffer[i] = rank == 0 ? number(0, 0, i, round) : -1;
    const struct star_call call = {.operation = STAR_BCAST,
                                   .sendbuf = buffer,
                                   .sendcount = ints,
                                   .sendtype = MPI_INT,
                                   .recvbuf = buffer,
                                   .recvcount = ints,
                                   .recvtype = MPI_INT,
                                   .comm = comm,
                                   .site = __builtin_return_address(0)};
    CHECK(star_dispatch(&call, state_of(comm)) == MPI_SUCCESS, "a broadcast fails");
    for (int i = 0; i < ints; i++)
        CHECK(buffer[i] == number(0, 0, i, round), "round %d of %d ints: number %d is wrong", round, ints, i);
}

static const struct star_context *context_of(const struct star_communicator *state, int64_t bytes)
{
    for (const struct star_context *context = state->contexts.first; context; context = context->next)
        if (context->facts.bytes == bytes)
            return context;
    return NULL;
}

static bool is_settled_everywhere(const struct star_context *context)
{
    int settled = !context->fresh && context->subject.tuner != NULL, all = 0;
    PMPI_Allreduce(&settled, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return all;
}

/* Where ranks talk, contexts of long messages do so at once, others once they have had many calls. */
static void short_broadcasts_begin_late(void)
{
    enum { SHORT = 8, MIDDLE = 500, LONG = 4000, LATE = 1024, LESS_LATE = 128 };
    struct star_communicator *world = state_of(MPI_COMM_WORLD);
    star_runtime.settings.tune_after = -1;
    star_runtime.settings.nonblocking = STAR_NONBLOCKING_NATIVE; /* as between nodes: no board takes them, */
    star_runtime.settings.shared_memory = false;                 /* nor do ranks share memory first */
    broadcast(MPI_COMM_WORLD, LONG, 0);
    const struct star_context *of_short = NULL;
    CHECK(context_of(world, 4L * LONG) != NULL && context_of(world, 4L * LONG)->talks, "long messages wait");
    for (int round = 0; round < LATE; round++) {
        broadcast(MPI_COMM_WORLD, SHORT, round);
        of_short = context_of(world, 4L * SHORT);
        CHECK(of_short != NULL && of_short->early == (round < LATE - 1), "short ones at call %d", round + 1);
    }
    CHECK(of_short->candidates.count > 1 && of_short->talks, "they have nothing to choose from");
    for (int round = 0; round < LESS_LATE; round++)
        broadcast(MPI_COMM_WORLD, MIDDLE, round);
    CHECK(!context_of(world, 4L * MIDDLE)->early, "messages of middle length are early after 128 calls");
    /* A root does not wait for the others, and may be through with many calls before it hears of them. */
    for (int round = 0; round < 20000 && (round % 400 > 0 || !is_settled_everywhere(of_short)); round++)
        broadcast(MPI_COMM_WORLD, SHORT, round);
    CHECK(is_settled_everywhere(of_short), "what they talk about is never settled");
}

const struct law beginning_laws[] = {
    {"set-up-when-it-pays", set_up_when_it_pays},
    {"short-broadcasts-begin-late", short_broadcasts_begin_late},
    {NULL, NULL},
};

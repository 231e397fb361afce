/* SPDX-License-Identifier: BSD-3-Clause
 * Runners that nobody uses are kept for the next who does: few, and the same ones on all ranks. */
#include "laws.h"
#include "algorithms/method.h"
#include "check.h"
#include "runtime/call.h"
#include "runtime/runners.h"
#include "runtime/session.h"
#include "util/why.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/uio.h>

/* Makes a runner of the method for blocks of BYTES, and leaves it idle. */
static void leave_idle(struct star_communicator *state, const char *spelling, int64_t bytes, int root)
{
    struct star_method method;
    struct star_why why = {""};
    struct star_facts facts = {.bytes = bytes, .granule = 1, .root = root, .commutative = true};
    CHECK(star_method_parse(spelling, &method, &why) == 0, "%s", why.text);
    struct star_shared_runner *runner = star_runner_acquire(state, &method, &facts);
    CHECK(runner != NULL, "%s cannot be made", spelling);
    star_runner_release(state, runner);
}

/* What idle runners keep, and how many of them do. */
static int64_t idle_of(const struct star_communicator *state, int *count)
{
    int64_t bytes = 0;
    *count = 0;
    for (const struct star_shared_runner *shared = state->runners.oldest; shared; shared = shared->behind) {
        CHECK(shared->users == 0, "%d use an idle runner", shared->users);
        bytes += (int64_t)star_shared_runner_bytes(shared);
        ++*count;
    }
    CHECK(bytes == state->runners.idle_bytes && *count == state->runners.idle,
          "%d runners of %lld bytes are idle, and %lld of %lld are counted", *count, (long long)bytes,
          (long long)state->runners.idle, (long long)state->runners.idle_bytes);
    return bytes;
}

/* Idle runners keep a bounded amount, however many methods and sizes there were; the same ones on all ranks,
 * which would wait for each other else. */
static void idle_runners_keep_little(void)
{
    enum { KEPT = 64 << 20, SIZES = 60 };
    static const char *const of_rank[] = {"allgather:bruck", "gather:knomial", "scatter:knomial",
                                          "reduce_scatter_block:halving"};
    int count;
    star_runtime.settings.tune_after = 0;
    exchange(MPI_COMM_WORLD, 2, 0);
    struct star_communicator *state = state_of(MPI_COMM_WORLD);
    for (int i = 0; i < 20; i++)
        leave_idle(state, of_rank[i % 4], (1 << 20) - i, i % size);
    idle_of(state, &count);
    CHECK(count <= 2, "%d runners of all-gathers and the like, of 4 MB all together, are idle", count);
    for (int i = 0; i < 3 * SIZES; i++) {
        leave_idle(state, "alltoall:bruck", (1 << 20) / size - i % SIZES, 0);
        int64_t bytes = idle_of(state, &count);
        bool equal = is_equal_everywhere((uint64_t)count);
        CHECK(bytes < KEPT + (8 << 20), "%lld bytes are idle", (long long)bytes);
        CHECK(equal, "after %d runners not all ranks keep as many", i);
    }
    CHECK(count > 5, "only %d runners are kept", count);
}

/* What was made lately is found again, and no rank makes it anew; what was used longest ago is forgotten. */
static void idle_runners_are_found(void)
{
    static const char *const methods[] = {"bcast:binomial", "bcast:chain", "reduce:binomial",
                                          "allgatherv:ring"};
    star_runtime.settings.tune_after = 0;
    exchange(MPI_COMM_WORLD, 2, 0);
    struct star_communicator *state = state_of(MPI_COMM_WORLD);
    const int64_t *made = &state->runners.made, most = 64 + 2 * size;
    for (int64_t i = 0; i < 8 * most; i++)
        leave_idle(state, methods[i / 2 % 3], 8 + i / 6, (int)(i % 2));
    int64_t before = *made;
    for (int64_t i = 7 * most; i < 8 * most; i++)
        leave_idle(state, methods[i / 2 % 3], 8 + i / 6, (int)(i % 2));
    CHECK(*made == before, "%lld of those used last were made anew", (long long)(*made - before));
    leave_idle(state, methods[0], 8, 0);
    CHECK(*made == before + 1, "one used long ago is kept");
    leave_idle(state, methods[3], 1000, 0);
    leave_idle(state, methods[3], 5000, 0);
    before = *made;
    for (int bytes = 4000; bytes > 2; bytes /= 2)
        leave_idle(state, methods[3], bytes, 0);
    CHECK(*made == before, "what a plan in units serves is made anew");
    leave_idle(state, methods[3], 10000, 0);
    CHECK(*made == before + 1, "a plan serves more bytes than its memory was agreed on for");
}

/* One rank's call is wrong before a plan could run: the others find an error instead of waiting, and in the
 * next call all are in step again. */
static void wrong_calls_keep_ranks_in_step(void)
{
    struct star_method method;
    struct star_why why = {""};
    struct star_facts facts = {.bytes = sizeof(int), .granule = 1, .commutative = true, .in_place = true};
    star_runtime.settings.tune_after = 0;
    exchange(MPI_COMM_WORLD, 2, 0);
    struct star_communicator *state = state_of(MPI_COMM_WORLD);
    CHECK(state->route.segment != NULL, "the ranks of one node share no memory");
    CHECK(star_method_parse("alltoall:shared", &method, &why) == 0, "%s", why.text);
    struct star_shared_runner *runner = star_runner_acquire(state, &method, &facts);
    for (int round = 0; runner != NULL && round < 40; round++) {
        int blocks[RANKS_MOST];
        bool wrong = round % 4 == 1, mine = wrong && rank == 1;
        for (int r = 0; r < size; r++)
            blocks[r] = number(rank, r, 0, round);
        struct star_call call = {.operation = STAR_ALLTOALL,
                                 .sendbuf = MPI_IN_PLACE,
                                 .recvbuf = mine ? NULL : blocks,
                                 .recvcount = 1,
                                 .recvtype = MPI_INT,
                                 .comm = MPI_COMM_WORLD};
        state->calls++;
        int error = star_runner_run(state, runner, &call, &facts);
        CHECK(mine || error == (wrong ? MPI_ERR_TRUNCATE : MPI_SUCCESS), "round %d: error %d", round, error);
        for (int r = 0; !wrong && r < size; r++)
            CHECK(blocks[r] == number(r, rank, 0, round), "round %d: rank %d's block is %d", round, r,
                  blocks[r]);
    }
    CHECK(runner != NULL, "alltoall:shared cannot be made");
    star_runner_release(state, runner);
}

/* The system's, which a rank may be denied. */
static bool denied;
ssize_t __wrap_process_vm_readv(pid_t process, const struct iovec *local, unsigned long locals,
                                const struct iovec *remote, unsigned long remotes, unsigned long flags);
ssize_t __real_process_vm_readv(pid_t process, const struct iovec *local, unsigned long locals,
                                const struct iovec *remote, unsigned long remotes, unsigned long flags);
ssize_t __wrap_process_vm_readv(pid_t process, const struct iovec *local, unsigned long locals,
                                const struct iovec *remote, unsigned long remotes, unsigned long flags)
{
    if (!denied)
        return __real_process_vm_readv(process, local, locals, remote, remotes, flags);
    errno = EPERM;
    return -1;
}

static struct star_shared_runner *make_reader(struct star_communicator *state, const struct star_facts *facts)
{
    struct star_method method;
    CHECK(star_method_parse("allgather:single_copy", &method, NULL) == 0, "no such method");
    return star_runner_acquire(state, &method, facts);
}

static void one_rank_that_may_not_read_leaves_all_without(void)
{
    struct star_facts facts = {.bytes = 65536, .granule = 1, .commutative = true};
    star_runtime.settings.tune_after = 0;
    denied = rank == 1;
    exchange(MPI_COMM_WORLD, 2, 0);
    CHECK(make_reader(state_of(MPI_COMM_WORLD), &facts) == NULL, "it can be made");
}

/* Ranks that may not read any more get what they need all the same. */
static void who_may_not_read_any_more_asks(void)
{
    enum { INTS = 100003, ROUNDS = 8 };
    struct star_facts facts = {.bytes = INTS * (int64_t)sizeof(int), .granule = 1, .commutative = true};
    star_runtime.settings.tune_after = 0;
    exchange(MPI_COMM_WORLD, 2, 0);
    struct star_communicator *state = state_of(MPI_COMM_WORLD);
    struct star_shared_runner *runner = make_reader(state, &facts);
    if (runner == NULL) {
        printf("this system lets no process read another one's memory\n");
        return;
    }
    int *own = malloc(INTS * sizeof *own), *all = malloc((size_t)size * INTS * sizeof *all);
    for (int round = 0; round < ROUNDS; round++) {
        struct star_call call = {.operation = STAR_ALLGATHER,
                                 .sendbuf = own,
                                 .sendcount = INTS,
                                 .sendtype = MPI_INT,
                                 .recvbuf = all,
                                 .recvcount = INTS,
                                 .recvtype = MPI_INT,
                                 .comm = MPI_COMM_WORLD};
        denied = round > 0 && (rank + 1) % (1 + round % 4) == 0; /* all, every second one, … */
        for (int i = 0; i < INTS; i++)
            own[i] = number(rank, 0, i, round);
        state->calls++;
        int error = star_runner_run(state, runner, &call, &facts), wrong = 0;
        CHECK(error == MPI_SUCCESS, "round %d: error %d", round, error);
        for (int r = 0; r < size; r++)
            for (int i = 0; i < INTS; i++)
                wrong += all[(size_t)r * INTS + (size_t)i] != number(r, 0, i, round);
        CHECK(wrong == 0, "round %d: %d ints are wrong", round, wrong);
    }
    free(own);
    free(all);
    star_runner_release(state, runner);
}

const struct law runner_laws[] = {
    {"one-rank-that-may-not-read-leaves-all-without", one_rank_that_may_not_read_leaves_all_without},
    {"who-may-not-read-any-more-asks", who_may_not_read_any_more_asks},
    {"wrong-calls-keep-ranks-in-step", wrong_calls_keep_ranks_in_step},
    {"idle-runners-keep-little", idle_runners_keep_little},
    {"idle-runners-are-found", idle_runners_are_found},
    {NULL, NULL},
};

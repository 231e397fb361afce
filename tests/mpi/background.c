/* SPDX-License-Identifier: BSD-3-Clause
 * What a program may do with nonblocking collectives: background [SECTION…], or all of them. Prints how many
 * expectations failed. It hangs where a call waits for what it must not wait for. */
#include "background.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

int rank, size;
static atomic_int failures;

void expect(bool right, const char *what, int which)
{
    if (right || atomic_fetch_add(&failures, 1) >= 10)
        return;
    bool named = which >= 0 && which < WORK_KINDS;
    fprintf(stderr, "FAILED: rank %d of %d: %s, %s\n", rank, size, what, named ? work_name[which] : "");
}

void begin(struct work *work, int which, MPI_Comm comm, int root, int units, uint64_t seed)
{
    struct work_call call = {
        .which = (enum work_kind)which, .comm = comm, .root = root, .units = units, .seed = seed};
    work_begin(work, &call);
}

void check(struct work *work, const char *what)
{
    enum work_kind which = work->call.which;
    expect(work_end(work) == 0, what, (int)which);
}

void wait_and_check(struct work *work, const char *what)
{
    MPI_Wait(&work->request, MPI_STATUS_IGNORE);
    check(work, what);
}

void nap(int milliseconds)
{
    struct timespec time = {.tv_nsec = milliseconds * 1000000L};
    nanosleep(&time, NULL);
}

/* The program ends as soon as it can: others have not even come yet. */
static void end(void)
{
    struct work work[WORK_KINDS];
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    for (int which = 0; which < WORK_KINDS; which++)
        begin(&work[which], which, which % 2 ? comm : MPI_COMM_WORLD, 0, 2, 5);
    nap(rank * 10);
    for (int which = WORK_KINDS - 1; which >= 0; which--)
        wait_and_check(&work[which], "at the end");
    MPI_Comm_free(&comm);
    for (int which = 0; which < WORK_SHORT_KINDS; which++) {
        begin(&work[0], which, MPI_COMM_WORLD, 0, 2, 6);
        wait_and_check(&work[0], "at the end");
    }
}

static const struct {
    const char *name;
    void (*run)(void);
} sections[] = {
    {"runs_far", runs_far},
    {"woven", woven},
    {"makes_behind", makes_behind},
    {"sends_behind", sends_behind},
    {"again", again},
    {"again_alone", again_alone},
    {"again_far", again_far},
    {"crosswise", crosswise},
    {"sits", sits},
    {"overtakes", overtakes},
    {"runs_ahead", runs_ahead},
    {"early", early},
    {"sparse", sparse},
    {"drifts", drifts},
    {"many", many},
    {"among_others", among_others},
    {"asked", asked},
    {"statuses", statuses},
    {"orders", orders},
    {"between", between},
    {"freed", freed},
    {"small", small},
    {"made_meanwhile", made_meanwhile},
    {"operators", operators},
    {"layouts", layouts},
    {"lengths", lengths},
    {"released", released},
    {"attributed", attributed},
    {"reused", reused},
    {"errors", errors},
    {"threads", in_threads},
};

static bool is_named(const char *name, int argc, char **argv)
{
    bool named = argc < 2;
    for (int i = 1; i < argc; i++)
        named |= strcmp(argv[i], name) == 0;
    return named;
}

int main(int argc, char **argv)
{
    int provided, mine, all;
    MPI_Init_thread(&argc, &argv, is_named("threads", argc, argv) ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE,
                    &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    work_setup();
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++)
        if (is_named(sections[i].name, argc, argv))
            sections[i].run();
    mine = atomic_load(&failures) + reduction_abuses();
    MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d wrong\n", all);
    fflush(stdout);
    work_finish();
    if (is_named("ending", argc, argv)) {
        work_setup();
        end();
        work_finish();
    }
    MPI_Finalize();
    return all != 0 || atomic_load(&failures) > mine;
}

/* SPDX-License-Identifier: BSD-3-Clause
 * How ranks begin a call together, and from when to when it is timed:
 *
 * - window: rank 0 names a moment a little ahead, on its clock; all wait for it. From that moment, or, where
 * ranks are to come late, from that of the last one, to the last rank's end. A run whose moment had passed
 * for some rank does not count. (The round-time scheme of Hunold and Carpen-Amarie's ReproMPI.)
 * - barrier: behind a barrier; the longest of the ranks' own times.
 * - mpptest: behind one barrier many calls, back to back; the ranks' average. (Gropp and Lusk; Faraj and
 * Yuan, Figure 1.) */
#include "starts.h"
#include "runtime/start.h"
#include "search/question.h"
#include "util/clock.h"
#include "util/random.h"

#include <sched.h>
#include <string.h>
#include <unistd.h>

/* As many calls as the paper's generator makes, by bytes. */
static int calls_of(int64_t bytes)
{
    static const struct {
        int64_t most;
        int calls;
    } table[] = {{3 << 10, 100}, {12 << 10, 50}, {96 << 10, 20}, {384 << 10, 10}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (bytes <= table[i].most)
            return table[i].calls;
    return 5;
}

static double seconds_between(int64_t begin, int64_t end)
{
    return (double)(end - begin) * 1e-9;
}

/* How late this rank comes, and in LAST the last one: all ranks draw the same. */
static int64_t lateness(struct stage *stage, int64_t *last)
{
    int64_t most = (int64_t)(stage->ask->arrival * stage->native_seconds * 1e9), mine = 0;
    *last = 0;
    for (int rank = 0; most > 0 && rank < stage->ground.here.size; rank++) {
        int64_t late = (int64_t)(star_draw_share(&stage->random) * (double)most);
        *last = late > *last ? late : *last;
        mine = rank == stage->ground.here.rank ? late : mine;
    }
    return mine;
}

static enum outcome run_in_window(struct stage *stage, struct player *player, double *seconds)
{
    int64_t last, own = lateness(stage, &last), moment = star_now() + stage->slack;
    MPI_Bcast(&moment, 1, MPI_INT64_T, 0, stage->ground.comm);
    moment -= stage->offset;
    bool late = star_now() > moment;
    while (star_now() < moment + own)
        sched_yield();
    call_run(&stage->call, &stage->ground, player->runner);
    *seconds = seconds_between(moment + last, star_now());
    return late ? LATE : GOOD;
}

static enum outcome run_behind_barrier(struct stage *stage, struct player *player, int calls, double *seconds)
{
    MPI_Barrier(stage->ground.comm);
    int64_t begin = star_now();
    for (int i = 0; i < calls; i++)
        call_run(&stage->call, &stage->ground, player->runner);
    *seconds = seconds_between(begin, star_now()) / calls;
    return GOOD;
}

enum outcome starts_run(struct stage *stage, struct player *player, double *seconds)
{
    bool first = !player->proven;
    enum outcome outcome = GOOD;
    if (first)
        call_prepare(&stage->call);
    player->proven = true;
    if (stage->start == STAR_START_WINDOW)
        outcome = run_in_window(stage, player, seconds);
    else
        outcome = run_behind_barrier(
            stage, player, starts_are_averaged(stage) && !first ? calls_of(stage->call.facts.bytes) : 1,
            seconds);
    return first && !call_is_right(&stage->call) ? WRONG : outcome;
}

bool starts_are_averaged(const struct stage *stage)
{
    return stage->start == STAR_START_MPPTEST;
}

enum star_start starts_choose(const struct star_question *ask)
{
    static const char *const names[] = {"window", "barrier", "mpptest"};
    MPI_Comm machine;
    int ranks_here, crowded;
    for (int i = 0; i < 3; i++)
        if (strcmp(ask->start, names[i]) == 0)
            return (enum star_start)i;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
    MPI_Comm_size(machine, &ranks_here);
    MPI_Comm_free(&machine);
    crowded = ranks_here > sysconf(_SC_NPROCESSORS_ONLN);
    MPI_Allreduce(MPI_IN_PLACE, &crowded, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    return crowded && ask->arrival == 0 ? STAR_START_BARRIER : STAR_START_WINDOW;
}

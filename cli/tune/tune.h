/* SPDX-License-Identifier: BSD-3-Clause
 * The measuring part of `startune tune`: rank 0 searches and gives orders, all ranks of the communicator at
 * hand carry them out together, and the others sleep. So every decision is made once, and no rank can be of
 * another mind. */
#ifndef STAR_CLI_TUNE_H
#define STAR_CLI_TUNE_H

#include "measure/measure.h"
#include "runtime/start.h"
#include "runtime/state.h"
#include "search/question.h"

#include <signal.h>

/* One of the methods that are compared. */
struct player {
    struct star_method method;
    struct star_shared_runner *runner; /* NULL: native, or it cannot run */
    bool ready, proven;                /* PROVEN: its result was compared with native's, at its first run */
};

/* The ranks that measure, and what they have at hand. */
struct stage {
    const struct star_question *ask;
    struct ground ground;
    enum star_start start;
    int64_t offset;        /* nanoseconds to add to this rank's clock for that of rank 0 */
    int64_t slack;         /* on rank 0: how far ahead it sets the moment of the start */
    double native_seconds; /* of the call at hand: what lateness is a multiple of */
    uint64_t random;       /* the same on all ranks: who comes late */
    struct call call;
    struct player *player;
    int players;
};

/* clocks.c: how far this rank's clock is behind that of rank 0, by the fastest of a few round trips.
 * Collective. */
int64_t clocks_compare(MPI_Comm comm);

/* starts.c: what came of a run on one rank; the worst of all ranks counts. */
enum outcome { GOOD, LATE, WRONG };
/* Runs PLAYER together with all others; *SECONDS as this rank sees it, to be put together by
 * starts_are_averaged. Collective. */
enum outcome starts_run(struct stage *stage, struct player *player, double *seconds);
/* Is the time of all ranks the average of theirs? Else it is the longest. */
bool starts_are_averaged(const struct stage *stage);
/* What suits where it was not asked for: window with a processor for each rank, else barrier. Collective over
 * MPI_COMM_WORLD. */
enum star_start starts_choose(const struct star_question *ask);

/* orders.c: what rank 0 wants done. Its functions are collective over the stage; other ranks obey. */
enum order { ORDER_OPEN, ORDER_ENTER, ORDER_RUN, ORDER_CLOSE, ORDER_LEAVE };
/* STAR_ENEEDS: some rank could not make the call. */
int order_open(struct stage *stage, const struct star_trial *trial, struct star_why *why);
void order_enter(struct stage *stage, const struct star_method *method, int methods, bool *ready);
void order_run(struct stage *stage, const int *order, int runs, double *seconds);
void order_close(struct stage *stage);
/* Rank 0 alone: from now on the first RANKS of MPI_COMM_WORLD are on stage; 0: the end. */
void order_gather(struct stage *stage, int ranks);
/* All other ranks, until the end. */
void orders_obey(struct stage *stage);

/* search.c: on rank 0: the whole search, from the file to the file. Returns the exit status. */
int search_all(struct stage *stage, volatile sig_atomic_t *interrupted);

/* say.c, on rank 0: on a terminal a line that is written anew, else one now and then. */
void say_progress(const struct star_trial *trial, int done, int all, double seconds);
void say_progress_end(void);
/* TRIAL is left out. */
void say_left_out(const struct star_trial *trial, const struct star_why *why);
/* What was found, on standard output; WHOLE: before the time was over. */
void say_summary(const struct star_search *search, const char *file, bool whole);
/* say_json.c: the same as JSON, and the SECONDS that it took. */
void say_json(const struct star_search *search, const char *file, bool whole, double seconds);
/* Where it was measured. */
void say_machine(const struct stage *stage, struct star_map_machine *machine);

#endif

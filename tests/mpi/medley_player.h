/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "medley_job.h"

/* A thread that plays medley.c on a rank: what it knows, how it fails, and what it draws. */

#ifdef OPEN_MPI
enum { IS_MPICH = 0 };
#else
enum { IS_MPICH = 1 };
#endif
enum { MOST_RANKS = 32, TEAMS = 14, TASKS = 400, LASTINGS = 12, THREADS = 3 };

struct team {
    bool open, inter, has_neighbors, returns;
    MPI_Comm comm;
    int n, me, members[MOST_RANKS]; /* in the base's ranks; of an inter-communicator the first side, then the
                                       second one */
    int first;                      /* an inter-communicator's ranks of the first side */
    int ins, outs, in[MOST_RANKS], out[MOST_RANKS];
    long busy; /* until this position */
    MPI_Request making;
    bool descended; /* from one with a topology */
    bool nameless;  /* made by MPI_Comm_idup */
};

enum task_kind { JOB, SEND, RECEIVE, PROMISE };
struct task {
    bool used, begun, active, lasting;
    enum task_kind kind;
    long begin_at, wait_from, act;
    struct job job;
    MPI_Request request;
    struct buffer buffer;
    uint64_t seed;
    int mode, peer, tag, source;
    MPI_Comm comm;
};

struct lasting {
    bool used;
    int team, round;
    long busy;
    struct task *task; /* of members */
};

struct player {
    uint64_t seed;
    long calls, now;
    bool threads, persistent, plain, traced, frees, steady;
    int rank, size, thread;
    struct dice own;
    MPI_Comm base;
    struct team teams[TEAMS];
    struct task tasks[TASKS];
    struct lasting lastings[LASTINGS];
    int keyval;
    MPI_Errhandler handler;
    long done;
    int errors; /* handled since the last wrong call */
};

/* The thread's own, and the job that it looks at. */
extern _Thread_local struct player *self;
extern _Thread_local const struct job *looked_at;

void fail(const char *what, const char *more, long act);
void fail_job(const struct job *job, const char *what, long act);
void check_error(int result, const char *call, const struct job *job);

#define MUST(call) check_error(call, #call, NULL)
#define HOLDS(condition, act)                                                                                \
    do {                                                                                                     \
        if (!(condition))                                                                                    \
            fail("does not hold", #condition, act);                                                          \
    } while (0)

void delay(void);
struct team *pick_team(struct dice *dice, bool inter_too);
bool padded(enum kind kind);
int draw_length(struct dice *dice, int most);

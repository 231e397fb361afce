/* SPDX-License-Identifier: BSD-3-Clause
 * Of the program `background`: communicators, several at a time, while they come and go, and beside blocking
 * calls; and threads. */
#include "background.h"

#include <pthread.h>
#include <stdlib.h>

enum { COMMS = 5 };

/* Ranks begin on several communicators in different orders, and wait in others. */
void orders(void)
{
    MPI_Comm comms[COMMS];
    for (int c = 0; c < COMMS; c++)
        if (c < 3)
            MPI_Comm_dup(MPI_COMM_WORLD, &comms[c]);
        else
            MPI_Comm_split(MPI_COMM_WORLD, 0, c == 3 ? -rank : rank % 2 * 100 + rank, &comms[c]);
    for (int round = 0; round < 30; round++)
        for (int which = 0; which < WORK_KINDS; which++) {
            struct work work[COMMS];
            MPI_Request requests[COMMS];
            for (int i = 0; i < COMMS; i++) {
                int c = (i * (1 + rank % 4) + rank) % COMMS;
                begin(&work[c], which, comms[c], round % size, 1 + round + c, (uint64_t)(round * 10 + c));
            }
            if (round % 2 == 0) {
                for (int i = 0; i < COMMS; i++)
                    requests[i] = work[(i + rank) % COMMS].request;
                MPI_Waitall(COMMS, requests, MPI_STATUSES_IGNORE);
                for (int i = 0; i < COMMS; i++)
                    work[i].request = MPI_REQUEST_NULL;
            }
            for (int i = 0; i < COMMS; i++)
                wait_and_check(&work[(i * 2 + rank) % COMMS], "in different orders");
        }
    for (int c = 0; c < COMMS; c++)
        MPI_Comm_free(&comms[c]);
}

/* Blocking calls on the same communicator while nonblocking ones are under way. */
void between(void)
{
    enum { OPEN = 6 };
    for (int round = 0; round < 10; round++)
        for (int which = 0; which < WORK_KINDS; which++) {
            struct work work[OPEN], blocking;
            for (int i = 0; i < OPEN; i++) {
                begin(&work[i], (which + i * round) % WORK_KINDS, MPI_COMM_WORLD, i % size, 2 + i,
                      (uint64_t)i);
                struct work_call call = {.which = (enum work_kind)((which + i) % WORK_KINDS),
                                         .blocking = true,
                                         .comm = MPI_COMM_WORLD,
                                         .root = round % size,
                                         .units = 1 + round * 3,
                                         .seed = (uint64_t)(round + which)};
                work_begin(&blocking, &call);
                check(&blocking, "blocking, between");
            }
            for (int i = 0; i < OPEN; i++)
                wait_and_check(&work[(i * 5 + rank) % OPEN], "with blocking ones between");
        }
}

/* Open MPI 4.1 crashes where a communicator is freed that its own progress still needs: there all calls are
 * complete, and not waited for. */
static void end_on_all(struct work *work, int count)
{
#ifdef OPEN_MPI
    for (int i = 0; i < count; i++)
        for (int done = 0; !done;)
            MPI_Request_get_status(work[i].request, &done, MPI_STATUS_IGNORE);
#endif
    (void)work, (void)count;
}

/* The communicator is freed while calls on it are under way. */
void freed(void)
{
    for (int round = 0; round < 10; round++)
        for (int which = 0; which < WORK_KINDS; which++) {
            struct work work[3];
            MPI_Comm comm, other;
            if (round % 2)
                MPI_Comm_dup(MPI_COMM_WORLD, &comm);
            else
                MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &comm);
            for (int warm = 0; warm < round; warm++) {
                begin(&work[0], which, comm, 0, 3, (uint64_t)warm);
                wait_and_check(&work[0], "before its communicator is freed");
            }
            for (int i = 0; i < 3; i++)
                begin(&work[i], which, comm, 0, 3 + 20 * i, (uint64_t)(round + i));
            if (rank % 2)
                nap(round % 3 == 0 ? 1 : 0);
            end_on_all(work, 3);
            MPI_Comm_free(&comm);
            /* Perhaps under the same handle. */
            MPI_Comm_dup(MPI_COMM_WORLD, &other);
            for (int i = 2; i >= 0; i--)
                wait_and_check(&work[i], "whose communicator is freed");
            begin(&work[0], which, other, 0, 3, 3);
            wait_and_check(&work[0], "on the next communicator");
            MPI_Comm_free(&other);
        }
}

/* Of one rank, and of two. */
void small(void)
{
    MPI_Comm comms[4];
    MPI_Comm_split(MPI_COMM_WORLD, rank, 0, &comms[0]);
    MPI_Comm_dup(MPI_COMM_SELF, &comms[1]);
    comms[2] = MPI_COMM_SELF;
    MPI_Comm_split(MPI_COMM_WORLD, rank / 2, -rank, &comms[3]);
    for (int round = 0; round < 20; round++)
        for (int which = 0; which < WORK_KINDS; which++) {
            struct work work[4];
            for (int c = 0; c < 4; c++)
                begin(&work[c], which, comms[c], 0, round, (uint64_t)round);
            for (int c = 3; c >= 0; c--)
                wait_and_check(&work[c], c < 3 ? "of one rank" : "of two ranks");
        }
    MPI_Comm_free(&comms[0]);
    MPI_Comm_free(&comms[1]);
    MPI_Comm_free(&comms[3]);
}

/* Communicators are made while calls are under way, by a nonblocking call, too: beside that, Open MPI 4.1
 * cannot make others. */
void made_meanwhile(void)
{
    for (int round = 0; round < 40; round++) {
        struct work work[WORK_SHORT_KINDS], on_new;
        MPI_Comm comms[3];
        MPI_Request request;
        for (int which = 0; which < WORK_SHORT_KINDS; which++) {
            begin(&work[which], which, MPI_COMM_WORLD, round % size, 4, (uint64_t)round);
            if (which == 0)
                MPI_Comm_dup(MPI_COMM_WORLD, &comms[0]);
            if (which == 1)
                MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &comms[1]);
            if (which == 2)
                MPI_Comm_idup(MPI_COMM_WORLD, &comms[2], &request);
        }
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        for (int c = 0; c < 3; c++) {
            begin(&on_new, (round + c) % WORK_KINDS, comms[c], 0, 5, (uint64_t)round);
            wait_and_check(&on_new, "on a communicator just made");
        }
        for (int which = 0; which < WORK_SHORT_KINDS; which++)
            wait_and_check(&work[which], "while communicators are made");
        for (int c = 0; c < 3; c++)
            MPI_Comm_free(&comms[c]);
    }
}

struct thread {
    MPI_Comm comm;
    int first;
    struct work handed;
};

/* Each thread on a communicator of its own, several calls at a time. */
static void *run_thread(void *argument)
{
    struct thread *thread = argument;
    for (int round = 0; round < 100; round++) {
        struct work work[3];
        for (int i = 0; i < 3; i++)
            begin(&work[i], (thread->first + round * i) % WORK_KINDS, thread->comm, round % size,
                  1 + round % 20, (uint64_t)(round + i));
        for (int i = 2; i >= 0; i--)
            wait_and_check(&work[i], "in a thread");
    }
    return NULL;
}

static void *wait_for_other(void *argument)
{
    struct thread *thread = argument;
    wait_and_check(&thread->handed, "begun by another thread");
    return NULL;
}

void in_threads(void)
{
    enum { THREADS = 3 };
    struct thread threads[THREADS];
    pthread_t running[THREADS];
    int provided;
    MPI_Query_thread(&provided);
    if (provided < MPI_THREAD_MULTIPLE)
        return;
    for (int i = 0; i < THREADS; i++) {
        threads[i].first = i * 5;
        MPI_Comm_dup(MPI_COMM_WORLD, &threads[i].comm);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_create(&running[i], NULL, run_thread, &threads[i]);
    for (int i = 0; i < THREADS; i++)
        pthread_join(running[i], NULL);
    for (int round = 0; round < 20; round++) {
        for (int i = 0; i < THREADS; i++) {
            begin(&threads[i].handed, (round + i) % WORK_KINDS, threads[i].comm, 0, 3, (uint64_t)round);
            pthread_create(&running[i], NULL, wait_for_other, &threads[i]);
        }
        for (int i = 0; i < THREADS; i++)
            pthread_join(running[i], NULL);
    }
    for (int i = 0; i < THREADS; i++)
        MPI_Comm_free(&threads[i].comm);
}

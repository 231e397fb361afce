/* SPDX-License-Identifier: BSD-3-Clause
 * medley SEED CALLS [threads] [persistent] [steady] [frees] [plain] [traced]: a random legal program of all
 * parts of MPI, of which each result is checked. STEADY: sizes and communicators are few. PERSISTENT: what
 * MPICH does wrong and startune right, too. FREES: communicators go before their requests are complete, which
 * Open MPI 4.1 does not bear. PLAIN: elements lie one behind the other.
 *
 * All ranks walk through one script, whose acts they draw alike. An act begins on all its ranks before any of
 * them waits for it, or as the act itself says. Of what a rank may do as it likes, each draws its own:
 * datatypes, delays, and when and how it completes its requests. */
#include "medley_collective.h"
#include "medley_others.h"
#include "medley_task.h"
#include "medley_team.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void handle(MPI_Comm *comm, int *code, ...)
{
    (void)comm;
    (void)code;
    self->errors++;
}

static void play(struct player *player)
{
    self = player;
    player->own = (struct dice){mixed(player->seed, (uint64_t)player->rank, (uint64_t)player->thread, 99)};
    MUST(MPI_Comm_create_errhandler(handle, &player->handler));
    begin_teams();
    struct team *base = &player->teams[0];
    *base = (struct team){.open = true,
                          .comm = player->base,
                          .n = player->size,
                          .me = player->rank,
                          .busy = -1,
                          .making = MPI_REQUEST_NULL};
    for (int r = 0; r < player->size; r++)
        base->members[r] = r;
    for (player->now = 0; player->now < player->calls; player->now++) {
        for (int i = 0; i < TASKS; i++) {
            struct task *task = &player->tasks[i];
            if (task->used && !task->begun && task->begin_at == player->now &&
                (task->kind == JOB || task->kind == RECEIVE) && !task->lasting)
                begin(task);
        }
        struct dice dice = {mixed(player->seed, (uint64_t)player->now, (uint64_t)player->thread, 42)};
        const int draw = roll(&dice, 1000);
        if (player->traced)
            fprintf(stderr, "%d at %ld: %d\n", player->rank, player->now, draw);
        if (draw < 250)
            act_blocking(&dice);
        else if (draw < 550)
            act_begun(&dice);
        else if (draw < 600)
            act_lasting(&dice);
        else if (draw < 680)
            act_start(&dice);
        else if (draw < 840)
            act_message(&dice);
        else if (draw < 860)
            act_alone(&dice);
        else if (draw < 890)
            act_exchange(&dice);
        else if (draw < 910)
            act_across(&dice);
        else if (player->threads && !IS_MPICH && draw < 923)
            sched_yield(); /* Open MPI 4.1 bears no two threads that make communicators, windows or files at
                              once */
        else if (draw < 918)
            act_window(&dice);
        else if (draw < 923)
            act_file(&dice);
        else if (draw < 933)
            act_burst(&dice);
        else if (draw < 943)
            act_wrong(&dice);
        else if (player->steady && player->now % 8)
            act_blocking(&dice);
        else if (player->threads && !IS_MPICH && draw < 973)
            act_blocking(&dice);
        else if (draw < 973)
            act_make(&dice);
        else
            act_close(&dice);
        delay();
        int active = 0;
        for (int i = 0; i < TASKS; i++)
            active += player->tasks[i].used && player->tasks[i].active;
        if (active > 60)
            complete_some(70);
        else if (roll(&player->own, 3) == 0)
            complete_some(roll(&player->own, 5) ? 10 : 60);
    }
    /* What is put off is begun; then all is waited for. */
    for (long end = player->now + 10; player->now < end; player->now++)
        for (int i = 0; i < TASKS; i++) {
            struct task *task = &player->tasks[i];
            if (task->used && !task->begun && task->begin_at == player->now &&
                (task->kind == JOB || task->kind == RECEIVE) && !task->lasting)
                begin(task);
        }
    complete_all();
    for (int i = TEAMS - 1; i > 0; i--)
        if (player->teams[i].open && i % 3)
            close_team(&player->teams[i], false);
    for (int i = 0; i < LASTINGS; i++)
        if (player->lastings[i].used && player->lastings[i].task) {
            MUST(MPI_Request_free(&player->lastings[i].task->job.request));
            release(player->lastings[i].task);
        }
    MUST(MPI_Errhandler_free(&player->handler));
}

static void *play_in_thread(void *player)
{
    play(player);
    return NULL;
}

/* When MPI_COMM_SELF goes, the first thing in MPI_Finalize, MPI still works. */
static MPI_Comm left;
static int last_words(MPI_Comm comm, int keyval, void *value, void *extra)
{
    (void)comm;
    (void)keyval;
    (void)value;
    (void)extra;
    int ranks, one = 1, sum = 0;
    MPI_Comm_size(left, &ranks);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, left);
    MPI_Comm_free(&left);
    return sum == ranks ? MPI_SUCCESS : MPI_ERR_OTHER;
}

int main(int argc, char **argv)
{
    bool threads = false, persistent = false, plain = false, traced = false, frees = false, steady = false;
    for (int i = 3; i < argc; i++) {
        threads |= strcmp(argv[i], "threads") == 0;
        persistent |= strcmp(argv[i], "persistent") == 0;
        traced |= strcmp(argv[i], "traced") == 0;
        frees |= strcmp(argv[i], "frees") == 0;
        steady |= strcmp(argv[i], "steady") == 0;
        plain |= strcmp(argv[i], "plain") == 0;
    }
    int provided, rank, size, keyval;
    MPI_Init_thread(&argc, &argv, threads ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (threads && provided < MPI_THREAD_MULTIPLE) {
        MPI_Finalize();
        return 77;
    }
    enum { STORE = 64 << 20 };
    char *store = malloc(STORE);
    MPI_Buffer_attach(store, STORE);
    static struct player players[THREADS];
    const int n = threads ? THREADS : 1;
    for (int i = 0; i < n; i++) {
        players[i] =
            (struct player){.seed = strtoull(argc > 1 ? argv[1] : "1", NULL, 10) * 1000 + (unsigned)i,
                            .calls = argc > 2 ? atol(argv[2]) : 1000,
                            .rank = rank,
                            .size = size,
                            .thread = i};
        players[i].persistent = persistent;
        players[i].threads = threads;
        players[i].plain = plain;
        players[i].steady = steady;
        players[i].frees = frees;
        players[i].traced = traced;
        MPI_Comm_dup(MPI_COMM_WORLD, &players[i].base);
    }
    if (threads) {
        pthread_t ids[THREADS];
        for (int i = 0; i < n; i++)
            pthread_create(&ids[i], NULL, play_in_thread, &players[i]);
        for (int i = 0; i < n; i++)
            pthread_join(ids[i], NULL);
    } else {
        play(&players[0]);
    }
    long done = 0;
    for (int i = 0; i < n; i++)
        done += players[i].done;
    if (rank == 0)
        printf("medley: %ld calls right\n", done);
    fflush(stdout);
    int size_of_store;
    void *detached;
    MPI_Buffer_detach(&detached, &size_of_store);
    free(store);
    for (int i = 0; i < n; i++) {
        MPI_Comm_free(&players[i].base);
        for (int t = 1; t < TEAMS; t++)
            if (players[i].teams[t].open && players[i].teams[t].me >= 0 && t % 2)
                MPI_Comm_free(&players[i].teams[t].comm);
        for (int t = 2; t < TEAMS; t += 2)
            if (players[i].teams[t].open && players[i].teams[t].me >= 0) {
                int flag;
                void *value;
                MPI_Comm_get_attr(players[i].teams[t].comm, players[i].keyval, &value, &flag);
                if (flag)
                    MPI_Comm_delete_attr(players[i].teams[t].comm, players[i].keyval);
            }
    }
    if (attributes_left() != 0) {
        fprintf(stderr, "medley: rank %d: %ld attributes are left\n", rank, attributes_left());
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Comm_dup(MPI_COMM_WORLD, &left);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, last_words, &keyval, NULL);
    MPI_Comm_set_attr(MPI_COMM_SELF, keyval, NULL);
    MPI_Finalize();
    return 0;
}

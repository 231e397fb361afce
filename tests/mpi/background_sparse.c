/* SPDX-License-Identifier: BSD-3-Clause
 * alltoallw where most ranks have nothing for most others: who gets nothing from a rank does not wait for it,
 * neither in the call nor for what tuning agrees on. */
#include "background.h"

#include <stdlib.h>

enum { RANKS = 64, BLOCK = 3 };

/* Ranks 0 and 1 have BLOCK numbers for each other, and for no one else anybody has anything. */
struct exchange {
    int out[BLOCK], in[BLOCK], sent[RANKS], received[RANKS], places[RANKS];
    MPI_Datatype types[RANKS], into[RANKS], gaps;
};

static void prepare(struct exchange *e)
{
    *e = (struct exchange){.sent = {0}};
    MPI_Type_create_resized(MPI_INT, 0, sizeof(int), &e->gaps); /* as MPI_INT, but of the program's */
    MPI_Type_commit(&e->gaps);
    for (int r = 0; r < size; r++) {
        bool peers = r != rank && r < 2 && rank < 2;
        e->sent[r] = e->received[r] = peers ? BLOCK : 0;
        e->types[r] = MPI_INT;
        e->into[r] = e->gaps;
    }
}

static void fill(struct exchange *e, int number)
{
    for (int i = 0; i < BLOCK; i++) {
        e->out[i] = number * 10 + rank * 5 + i;
        e->in[i] = -1;
    }
}

static void look(const struct exchange *e, int number, const char *what)
{
    for (int i = 0; i < BLOCK; i++)
        expect(e->in[i] == (rank < 2 ? number * 10 + (1 - rank) * 5 + i : -1), what, WORK_ALLTOALLW);
}

static void call(struct exchange *e, int number)
{
    fill(e, number);
    MPI_Alltoallw(e->out, e->sent, e->places, e->types, e->in, e->received, e->places, e->into,
                  MPI_COMM_WORLD);
    look(e, number, "a blocking call");
}

static void begin_and_wait(struct exchange *e, int number)
{
    MPI_Request request;
    fill(e, number);
    MPI_Ialltoallw(e->out, e->sent, e->places, e->types, e->in, e->received, e->places, e->into,
                   MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    look(e, number, "a nonblocking call");
}

/* The others are through before ranks 0 and 1 begin. */
static void let_others_go_first(bool before)
{
    int word = 0;
    for (int r = 2; r < size; r++)
        for (int to = 0; to < 2; to++) {
            if (before && rank == to)
                MPI_Recv(&word, 1, MPI_INT, r, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            if (!before && rank == r)
                MPI_Send(&word, 1, MPI_INT, to, 9, MPI_COMM_WORLD);
        }
}

#if MPI_VERSION >= 4
static void start_and_wait(struct exchange *e, int number)
{
    MPI_Request request;
    MPI_Alltoallw_init(e->out, e->sent, e->places, e->types, e->in, e->received, e->places, e->into,
                       MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    let_others_go_first(true);
    fill(e, number);
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    look(e, number, "a persistent one");
    let_others_go_first(false);
    MPI_Request_free(&request);
}
#endif

void sparse(void)
{
    static void (*const ways[])(struct exchange *, int) = {call, begin_and_wait};
    struct exchange e;
    prepare(&e);
    for (int way = 0; size > 2 && way < 2; way++)
        for (int round = 0; round < 400; round++) {
            let_others_go_first(true);
            for (int i = 0; i < (round > 200 && round % 10 == 0 ? 150 : 1); i++)
                ways[way](&e, round + i);
            let_others_go_first(false);
        }
#if MPI_VERSION >= 4
    for (int round = 0; size > 2 && round < 30; round++)
        start_and_wait(&e, round);
#endif
    MPI_Type_free(&e.gaps);
}

/* By messages of the program, so that no rank is far ahead of another. */
static void keep_in_step(void)
{
    int word = 0;
    for (int r = 1; r < size; r++)
        if (rank == 0)
            MPI_Recv(&word, 1, MPI_INT, r, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank > 0) {
        MPI_Send(&word, 1, MPI_INT, 0, 9, MPI_COMM_WORLD);
        MPI_Recv(&word, 1, MPI_INT, 0, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    for (int r = 1; r < size; r++)
        if (rank == 0)
            MPI_Send(&word, 1, MPI_INT, r, 9, MPI_COMM_WORLD);
}

/* The ranks come together for a long time, and then no more: what went well before tells nothing. */
void drifts(void)
{
    struct exchange e;
    prepare(&e);
    for (int round = 0; size > 2 && round < 8; round++) {
        for (int i = 0; i < 400; i++) {
            call(&e, i);
            keep_in_step();
        }
        let_others_go_first(true);
        for (int i = 0; i < 400; i++)
            call(&e, i);
        let_others_go_first(false);
    }
    MPI_Type_free(&e.gaps);
}

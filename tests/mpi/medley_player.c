/* SPDX-License-Identifier: BSD-3-Clause
 * What all acts of medley.c need. */
#include "medley_player.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

_Thread_local struct player *self;
_Thread_local const struct job *looked_at;

void fail(const char *what, const char *more, long act)
{
    fprintf(stderr, "medley: rank %d, thread %d, at %ld, act %ld: %s (%s)\n", self->rank, self->thread,
            self->now, act, what, more);
    fflush(stderr);
    MPI_Abort(MPI_COMM_WORLD, 1);
    abort();
}

void fail_job(const struct job *job, const char *what, long act)
{
    char text[300];
    snprintf(text, sizeof text,
             "%s of form %d, %d ranks, rank %d, root %d, kind %d, reduction %d, length %d, round %d%s, "
             "layouts %d and %d",
             function_names[job->function], (int)job->form, job->ranks, job->me, job->root, (int)job->kind,
             (int)job->reduction, job->length, job->round, job->in_place ? ", in place" : "",
             job->give.blocks ? job->give.block[0].way : -1, job->take.blocks ? job->take.block[0].way : -1);
    fail(what, text, act);
}

void check_error(int result, const char *call, const struct job *job)
{
    if (result == MPI_SUCCESS)
        return;
    char text[MPI_MAX_ERROR_STRING];
    int length;
    MPI_Error_string(result, text, &length);
    fprintf(stderr, "medley: %s\n", text);
    if (job || looked_at)
        fail_job(job ? job : looked_at, "MPI returned an error", self->now);
    fail("MPI returned an error", call, self->now);
}

void delay(void)
{
    const int draw = roll(&self->own, 400);
    if (draw == 0)
        usleep((useconds_t)roll(&self->own, 3000));
    else if (draw < 20)
        sched_yield();
}

struct team *pick_team(struct dice *dice, bool inter_too)
{
    for (int tries = 0; tries < 12; tries++) {
        struct team *team = &self->teams[roll(dice, self->steady ? 4 : TEAMS)];
        if (team->open && team->busy < self->now && (inter_too || !team->inter))
            return team;
    }
    return self->teams[0].busy < self->now ? &self->teams[0] : NULL;
}

bool padded(enum kind kind)
{
    return kind == SHORT_INT || kind == DOUBLE_INT || kind == MIXED || kind == SPARSE;
}

int draw_length(struct dice *dice, int most)
{
    static const int usual[] = {1, 4, 16, 100, 700, 2000, 8000};
    const int draw = roll(dice, 100);
    const int length = draw % 8 < (self->steady ? 7 : 3)
                           ? usual[self->steady && roll(dice, 3) ? 2 * roll(dice, 3)
                                   : roll(dice, 20)              ? roll(dice, 5)
                                                                 : roll(dice, 7)]
                       : draw < 12 ? 0
                       : draw < 70 ? roll(dice, 16)
                       : draw < 88 ? roll(dice, 200)
                       : draw < 98 ? roll(dice, 1500)
                                   : roll(dice, 12000);
    return length < most ? length : most;
}

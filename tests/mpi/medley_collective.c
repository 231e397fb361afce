/* SPDX-License-Identifier: BSD-3-Clause
 * Collective operations in all forms, and when ranks begin them. */
#include "medley_collective.h"
#include "medley_task.h"

#include <unistd.h>

/* What the libraries do wrong themselves. */
static bool natively_wrong(const struct job *job, bool descended)
{
    (void)descended;
#ifdef OPEN_MPI
    if (job->function == ALLTOALLW &&
        (job->ranks == 1 || job->in_place || (job->form != AT_ONCE && descended)))
        return true;
    if (job->in_place && job->form != AT_ONCE && (job->function == ALLTOALLV || job->function == ALLTOALL))
        return true;
    if (job->in_place && job->form != AT_ONCE &&
        (job->function == REDUCE_SCATTER || job->function == REDUCE_SCATTER_BLOCK))
        return true;
#else
    if (job->in_place && (job->function == REDUCE || job->function == ALLTOALLW))
        return true;
    if (job->function == NEIGHBOR_ALLTOALLW)
        return true;
    if (job->kind == SPARSE && (job->function == REDUCE_SCATTER || job->function == REDUCE_SCATTER_BLOCK))
        return true;
#endif
    return false;
}

static void draw_job(struct job *job, struct team *team, struct dice *dice, enum form form)
{
    *job = (struct job){.comm = team->comm,
                        .ranks = team->n,
                        .me = team->me,
                        .form = form,
                        .seed = mixed(self->seed, (uint64_t)self->now, 1, 1)};
    job->function = roll(dice, team->has_neighbors ? FUNCTIONS : EXSCAN + 1);
    job->root = roll(dice, 3) ? 0 : roll(dice, team->n);
    job->in_place = job->function >= GATHER && job->function < NEIGHBOR_ALLGATHER && roll(dice, 4) == 0;
    job->same_way = self->plain || job->function == ALLGATHERV;
    job->freed_early = roll(&self->own, 2);
    const bool reduction = job->function >= REDUCE && job->function <= EXSCAN;
    do {
        job->kind = self->steady && roll(dice, 4) ? INT : roll(dice, KINDS);
        job->reduction = roll(dice, REDUCTIONS);
    } while (reduction && !reduces(job->reduction, job->kind));
    job->length = draw_length(dice, form == LASTING && self->persistent ? 512 / (team->n * ELEMENT) : 100000);
    if (IS_MPICH && form == LASTING &&
        (job->function > EXSCAN || job->function == REDUCE_SCATTER || job->function == ALLGATHERV ||
         (reduction && (job->reduction >= JOIN || padded(job->kind))))) /* what startune does not serve */
        job->function = BARRIER;
    if (IS_MPICH && padded(job->kind) && job->length > 4000 / ELEMENT / job->ranks)
        job->length = 4000 / ELEMENT / job->ranks; /* truncates longer ones */
    if (IS_MPICH && form == LASTING && job->length == 0)
        job->length = 1;
    job->in = team->has_neighbors ? team->in : NULL;
    job->out = team->has_neighbors ? team->out : NULL;
    job->ins = team->ins;
    job->outs = team->outs;
    if (natively_wrong(job, team->descended)) {
        job->in_place = false;
        if (natively_wrong(job, team->descended))
            job->function = BARRIER;
    }
}

void act_blocking(struct dice *dice)
{
    struct team *team = pick_team(dice, false);
    if (!team || team->me < 0)
        return;
    struct job job;
    draw_job(&job, team, dice, AT_ONCE);
    prepare_job(&job, &self->own);
    check_error(begin_job(&job), "", &job);
    const char *wrong = wrong_in_job(&job);
    if (wrong)
        fail_job(&job, wrong, self->now);
    end_job(&job);
    self->done++;
}

/* The same operation again and again, so that ranks that need not wait run far ahead. */
void act_burst(struct dice *dice)
{
    struct team *team = pick_team(dice, false);
    const bool begun = roll(dice, 2);
    const int calls = 2 + roll(dice, roll(dice, 4) ? 12 : 150), slow = roll(dice, MOST_RANKS);
    struct job first;
    if (!team || team->me < 0)
        return;
    draw_job(&first, team, dice, begun ? BEGUN : AT_ONCE);
    if (first.length > 600)
        first.length = 600;
    for (int i = 0; i < calls; i++) {
        struct job job = first;
        job.seed = mixed(first.seed, (uint64_t)i, 2, 2);
        if (team->me == slow % team->n && i % 16 == 0)
            usleep(1000);
        if (begun) {
            int active = 0;
            for (int t = 0; t < TASKS; t++)
                active += self->tasks[t].used;
            if (active > TASKS / 2)
                complete_all_begun();
            struct task *task = new_task(JOB, self->now);
            task->job = job;
            prepare_job(&task->job, &self->own);
            begin(task);
        } else {
            prepare_job(&job, &self->own);
            check_error(begin_job(&job), "", &job);
            const char *wrong = wrong_in_job(&job);
            if (wrong)
                fail_job(&job, wrong, self->now);
            end_job(&job);
        }
        self->done++;
    }
}

/* Tokens say that a rank is at some point. */
static void tell(struct team *team, int to)
{
    MUST(MPI_Send(NULL, 0, MPI_BYTE, to, (int)(self->now % 30000), team->comm));
}
static void hear(struct team *team, int from)
{
    MUST(MPI_Recv(NULL, 0, MPI_BYTE, from, (int)(self->now % 30000), team->comm, MPI_STATUS_IGNORE));
}

void act_begun(struct dice *dice)
{
    struct team *team = pick_team(dice, false);
    if (!team)
        return;
    struct job job;
    draw_job(&job, team, dice, BEGUN);
    /* Ranks begin at different places of their scripts; or one tells the others that it has begun; or waits
     * before it tells another. */
    const int manner = roll(dice, 10), one = roll(dice, team->n), other = roll(dice, team->n);
    int most = 0, mine = 0;
    for (int r = 0; r < team->n; r++) {
        const int later = manner < 4 && roll(dice, 3) == 0 ? roll(dice, 8) : 0;
        most = later > most ? later : most;
        if (r == team->me)
            mine = later;
    }
    team->busy = most ? self->now + most : team->busy;
    if (team->me < 0)
        return;
    struct task *task = new_task(JOB, self->now);
    task->job = job;
    task->begin_at = self->now + mine;
    task->wait_from = self->now + most;
    prepare_job(&task->job, &self->own);
    if (manner == 4 && team->me != one)
        hear(team, one);
    if (mine == 0)
        begin(task);
    if (manner == 4 && team->me == one)
        for (int r = 0; r < team->n; r++)
            if (r != one)
                tell(team, r);
    if (manner == 5 && one != other) {
        if (team->me == one) {
            complete_task(task);
            tell(team, other);
        } else if (team->me == other) {
            hear(team, one);
        }
    }
    self->done++;
}

void act_lasting(struct dice *dice)
{
    struct lasting *lasting = &self->lastings[roll(dice, LASTINGS)];
    if (lasting->used && lasting->busy >= self->now)
        return;
    if (!lasting->used) {
        struct team *team = pick_team(dice, false);
        if (!team || MPI_VERSION < 4 || (IS_MPICH && (!self->persistent || team->n == 1)))
            return;
        *lasting = (struct lasting){.used = true, .team = (int)(team - self->teams)};
        struct job job;
        draw_job(&job, team, dice, LASTING);
        if (team->me < 0)
            return;
        lasting->task = new_task(JOB, self->now);
        lasting->task->lasting = true;
        lasting->task->job = job;
        lasting->task->job.freed_early = false;
        prepare_job(&lasting->task->job, &self->own);
        check_error(begin_job(&lasting->task->job), "", &lasting->task->job);
        lasting->task->job.round = 0;
    } else if (lasting->round > 0 && roll(dice, 12) == 0) {
        if (lasting->task) {
            complete_task(lasting->task);
            MUST(MPI_Request_free(&lasting->task->job.request));
            release(lasting->task);
        }
        lasting->used = false;
    }
}

/* Starts some, each rank in its own order, alone or together. */
void act_start(struct dice *dice)
{
    struct task *tasks[LASTINGS];
    int n = 0;
    const int share = roll(dice, 100);
    for (int i = 0; i < LASTINGS; i++) {
        struct lasting *lasting = &self->lastings[i];
        if (!lasting->used || roll(dice, 100) >= share)
            continue;
        lasting->round++;
        if (lasting->task) {
            complete_task(lasting->task);
            const int at = roll(&self->own, n + 1);
            tasks[n++] = tasks[at];
            tasks[at] = lasting->task;
        }
    }
    self->done += n;
    MPI_Request requests[LASTINGS];
    const bool together = roll(&self->own, 2);
    for (int i = 0; i < n; i++) {
        tasks[i]->act = tasks[i]->wait_from = self->now;
        if (!together) {
            begin(tasks[i]);
        } else {
            fill_job(&tasks[i]->job, tasks[i]->job.round + 1);
            requests[i] = tasks[i]->job.request;
        }
    }
    if (together && n) {
        MUST(MPI_Startall(n, requests));
        for (int i = 0; i < n; i++) {
            tasks[i]->request = tasks[i]->job.request = requests[i];
            tasks[i]->active = tasks[i]->begun = true;
        }
    }
}

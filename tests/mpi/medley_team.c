/* SPDX-License-Identifier: BSD-3-Clause
 * Makes and frees communicators of all kinds. */
#include "medley_team.h"
#include "medley_task.h"

#include <pthread.h>
#include <string.h>

/* Attributes: each that was set, or copied, is deleted in the end. */
static pthread_mutex_t counting = PTHREAD_MUTEX_INITIALIZER;
static long attributes;

static int copy_attribute(MPI_Comm comm, int keyval, void *extra, void *from, void *to, int *flag)
{
    (void)comm;
    (void)keyval;
    (void)extra;
    *(void **)to = from;
    *flag = 1;
    pthread_mutex_lock(&counting);
    attributes++;
    pthread_mutex_unlock(&counting);
    return MPI_SUCCESS;
}

static int delete_attribute(MPI_Comm comm, int keyval, void *value, void *extra)
{
    (void)comm;
    (void)keyval;
    (void)extra;
    (void)value;
    pthread_mutex_lock(&counting);
    attributes--;
    pthread_mutex_unlock(&counting);
    return MPI_SUCCESS;
}

static struct team *free_team(void)
{
    for (int i = 1; i < (self->steady ? 4 : TEAMS); i++)
        if (!self->teams[i].open)
            return &self->teams[i];
    return NULL;
}

static void now_open(struct team *team, struct dice *dice)
{
    team->open = true;
    team->busy = self->now;
    team->me = -1;
    for (int r = 0; r < team->n; r++)
        if (team->members[r] == self->rank)
            team->me = r;
    const bool returns = roll(dice, 3) == 0, kept = roll(dice, 2);
    if (team->me < 0)
        return;
    HOLDS(team->comm != MPI_COMM_NULL, self->now);
    if (returns) {
        MUST(MPI_Comm_set_errhandler(team->comm, self->handler));
        team->returns = true;
    }
    if (kept) {
        int flag;
        void *value;
        MUST(MPI_Comm_get_attr(team->comm, self->keyval, &value, &flag));
        if (!flag) {
            MUST(MPI_Comm_set_attr(team->comm, self->keyval, team));
            pthread_mutex_lock(&counting);
            attributes++;
            pthread_mutex_unlock(&counting);
        }
    }
}

static bool linked(uint64_t seed, int from, int to)
{
    return mixed(seed, (uint64_t)from, (uint64_t)to, 6) % 3 == 0;
}

void act_make(struct dice *dice)
{
    struct team *old = pick_team(dice, false), *team = free_team();
    if (!old || !team)
        return;
    *team = (struct team){.comm = MPI_COMM_NULL,
                          .making = MPI_REQUEST_NULL,
                          .n = old->n,
                          .descended = old->descended || old->has_neighbors,
                          .nameless = old->nameless};
    memcpy(team->members, old->members, sizeof team->members);
    const bool member = old->me >= 0;
    const uint64_t seed = mixed(self->seed, (uint64_t)self->now, 7, 7);
    MPI_Group all, group;
    switch (roll(dice, 10)) {
    case 0:
    case 1:
        if (member)
            MUST(MPI_Comm_dup(old->comm, &team->comm));
        goto copied;
    case 2:
        if (member)
            MUST(MPI_Comm_dup_with_info(old->comm, MPI_INFO_NULL, &team->comm));
        goto copied;
    case 3:
        team->nameless = true;
        if (member) {
            MUST(MPI_Comm_idup(old->comm, &team->comm, &team->making));
            if (roll(&self->own, 2))
                complete_some(30);
            MUST(MPI_Wait(&team->making, MPI_STATUS_IGNORE));
        }
    copied:
        team->has_neighbors = old->has_neighbors;
        team->ins = old->ins;
        team->outs = old->outs;
        memcpy(team->in, old->in, sizeof team->in);
        memcpy(team->out, old->out, sizeof team->out);
        team->returns = old->returns;
        break;
    case 4: {
        /* Three colours, of which one is none; ranks in reverse. The second colour's team only if there is
         * room. */
        int colours[MOST_RANKS], mine = MPI_UNDEFINED;
        for (int r = 0; r < old->n; r++)
            colours[r] = (int)(mixed(seed, (uint64_t)r, 1, 1) % 3);
        MPI_Comm made = MPI_COMM_NULL;
        if (member) {
            mine = colours[old->me];
            MUST(MPI_Comm_split(old->comm, mine == 2 ? MPI_UNDEFINED : mine, -old->me, &made));
            HOLDS((made == MPI_COMM_NULL) == (mine == 2), self->now);
        }
        for (int colour = 0; colour < 2; colour++) {
            if (colour && !(team = free_team())) {
                if (mine == 1)
                    MUST(MPI_Comm_free(&made));
                return;
            }
            *team = (struct team){.comm = mine == colour ? made : MPI_COMM_NULL,
                                  .making = MPI_REQUEST_NULL,
                                  .descended = old->descended || old->has_neighbors,
                                  .nameless = old->nameless};
            for (int r = old->n - 1; r >= 0; r--)
                if (colours[r] == colour)
                    team->members[team->n++] = old->members[r];
            if (team->n)
                now_open(team, dice);
        }
        return;
    }
    case 5:
    case 6: { /* of some, by their group */
        int chosen[MOST_RANKS], n = 0, among = 0;
        const bool alone = roll(dice, 2);
        for (int r = 0; r < old->n; r++)
            if (mixed(seed, (uint64_t)r, 2, 1) % 4) {
                among |= r == old->me;
                team->members[n] = old->members[r];
                chosen[n++] = r;
            }
        if (n == 0)
            return;
        team->n = n;
        if (member) {
            MUST(MPI_Comm_group(old->comm, &all));
            MUST(MPI_Group_incl(all, n, chosen, &group));
            if (!alone)
                MUST(MPI_Comm_create(old->comm, group, &team->comm));
            else if (among)
                MUST(MPI_Comm_create_group(old->comm, group, (int)(self->now % 30000), &team->comm));
            MUST(MPI_Group_free(&group));
            MUST(MPI_Group_free(&all));
        }
        break;
    }
    case 7: {
        int dims[2] = {0, 0};
        const int periods[2] = {0, 0};
        MPI_Dims_create(old->n, 2, dims);
        team->has_neighbors = team->descended = true;
        if (member) {
            MUST(MPI_Cart_create(old->comm, 2, dims, periods, 0, &team->comm));
            for (int d = 0; d < 2; d++) {
                int before, behind;
                MUST(MPI_Cart_shift(team->comm, d, 1, &before, &behind));
                team->in[2 * d] = team->out[2 * d] = before < 0 ? -1 : before;
                team->in[2 * d + 1] = team->out[2 * d + 1] = behind < 0 ? -1 : behind;
            }
            team->ins = team->outs = 4;
        }
        break;
    }
    case 8:
        team->has_neighbors = team->descended = true;
        if (member) {
            for (int r = old->n - 1; r >= 0; r--) {
                if (linked(seed, r, old->me))
                    team->in[team->ins++] = r;
                if (linked(seed, old->me, r))
                    team->out[team->outs++] = r;
            }
            MUST(MPI_Dist_graph_create_adjacent(old->comm, team->ins, team->in, MPI_UNWEIGHTED, team->outs,
                                                team->out, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &team->comm));
        }
        break;
    default: { /* between two halves, and all of it again */
        if (old->n < 2)
            return;
        team->inter = true;
        team->first = 1 + roll(dice, old->n - 1);
        if (member) {
            MPI_Comm half;
            const bool second = old->me >= team->first;
            MUST(MPI_Comm_split(old->comm, second, 0, &half));
            MUST(MPI_Intercomm_create(half, 0, old->comm, second ? 0 : team->first, (int)(self->now % 30000),
                                      &team->comm));
            MUST(MPI_Comm_free(&half));
        }
        now_open(team, dice);
        struct team *merged = free_team();
        if (!merged)
            return;
        *merged = (struct team){.comm = MPI_COMM_NULL,
                                .making = MPI_REQUEST_NULL,
                                .n = team->n,
                                .descended = team->descended,
                                .nameless = team->nameless};
        memcpy(merged->members, team->members, sizeof merged->members);
        if (member)
            MUST(MPI_Intercomm_merge(team->comm, team->me >= team->first, &merged->comm));
        now_open(merged, dice);
        return;
    }
    }
    now_open(team, dice);
}

void close_team(struct team *team, bool disconnects)
{
    const int which = (int)(team - self->teams);
    for (int i = 0; i < LASTINGS; i++) {
        struct lasting *lasting = &self->lastings[i];
        if (lasting->used && lasting->team == which) {
            if (lasting->task) {
                complete_task(lasting->task);
                MUST(MPI_Request_free(&lasting->task->job.request));
                release(lasting->task);
            }
            lasting->used = false;
        }
    }
    team->open = false;
    if (team->me < 0)
        return;
    if (disconnects)
        MUST(MPI_Comm_disconnect(&team->comm)); /* waits for what is pending: all ranks have begun it */
    else
        MUST(MPI_Comm_free(&team->comm));
}

void act_close(struct dice *dice)
{
    struct team *team = pick_team(dice, true);
    if (!team || team == &self->teams[0])
        return;
    /* Requests hold numbers of neighbors and the like; they go on. Sends that are not received yet are over
     * by then. */
    const bool disconnects = roll(dice, 4) == 0;
    for (int i = 0; i < TASKS; i++) {
        struct task *task = &self->tasks[i];
        if (task->used && task->kind == JOB && task->job.comm == team->comm && !task->lasting &&
            (disconnects || (!IS_MPICH && !self->frees) || task->job.function >= NEIGHBOR_ALLGATHER))
            complete_task(task);
        if (disconnects && task->used && task->kind != JOB && task->kind != PROMISE && task->active &&
            task->wait_from <= self->now)
            complete_task(task);
    }
    close_team(team, disconnects);
}

void begin_teams(void)
{
    MUST(MPI_Comm_create_keyval(copy_attribute, delete_attribute, &self->keyval, NULL));
}

long attributes_left(void)
{
    return attributes;
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Begins and completes requests, by any of the functions that wait and test. */
#include "medley_task.h"

#include <sched.h>
#include <stdlib.h>

struct task *new_task(enum task_kind kind, long act)
{
    for (int i = 0; i < TASKS; i++)
        if (!self->tasks[i].used) {
            self->tasks[i] = (struct task){.used = true,
                                           .kind = kind,
                                           .begin_at = act,
                                           .wait_from = act,
                                           .act = act,
                                           .request = MPI_REQUEST_NULL};
            return &self->tasks[i];
        }
    fail("too many tasks", "", act);
    return NULL;
}

void fill(struct task *task)
{
    for (int i = 0; i < task->buffer.block[0].length; i++)
        draw_element(task->buffer.kind, element_at(&task->buffer, 0, i),
                     mixed(task->seed, 4, 4, (uint64_t)i));
}

static void compare(struct task *task)
{
    struct buffer *buffer = &task->buffer;
    for (int i = 0; i < buffer->block[0].length; i++) {
        _Alignas(16) char expected[ELEMENT] = {0};
        draw_element(buffer->kind, expected, mixed(task->seed, 4, 4, (uint64_t)i));
        if (!same(buffer->kind, element_at(buffer, 0, i), expected))
            fail("a message has wrong values", task->kind == SEND ? "sent" : "received", task->act);
        stamp(buffer, 0, i);
    }
    if (!untouched(buffer))
        fail("a message was written where it was not to be", "", task->act);
}

void release(struct task *task)
{
    if (task->kind == JOB)
        end_job(&task->job);
    free_buffer(&task->buffer);
    task->used = false;
}

void finished(struct task *task, const MPI_Status *status)
{
    task->active = false;
    if (task->kind == JOB) {
        const char *wrong = wrong_in_job(&task->job);
        if (wrong)
            fail_job(&task->job, wrong, task->act);
        if (task->lasting)
            return; /* stays, inactive */
    } else if (task->kind == SEND || task->kind == RECEIVE) {
        compare(task);
        if (task->kind == RECEIVE && status &&
            (status->MPI_SOURCE != task->source || status->MPI_TAG != task->tag))
            fail("a message's status is wrong", "", task->act);
        if (task->request != MPI_REQUEST_NULL)
            MUST(MPI_Request_free(&task->request));
    } else if (status && status->MPI_TAG != task->tag) {
        fail("a generalised request's status is wrong", "", task->act);
    }
    release(task);
}

static void receive(struct task *task)
{
    void *buffer = task->buffer.given;
    const int count = task->buffer.block[0].count, peer = task->peer, tag = task->tag;
    const MPI_Datatype type = task->buffer.block[0].type;
    MPI_Status status = {0};
    MPI_Message message;
    int flag = 0;
    switch (task->mode) {
    case IRECV:
        MUST(MPI_Irecv(buffer, count, type, peer, tag, task->comm, &task->request));
        break;
    case START_RECV:
        MUST(MPI_Recv_init(buffer, count, type, peer, tag, task->comm, &task->request));
        MUST(MPI_Start(&task->request));
        break;
    case IMPROBE:
        while (!flag)
            MUST(MPI_Improbe(peer, tag, task->comm, &flag, &message, &status));
        MUST(MPI_Imrecv(buffer, count, type, &message, &task->request));
        break;
    default:
        if (task->mode == PROBE)
            MUST(MPI_Probe(peer, tag, task->comm, &status));
        while (task->mode == IPROBE && !flag)
            MUST(MPI_Iprobe(peer, tag, task->comm, &flag, &status));
        if (task->mode == MPROBE) {
            MUST(MPI_Mprobe(peer, tag, task->comm, &message, &status));
            MUST(MPI_Mrecv(buffer, count, type, &message, &status));
        } else {
            MUST(MPI_Recv(buffer, count, type, task->mode == RECV ? peer : status.MPI_SOURCE, tag, task->comm,
                          &status));
        }
        int elements;
        MUST(MPI_Get_count(&status, type, &elements));
        HOLDS(elements == count || task->buffer.block[0].length == 0, task->act);
        finished(task, &status);
        return;
    }
    task->active = true;
    if (roll(&self->own, 2))
        free_types(&task->buffer);
}

/* A nonblocking job, or a start of a persistent one, at its time. */
void begin(struct task *task)
{
    task->begun = true;
    if (task->kind == RECEIVE) {
        receive(task);
        return;
    }
    if (task->lasting) {
        fill_job(&task->job, task->job.round + 1);
        MUST(MPI_Start(&task->job.request));
    } else {
        check_error(begin_job(&task->job), "", &task->job);
    }
    task->request = task->job.request;
    task->active = true;
}

/* Completion */

static void complete(struct task **tasks, int n, int way)
{
    MPI_Request requests[TASKS];
    MPI_Status statuses[TASKS];
    int indices[TASKS], index, flag, some;
    if (n == 0)
        return;
    if (IS_MPICH && (way == 3 || way == 2))
        for (int i = 0; i < n; i++)
            if (tasks[i]->lasting)
                way = way == 2 ? 0 : 8;
    const bool ignores = roll(&self->own, 2);
    looked_at = tasks[0]->kind == JOB ? &tasks[0]->job : NULL;
    for (int i = 0; i < n; i++)
        requests[i] = tasks[i]->request;
#define DONE(i, status)                                                                                      \
    do {                                                                                                     \
        tasks[i]->request = requests[i];                                                                     \
        requests[i] = MPI_REQUEST_NULL;                                                                      \
        finished(tasks[i], status);                                                                          \
    } while (0)
    switch (way) {
    case 0:
        for (int i = 0; i < n; i++) {
            looked_at = tasks[i]->kind == JOB ? &tasks[i]->job : NULL;
            MUST(MPI_Wait(&requests[i], ignores ? MPI_STATUS_IGNORE : &statuses[i]));
            DONE(i, ignores ? NULL : &statuses[i]);
        }
        break;
    case 1:
        for (int i = 0; i < n; i++) {
            MUST(MPI_Test(&requests[i], &flag, &statuses[i]));
            if (flag)
                DONE(i, &statuses[i]);
        }
        break;
    case 2:
        MUST(MPI_Waitall(n, requests, ignores ? MPI_STATUSES_IGNORE : statuses));
        for (int i = 0; i < n; i++)
            DONE(i, ignores ? NULL : &statuses[i]);
        break;
    case 3:
        MUST(MPI_Testall(n, requests, &flag, statuses));
        for (int i = 0; flag && i < n; i++)
            DONE(i, &statuses[i]);
        break;
    case 4:
        for (int left = n; left > 0; left--) {
            MUST(MPI_Waitany(n, requests, &index, &statuses[0]));
            HOLDS(index >= 0 && index < n, 0);
            DONE(index, &statuses[0]);
        }
        MUST(MPI_Waitany(n, requests, &index, &statuses[0]));
        HOLDS(index == MPI_UNDEFINED, 0);
        break;
    case 5:
        MUST(MPI_Testany(n, requests, &index, &flag, &statuses[0]));
        if (flag) {
            HOLDS(index >= 0 && index < n, 0);
            DONE(index, &statuses[0]);
        }
        break;
    case 6:
    case 7:
        if (way == 6)
            MUST(MPI_Waitsome(n, requests, &some, indices, statuses));
        else
            MUST(MPI_Testsome(n, requests, &some, indices, statuses));
        HOLDS(some >= (way == 6) && some <= n, 0);
        for (int i = 0; i < some; i++)
            DONE(indices[i], &statuses[i]);
        break;
    case 8:
        for (int i = 0; i < n; i++) {
            MUST(MPI_Request_get_status(requests[i], &flag, &statuses[i]));
            if (flag) {
                MUST(MPI_Test(&requests[i], &flag, &statuses[i]));
                HOLDS(flag, tasks[i]->act);
                DONE(i, &statuses[i]);
            }
        }
        break;
    default:
        for (int i = 0; i < n; i++) {
            for (flag = 0; !flag; sched_yield())
                MUST(MPI_Test(&requests[i], &flag, &statuses[i]));
            DONE(i, &statuses[i]);
        }
        break;
    }
#undef DONE
    looked_at = NULL;
}

/* Promises are kept by the same rank: at last before it waits. */
static void keep_promises(struct task **tasks, int n)
{
    for (int i = 0; i < n; i++)
        if (tasks[i]->kind == PROMISE && !tasks[i]->begun) {
            MUST(MPI_Grequest_complete(tasks[i]->request));
            tasks[i]->begun = true;
        }
}

void complete_some(int share)
{
    struct task *chosen[TASKS];
    int n = 0;
    const int way = roll(&self->own, 10);
    const bool waits = way == 0 || way == 2 || way == 4 || way == 6 || way == 9;
    for (int i = 0; i < TASKS; i++) {
        struct task *task = &self->tasks[i];
        if (task->used && task->active && (!waits || task->wait_from <= self->now) &&
            roll(&self->own, 100) < share) {
            const int at = roll(&self->own, n + 1);
            chosen[n++] = chosen[at];
            chosen[at] = task;
        }
    }
    if (waits || roll(&self->own, 2))
        keep_promises(chosen, n);
    complete(chosen, n, way);
}

void complete_task(struct task *task)
{
    if (task->active) {
        HOLDS(task->wait_from <= self->now, task->act);
        keep_promises(&task, 1);
        complete(&task, 1, 0);
    }
}

void complete_all(void)
{
    for (int i = 0; i < TASKS; i++)
        if (self->tasks[i].used)
            complete_task(&self->tasks[i]);
}

void complete_all_begun(void)
{
    for (int i = 0; i < TASKS; i++)
        if (self->tasks[i].used && self->tasks[i].wait_from <= self->now)
            complete_task(&self->tasks[i]);
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Messages, windows, files, operations between groups, and wrong calls. */
#include "medley_others.h"
#include "medley_task.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int query(void *extra, MPI_Status *status)
{
    struct task *task = extra;
    status->MPI_SOURCE = MPI_UNDEFINED;
    status->MPI_TAG = task->tag;
    MPI_Status_set_elements(status, MPI_INT, 1);
    return MPI_Status_set_cancelled(status, 0);
}

static int let_go(void *extra)
{
    (void)extra;
    return MPI_SUCCESS;
}

static int never(void *extra, int complete)
{
    (void)extra;
    (void)complete;
    return MPI_SUCCESS;
}

void act_message(struct dice *dice)
{
    struct team *team = pick_team(dice, true);
    if (!team)
        return;
    int from = roll(dice, team->n), to = roll(dice, team->n);
    if (team->inter) {
        from = roll(dice, team->first);
        to = team->first + roll(dice, team->n - team->first);
    }
    const enum kind kind = roll(dice, KINDS);
    const int length = draw_length(dice, IS_MPICH && padded(kind) ? 4000 / ELEMENT : 20000),
              tag = (int)(self->now % 30000), receives = roll(dice, RECEIVE_MODES);
    int sends = roll(dice, SEND_MODES);
    int later = roll(dice, 3) == 0 ? roll(dice, 6) : 0;
    if (from == to)
        sends = ISEND + roll(dice, 2);
    const bool blocking = sends == SEND_ || sends == SSEND, ready = sends == RSEND || sends == IRSEND;
    if (blocking || ready)
        later = 0;
    const bool any = roll(dice, 3) == 0;
    struct task *sender = NULL, *receiver = NULL;
    const uint64_t seed = mixed(self->seed, (uint64_t)self->now, 2, 2);
    const int into = team->inter ? to - team->first : to;
    if (team->me == from) {
        sender = new_task(SEND, self->now);
        sender->seed = seed;
        sender->wait_from = self->now + later;
        make_buffer(&sender->buffer, kind, LINED, 1, &length, self->plain ? 0 : -1, &self->own);
        fill(sender);
    }
    if (team->me == to) {
        receiver = new_task(RECEIVE, self->now);
        receiver->seed = seed;
        receiver->mode = ready ? IRECV : receives;
        receiver->begin_at = receiver->wait_from = self->now + later;
        receiver->peer = any ? MPI_ANY_SOURCE : from;
        receiver->source = from;
        receiver->tag = tag;
        receiver->comm = team->comm;
        make_buffer(&receiver->buffer, kind, LINED, 1, &length, self->plain ? 0 : -1, &self->own);
    }
    /* The communicator may not be freed before the message is received. */
    if (later)
        team->busy = self->now + later > team->busy ? self->now + later : team->busy;
    if (receiver && ready) {
        begin(receiver);
        MUST(MPI_Send(NULL, 0, MPI_BYTE, from, tag, team->comm));
    }
    if (sender) {
        const void *buffer = sender->buffer.given;
        const int count = sender->buffer.block[0].count;
        const MPI_Datatype type = sender->buffer.block[0].type;
        const MPI_Comm comm = team->comm;
        if (ready)
            MUST(MPI_Recv(NULL, 0, MPI_BYTE, into, tag, comm, MPI_STATUS_IGNORE));
        switch (sends) {
        case SEND_:
            MUST(MPI_Send(buffer, count, type, into, tag, comm));
            break;
        case SSEND:
            MUST(MPI_Ssend(buffer, count, type, into, tag, comm));
            break;
        case RSEND:
            MUST(MPI_Rsend(buffer, count, type, into, tag, comm));
            break;
        case BSEND:
            MUST(MPI_Bsend(buffer, count, type, into, tag, comm));
            break;
        case ISEND:
            MUST(MPI_Isend(buffer, count, type, into, tag, comm, &sender->request));
            break;
        case ISSEND:
            MUST(MPI_Issend(buffer, count, type, into, tag, comm, &sender->request));
            break;
        case IBSEND:
            MUST(MPI_Ibsend(buffer, count, type, into, tag, comm, &sender->request));
            break;
        case IRSEND:
            MUST(MPI_Irsend(buffer, count, type, into, tag, comm, &sender->request));
            break;
        default:
            MUST(MPI_Send_init(buffer, count, type, into, tag, comm, &sender->request));
            MUST(MPI_Start(&sender->request));
            break;
        }
        if (sender->request == MPI_REQUEST_NULL) {
            finished(sender, NULL);
        } else {
            sender->begun = sender->active = true;
            if (roll(&self->own, 2))
                free_types(&sender->buffer);
        }
    }
    if (receiver && !ready && later == 0)
        begin(receiver);
    self->done++;
}

void act_alone(struct dice *dice)
{
    struct team *team = pick_team(dice, false);
    switch (roll(&self->own, 5)) {
    case 0: { /* a receive that is cancelled */
        int value = 5, cancelled;
        MPI_Request request;
        MPI_Status status;
        MUST(MPI_Irecv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 32001, self->base, &request));
        MUST(MPI_Cancel(&request));
        MUST(MPI_Wait(&request, &status));
        MUST(MPI_Test_cancelled(&status, &cancelled));
        HOLDS(cancelled && value == 5, self->now);
        break;
    }
    case 1: { /* a message to nobody, and what is already over */
        MPI_Request requests[3] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};
        MPI_Status statuses[3];
        int index;
        MUST(MPI_Isend(NULL, 0, MPI_INT, MPI_PROC_NULL, 0, self->base, &requests[1]));
        MUST(MPI_Waitall(3, requests, statuses));
        MUST(MPI_Waitany(3, requests, &index, &statuses[0]));
        HOLDS(index == MPI_UNDEFINED, self->now);
        break;
    }
    case 2:
        MPI_Pcontrol(roll(&self->own, 3) > 0 || (IS_MPICH && self->persistent));
        break;
    default: {
        struct task *task = new_task(PROMISE, self->now);
        task->tag = roll(&self->own, 1000);
        MUST(MPI_Grequest_start(query, let_go, never, task, &task->request));
        task->active = true;
        break;
    }
    }
    (void)team;
}

void act_exchange(struct dice *dice)
{
    struct team *team = pick_team(dice, false);
    if (!team || team->me < 0)
        return;
    const int shift = roll(dice, team->n), to = (team->me + shift) % team->n,
              from = (team->me + team->n - shift) % team->n, tag = (int)(self->now % 30000);
    int length = draw_length(dice, 3000), given[3000], taken[3000];
    for (int i = 0; i < length; i++)
        given[i] = team->me * 10000 + i;
    if (roll(dice, 2))
        MUST(MPI_Sendrecv(given, length, MPI_INT, to, tag, taken, length, MPI_INT, from, tag, team->comm,
                          MPI_STATUS_IGNORE));
    else {
        memcpy(taken, given, (size_t)length * sizeof(int));
        MUST(MPI_Sendrecv_replace(taken, length, MPI_INT, to, tag, from, tag, team->comm, MPI_STATUS_IGNORE));
    }
    for (int i = 0; i < length; i++)
        HOLDS(taken[i] == from * 10000 + i, self->now);
    self->done++;
}

/* Collectives of two groups: what one gives, the other gets. */
void act_across(struct dice *dice)
{
    struct team *team = NULL;
    for (int i = 0; i < TEAMS; i++)
        if (self->teams[i].open && self->teams[i].inter && self->teams[i].busy < self->now)
            team = &self->teams[i];
    if (!team || team->me < 0)
        return;
    const int which = roll(dice, 7), length = draw_length(dice, 1000), second = team->n - team->first;
    const bool here = team->me < team->first; /* on the first side */
    const int mine = here ? team->me : team->me - team->first, others = here ? second : team->first,
              root = roll(dice, team->first);
    const int rooted = here ? mine == root ? MPI_ROOT : MPI_PROC_NULL : root;
    int *given = calloc((size_t)(length + 1) * MOST_RANKS, sizeof(int)),
        *taken = calloc((size_t)(length + 1) * MOST_RANKS, sizeof(int));
    for (int i = 0; i < length * others; i++)
        given[i] = team->me * 100 + i;
        /* An other's number among all. */
#define OTHER(r) (here ? team->first + (r) : (r))
    switch (which) {
    case 0:
        MUST(MPI_Barrier(team->comm));
        break;
    case 1:
        MUST(MPI_Bcast(given, length, MPI_INT, rooted, team->comm));
        for (int i = 0; !here && i < length; i++)
            HOLDS(given[i] == root * 100 + i, self->now);
        break;
    case 2:
        MUST(MPI_Allreduce(given, taken, length, MPI_INT, MPI_SUM, team->comm));
        for (int i = 0; i < length; i++) {
            int sum = 0;
            for (int r = 0; r < others; r++)
                sum += OTHER(r) * 100 + i;
            HOLDS(taken[i] == sum, self->now);
        }
        break;
    case 3:
        MUST(MPI_Allgather(given, length, MPI_INT, taken, length, MPI_INT, team->comm));
        for (int r = 0; r < others; r++)
            for (int i = 0; i < length; i++)
                HOLDS(taken[r * length + i] == OTHER(r) * 100 + i, self->now);
        break;
    case 4:
        MUST(MPI_Alltoall(given, length, MPI_INT, taken, length, MPI_INT, team->comm));
        for (int r = 0; r < others; r++)
            for (int i = 0; i < length; i++)
                HOLDS(taken[r * length + i] == OTHER(r) * 100 + mine * length + i, self->now);
        break;
    case 5:
        MUST(MPI_Gather(given, length, MPI_INT, taken, length, MPI_INT, rooted, team->comm));
        for (int r = 0; rooted == MPI_ROOT && r < others; r++)
            for (int i = 0; i < length; i++)
                HOLDS(taken[r * length + i] == OTHER(r) * 100 + i, self->now);
        break;
    default:
        MUST(MPI_Scatter(given, length, MPI_INT, taken, length, MPI_INT, rooted, team->comm));
        for (int i = 0; !here && i < length; i++)
            HOLDS(taken[i] == root * 100 + mine * length + i, self->now);
        break;
    }
    free(given);
    free(taken);
    self->done++;
}

/* One-sided: each rank writes its own place at each other. */
void act_window(struct dice *dice)
{
    struct team *team = pick_team(dice, false);
    if (!team || team->me < 0 || (!IS_MPICH && team->n == 1))
        return;
    enum { PLACES = 6 };
    const int n = team->n, me = team->me, epochs = roll(dice, 4), made = roll(dice, 3);
    int64_t *memory = NULL, given[PLACES], *fetched = calloc((size_t)n + 1, sizeof *fetched);
    const MPI_Aint bytes = (MPI_Aint)((size_t)n * PLACES * sizeof *memory);
    MPI_Win window;
    if (made == 0) {
        memory = calloc((size_t)n * PLACES, sizeof *memory);
        MUST(MPI_Win_create(memory, bytes, sizeof *memory, MPI_INFO_NULL, team->comm, &window));
    } else if (made == 1) {
        MUST(MPI_Win_allocate(bytes, sizeof *memory, MPI_INFO_NULL, team->comm, &memory, &window));
    } else {
        MUST(MPI_Win_allocate_shared(bytes, sizeof *memory, MPI_INFO_NULL, team->comm, &memory, &window));
    }
    MUST(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, me, 0, window));
    memset(memory, 0, (size_t)bytes);
    MUST(MPI_Win_unlock(me, window));
    MUST(MPI_Barrier(team->comm));
    for (int i = 0; i < PLACES; i++)
        given[i] = me * 1000 + i;
    MPI_Group group, all;
    switch (epochs) {
    case 0:
        MUST(MPI_Win_fence(0, window));
        break;
    case 1:
        MUST(MPI_Win_lock_all(0, window));
        break;
    case 2:
        MUST(MPI_Comm_group(team->comm, &all));
        MUST(MPI_Group_excl(all, 0, NULL, &group));
        MUST(MPI_Win_post(group, 0, window));
        MUST(MPI_Win_start(group, 0, window));
        MUST(MPI_Group_free(&all));
        MUST(MPI_Group_free(&group));
        break;
    default:
        break;
    }
    for (int step = 0; step < n; step++) {
        const int to = (me + step) % n;
        if (epochs == 3)
            MUST(MPI_Win_lock(MPI_LOCK_SHARED, to, 0, window));
        MUST(MPI_Put(given + 1, PLACES - 2, MPI_INT64_T, to, me * PLACES + 1, PLACES - 2, MPI_INT64_T,
                     window));
        MUST(MPI_Accumulate(given, 1, MPI_INT64_T, to, me * PLACES, 1, MPI_INT64_T, MPI_SUM, window));
        MUST(MPI_Fetch_and_op(&given[PLACES - 1], &fetched[to], MPI_INT64_T, to, me * PLACES + PLACES - 1,
                              MPI_REPLACE, window));
        if (epochs == 3)
            MUST(MPI_Win_unlock(to, window));
    }
    if (epochs == 0)
        MUST(MPI_Win_fence(0, window));
    else if (epochs == 1)
        MUST(MPI_Win_unlock_all(window));
    else if (epochs == 2) {
        MUST(MPI_Win_complete(window));
        MUST(MPI_Win_wait(window));
    }
    MUST(MPI_Barrier(team->comm));
    MUST(MPI_Win_lock(MPI_LOCK_SHARED, me, 0, window));
    for (int r = 0; r < n; r++) {
        HOLDS(fetched[r] == 0, self->now);
        for (int i = 0; i < PLACES; i++)
            HOLDS(memory[r * PLACES + i] == r * 1000 + i, self->now);
    }
    MUST(MPI_Win_unlock(me, window));
    MUST(MPI_Win_free(&window));
    if (made == 0)
        free(memory);
    free(fetched);
    self->done++;
}

void act_file(struct dice *dice)
{
    struct team *team = pick_team(dice, false);
    if (!team || team->me < 0 || (!IS_MPICH && team->descended))
        return;
    char name[300];
    const char *folder = getenv("TMPDIR");
    snprintf(name, sizeof name, "%s/medley-%lx-%d-%ld-%d", folder ? folder : "/tmp",
             (unsigned long)self->seed, self->thread, self->now, team->members[0]);
    int length = 1 + draw_length(dice, 500), values[501], n = team->n, me = team->me;
    const int way = roll(dice, 3);
    MPI_File file;
    MUST(MPI_File_open(team->comm, name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                       MPI_INFO_NULL, &file));
    for (int i = 0; i < length; i++)
        values[i] = me * 1000 + i;
    const MPI_Offset bytes = (MPI_Offset)((size_t)length * sizeof(int)), at = me * bytes,
                     then = (me + 1) % n * bytes;
    MPI_Request request = MPI_REQUEST_NULL;
    if (way == 0)
        MUST(MPI_File_write_at_all(file, at, values, length, MPI_INT, MPI_STATUS_IGNORE));
    else if (way == 1)
        MUST(MPI_File_iwrite_at(file, at, values, length, MPI_INT, &request));
    else
        MUST(MPI_File_iwrite_at_all(file, at, values, length, MPI_INT, &request));
    MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
    MUST(MPI_File_sync(file));
    MUST(MPI_Barrier(team->comm));
    MUST(MPI_File_sync(file));
    if (way == 0)
        MUST(MPI_File_read_at_all(file, then, values, length, MPI_INT, MPI_STATUS_IGNORE));
    else
        MUST(MPI_File_read_at(file, then, values, length, MPI_INT, MPI_STATUS_IGNORE));
    for (int i = 0; i < length; i++)
        HOLDS(values[i] == (me + 1) % n * 1000 + i, self->now);
    MUST(MPI_File_close(&file));
    self->done++;
}

/* Calls with wrong arguments on all ranks: an error of the class that the library says, and nothing else. */
void act_wrong(struct dice *dice)
{
    struct team *team = pick_team(dice, false);
    if (!team || team->me < 0 || !team->returns)
        return;
    int given[64] = {1}, taken[64] = {2}, result, class, expected;
    MPI_Request request = MPI_REQUEST_NULL;
    const MPI_Comm comm = team->comm;
    self->errors = 0;
    const int which = roll(dice, 16);
    if (IS_MPICH && (which == 1 || which == 12))
        return; /* crashes */
    if (self->traced)
        fprintf(stderr, "wrong call %d\n", which);
    switch (which) {
    case 0:
        result = MPI_Bcast(given, 1, MPI_INT, team->n, comm), expected = MPI_ERR_ROOT;
        break;
    case 1:
        result = MPI_Allreduce(given, taken, -1, MPI_INT, MPI_SUM, comm), expected = MPI_ERR_COUNT;
        break;
    case 2:
        result = MPI_Bcast(given, 1, MPI_DATATYPE_NULL, 0, comm), expected = MPI_ERR_TYPE;
        break;
    case 3:
        result = MPI_Allreduce(given, taken, 1, MPI_INT, MPI_OP_NULL, comm), expected = MPI_ERR_OP;
        break;
    case 4:
        result = MPI_Ireduce(given, taken, 1, MPI_INT, MPI_SUM, -7, comm, &request), expected = MPI_ERR_ROOT;
        break;
    case 5:
        result = MPI_Iallreduce(given, taken, 1, MPI_INT, MPI_OP_NULL, comm, &request), expected = MPI_ERR_OP;
        break;
    case 6:
        result = MPI_Ialltoall(given, -2, MPI_INT, taken, -2, MPI_INT, comm, &request),
        expected = MPI_ERR_COUNT;
        break;
    case 7:
        result = MPI_Ibcast(given, 1, MPI_DATATYPE_NULL, 0, comm, &request), expected = MPI_ERR_TYPE;
        break;
    case 8:
        result = MPI_Send(given, 1, MPI_INT, team->n + 3, 0, comm), expected = MPI_ERR_RANK;
        break;
    case 9:
        result = MPI_Allgather(given, 1, MPI_INT, taken, -1, MPI_INT, comm), expected = MPI_ERR_COUNT;
        break;
    case 10:
        result = MPI_Scan(given, taken, 1, MPI_INT, MPI_OP_NULL, comm), expected = MPI_ERR_OP;
        break;
    case 11:
        result = MPI_Gather(given, 1, MPI_INT, taken, 1, MPI_INT, team->n + 1, comm), expected = MPI_ERR_ROOT;
        break;
    case 12:
        result = MPI_Reduce_scatter_block(given, taken, -3, MPI_INT, MPI_SUM, comm), expected = MPI_ERR_COUNT;
        break;
    case 13:
        result = MPI_Igather(given, 1, MPI_INT, taken, 1, MPI_INT, team->n + 1, comm, &request),
        expected = MPI_ERR_ROOT;
        break;
    case 14:
        result = MPI_Send(given, 1, MPI_INT, 0, -5, comm), expected = MPI_ERR_TAG;
        break;
    default:
        result = MPI_Alltoall(given, 1, MPI_DATATYPE_NULL, taken, 1, MPI_INT, comm), expected = MPI_ERR_TYPE;
        break;
    }
    MPI_Error_class(result, &class);
    if (class != expected || self->errors != 1) {
        char text[100];
        snprintf(text, sizeof text, "call %d: class %d, not %d, handler called %d times", which, class,
                 expected, self->errors);
        fail("a wrong call", text, self->now);
    }
    self->done++;
}

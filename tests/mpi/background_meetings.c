/* SPDX-License-Identifier: BSD-3-Clause
 * Of the program `background`: a call may wait for what MPI lets it wait for, and for nothing else. */
#include "background.h"

#include <stdlib.h>

enum { LONG = 1 << 18, AHEAD = 10000, BURST = 200 };

/* Who has begun goes on to a send, who has not waits for the message first. */
void sends_behind(void)
{
    for (int which = 0; which < WORK_KINDS; which++)
        for (int root = 0; root < 2 && root < size; root++)
            for (int first = 0; first < 2 && first < size; first++) {
                struct work work;
                int word = 7;
                if (rank != first)
                    MPI_Recv(&word, 1, MPI_INT, first, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                begin(&work, which, MPI_COMM_WORLD, root, 3, (uint64_t)which);
                for (int r = 0; rank == first && r < size; r++)
                    if (r != first)
                        MPI_Ssend(&word, 1, MPI_INT, r, 1, MPI_COMM_WORLD);
                wait_and_check(&work, "Begin; Ssend; Wait against Recv; Begin; Wait");
            }
}

/* Rank 0 waits for a message before it waits for the operation, rank 1 sends it only when the operation is
 * complete there. */
void crosswise(void)
{
    for (int round = 0; round < 20; round++)
        for (int which = 0; which < WORK_KINDS; which++) {
            struct work work;
            int word = round, one = size > 1 ? 1 : 0, units = round % 4 == 3 ? 2000 * round : 1 + round;
            begin(&work, which, MPI_COMM_WORLD, round % size, units, (uint64_t)round);
            if (rank == 0 && size > 1)
                MPI_Recv(&word, 1, MPI_INT, one, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            wait_and_check(&work, "Begin; Recv; Wait against Begin; Wait; Send");
            if (rank == 1)
                MPI_Send(&word, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
        }
}

/* Functions that one rank, SITTER, sits in until the others are through with their operation: only then they,
 * or their first, do the other part. */
struct seat {
    MPI_Comm other;
    MPI_Win window;
    MPI_File file;
    int peer, sitter;
    bool sits;
    int *data, *more;
};

static bool is_peer(const struct seat *s)
{
    return rank == s->peer;
}

static void sit_in_recv(struct seat *s)
{
    if (s->sits)
        MPI_Recv(s->data, 1, MPI_INT, s->peer, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else if (is_peer(s))
        MPI_Send(s->data, 1, MPI_INT, s->sitter, 2, MPI_COMM_WORLD);
}

static void sit_in_long_send(struct seat *s)
{
    if (s->sits)
        MPI_Send(s->data, LONG, MPI_INT, s->peer, 2, MPI_COMM_WORLD);
    else if (is_peer(s))
        MPI_Recv(s->data, LONG, MPI_INT, s->sitter, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void sit_in_long_recv(struct seat *s)
{
    if (s->sits)
        MPI_Recv(s->data, LONG, MPI_INT, s->peer, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else if (is_peer(s))
        MPI_Send(s->data, LONG, MPI_INT, s->sitter, 2, MPI_COMM_WORLD);
}

static void sit_in_ssend(struct seat *s)
{
    if (s->sits)
        MPI_Ssend(s->data, 1, MPI_INT, s->peer, 2, MPI_COMM_WORLD);
    else if (is_peer(s))
        MPI_Recv(s->data, 1, MPI_INT, s->sitter, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void sit_in_probe(struct seat *s)
{
    if (s->sits)
        MPI_Probe(s->peer, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    sit_in_recv(s);
}

static void sit_in_mprobe(struct seat *s)
{
    MPI_Message message;
    if (s->sits) {
        MPI_Mprobe(MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
        MPI_Mrecv(s->data, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
    } else {
        sit_in_recv(s);
    }
}

static void sit_in_iprobe(struct seat *s)
{
    for (int there = 0; s->sits && !there;)
        MPI_Iprobe(s->peer, 2, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
    sit_in_recv(s);
}

static void sit_in_sendrecv(struct seat *s)
{
    if (s->sits || is_peer(s)) {
        int to = s->sits ? s->peer : s->sitter;
        MPI_Sendrecv(s->data, 9, MPI_INT, to, 2, s->more, 9, MPI_INT, to, 2, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
    }
}

static void sit_in_waits(struct seat *s)
{
    MPI_Request requests[2];
    if (!s->sits && !is_peer(s))
        return;
    for (int way = 0; way < 4; way++) {
        int to = s->sits ? s->peer : s->sitter, index, count = 0, indices[2], left = 2;
        MPI_Irecv(s->more, LONG, MPI_INT, to, 2, MPI_COMM_WORLD, &requests[0]);
        MPI_Isend(s->data, LONG, MPI_INT, to, 2, MPI_COMM_WORLD, &requests[1]);
        for (int i = 0; way == 1 && i < 2; i++)
            MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE);
        for (; way == 2 && left > 0; left -= count)
            MPI_Waitsome(2, requests, &count, indices, MPI_STATUSES_IGNORE);
        for (int done = 0; way == 3 && !done;)
            MPI_Testall(2, requests, &done, MPI_STATUSES_IGNORE);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    }
}

static void sit_in_barrier(struct seat *s)
{
    MPI_Barrier(s->other);
}

static void sit_in_allreduce(struct seat *s)
{
    int sum;
    MPI_Allreduce(&size, &sum, 1, MPI_INT, MPI_SUM, s->other);
    expect(sum == size * size, "the allreduce that one sits in", -1);
}

static void sit_in_bcast(struct seat *s)
{
    MPI_Bcast(s->data, 1, MPI_INT, s->peer, s->other);
}

static void sit_in_gather(struct seat *s)
{
    int all[WORK_RANKS];
    MPI_Gather(&rank, 1, MPI_INT, all, 1, MPI_INT, s->sitter, s->other);
}

static void sit_in_dup(struct seat *s)
{
    MPI_Comm comm;
    MPI_Comm_dup(s->other, &comm);
    MPI_Comm_free(&comm);
}

static void sit_in_split(struct seat *s)
{
    MPI_Comm comm;
    MPI_Comm_split(s->other, rank % 2, rank, &comm);
    MPI_Comm_free(&comm);
}

static void sit_in_same_dup(struct seat *s)
{
    (void)s;
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_free(&comm);
}

static void sit_in_same_barrier(struct seat *s)
{
    (void)s;
    MPI_Barrier(MPI_COMM_WORLD);
}

static void sit_in_fence(struct seat *s)
{
    MPI_Win_fence(0, s->window);
    if (is_peer(s))
        MPI_Put(&rank, 1, MPI_INT, s->sitter, 0, 1, MPI_INT, s->window);
    MPI_Win_fence(0, s->window);
}

static void sit_in_window(struct seat *s)
{
    (void)s;
    MPI_Win window;
    MPI_Win_create(s->data, 64, 4, MPI_INFO_NULL, s->other, &window);
    MPI_Win_free(&window);
}

static void sit_in_file(struct seat *s)
{
    MPI_File_write_at_all(s->file, (MPI_Offset)rank * 40, s->data, 10, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_sync(s->file);
    MPI_File_read_at_all(s->file, (MPI_Offset)rank * 40, s->more, 10, MPI_INT, MPI_STATUS_IGNORE);
}

static void (*const seats[])(struct seat *) = {
    sit_in_recv,      sit_in_long_send,    sit_in_long_recv, sit_in_ssend,  sit_in_probe,
    sit_in_mprobe,    sit_in_iprobe,       sit_in_sendrecv,  sit_in_waits,  sit_in_barrier,
    sit_in_allreduce, sit_in_bcast,        sit_in_gather,    sit_in_dup,    sit_in_split,
    sit_in_same_dup,  sit_in_same_barrier, sit_in_fence,     sit_in_window, sit_in_file};

/* The others are through, sometimes with several operations, before they move. */
static void sit(struct seat *s, int seat, int which)
{
    struct work work[3];
    int count = 1 + (which + seat) % 3;
    s->sits = rank == s->sitter;
    for (int i = 0; i < count; i++)
        begin(&work[i], i == 0 ? which : (which + i) % WORK_SHORT_KINDS, MPI_COMM_WORLD, i % size, 3 + 40 * i,
              (uint64_t)seat);
    for (int i = 0; !s->sits && i < count; i++)
        wait_and_check(&work[i], "beside a rank that sits elsewhere");
    /* Those who wait for nobody may be through at once: the last of them moves a little later. */
    if (!s->sits && seat % 4 == 0)
        nap(1);
    seats[seat](s);
    for (int i = 0; s->sits && i < count; i++)
        wait_and_check(&work[i], "of a rank that sits elsewhere");
}

void sits(void)
{
    if (size == 1)
        return;
    struct seat s = {.data = calloc(LONG, sizeof(int)), .more = calloc(LONG, sizeof(int))};
    const char *name = getenv("BACKGROUND_FILE");
    MPI_Comm_dup(MPI_COMM_WORLD, &s.other);
    MPI_Win_create(s.more, 64, sizeof(int), MPI_INFO_NULL, s.other, &s.window);
    MPI_File_open(MPI_COMM_WORLD, name ? name : "background.data",
                  MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &s.file);
    for (int turn = 0; turn < 2; turn++)
        for (int seat = 0; seat < (int)(sizeof seats / sizeof *seats); seat++)
            for (int which = 0; which < WORK_KINDS; which++) {
                s.sitter = turn == 0 ? 0 : size - 1;
                s.peer = (s.sitter + 1) % size;
                sit(&s, seat, which);
            }
    MPI_File_close(&s.file);
    MPI_Win_free(&s.window);
    MPI_Comm_free(&s.other);
    free(s.data);
    free(s.more);
}

/* Natively, a root 0 of a short broadcast or scatter waits for nobody, nor does rank 1, a leaf in trees of
 * all kinds, where it gathers or reduces one number to there: programs that MPI calls wrong rely on it. Of as
 * many numbers as ranks, Open MPI reduces parts. */
void overtakes(void)
{
    static const enum work_kind kinds_of[] = {WORK_BCAST, WORK_SCATTER, WORK_REDUCE, WORK_GATHER};
    for (int round = 0; size > 1 && round < 80; round++) {
        int first = round % 4 < 2 ? 0 : 1, word = round;
        struct work work;
        if (rank != first)
            MPI_Recv(&word, 1, MPI_INT, first, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 0; i < (round / 4 % 5 == 0 ? BURST : 1); i++) {
            begin(&work, (int)kinds_of[round % 4], MPI_COMM_WORLD, 0, 1, (uint64_t)(round + i));
            wait_and_check(&work, "a root or leaf that waits for nobody");
        }
        for (int r = 0; rank == first && r < size; r++)
            if (r != first)
                MPI_Send(&word, 1, MPI_INT, r, 3, MPI_COMM_WORLD);
    }
}

/* One rank is through with thousands before the others begin; or begins them all, and waits then. */
void runs_ahead(void)
{
    static const enum work_kind kinds_of[] = {WORK_BCAST, WORK_REDUCE};
    struct work *work = malloc(AHEAD * sizeof *work);
    for (int i = 0; i < 2; i++)
        for (int all = 0; all < 2; all++) {
            int first = i == 0 || size == 1 ? 0 : 1, count = all ? 1000 : AHEAD;
            MPI_Barrier(MPI_COMM_WORLD);
            if (rank != first)
                nap(60);
            for (int call = 0; call < count; call++) {
                begin(&work[call], (int)kinds_of[i], MPI_COMM_WORLD, 0, 1, (uint64_t)call);
                if (!all)
                    wait_and_check(&work[call], "of a rank far ahead");
            }
            for (int call = 0; all && call < count; call++)
                wait_and_check(&work[call], "of a rank far ahead, all at once");
        }
    free(work);
}

/* No operation whose result hangs on all ranks is complete before all have begun it. */
void early(void)
{
    static const enum work_kind kinds_of[] = {WORK_BARRIER,  WORK_ALLREDUCE, WORK_ALLGATHER,
                                              WORK_ALLTOALL, WORK_REDUCE,    WORK_BCAST};
    for (int round = 0; size > 1 && round < 60; round++) {
        enum work_kind which = kinds_of[round % 6];
        /* The reduction's root waits for all, all others for the root of the broadcast. */
        int late = which == WORK_REDUCE ? size - 1 : which == WORK_BCAST ? 0 : round / 6 % size;
        bool waits = which == WORK_REDUCE ? rank == 0 : rank != late;
        struct work work;
        int done = 0;
        if (rank != late) {
            begin(&work, (int)which, MPI_COMM_WORLD, 0, 4, (uint64_t)round);
            for (int i = 0; waits && i < 50; i++) {
                MPI_Test(&work.request, &done, MPI_STATUS_IGNORE);
                expect(!done, "complete before all have begun it", (int)which);
            }
        }
        /* It begins when the others have seen that. */
        for (int r = 0; rank == late && r < size; r++)
            if (r != late)
                MPI_Recv(&done, 1, MPI_INT, r, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (rank != late)
            MPI_Send(&done, 1, MPI_INT, late, 4, MPI_COMM_WORLD);
        else
            begin(&work, (int)which, MPI_COMM_WORLD, 0, 4, (uint64_t)round);
        wait_and_check(&work, "after one was late");
    }
}

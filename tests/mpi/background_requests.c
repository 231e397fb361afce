/* SPDX-License-Identifier: BSD-3-Clause
 * Of the program `background`: requests of nonblocking collectives are requests like others, for all
 * functions that complete requests or look at them, and in any number. */
#include "background.h"

#include <stdlib.h>
#include <string.h>

enum { MANY = 2000 };

enum way { REVERSE, WAITALL, WAITSOME, TESTSOME, TESTANY, WAITANY, TESTALL, TEST, WAYS };

/* Completes all of COUNT requests. */
static void complete(enum way way, MPI_Request *requests, int count)
{
    int *indices = malloc((size_t)count * sizeof *indices);
    MPI_Status *statuses = malloc((size_t)count * sizeof *statuses);
    int done = 0, some, index, flag = 0;
    for (int i = count - 1; way == REVERSE && i >= 0; i--)
        MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
    if (way == WAITALL)
        MPI_Waitall(count, requests, rank % 2 ? statuses : MPI_STATUSES_IGNORE);
    for (int i = 0; way == TEST && i < count; i += flag)
        MPI_Test(&requests[i], &flag, &statuses[0]);
    for (; way == TESTALL && !flag;)
        MPI_Testall(count, requests, &flag, statuses);
    for (int i = 0; way == WAITANY && i < count; i++)
        MPI_Waitany(count, requests, &index, &statuses[0]);
    while (way == TESTANY && done < count) {
        MPI_Testany(count, requests, &index, &flag, &statuses[0]);
        done += flag && index != MPI_UNDEFINED;
        expect(!flag || index != MPI_UNDEFINED || done == count, "Testany: nothing is left too early", -1);
        if (flag && index == MPI_UNDEFINED)
            break;
    }
    while ((way == WAITSOME || way == TESTSOME) && done < count) {
        if (way == WAITSOME)
            MPI_Waitsome(count, requests, &some, indices, statuses);
        else
            MPI_Testsome(count, requests, &some, indices, statuses);
        if (some == MPI_UNDEFINED)
            break;
        done += some;
    }
    expect((way != WAITSOME && way != TESTSOME) || done == count, "Waitsome or Testsome: too few", -1);
    free(indices);
    free(statuses);
}

/* Thousands at a time on one communicator. */
void many(void)
{
    struct work *work = malloc(MANY * sizeof *work);
    MPI_Request *requests = malloc(MANY * sizeof(MPI_Request));
    for (int way = 0; way < WAYS; way++)
        for (int alike = 0; alike < 2; alike++) {
            int count = way == WAITANY || way == TESTANY ? MANY / 4 : MANY;
            for (int i = 0; i < count; i++) {
                int which = alike ? way % WORK_SHORT_KINDS : i % WORK_SHORT_KINDS;
                begin(&work[i], which, MPI_COMM_WORLD, i / 4 % size, 1 + i % 9, (uint64_t)i);
                requests[i] = work[i].request;
            }
            complete((enum way)way, requests, count);
            for (int i = 0; i < count; i++) {
                work[i].request = requests[i];
                check(&work[i], "one of many");
            }
        }
    free(work);
    free(requests);
}

/* The program's own generalised requests. */
static int freed_own;

static int query_own(void *extra, MPI_Status *status)
{
    MPI_Status_set_elements(status, MPI_INT, *(int *)extra);
    MPI_Status_set_cancelled(status, 0);
    status->MPI_SOURCE = 3;
    status->MPI_TAG = 17;
    return MPI_SUCCESS;
}

static int free_own(void *extra)
{
    (void)extra;
    freed_own++;
    return MPI_SUCCESS;
}

static int cancel_own(void *extra, int complete)
{
    (void)extra, (void)complete;
    return MPI_SUCCESS;
}

/* Of one Waitall: collectives, messages, persistent requests under way and inactive, null ones, and the
 * program's own. */
enum {
    BARRIER_AT,
    BCAST_AT,
    NULL_AT,
    SEND_AT,
    RECV_AT,
    ALLREDUCE_AT,
    IDLE_AT,
    STARTED_AT,
    RECEIVING_AT,
    OWN_AT,
    REDUCE_AT,
    GATHERED_AT,
    ALL_AT
};

/* Waitany and the like stop at active ones alone, and leave out null and inactive ones. */
enum { ACTIVE = ALL_AT - 2 };

/* Requests of all kinds, which are under way together. */
enum { COLLECTIVES = 5 };
static const int which_at[COLLECTIVES][2] = {{WORK_BARRIER, BARRIER_AT},
                                             {WORK_BCAST, BCAST_AT},
                                             {WORK_ALLREDUCE, ALLREDUCE_AT},
                                             {WORK_REDUCE, REDUCE_AT},
                                             {WORK_ALLGATHER, GATHERED_AT}};
struct company {
    int round, next, last; /* neighbors in a ring */
    struct work work[COLLECTIVES];
    MPI_Request requests[ALL_AT], started, receiving, idle;
    int out[2], in[2], elements; /* of the program's own request */
};

static void open_company(struct company *all, int round)
{
    *all = (struct company){.round = round,
                            .next = (rank + 1) % size,
                            .last = (rank + size - 1) % size,
                            .out = {rank + round, rank - round},
                            .in = {-1, -1},
                            .elements = 5};
    MPI_Request *requests = all->requests;
    for (int i = 0; i < COLLECTIVES; i++) {
        begin(&all->work[i], which_at[i][0], MPI_COMM_WORLD, round % size, 1 + round, (uint64_t)(round + i));
        requests[which_at[i][1]] = all->work[i].request;
    }
    MPI_Send_init(&all->out[1], 1, MPI_INT, all->next, 6, MPI_COMM_WORLD, &all->started);
    MPI_Recv_init(&all->in[1], 1, MPI_INT, all->last, 6, MPI_COMM_WORLD, &all->receiving);
    MPI_Recv_init(&all->in[1], 1, MPI_INT, all->last, 8, MPI_COMM_WORLD, &all->idle);
    MPI_Grequest_start(query_own, free_own, cancel_own, &all->elements, &requests[OWN_AT]);
    MPI_Irecv(&all->in[0], 1, MPI_INT, all->last, 5, MPI_COMM_WORLD, &requests[RECV_AT]);
    MPI_Isend(&all->out[0], 1, MPI_INT, all->next, 5, MPI_COMM_WORLD, &requests[SEND_AT]);
    MPI_Start(&all->started);
    MPI_Start(&all->receiving);
    freed_own = 0;
    MPI_Grequest_complete(requests[OWN_AT]);
    requests[NULL_AT] = MPI_REQUEST_NULL;
    requests[IDLE_AT] = all->idle;
    requests[STARTED_AT] = all->started;
    requests[RECEIVING_AT] = all->receiving;
}

/* By WAITALL or TESTALL. */
static void end_together(struct company *all, enum way way)
{
    MPI_Status status[ALL_AT];
    int done = 0, count = 0;
    while (way == TESTALL && !done)
        MPI_Testall(ALL_AT, all->requests, &done, status);
    if (way == WAITALL)
        MPI_Waitall(ALL_AT, all->requests, status);
    MPI_Get_elements(&status[OWN_AT], MPI_INT, &count);
    expect(count == all->elements && status[OWN_AT].MPI_TAG == 17, "the status of a generalised request", -1);
    MPI_Get_count(&status[RECV_AT], MPI_INT, &count);
    expect(count == 1 && status[RECV_AT].MPI_SOURCE == all->last && status[RECV_AT].MPI_TAG == 5,
           "the status of a message", -1);
    MPI_Get_count(&status[RECEIVING_AT], MPI_INT, &count);
    expect(count == 1 && status[RECEIVING_AT].MPI_TAG == 6, "the status of a persistent request", -1);
    expect(status[NULL_AT].MPI_SOURCE == MPI_ANY_SOURCE && status[NULL_AT].MPI_TAG == MPI_ANY_TAG,
           "the status of a null request", -1);
}

/* Few at a time, as WAY is. */
static void end_by_parts(MPI_Request *requests, enum way way)
{
    int indices[ALL_AT], left = ACTIVE, some = 0, flag = 0, index = 0;
    while (left > 0) {
        if (way == WAITANY)
            MPI_Waitany(ALL_AT, requests, &index, MPI_STATUS_IGNORE);
        else if (way == TESTANY)
            MPI_Testany(ALL_AT, requests, &index, &flag, MPI_STATUS_IGNORE);
        else if (way == WAITSOME)
            MPI_Waitsome(ALL_AT, requests, &some, indices, MPI_STATUSES_IGNORE);
        else
            MPI_Testsome(ALL_AT, requests, &some, indices, MPI_STATUSES_IGNORE);
        bool none = way == WAITANY || (way == TESTANY && flag) ? index == MPI_UNDEFINED : some < 0;
        expect(!none, "none is active too early", -1);
        if (none)
            break;
        left -= way == WAITANY ? 1 : way == TESTANY ? flag : some;
    }
    MPI_Waitany(ALL_AT, requests, &index, MPI_STATUS_IGNORE);
    expect(index == MPI_UNDEFINED, "Waitany finds none that is active", -1);
}

static void close_company(struct company *all)
{
    const MPI_Request *requests = all->requests;
    expect(freed_own == 1, "a generalised request is freed once", -1);
    expect(all->in[0] == all->last + all->round && all->in[1] == all->last - all->round,
           "messages beside collectives", -1);
    expect(requests[STARTED_AT] == all->started && requests[IDLE_AT] == all->idle, "persistent requests stay",
           -1);
    expect(requests[OWN_AT] == MPI_REQUEST_NULL && requests[SEND_AT] == MPI_REQUEST_NULL, "others are null",
           -1);
    for (int i = 0; i < COLLECTIVES; i++) {
        all->work[i].request = requests[which_at[i][1]];
        check(&all->work[i], "beside requests of other kinds");
    }
    MPI_Request_free(&all->started);
    MPI_Request_free(&all->receiving);
    MPI_Request_free(&all->idle);
}

void among_others(void)
{
    static struct company all;
    for (int round = 0; round < 5 * WAYS; round++) {
        enum way way = (enum way)(round % WAYS);
        open_company(&all, round);
        if (way == WAITALL || way == TESTALL)
            end_together(&all, way);
        else if (way == REVERSE || way == TEST)
            complete(way, all.requests, ALL_AT);
        else
            end_by_parts(all.requests, way);
        close_company(&all);
    }
}

/* MPI_Request_get_status sees the end, and leaves the request; and it alone, or MPI_Test, gets there. */
void asked(void)
{
    for (int round = 0; round < 10; round++)
        for (int which = 0; which < WORK_KINDS; which++) {
            struct work work;
            MPI_Status status;
            int done = 0, again = 0;
            begin(&work, which, MPI_COMM_WORLD, round % size, 1 + round, (uint64_t)round);
            MPI_Request before = work.request;
            if (round % 2 == 0) {
                while (!done)
                    MPI_Request_get_status(work.request, &done, round % 4 ? &status : MPI_STATUS_IGNORE);
                MPI_Request_get_status(work.request, &again, MPI_STATUS_IGNORE);
                expect(again && work.request == before && before != MPI_REQUEST_NULL,
                       "Request_get_status: still there, and complete", which);
                MPI_Test(&work.request, &again, &status);
                expect(again, "Test after Request_get_status", which);
            } else {
                while (!done)
                    MPI_Test(&work.request, &done, &status);
            }
            check(&work, "after Test alone");
            /* A null request is complete, and has an empty status. */
            MPI_Wait(&work.request, &status);
            expect(status.MPI_SOURCE == MPI_ANY_SOURCE && status.MPI_TAG == MPI_ANY_TAG, "an empty status",
                   which);
        }
}

/* What a status says of one: it was not cancelled, and nothing has gone wrong. */
void statuses(void)
{
    for (int round = 0; round < 8; round++)
        for (int which = 0; which < WORK_KINDS; which++) {
            struct work work[2];
            MPI_Request requests[2];
            MPI_Status status[2];
            int cancelled = 1;
            for (int i = 0; i < 2; i++) {
                begin(&work[i], which, MPI_COMM_WORLD, round % size, 1 + round, (uint64_t)(round + i));
                requests[i] = work[i].request;
                memset(&status[i], 0x11, sizeof status[i]);
            }
            if (round % 2 == 0) {
                expect(MPI_Wait(&requests[0], &status[0]) == MPI_SUCCESS, "Wait", which);
                expect(MPI_Wait(&requests[1], &status[1]) == MPI_SUCCESS, "Wait", which);
                expect(status[0].MPI_ERROR == 0x11111111, "Wait leaves MPI_ERROR alone", which);
            } else {
                expect(MPI_Waitall(2, requests, status) == MPI_SUCCESS, "Waitall", which);
            }
            for (int i = 0; i < 2; i++) {
                MPI_Test_cancelled(&status[i], &cancelled);
                expect(!cancelled, "a collective is not cancelled", which);
                work[i].request = requests[i];
                check(&work[i], "with its status");
            }
        }
}

/* Persistent ones. */

enum { LASTING = WORK_KINDS };
static struct work lasting[LASTING];

/* One of each kind. Their types are freed at once. */
static void make_lasting(MPI_Comm comm)
{
    for (int i = 0; i < LASTING; i++) {
        struct work_call call = {.which = (enum work_kind)i,
                                 .persistent = true,
                                 .frees = true,
                                 .comm = comm,
                                 .root = i % size,
                                 .units = 1 + i % 5,
                                 .seed = 1};
        work_begin(&lasting[i], &call);
        expect(lasting[i].error == MPI_SUCCESS, "a persistent request is made", i);
    }
}

static void start_lasting(int round, bool together)
{
    MPI_Request requests[LASTING];
    for (int i = 0; i < LASTING; i++) {
        work_fill(&lasting[i], (uint64_t)round);
        requests[i] = lasting[i].request;
    }
    if (together)
        MPI_Startall(LASTING, requests);
    for (int i = 0; i < LASTING && !together; i++) /* each rank in an order of its own */
        MPI_Start(&requests[(i * 7 + rank * 3 + round) % LASTING]);
    for (int i = 0; i < LASTING; i++)
        expect(requests[i] == lasting[i].request, "a start keeps the handle", i);
}

static void end_lasting(int round)
{
    MPI_Request requests[LASTING];
    int flag = 0, index;
    for (int i = 0; i < LASTING; i++)
        requests[i] = lasting[i].request;
    if (round % 3 == 0)
        MPI_Waitall(LASTING, requests, MPI_STATUSES_IGNORE);
    for (int i = 0; i < LASTING && round % 3 == 1; i++)
        MPI_Waitany(LASTING, requests, &index, MPI_STATUS_IGNORE);
    while (!flag && round % 3 == 2)
        MPI_Testall(LASTING, requests, &flag, MPI_STATUSES_IGNORE);
    for (int i = 0; i < LASTING; i++) {
        expect(work_check(&lasting[i]) == 0, "what a persistent request brings", i);
        expect(requests[i] == lasting[i].request, "completing keeps the handle", i);
    }
}

/* All are inactive. */
static void look_at_inactive(void)
{
    MPI_Request requests[LASTING];
    int flag = 0, index = 0, indices[LASTING];
    for (int i = 0; i < LASTING; i++)
        requests[i] = lasting[i].request;
    MPI_Waitall(LASTING, requests, MPI_STATUSES_IGNORE);
    MPI_Waitany(LASTING, requests, &index, MPI_STATUS_IGNORE);
    expect(index == MPI_UNDEFINED, "MPI_Waitany of inactive requests", index);
    MPI_Waitsome(LASTING, requests, &index, indices, MPI_STATUSES_IGNORE);
    expect(index == MPI_UNDEFINED, "MPI_Waitsome of inactive requests", index);
    MPI_Request_get_status(requests[0], &flag, MPI_STATUS_IGNORE);
    expect(flag, "MPI_Request_get_status of an inactive request", 0);
}

/* Starts that others come to later, while this rank waits for something else. */
static void start_crosswise(int round)
{
    int word = round, flag;
    start_lasting(round, round % 2 == 0);
    MPI_Request_get_status(lasting[WORK_BARRIER].request, &flag, MPI_STATUS_IGNORE);
    if (rank == 0 && size > 1)
        MPI_Recv(&word, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    end_lasting(round);
    if (rank == 1)
        MPI_Send(&word, 1, MPI_INT, 0, 3, MPI_COMM_WORLD);
}

void again(void)
{
    MPI_Comm comm;
    int threads;
    MPI_Query_thread(&threads);
    /* One rank is served by the MPI library, which has faults; so are threads under MPICH. */
    if (!work_can_persist() || size == 1 || threads == MPI_THREAD_MULTIPLE)
        return;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    make_lasting(comm);
    MPI_Comm_free(&comm); /* it goes on */
    look_at_inactive();
    for (int round = 0; round < 200; round++)
        start_crosswise(round);
    look_at_inactive();
    for (int i = 0; i < LASTING; i++)
        expect(work_free(&lasting[i]) == 0, "a persistent request is freed", i);
}

#if MPI_VERSION >= 4
enum { ONE_WAY = 5, RANKS_MOST = 64 };
static int given[RANKS_MOST], got[RANKS_MOST];

/* Rank 0 needs nothing of the others in any of them. */
static void make_one_way(int which, MPI_Request *request)
{
    MPI_Comm comm = MPI_COMM_WORLD;
    int last = size - 1;
    for (int r = 0; r < size; r++)
        given[r] = which == 1 ? 10 + r : rank + 1;
    got[0] = rank == 0 ? 7 : 0;
    if (which == 0)
        MPI_Bcast_init(got, 1, MPI_INT, 0, comm, MPI_INFO_NULL, request);
    else if (which == 1)
        MPI_Scatter_init(given, 1, MPI_INT, got, 1, MPI_INT, 0, comm, MPI_INFO_NULL, request);
    else if (which == 2)
        MPI_Scan_init(given, got, 1, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, request);
    else if (which == 3)
        MPI_Reduce_init(given, got, 1, MPI_INT, MPI_SUM, last, comm, MPI_INFO_NULL, request);
    else
        MPI_Gather_init(given, 1, MPI_INT, got, 1, MPI_INT, last, comm, MPI_INFO_NULL, request);
}

static void look_at_one_way(int which)
{
    int to_here = (rank + 1) * (rank + 2) / 2;
    if (which < 3)
        expect(got[0] == (which == 0   ? 7
                          : which == 1 ? 10 + rank
                                       : to_here),
               "a start that rank 0 left", which);
    else if (rank == size - 1)
        expect(which == 3 ? got[0] == to_here : got[0] == 1 && got[rank] == rank + 1, "a start of a root",
               which);
}

static bool can_go_one_way(void)
{
    int threads;
    MPI_Query_thread(&threads);
    return work_can_persist() && size > 1 && size <= RANKS_MOST && threads != MPI_THREAD_MULTIPLE;
}

/* What is given differs from start to start: what goes another way shows. */
static void start_one_way(int which, int start, MPI_Request *request)
{
    int last = size - 1, to_here = (rank + 1) * (rank + 2) / 2;
    for (int r = 0; r < size; r++)
        given[r] = which == 1 ? 10 + r + start : rank + 1 + start;
    got[0] = rank == 0 ? 7 + start : 0;
    MPI_Start(request);
    MPI_Wait(request, MPI_STATUS_IGNORE);
    if (which == 0)
        expect(got[0] == 7 + start, "a broadcast of many", start);
    else if (which == 1)
        expect(got[0] == 10 + rank + start, "a scatter of many", start);
    else if (which == 2 || (which == 3 && rank == last))
        expect(got[0] == to_here + (rank + 1) * start, "a sum of many", start);
    for (int r = 0; which == 4 && rank == last && r < size; r++)
        expect(got[r] == r + 1 + start, "a gather of many", start);
}

/* Rank 0 may be farther ahead than there is room for. */
void again_far(void)
{
    enum { STARTS = 300 };
    MPI_Request request;
    if (!can_go_one_way())
        return;
    for (int which = 0; which < ONE_WAY; which++) {
        make_one_way(which, &request);
        if (rank > 0)
            nap(50);
        for (int i = 0; i < STARTS; i++)
            start_one_way(which, i, &request);
        MPI_Request_free(&request);
    }
}

/* It ends its starts, and sends what the others wait for before they come. */
void again_alone(void)
{
    enum { STARTS = 3 };
    int word = 1;
    MPI_Request request;
    if (!can_go_one_way())
        return;
    for (int which = 0; which < ONE_WAY; which++) {
        make_one_way(which, &request);
        if (rank > 0)
            MPI_Recv(&word, 1, MPI_INT, 0, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 0; i < STARTS; i++) {
            MPI_Start(&request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        }
        for (int r = 1; rank == 0 && r < size; r++)
            MPI_Send(&word, 1, MPI_INT, r, 4, MPI_COMM_WORLD);
        look_at_one_way(which);
        MPI_Request_free(&request);
    }
}
#else
void again_alone(void)
{
}
void again_far(void)
{
}
#endif

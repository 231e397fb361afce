/* SPDX-License-Identifier: BSD-3-Clause
 * Calls drawn at random: mixture SEED CALLS [threads|persistent|repeated]. All ranks draw the same collective
 * operations, nonblocking and blocking, on several communicators, and messages between; each rank for itself
 * when it completes which of its requests, and by which function. Every result is compared with a calculation
 * of its own. THREADS: with MPI_THREAD_MULTIPLE. PERSISTENT: with persistent collectives, which each rank
 * starts in an order of its own. REPEATED: of few sizes, long ones too, which come again and again. */
#include "work.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST = 24, COMMS = 6, LASTING = 12 };

/* A request under way: a collective's, or a message's. */
struct slot {
    bool used, is_message;
    bool lasts; /* a persistent one: USED while it is active */
    MPI_Request handle;
    struct work work;
    int numbers[2]; /* of a message: what is sent, and what comes */
    int right;
    long call;
};

static struct slot slots[MOST], lasting[LASTING];
static int rank, size, used;
static long wrong;
static bool persists, repeats;
static uint64_t shared_state, own_state;
static MPI_Comm comms[COMMS];

static uint64_t draw_from(uint64_t *state, uint64_t below)
{
    return work_mix(++*state, 99) % below;
}

/* All ranks draw the same. */
static uint64_t draw(uint64_t below)
{
    return draw_from(&shared_state, below);
}

static uint64_t draw_own(uint64_t below)
{
    return draw_from(&own_state, below);
}

static void open_comms(void)
{
    comms[0] = MPI_COMM_WORLD;
    MPI_Comm_dup(MPI_COMM_WORLD, &comms[1]);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &comms[2]);
    MPI_Comm_split(MPI_COMM_WORLD, rank < (size + 1) / 2, -rank, &comms[3]);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &comms[4]);
    MPI_Comm_split(MPI_COMM_WORLD, rank, 0, &comms[5]);
}

static void close_comms(void)
{
    for (int i = 1; i < COMMS; i++)
        MPI_Comm_free(&comms[i]);
}

static void idle(void)
{
    struct timespec delay = {.tv_nsec = (long)draw_own(300000)};
    if (draw_own(100) == 0)
        nanosleep(&delay, NULL);
}

static void tell(long call, const struct work *work, int bytes)
{
    if (wrong++ >= 10)
        return;
    const struct work_call *c = &work->call;
    fprintf(stderr,
            "FAILED: rank %d of %d, call %ld: %s%s on %d ranks, root %d, %d units of %s%s: %d wrong\n", rank,
            size, call, c->blocking ? "" : "i", work_name[c->which], work->ranks, c->root, c->units,
            work_reduces(c->which) ? (c->reduction ? c->reduction->name : "sum")
                                   : (c->kind ? c->kind->name : "ints"),
            c->in_place ? ", in place" : "", bytes);
}

static struct slot *free_slot(void)
{
    int i = 0;
    while (slots[i].used)
        i++;
    slots[i].used = true;
    slots[i].lasts = false;
    used++;
    return &slots[i];
}

static MPI_Request *request_of(struct slot *slot)
{
    return &slot->work.request;
}

/* The request of SLOT is complete. */
static void finish(struct slot *slot)
{
    if (!slot->used)
        return; /* it was inactive */
    slot->used = false;
    used--;
    if (slot->is_message) {
        wrong += slot->numbers[1] != slot->right;
        return;
    }
    int bytes =
        slot->lasts ? work_check(&slot->work) + (slot->work.request != slot->handle) : work_end(&slot->work);
    if (bytes > 0)
        tell(slot->call, &slot->work, bytes);
}

/* Requests of all slots under way, of some of them or of one, in an order of the rank's own. */
static int gather_requests(int most, struct slot **which, MPI_Request *requests)
{
    int count = 0, first = (int)draw_own(MOST);
    for (int i = 0; i < MOST && count < most; i++) {
        struct slot *slot = &slots[(first + i * 7) % MOST]; /* 7 and MOST have no common divisor */
        if (slot->used) {
            which[count] = slot;
            requests[count++] = *request_of(slot);
        }
    }
    for (int i = 0; i < LASTING && count < most; i++) {
        struct slot *slot = &lasting[(first + i * 5) % LASTING]; /* an inactive one at times */
        if (slot->lasts && (slot->used || draw_own(4) == 0)) {
            which[count] = slot;
            requests[count++] = *request_of(slot);
        }
    }
    return count;
}

static void finish_listed(struct slot **which, const MPI_Request *requests, const int *indices, int count)
{
    for (int i = 0; i < count; i++) {
        struct slot *slot = which[indices ? indices[i] : i];
        *request_of(slot) = requests[indices ? indices[i] : i];
        finish(slot);
    }
}

static void wait_for(int way, int count, struct slot **which, MPI_Request *requests)
{
    int indices[MOST + LASTING], index = MPI_UNDEFINED, done = 0;
    MPI_Status statuses[MOST + LASTING];
    switch (way) {
    case 0:
        MPI_Wait(&requests[0], draw_own(2) ? &statuses[0] : MPI_STATUS_IGNORE);
        finish_listed(which, requests, NULL, 1);
        return;
    case 1:
        MPI_Waitall(count, requests, draw_own(2) ? statuses : MPI_STATUSES_IGNORE);
        finish_listed(which, requests, NULL, count);
        return;
    case 2:
        MPI_Waitany(count, requests, &index, MPI_STATUS_IGNORE);
        finish_listed(which, requests, &index, index != MPI_UNDEFINED ? 1 : 0);
        return;
    case 3:
        MPI_Waitsome(count, requests, &done, indices, statuses);
        finish_listed(which, requests, indices, done);
        return;
    case 4:
        MPI_Testsome(count, requests, &done, indices, statuses);
        finish_listed(which, requests, indices, done);
        return;
    case 5:
        MPI_Testany(count, requests, &index, &done, &statuses[0]);
        finish_listed(which, requests, &index, done && index != MPI_UNDEFINED ? 1 : 0);
        return;
    case 6:
        MPI_Testall(count, requests, &done, statuses);
        finish_listed(which, requests, NULL, done ? count : 0);
        return;
    case 7:
        MPI_Test(&requests[0], &done, MPI_STATUS_IGNORE);
        finish_listed(which, requests, NULL, done ? 1 : 0);
        return;
    default:
        while (!done)
            MPI_Request_get_status(requests[0], &done, &statuses[0]);
        MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
        finish_listed(which, requests, NULL, 1);
    }
}

static void complete_some(void)
{
    struct slot *which[MOST + LASTING];
    MPI_Request requests[MOST + LASTING];
    int most = draw_own(3) == 0 ? MOST + LASTING : 1 + (int)draw_own(5);
    int count = gather_requests(most, which, requests);
    if (count > 0)
        wait_for((int)draw_own(9), count, which, requests);
}

static void complete_all(void)
{
    while (used > 0)
        complete_some();
}

/* Mostly the four that programs call most, and mostly short. */
static void draw_call(struct work_call *call)
{
    enum { FIRST_KIND = 2, KINDS = 6 };
    static const int few[] = {2, 9, 700};
    do {
        int comm = (int)draw(COMMS), ranks;
        *call = (struct work_call){.comm = comms[comm], .seed = draw(UINT64_MAX)};
        call->which = (enum work_kind)draw(draw(4) == 0 || repeats ? WORK_KINDS : WORK_SHORT_KINDS);
        MPI_Comm_size(comms[comm], &ranks);
        call->root = (int)draw(UINT32_MAX);
        call->units = draw(20) == 0 ? 0 : 1 + (int)draw(draw(15) == 0 ? 1000 : 12);
        if (repeats)
            call->units = few[draw(draw(4) == 0 ? 3 : 2)];
        call->blocking = draw(repeats ? 50 : 6) == 0;
        call->in_place = draw(4) == 0;
        call->frees = draw(30) == 0;
        call->shift = draw(10) == 0 ? (int)draw(8) : 0;
        call->kind = draw(2)   ? NULL
                     : repeats ? &kinds[FIRST_KIND + draw(KINDS)]
                               : &kinds[draw((uint64_t)kind_count)];
        call->reduction = draw(repeats ? 20 : 2) ? NULL : &reductions[draw((uint64_t)reduction_count)];
        /* Splits of one communicator have different sizes: the root is one that each of them has. */
        int least = comm == 5 ? 1 : comm == 2 || comm == 3 ? size / 2 : size;
        call->root = least > 0 ? call->root % least : 0;
        call->root = call->root < 0 ? 0 : call->root;
    } while (!work_is_possible(call));
}

static void make_collective(long number)
{
    struct work_call call;
    draw_call(&call);
    if (!call.blocking) {
        struct slot *slot = free_slot();
        slot->is_message = false;
        slot->call = number;
        work_begin(&slot->work, &call);
        return;
    }
    struct work work;
    work_begin(&work, &call);
    int bytes = work_end(&work);
    if (bytes > 0)
        tell(number, &work, bytes);
}

/* A number for another rank, and one from another. */
static void make_message(long number)
{
    int step = (int)draw((uint64_t)size), tag = (int)(number % 30000);
    int to = (rank + step) % size, from = (rank + size - step) % size;
    struct slot *out = free_slot(), *in = free_slot();
    out->is_message = in->is_message = true;
    out->numbers[0] = (int)(number * 64 % 1000003) + rank;
    out->numbers[1] = out->right = 0;
    in->numbers[1] = -1;
    in->right = (int)(number * 64 % 1000003) + from;
    MPI_Irecv(&in->numbers[1], 1, MPI_INT, from, tag, MPI_COMM_WORLD, request_of(in));
    MPI_Isend(&out->numbers[0], 1, MPI_INT, to, tag, MPI_COMM_WORLD, request_of(out));
}

/* What goes by a board: MPICH's own persistent collectives have faults. Splits are not of one rank; all of
 * them find the same. */
static bool is_short(const struct work_call *call)
{
    enum { MOST_BYTES = 1024 };
    bool alone = call->comm == comms[5] || (size < 4 && (call->comm == comms[2] || call->comm == comms[3]));
    int unit = call->kind && !work_reduces(call->which) ? call->kind->unit : (int)sizeof(int);
    if (alone || work_is_empty(call, size / 2) || call->units * unit * size > MOST_BYTES - 4 * WORK_RANKS)
        return false;
    return !work_reduces(call->which) || call->reduction == NULL;
}

static void make_lasting(struct slot *slot, long number)
{
    struct work_call call;
    do {
        draw_call(&call);
        call.persistent = true;
        call.blocking = false;
        call.units = 1 + call.units % 7;
    } while (!is_short(&call));
    slot->lasts = true;
    slot->used = slot->is_message = false;
    slot->call = number;
    work_begin(&slot->work, &call);
    wrong += slot->work.error != MPI_SUCCESS;
    slot->handle = slot->work.request;
}

static void wait_for_lasting(struct slot *slot)
{
    while (slot->used) {
        MPI_Request request = *request_of(slot);
        wait_for(draw_own(2) ? 0 : 7, 1, &slot, &request);
    }
}

static void drop_lasting(struct slot *slot)
{
    wait_for_lasting(slot);
    if (slot->lasts)
        wrong += work_free(&slot->work);
    slot->lasts = false;
}

static void begin_lasting(struct slot *slot, uint64_t seed)
{
    work_fill(&slot->work, seed + slot->work.call.seed);
    slot->used = true;
    used++;
}

/* Starts some of them, one by one or together. */
static void start_lasting(void)
{
    struct slot *which[LASTING];
    MPI_Request requests[LASTING];
    uint64_t seed = draw(UINT64_MAX), chosen = draw(1 << LASTING) & draw(1 << LASTING);
    int count = 0, first = (int)draw_own(LASTING);
    for (int i = 0; i < LASTING; i++) {
        struct slot *slot = &lasting[(first + i * 7) % LASTING];
        if (!slot->lasts || (chosen >> (slot - lasting) & 1) == 0)
            continue;
        wait_for_lasting(slot);
        which[count] = slot;
        requests[count++] = *request_of(slot);
    }
    for (int i = 0; i < count; i++)
        begin_lasting(which[i], seed);
    if (draw_own(2))
        MPI_Startall(count, requests);
    else
        for (int i = 0; i < count; i++)
            MPI_Start(&requests[i]);
    for (int i = 0; i < count; i++)
        wrong += requests[i] != which[i]->handle;
}

static void use_lasting(long number)
{
    struct slot *slot = &lasting[draw(LASTING)];
    if (draw(20) == 0)
        drop_lasting(slot);
    if (!slot->lasts && draw(3) == 0)
        make_lasting(slot, number);
    else
        start_lasting();
}

static void run(long calls)
{
    for (long call = 0; call < calls; call++) {
        while (used > MOST - 2)
            complete_some();
        if (persists && draw(3) == 0)
            use_lasting(call);
        else if (draw(8) == 0)
            make_message(call);
        else
            make_collective(call);
        idle();
        if (draw_own(3) == 0)
            complete_some();
        if (draw_own(200) == 0)
            complete_all();
    }
    complete_all();
    for (int i = 0; i < LASTING; i++)
        drop_lasting(&lasting[i]);
}

int main(int argc, char **argv)
{
    int provided, threads = argc > 3 && strcmp(argv[3], "threads") == 0;
    MPI_Init_thread(&argc, &argv, threads ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &provided);
    persists = argc > 3 && strcmp(argv[3], "persistent") == 0 && work_can_persist();
    repeats = argc > 3 && strcmp(argv[3], "repeated") == 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    long calls = argc > 2 ? strtol(argv[2], NULL, 10) : 1000, all;
    shared_state = work_mix(seed, 0);
    own_state = work_mix(seed, (uint64_t)rank + 1);
    work_setup();
    open_comms();
    run(calls);
    wrong += reduction_abuses();
    MPI_Allreduce(&wrong, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("mixture: seed %llu, %ld calls, %ld wrong\n", (unsigned long long)seed, calls, all);
    close_comms();
    work_finish();
    MPI_Finalize();
    return all != 0;
}

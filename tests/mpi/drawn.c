/* SPDX-License-Identifier: BSD-3-Clause
 * An ordinary program, drawn at random: drawn SEED CALLS. All ranks draw the same collectives, on three
 * communicators: short and long, of any root, in place or not, with gaps or without; between them messages,
 * and now and then a rank that is late. Nothing keeps ranks together but the calls themselves. Prints how
 * many are wrong, and which was the first. */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum operation {
    ALLREDUCE,
    ALLREDUCE_IN_ORDER,
    REDUCE,
    REDUCE_SCATTER_BLOCK,
    BCAST,
    ALLGATHER,
    ALLTOALL,
    GATHER,
    SCATTER,
    BARRIER,
    SCAN,
    OPERATIONS
};
enum { COMMS = 3, INTS_MOST = 40000, WIDTH = 2 };

struct group {
    MPI_Comm comm;
    int size, rank;
    int roots; /* as many as ranks; where groups of several sizes make the call, as the smallest has */
};

struct call {
    enum operation operation;
    const struct group *group;
    int root, count, stride; /* in ints; with gaps the stride is 2 */
    int in_place;
    uint64_t salt;
    MPI_Datatype type;
};

static struct group groups[COMMS];
static MPI_Datatype gapped, map;
static MPI_Op follow;
static unsigned sent[WIDTH * INTS_MOST], received[WIDTH * INTS_MOST];
static uint64_t drawn_last;

static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

static int draw(int below)
{
    return (int)(mix(drawn_last += 0x9e3779b97f4a7c15u) % (uint64_t)below);
}

/* Int I of what FROM has for TO. */
static unsigned value_of(const struct call *call, int from, int to, int i)
{
    return (unsigned)mix(call->salt + (uint64_t)from * 1000003 + (uint64_t)to * 10007 + (uint64_t)i);
}

/* x → ax + b, one behind the other, which is not the same the other way round. */
static void follow_maps(void *in, void *inout, int *length, MPI_Datatype *type)
{
    const unsigned *f = in;
    unsigned *g = inout;
    (void)type;
    for (int i = 0; i < 2 * *length; i += 2) {
        g[i + 1] = f[i] * g[i + 1] + f[i + 1];
        g[i] = f[i] * g[i];
    }
}

/* Block K of AT becomes what FROM has for TO. */
static void fill(const struct call *call, unsigned *at, int k, int from, int to)
{
    for (int i = 0; i < call->count; i++)
        at[(k * call->count + i) * call->stride] = value_of(call, from, to, i);
}

static int holds(const struct call *call, int k, int from, int to)
{
    for (int i = 0; i < call->count; i++)
        if (received[(k * call->count + i) * call->stride] != value_of(call, from, to, i))
            return 0;
    return 1;
}

static int holds_blocks(const struct call *call, int to)
{
    int right = 1;
    for (int r = 0; r < call->group->size; r++)
        right = right && holds(call, r, r, to);
    return right;
}

/* What ranks 0 to LAST have for TO, added. */
static int holds_sum(const struct call *call, int last, int to)
{
    for (int i = 0; i < call->count; i++) {
        unsigned sum = 0;
        for (int r = 0; r <= last; r++)
            sum += value_of(call, r, to, i);
        if (received[i] != sum)
            return 0;
    }
    return 1;
}

static int holds_maps(const struct call *call)
{
    for (int i = 0; i < call->count; i += 2) {
        unsigned all[2] = {1, 0};
        for (int r = call->group->size - 1; r >= 0; r--) {
            unsigned one[2] = {value_of(call, r, 0, i), value_of(call, r, 0, i + 1)};
            int length = 1;
            follow_maps(one, all, &length, &map);
        }
        if (received[i] != all[0] || received[i + 1] != all[1])
            return 0;
    }
    return 1;
}

static const void *input(const struct call *call)
{
    return call->in_place ? MPI_IN_PLACE : sent;
}

static int reduce(const struct call *call)
{
    MPI_Comm comm = call->group->comm;
    int me = call->group->rank, size = call->group->size, root = call->root;
    /* MPICH 4.0's own reduce in place crashes at other roots than 0. */
    int in_place = call->in_place && (call->operation != REDUCE || (me == root && root == 0));
    int blocks = call->operation == REDUCE_SCATTER_BLOCK ? size : 1;
    for (int to = 0; to < blocks; to++)
        fill(call, in_place ? received : sent, to, me, to);
    const void *from = in_place ? MPI_IN_PLACE : sent;
    switch (call->operation) {
    case ALLREDUCE:
        MPI_Allreduce(from, received, call->count, MPI_UNSIGNED, MPI_SUM, comm);
        return holds_sum(call, size - 1, 0);
    case ALLREDUCE_IN_ORDER:
        MPI_Allreduce(from, received, call->count / 2, map, follow, comm);
        return holds_maps(call);
    case REDUCE:
        MPI_Reduce(from, received, call->count, MPI_UNSIGNED, MPI_SUM, root, comm);
        return me != root || holds_sum(call, size - 1, 0);
    case REDUCE_SCATTER_BLOCK:
        MPI_Reduce_scatter_block(from, received, call->count, MPI_UNSIGNED, MPI_SUM, comm);
        return holds_sum(call, size - 1, me);
    default:
        MPI_Scan(from, received, call->count, MPI_UNSIGNED, MPI_SUM, comm);
        return holds_sum(call, me, 0);
    }
}

static int gather(const struct call *call, int all)
{
    int me = call->group->rank, receives = all || me == call->root, in_place = call->in_place && receives;
    fill(call, in_place ? received : sent, in_place ? me : 0, me, 0);
    if (all)
        MPI_Allgather(input(call), call->count, call->type, received, call->count, call->type,
                      call->group->comm);
    else
        MPI_Gather(in_place ? MPI_IN_PLACE : sent, call->count, call->type, received, call->count, call->type,
                   call->root, call->group->comm);
    return !receives || holds_blocks(call, 0);
}

static int scatter(const struct call *call)
{
    int me = call->group->rank, in_place = call->in_place && me == call->root;
    for (int to = 0; me == call->root && to < call->group->size; to++)
        fill(call, sent, to, me, to);
    MPI_Scatter(sent, call->count, call->type, in_place ? MPI_IN_PLACE : received, call->count, call->type,
                call->root, call->group->comm);
    return in_place || holds(call, 0, call->root, me);
}

static int move(const struct call *call)
{
    int me = call->group->rank, right;
    switch (call->operation) {
    case BCAST:
        if (me == call->root)
            fill(call, received, 0, me, 0);
        MPI_Bcast(received, call->count, call->type, call->root, call->group->comm);
        right = holds(call, 0, call->root, 0);
        break;
    case ALLTOALL:
        for (int to = 0; to < call->group->size; to++)
            fill(call, call->in_place ? received : sent, to, me, to);
        MPI_Alltoall(input(call), call->count, call->type, received, call->count, call->type,
                     call->group->comm);
        right = holds_blocks(call, me);
        break;
    case SCATTER:
        right = scatter(call);
        break;
    case BARRIER:
        MPI_Barrier(call->group->comm);
        right = 1;
        break;
    default:
        right = gather(call, call->operation == ALLGATHER);
    }
    return right;
}

static void draw_call(struct call *call)
{
    static const int limits[] = {1, 2, 8, 12, 12, 200, 200, 3000, INTS_MOST};
    *call = (struct call){.operation = (enum operation)draw(OPERATIONS),
                          .group = &groups[draw(COMMS)],
                          .stride = 1 + (draw(4) == 0),
                          .in_place = draw(3) == 0,
                          .salt = drawn_last};
    int limit = limits[draw((int)(sizeof limits / sizeof *limits))], most = INTS_MOST / groups[0].size;
    call->count = 1 + draw(limit < most ? limit : most);
    call->root = draw(call->group->roots);
    int reduces = call->operation <= REDUCE_SCATTER_BLOCK || call->operation == SCAN;
    if (call->operation == ALLREDUCE_IN_ORDER)
        call->count += call->count % 2;
    if (reduces)
        call->stride = 1;
    call->type = call->stride == 1 ? MPI_UNSIGNED : gapped;
}

static int make(const struct call *call)
{
    int reduces = call->operation <= REDUCE_SCATTER_BLOCK || call->operation == SCAN;
    memset(received, 0x5a, sizeof *received * (size_t)(call->count * call->stride));
    return reduces ? reduce(call) : move(call);
}

/* The same call a few times, so that ranks run ahead; each with other values. */
static int make_some(struct call *call, int times)
{
    int wrong = 0;
    for (int i = 0; i < times; i++, call->salt += 77)
        wrong += !make(call);
    return wrong;
}

static void make_groups(int rank, int size)
{
    MPI_Comm comms[COMMS] = {MPI_COMM_WORLD};
    MPI_Comm_split(MPI_COMM_WORLD, 0, size - rank, &comms[1]);
    MPI_Comm_split(MPI_COMM_WORLD, size > 3 && rank >= size / 2, rank, &comms[2]);
    for (int i = 0; i < COMMS; i++) {
        groups[i].comm = comms[i];
        MPI_Comm_size(comms[i], &groups[i].size);
        MPI_Comm_rank(comms[i], &groups[i].rank);
        MPI_Allreduce(&groups[i].size, &groups[i].roots, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    }
}

int main(int argc, char **argv)
{
    int rank, size, wrong = 0, first = -1, calls = argc > 2 ? atoi(argv[2]) : 1000;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    make_groups(rank, size);
    MPI_Type_create_resized(MPI_UNSIGNED, 0, 2 * sizeof(unsigned), &gapped);
    MPI_Type_commit(&gapped);
    MPI_Type_contiguous(2, MPI_UNSIGNED, &map);
    MPI_Type_commit(&map);
    MPI_Op_create(follow_maps, 0, &follow);
    drawn_last = mix(argc > 1 ? strtoull(argv[1], NULL, 10) : 1);
    for (int c = 0; c < calls; c++) {
        struct call call;
        int mine = rank, theirs = -1;
        draw_call(&call);
        int times = draw(4) == 0 ? 1 + draw(call.count > 200 ? 8 : 100) : 1;
        if (draw(20) == draw(20) && draw(size) == rank)
            nanosleep(&(struct timespec){.tv_nsec = 300000}, NULL);
        MPI_Request request;
        MPI_Irecv(&theirs, 1, MPI_INT, (rank + 1) % size, c % 100, MPI_COMM_WORLD, &request);
        MPI_Send(&mine, 1, MPI_INT, (rank + size - 1) % size, c % 100, MPI_COMM_WORLD);
        int failed = make_some(&call, times);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        failed += theirs != (rank + 1) % size;
        if (failed > 0 && first < 0)
            first = c;
        wrong += failed;
    }
    if (wrong > 0)
        fprintf(stderr, "FAILED: rank %d: %d wrong, the first in draw %d\n", rank, wrong, first);
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d wrong\n", wrong);
    MPI_Type_free(&gapped);
    MPI_Type_free(&map);
    MPI_Op_free(&follow);
    MPI_Comm_free(&groups[1].comm);
    MPI_Comm_free(&groups[2].comm);
    MPI_Finalize();
    return 0;
}

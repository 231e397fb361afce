/* SPDX-License-Identifier: BSD-3-Clause
 * Short blocking calls of operations that some ranks may leave before others have come: short [SEED [CALLS
 * [AHEAD]]]. Roots and leaves run so many calls AHEAD and send messages which the others receive first; then
 * calls of all kinds and lengths come at random, nonblocking ones among them. Prints how many results were
 * wrong. */
#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 700, COMMS = 3 }; /* MOST: elements of int, past what is short */
static int rank, size, wrong, ahead;
static uint64_t state;

static void expect(int right, const char *what)
{
    if (!right && wrong++ < 10)
        fprintf(stderr, "FAILED: rank %d of %d: %s\n", rank, size, what);
}

static unsigned draw(unsigned below)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(state >> 33) % below;
}

/* The root broadcasts, and sends what the others receive before they come. */
static void root_runs_ahead(void)
{
    int value, number = 7;
    for (int root = 0; root < size && root < 2; root++) {
        if (rank != root)
            MPI_Recv(&number, 1, MPI_INT, root, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 0; i < ahead; i++) {
            value = rank == root ? i : -1;
            MPI_Bcast(&value, 1, MPI_INT, root, MPI_COMM_WORLD);
            expect(value == i, "broadcast by a root that runs ahead");
        }
        for (int r = 0; rank == root && r < size; r++)
            if (r != root)
                MPI_Send(&number, 1, MPI_INT, r, 1, MPI_COMM_WORLD);
    }
}

/* The leaves give, and send what the root receives before it comes. */
static void leaves_run_ahead(void)
{
    int sum = 0, number = 7;
    for (int r = 1; rank == 0 && r < size; r++)
        MPI_Recv(&number, 1, MPI_INT, r, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < ahead; i++) {
        int value = i + rank;
        MPI_Reduce(&value, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
        expect(rank != 0 || sum == size * i + size * (size - 1) / 2, "reduction of leaves that run ahead");
    }
    if (rank > 0)
        MPI_Send(&number, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
}

/* What rank R gives at place I of call SEED. */
static int given(int seed, int r, int i)
{
    return seed % 1000 + 3 * r + i;
}

static int sum_of(int seed, int first, int last, int i)
{
    int sum = 0;
    for (int r = first; r < last; r++)
        sum += given(seed, r, i);
    return sum;
}

struct call {
    MPI_Comm comm;
    int me, ranks, root, count, seed, in_place;
    MPI_Datatype type; /* of COUNT ints, every other one where STRIDE is 2 */
    int stride;
    unsigned named; /* a bit for even ranks and one for odd ones: they give MPI's own datatype */
    int from[2 * MOST * 8], to[2 * MOST * 8];
};
static struct call call;

static void give(int blocks)
{
    memset(call.from, 0xff, sizeof call.from);
    memset(call.to, 0xff, sizeof call.to);
    for (int b = 0; b < blocks; b++)
        for (int i = 0; i < call.count; i++)
            call.from[((ptrdiff_t)b * call.count + i) * call.stride] = given(call.seed + b, call.me, i);
}

static bool is_named(void)
{
    return call.stride == 1 && (call.named >> call.me % 2 & 1) != 0;
}

static int own_count(void)
{
    return is_named() ? call.count : call.count > 0;
}

static MPI_Datatype own_type(void)
{
    return is_named() ? MPI_INT : call.type;
}

static void bcast(void)
{
    give(1);
    int *buffer = call.me == call.root ? call.from : call.to;
    MPI_Bcast(buffer, own_count(), own_type(), call.root, call.comm);
    for (int i = 0; i < call.count; i++)
        expect(buffer[(ptrdiff_t)i * call.stride] == given(call.seed, call.root, i), "broadcast");
}

static void reduce(void)
{
    call.stride = 1;
    give(1);
    int at_root = call.me == call.root,
        in_place = at_root && call.root == 0 && call.in_place; /* MPICH 4.0 cannot elsewhere */
    if (in_place)
        memcpy(call.to, call.from, (size_t)call.count * sizeof(int));
    MPI_Reduce(in_place ? MPI_IN_PLACE : call.from, at_root ? call.to : NULL, call.count, MPI_INT, MPI_SUM,
               call.root, call.comm);
    for (int i = 0; at_root && i < call.count; i++)
        expect(call.to[i] == sum_of(call.seed, 0, call.ranks, i), "reduction");
}

static void gather(void)
{
    give(1);
    int at_root = call.me == call.root;
    MPI_Gather(call.from, own_count(), own_type(), at_root ? call.to : NULL, call.count, MPI_INT, call.root,
               call.comm);
    for (int r = 0; at_root && r < call.ranks; r++)
        for (int i = 0; i < call.count; i++)
            expect(call.to[r * call.count + i] == given(call.seed, r, i), "gathering");
}

static void scatter(void)
{
    int wide = call.stride;
    call.stride = 1;
    give(call.ranks);
    call.stride = wide;
    int at_root = call.me == call.root;
    MPI_Scatter(at_root ? call.from : NULL, call.count, MPI_INT, call.to, own_count(), own_type(), call.root,
                call.comm);
    for (int i = 0; i < call.count; i++)
        expect(call.to[(ptrdiff_t)i * call.stride] == given(call.seed + call.me, call.root, i), "scattering");
}

static void prefix(int exclusive)
{
    call.stride = 1;
    give(1);
    if (call.in_place)
        memcpy(call.to, call.from, (size_t)call.count * sizeof(int));
    (exclusive ? MPI_Exscan : MPI_Scan)(call.in_place ? MPI_IN_PLACE : call.from, call.to, call.count,
                                        MPI_INT, MPI_SUM, call.comm);
    for (int i = 0; (!exclusive || call.me > 0) && i < call.count; i++)
        expect(call.to[i] == sum_of(call.seed, 0, call.me + !exclusive, i), "prefix sum");
}

static void scan(void)
{
    prefix(0);
}

static void exscan(void)
{
    prefix(1);
}

/* A nonblocking one goes on while others come; and one that awaits all. */
static void among_others(void)
{
    int value = given(call.seed, call.me, 0), sum = 0, got = call.me == call.root ? 5 : 0;
    MPI_Request requests[2];
    MPI_Ibcast(&got, 1, MPI_INT, call.root, call.comm, &requests[0]);
    MPI_Iallreduce(&value, &sum, 1, MPI_INT, MPI_SUM, call.comm, &requests[1]);
    int all = sum_of(call.seed, 0, call.ranks, 0);
    bcast();
    MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    expect(got == 5 && sum == all, "nonblocking ones among them");
}

static void allreduce(void)
{
    int value = given(call.seed, call.me, 0), sum;
    MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, call.comm);
    expect(sum == sum_of(call.seed, 0, call.ranks, 0), "reduction to all");
}

static void (*const kinds[])(void) = {bcast, reduce, gather, scatter, scan, exscan, among_others, allreduce};

static void make_call(const MPI_Comm *comms, int i)
{
    static const int counts[] = {1, 2, 0, 12, 13, 100, 256, 257, MOST};
    unsigned kind = draw(sizeof kinds / sizeof *kinds);
    call.comm = comms[draw(COMMS)];
    MPI_Comm_rank(call.comm, &call.me);
    MPI_Comm_size(call.comm, &call.ranks);
    call.count = counts[draw(draw(3) ? 4 : sizeof counts / sizeof *counts)];
    call.root = (int)draw(2) % call.ranks;
    call.in_place = (int)draw(2);
    call.stride = draw(4) ? 1 : 2;
    call.named = draw(4);
    call.seed = i;
    MPI_Type_vector(call.count, 1, call.stride, MPI_INT, &call.type);
    MPI_Type_commit(&call.type);
    for (unsigned again = draw(3) ? 1 : 5; again > 0; again--)
        kinds[kind]();
    MPI_Type_free(&call.type);
}

int main(int argc, char **argv)
{
    MPI_Comm comms[COMMS] = {MPI_COMM_WORLD};
    int calls = argc > 2 ? atoi(argv[2]) : 5000, all;
    ahead = argc > 3 ? atoi(argv[3]) : 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    state = argc > 1 ? (uint64_t)atoi(argv[1]) : 1;
    if (size > 8)
        MPI_Abort(MPI_COMM_WORLD, 2);
    root_runs_ahead();
    leaves_run_ahead();
    MPI_Comm_dup(MPI_COMM_WORLD, &comms[1]);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &comms[2]);
    for (int i = 0; i < calls; i++)
        make_call(comms, i);
    MPI_Comm_free(&comms[2]);
    MPI_Comm_free(&comms[1]);
    MPI_Allreduce(&wrong, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d wrong\n", all);
    MPI_Finalize();
    return all != 0;
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Scenarios of requests.c with MPI's operations: each request beside the MPI function itself. */
#include "requests.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 6, RUNS = 40 };

/* Two buffers of the operation, and what MPI makes of the same. */
static int *sent, *received, *should;
static int *counts, *displs, elements;

static void prepare(void)
{
    counts = calloc((size_t)size, sizeof(int));
    displs = calloc((size_t)size, sizeof(int));
    for (int r = 0; r < size; r++) {
        counts[r] = BLOCK - r % 3;
        displs[r] = r * BLOCK;
    }
    elements = BLOCK * size;
    sent = calloc((size_t)elements, sizeof(int));
    received = calloc((size_t)elements, sizeof(int));
    should = calloc((size_t)elements, sizeof(int));
}

static void renew(int run)
{
    for (int i = 0; i < elements; i++) {
        sent[i] = rank * 10000 + i * 10 + run;
        received[i] = should[i] = -1;
    }
}

static STAR_Vector vector(int *data, int count, STAR_Vmap vmap)
{
    STAR_Vector made = STAR_VECTOR_NULL;
    GOOD(STAR_Vector_register_generic(1, &count, 0, vmap, MPI_INT, data, &made));
    GOOD(STAR_Vmap_free(&vmap));
    return made;
}

static STAR_Vmap all(void)
{
    STAR_Vmap made = STAR_VMAP_NULL;
    GOOD(STAR_Vmap_all_allocate(&made));
    return made;
}

static STAR_Vmap list(void)
{
    STAR_Vmap made = STAR_VMAP_NULL;
    GOOD(STAR_Vmap_list_allocate(size, counts, displs, &made));
    return made;
}

static STAR_Vmap sum(void)
{
    STAR_Vmap made = STAR_VMAP_NULL;
    GOOD(STAR_Vmap_reduce_allocate(MPI_SUM, &made));
    return made;
}

static STAR_Vmap blocks(void)
{
    STAR_Vmap made = STAR_VMAP_NULL;
    GOOD(STAR_Vmap_alltoall_allocate(BLOCK, BLOCK, &made));
    return made;
}

/* A list in which each rank sends all others what they expect: COUNTS of itself. */
static STAR_Vmap own_list(void)
{
    STAR_Vmap made = STAR_VMAP_NULL;
    int *same = malloc((size_t)size * sizeof *same);
    for (int r = 0; r < size; r++)
        same[r] = counts[rank];
    GOOD(STAR_Vmap_list_allocate(size, same, displs, &made));
    free(same);
    return made;
}

static void mpi_alltoallv(void)
{
    int *same = malloc((size_t)size * sizeof *same);
    for (int r = 0; r < size; r++)
        same[r] = counts[rank];
    MPI_Alltoallv(sent, same, displs, MPI_INT, should, counts, displs, MPI_INT, MPI_COMM_WORLD);
    free(same);
}

/* What MPI does with the same, by the function-set. */
static void reference(STAR_Fnctset set, int root)
{
    MPI_Comm world = MPI_COMM_WORLD;
    if (set == STAR_FNCTSET_ALLTOALL || set == STAR_FNCTSET_IALLTOALL)
        MPI_Alltoall(sent, BLOCK, MPI_INT, should, BLOCK, MPI_INT, world);
    if (set == STAR_FNCTSET_ALLTOALLV)
        mpi_alltoallv();
    if (set == STAR_FNCTSET_ALLGATHER || set == STAR_FNCTSET_IALLGATHER)
        MPI_Allgather(sent, BLOCK, MPI_INT, should, BLOCK, MPI_INT, world);
    if (set == STAR_FNCTSET_ALLGATHERV)
        MPI_Allgatherv(sent, counts[rank], MPI_INT, should, counts, displs, MPI_INT, world);
    if (set == STAR_FNCTSET_ALLREDUCE)
        MPI_Allreduce(sent, should, elements, MPI_INT, MPI_SUM, world);
    if (set == STAR_FNCTSET_REDUCE || set == STAR_FNCTSET_IREDUCE)
        MPI_Reduce(sent, should, elements, MPI_INT, MPI_SUM, root, world);
    if (set == STAR_FNCTSET_REDUCE_SCATTER_BLOCK)
        MPI_Reduce_scatter_block(sent, should, BLOCK, MPI_INT, MPI_SUM, world);
    if (set == STAR_FNCTSET_GATHER)
        MPI_Gather(sent, BLOCK, MPI_INT, should, BLOCK, MPI_INT, root, world);
    if (set == STAR_FNCTSET_GATHERV)
        MPI_Gatherv(sent, counts[rank], MPI_INT, should, counts, displs, MPI_INT, root, world);
    if (set == STAR_FNCTSET_SCATTER)
        MPI_Scatter(sent, BLOCK, MPI_INT, should, BLOCK, MPI_INT, root, world);
    if (set == STAR_FNCTSET_SCATTERV)
        MPI_Scatterv(sent, counts, displs, MPI_INT, should, counts[rank], MPI_INT, root, world);
    if (set == STAR_FNCTSET_SCAN)
        MPI_Scan(sent, should, elements, MPI_INT, MPI_SUM, world);
    if (set == STAR_FNCTSET_EXSCAN)
        MPI_Exscan(sent, should, elements, MPI_INT, MPI_SUM, world);
}

/* Takes the vectors. */
static void compare(STAR_Fnctset set, STAR_Vector send, STAR_Vector receive, int root)
{
    STAR_Topology topology;
    STAR_Request request;
    char name[STAR_MAX_NAME], set_name[STAR_MAX_NAME];
    GOOD(STAR_Topology_create(MPI_COMM_WORLD, &topology));
    GOOD(STAR_Request_create_generic_rooted(send, receive, topology, set, root, &request));
    GOOD(STAR_Vector_deregister(&send));
    GOOD(STAR_Vector_deregister(&receive));
    GOOD(STAR_Topology_free(&topology));
    for (int run = 0; run < RUNS; run++) {
        renew(run);
        reference(set, root);
        GOOD(STAR_Request_run(request));
        EXPECT(memcmp(received, should, (size_t)elements * sizeof(int)) == 0);
    }
    GOOD(STAR_Request_get_function(request, 0, name, NULL));
    GOOD(STAR_Request_get_fnctset_name(request, set_name));
    if (set_name[0] != 'i') /* the method of the operation that startune uses now */
        EXPECT(strncmp(name, set_name, strlen(set_name)) == 0 && name[strlen(set_name)] == ':');
    GOOD(STAR_Request_free(&request));
}

static void collectives(void)
{
    int last = size - 1;
    prepare();
    compare(STAR_FNCTSET_ALLTOALL, vector(sent, elements, blocks()), vector(received, elements, blocks()), 0);
    compare(STAR_FNCTSET_ALLTOALL, vector(sent, elements, all()), vector(received, elements, all()), 0);
    compare(STAR_FNCTSET_ALLTOALLV, vector(sent, elements, own_list()), vector(received, elements, list()),
            0);
    compare(STAR_FNCTSET_ALLGATHER, vector(sent, BLOCK, all()), vector(received, elements, all()), 0);
    compare(STAR_FNCTSET_ALLGATHERV, vector(sent, counts[rank], all()), vector(received, elements, list()),
            0);
    compare(STAR_FNCTSET_ALLREDUCE, vector(sent, elements, sum()), vector(received, elements, sum()), 0);
    compare(STAR_FNCTSET_REDUCE, vector(sent, elements, sum()), vector(received, elements, sum()), last);
    compare(STAR_FNCTSET_REDUCE_SCATTER_BLOCK, vector(sent, elements, sum()), vector(received, BLOCK, sum()),
            0);
    compare(STAR_FNCTSET_GATHER, vector(sent, BLOCK, all()), vector(received, elements, all()), last);
    compare(STAR_FNCTSET_GATHERV, vector(sent, counts[rank], all()), vector(received, elements, list()), 0);
    compare(STAR_FNCTSET_SCATTER, vector(sent, elements, all()), vector(received, BLOCK, all()), last);
    compare(STAR_FNCTSET_SCATTERV, vector(sent, elements, list()), vector(received, counts[rank], all()), 0);
    compare(STAR_FNCTSET_SCAN, vector(sent, elements, sum()), vector(received, elements, sum()), 0);
    compare(STAR_FNCTSET_EXSCAN, vector(sent, elements, sum()), vector(received, elements, sum()), 0);
}

/* What is reduced lies in the receiving vector, all of it; of the result each rank has one block. */
static void reduced_and_scattered_in_place(void)
{
    STAR_Vmap map;
    STAR_Vector in_place;
    STAR_Topology topology;
    STAR_Request request;
    prepare();
    GOOD(STAR_Vmap_inplace_allocate(&map));
    GOOD(STAR_Vector_register_generic(1, &elements, 0, map, MPI_INT, MPI_IN_PLACE, &in_place));
    GOOD(STAR_Topology_create(MPI_COMM_WORLD, &topology));
    STAR_Vector receive = vector(received, elements, sum()), odd = vector(received, elements - 1, sum());
    EXPECT(STAR_Request_create_generic(in_place, odd, topology, STAR_FNCTSET_REDUCE_SCATTER_BLOCK,
                                       &request) == STAR_ERR_DIMS);
    GOOD(STAR_Request_create_generic(in_place, receive, topology, STAR_FNCTSET_REDUCE_SCATTER_BLOCK,
                                     &request));
    for (int run = 0; run < RUNS; run++) {
        renew(run);
        reference(STAR_FNCTSET_REDUCE_SCATTER_BLOCK, 0);
        memcpy(received, sent, (size_t)elements * sizeof(int));
        GOOD(STAR_Request_run(request));
        EXPECT(memcmp(received, should, BLOCK * sizeof(int)) == 0);
    }
    GOOD(STAR_Request_free(&request));
    GOOD(STAR_Vector_deregister(&receive));
    GOOD(STAR_Vector_deregister(&odd));
    GOOD(STAR_Vector_deregister(&in_place));
    GOOD(STAR_Vmap_free(&map));
    GOOD(STAR_Topology_free(&topology));
}

static MPI_Datatype pair;
static int strangers;

/* An operator that knows its datatype. */
static void add_pairs(void *in, void *inout, int *count, MPI_Datatype *datatype)
{
    const int *from = in;
    int *to = inout;
    strangers += *datatype != pair;
    for (int i = 0; i < 2 * *count; i++)
        to[i] += from[i];
}

static STAR_Vector vector_of_pairs(int *data, STAR_Vmap vmap)
{
    STAR_Vector made = STAR_VECTOR_NULL;
    GOOD(STAR_Vector_register_generic(1, &(int){elements / 2}, 0, vmap, pair, data, &made));
    GOOD(STAR_Vmap_free(&vmap));
    return made;
}

static void run_pairs(STAR_Vector send, STAR_Vector receive, STAR_Fnctset set)
{
    STAR_Topology topology;
    STAR_Request request;
    GOOD(STAR_Topology_create(MPI_COMM_WORLD, &topology));
    GOOD(STAR_Request_create_generic(send, receive, topology, set, &request));
    for (int run = 0; run < RUNS; run++) {
        renew(run);
        if (set == STAR_FNCTSET_REDUCE_SCATTER)
            MPI_Reduce_scatter_block(sent, should, BLOCK, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        else
            reference(set, 0);
        GOOD(STAR_Request_run(request));
        EXPECT(memcmp(received, should, (size_t)elements * sizeof(int)) == 0);
    }
    GOOD(STAR_Request_free(&request));
    GOOD(STAR_Vector_deregister(&send));
    GOOD(STAR_Vector_deregister(&receive));
    GOOD(STAR_Topology_free(&topology));
}

/* The vectors are of a datatype that the program has freed; another one has got its place. */
static void freed_datatypes(void)
{
    MPI_Datatype next;
    prepare();
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    STAR_Vector send = vector_of_pairs(sent, all()), receive = vector_of_pairs(received, all());
    MPI_Type_free(&pair);
    MPI_Type_contiguous(3, MPI_DOUBLE, &next);
    MPI_Type_commit(&next);
    run_pairs(send, receive, STAR_FNCTSET_ALLTOALL);
    MPI_Type_free(&next);
}

/* Operators get the program's own datatype, which lives. */
static void datatypes_of_operators(void)
{
    MPI_Op op;
    STAR_Vmap map;
    prepare();
    for (int r = 0; r < size; r++) {
        counts[r] = BLOCK / 2;
        displs[r] = r * BLOCK / 2;
    }
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    MPI_Op_create(add_pairs, 1, &op);
    GOOD(STAR_Vmap_reduce_allocate(op, &map));
    run_pairs(vector_of_pairs(sent, map), vector_of_pairs(received, list()), STAR_FNCTSET_REDUCE_SCATTER);
    EXPECT(strangers == 0);
    MPI_Op_free(&op);
    MPI_Type_free(&pair);
}

/* Begun, asked for, and waited for: each in its own mixture. */
static void run_overlapped(STAR_Request request, int run)
{
    if (run % 3 == 0)
        GOOD(STAR_Request_run(request));
    else {
        GOOD(STAR_Request_begin(request));
        for (int i = 0; i < 20 * (run % 3) && STAR_Request_progress(request) == STAR_CONTINUE; i++)
            ;
        GOOD(STAR_Request_wait(request));
    }
}

static void overlapped(STAR_Request *request, STAR_Fnctset set, int root)
{
    for (int run = 0; run < 10 * RUNS; run++) {
        renew(run);
        reference(set, root);
        run_overlapped(*request, run);
        EXPECT(memcmp(received, should, (size_t)elements * sizeof(int)) == 0);
    }
    GOOD(STAR_Request_free(request));
}

static void nonblocking(void)
{
    STAR_Request request;
    int root = size - 1;
    MPI_Comm world = MPI_COMM_WORLD;
    prepare();
    GOOD(STAR_Ialltoall_init(sent, BLOCK, MPI_INT, received, BLOCK, MPI_INT, world, &request));
    overlapped(&request, STAR_FNCTSET_IALLTOALL, 0);
    GOOD(STAR_Iallgather_init(sent, BLOCK, MPI_INT, received, BLOCK, MPI_INT, world, &request));
    overlapped(&request, STAR_FNCTSET_IALLGATHER, 0);
    GOOD(STAR_Ireduce_init(sent, received, elements, MPI_INT, MPI_SUM, root, world, &request));
    overlapped(&request, STAR_FNCTSET_IREDUCE, root);
    GOOD(STAR_Ibcast_init(sent, elements, MPI_INT, root, world, &request));
    for (int run = 0; run < 10 * RUNS; run++) {
        renew(run);
        run_overlapped(request, run);
        for (int i = 0; i < elements; i++)
            EXPECT(sent[i] == root * 10000 + i * 10 + run);
    }
    GOOD(STAR_Request_free(&request));
}

/* Progress is nobody's duty: rank 0 alone calls it, and meets the others in an operation of MPI's before it
 * waits. */
static void progress_of_one(void)
{
    STAR_Request request;
    int mine = 1, sum;
    prepare();
    GOOD(STAR_Ialltoall_init(sent, BLOCK, MPI_INT, received, BLOCK, MPI_INT, MPI_COMM_WORLD, &request));
    for (int run = 0; run < 10 * RUNS; run++) {
        renew(run);
        reference(STAR_FNCTSET_IALLTOALL, 0);
        GOOD(STAR_Request_begin(request));
        for (int i = 0; rank == 0 && i < run % 5; i++)
            STAR_Request_progress(request);
        MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        EXPECT(sum == size);
        GOOD(STAR_Request_wait(request));
        EXPECT(memcmp(received, should, (size_t)elements * sizeof(int)) == 0);
    }
    GOOD(STAR_Request_free(&request));
}

static void from_arguments(void)
{
    STAR_Request request;
    MPI_Comm world = MPI_COMM_WORLD;
    int root = 0, *same = malloc((size_t)size * sizeof *same);
    prepare();
    for (int r = 0; r < size; r++)
        same[r] = counts[rank];
    GOOD(STAR_Alltoall_init(sent, BLOCK, MPI_INT, received, BLOCK, MPI_INT, world, &request));
    overlapped(&request, STAR_FNCTSET_ALLTOALL, 0);
    GOOD(
        STAR_Alltoallv_init(sent, same, displs, MPI_INT, received, counts, displs, MPI_INT, world, &request));
    overlapped(&request, STAR_FNCTSET_ALLTOALLV, 0);
    GOOD(STAR_Allgatherv_init(sent, counts[rank], MPI_INT, received, counts, displs, MPI_INT, world,
                              &request));
    overlapped(&request, STAR_FNCTSET_ALLGATHERV, 0);
    GOOD(STAR_Allreduce_init(sent, received, elements, MPI_INT, MPI_SUM, world, &request));
    overlapped(&request, STAR_FNCTSET_ALLREDUCE, 0);
    GOOD(STAR_Reduce_init(sent, rank == root ? received : NULL, elements, MPI_INT, MPI_SUM, root, world,
                          &request));
    overlapped(&request, STAR_FNCTSET_REDUCE, root);
    GOOD(STAR_Allreduce_init(MPI_IN_PLACE, received, elements, MPI_INT, MPI_SUM, world, &request));
    for (int run = 0; run < RUNS; run++) {
        renew(run);
        memcpy(received, sent, (size_t)elements * sizeof(int));
        reference(STAR_FNCTSET_ALLREDUCE, 0);
        GOOD(STAR_Request_run(request));
        EXPECT(memcmp(received, should, (size_t)elements * sizeof(int)) == 0);
    }
    GOOD(STAR_Request_free(&request));
    free(same);
}

/* Rank 0 makes a request behind calls that the others may know more of. */
static void behind_begun(void)
{
    enum { LENGTH = 20000, STRETCH = 8, MANY = 3 * STRETCH, ROUNDS = 6 };
    MPI_Comm comm;
    MPI_Request begun[MANY];
    int *given = malloc(LENGTH * sizeof *given), *sums = malloc((size_t)MANY * LENGTH * sizeof *sums);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    for (int i = 0; i < LENGTH; i++)
        given[i] = rank + i;
    for (int round = 0; round < ROUNDS; round++) {
        STAR_Request request;
        int told = round;
        for (int i = 0; i < MANY; i++) {
            MPI_Iallreduce(given, sums + (size_t)i * LENGTH, LENGTH, MPI_INT, MPI_SUM, comm, &begun[i]);
            if (rank != 0 && i % STRETCH == STRETCH - 1)
                MPI_Waitall(STRETCH, begun + i + 1 - STRETCH, MPI_STATUSES_IGNORE);
        }
        GOOD(STAR_Ibcast_init(&told, 1, MPI_INT, round % size, comm, &request));
        MPI_Waitall(MANY, begun, MPI_STATUSES_IGNORE);
        for (int i = 0; i < MANY; i++)
            for (int k = 0; k < LENGTH; k += LENGTH / 4)
                EXPECT(sums[i * LENGTH + k] == size * (size - 1) / 2 + size * k);
        GOOD(STAR_Request_run(request));
        EXPECT(told == round);
        GOOD(STAR_Request_free(&request));
    }
    MPI_Comm_free(&comm);
    free(given);
    free(sums);
}

const struct scenario collective_scenarios[] = {
    {"collectives", collectives},
    {"reduced-and-scattered-in-place", reduced_and_scattered_in_place},
    {"freed-datatypes", freed_datatypes},
    {"datatypes-of-operators", datatypes_of_operators},
    {"nonblocking", nonblocking},
    {"progress-of-one", progress_of_one},
    {"from-arguments", from_arguments},
    {"behind-begun", behind_begun},
    {NULL, NULL}};

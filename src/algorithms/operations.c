/* SPDX-License-Identifier: BSD-3-Clause
 * What each operation does, for the simulator: how long the buffers are, and what belongs where. */
#include "algorithms/operations.h"

const char *const star_measures[] = {"for each pair of ranks", "of each rank",     "of the vector",
                                     "of all ranks together",  "not known to all", "none"};
const char *const star_orders[] = {"none", "rank", "fixed", "native"};

/* No bytes, or where a buffer begins. */
static int64_t zero(const struct star_shape *shape, int rank)
{
    (void)shape, (void)rank;
    return 0;
}

static int64_t block(const struct star_shape *shape, int rank)
{
    (void)rank;
    return shape->block;
}

static int64_t blocks(const struct star_shape *shape, int rank)
{
    (void)rank;
    return shape->size * shape->block;
}

static int64_t block_at_root(const struct star_shape *shape, int rank)
{
    return rank == shape->root ? shape->block : 0;
}

static int64_t blocks_at_root(const struct star_shape *shape, int rank)
{
    return rank == shape->root ? shape->size * shape->block : 0;
}

static int64_t at_own_block(const struct star_shape *shape, int rank)
{
    return rank * shape->block;
}

static int64_t at_own_block_of_root(const struct star_shape *shape, int rank)
{
    return rank == shape->root ? rank * shape->block : -1;
}

static int64_t at_start_of_root(const struct star_shape *shape, int rank)
{
    return rank == shape->root ? 0 : -1;
}

static struct star_origin one(int rank, int64_t offset)
{
    return (struct star_origin){rank, rank, offset};
}

static struct star_origin alltoall(const struct star_shape *shape, int rank, int64_t offset)
{
    return one((int)(offset / shape->block), rank * shape->block + offset % shape->block);
}

static struct star_origin gather(const struct star_shape *shape, int rank, int64_t offset)
{
    (void)rank;
    return one((int)(offset / shape->block), offset % shape->block);
}

static struct star_origin scatter(const struct star_shape *shape, int rank, int64_t offset)
{
    return one(shape->root, rank * shape->block + offset);
}

static struct star_origin bcast(const struct star_shape *shape, int rank, int64_t offset)
{
    (void)rank;
    return one(shape->root, offset);
}

static struct star_origin reduce(const struct star_shape *shape, int rank, int64_t offset)
{
    (void)rank;
    return (struct star_origin){0, shape->size - 1, offset};
}

static struct star_origin reduce_scatter(const struct star_shape *shape, int rank, int64_t offset)
{
    return (struct star_origin){0, shape->size - 1, rank * shape->block + offset};
}

static struct star_origin scan(const struct star_shape *shape, int rank, int64_t offset)
{
    (void)shape;
    return (struct star_origin){0, rank, offset};
}

static struct star_origin exscan(const struct star_shape *shape, int rank, int64_t offset)
{
    (void)shape;
    return (struct star_origin){0, rank - 1, offset};
}

/* What is expected begins with the bytes that are sent, and received. */
const struct star_operation_info star_operations[STAR_OPERATIONS] = {
    [STAR_ALLTOALL] = {"alltoall", "MPI_Alltoall", STAR_OF_PAIR,
                       .expected = {blocks, blocks, .origin = alltoall}},
    [STAR_ALLTOALLV] = {"alltoallv", "MPI_Alltoallv", STAR_UNKNOWN, .units = true,
                        .expected = {blocks, blocks, .origin = alltoall}},
    [STAR_ALLTOALLW] = {"alltoallw", "MPI_Alltoallw", STAR_UNKNOWN, .units = true,
                        .expected = {blocks, blocks, .origin = alltoall}},
    [STAR_ALLGATHER] = {"allgather", "MPI_Allgather", STAR_OF_RANK,
                        .expected = {block, blocks, .origin = gather, .in_place = at_own_block}},
    [STAR_ALLGATHERV] = {"allgatherv", "MPI_Allgatherv", STAR_OF_ALL, .units = true,
                         .expected = {block, blocks, .origin = gather, .in_place = at_own_block}},
    [STAR_ALLREDUCE] = {"allreduce", "MPI_Allreduce", STAR_OF_VECTOR,
                        .expected = {block, block, .origin = reduce, .in_place = zero, .reduces = true,
                                     .same = true}},
    [STAR_BCAST] = {"bcast", "MPI_Bcast", STAR_OF_VECTOR, .rooted = true,
                    .expected = {block_at_root, block, .origin = bcast, .one_buffer = true}},
    [STAR_REDUCE] = {"reduce", "MPI_Reduce", STAR_OF_VECTOR, .rooted = true,
                     .expected = {block, block_at_root, .origin = reduce, .in_place = at_start_of_root,
                                  .reduces = true}},
    [STAR_REDUCE_SCATTER_BLOCK] = {"reduce_scatter_block", "MPI_Reduce_scatter_block", STAR_OF_RANK,
                                   .expected = {blocks, block, .origin = reduce_scatter, .in_place = zero,
                                                .reduces = true}},
    [STAR_REDUCE_SCATTER] = {"reduce_scatter", "MPI_Reduce_scatter", STAR_OF_ALL, .units = true,
                             .expected = {blocks, block, .origin = reduce_scatter, .in_place = zero,
                                          .reduces = true}},
    [STAR_GATHER] = {"gather", "MPI_Gather", STAR_OF_RANK, .rooted = true,
                     .expected = {block, blocks_at_root, .origin = gather, .in_place = at_own_block_of_root}},
    [STAR_GATHERV] = {"gatherv", "MPI_Gatherv", STAR_UNKNOWN, .rooted = true, .units = true,
                      .expected = {block, blocks_at_root, .origin = gather,
                                   .in_place = at_own_block_of_root}},
    [STAR_SCATTER] = {"scatter", "MPI_Scatter", STAR_OF_RANK, .rooted = true,
                      .expected = {blocks_at_root, block, .origin = scatter}},
    [STAR_SCATTERV] = {"scatterv", "MPI_Scatterv", STAR_UNKNOWN, .rooted = true, .units = true,
                       .expected = {blocks_at_root, block, .origin = scatter}},
    [STAR_SCAN] = {"scan", "MPI_Scan", STAR_OF_VECTOR,
                   .expected = {block, block, .origin = scan, .in_place = zero, .reduces = true}},
    [STAR_EXSCAN] = {"exscan", "MPI_Exscan", STAR_OF_VECTOR,
                     .expected = {block, block, .origin = exscan, .in_place = zero, .reduces = true}},
    [STAR_BARRIER] = {"barrier", "MPI_Barrier", STAR_NO_BYTES,
                      .expected = {zero, zero, .origin = gather, .meets = true}},
};

bool star_operation_awaits_all(enum star_operation operation)
{
    return !star_operations[operation].rooted && operation != STAR_SCAN && operation != STAR_EXSCAN &&
           operation != STAR_ALLTOALLW;
}

int64_t star_operation_blocks(enum star_operation operation, int64_t ranks)
{
    enum star_measure measure = star_operations[operation].measure;
    return measure == STAR_OF_PAIR || measure == STAR_OF_RANK ? ranks : 1;
}

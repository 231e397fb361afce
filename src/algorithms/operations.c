/* SPDX-License-Identifier: BSD-3-Clause */
#include "algorithms/method.h"

static void alltoall_source(const struct star_expectation *self, int rank, int64_t offset, int *from_rank,
                            int64_t *from_offset)
{
    *from_rank = (int)(offset / self->block);
    *from_offset = rank * self->block + offset % self->block;
}

static struct star_expectation expect_alltoall(int size, int64_t block)
{
    return (struct star_expectation){.size = size,
                                     .block = block,
                                     .send_bytes = size * block,
                                     .recv_bytes = size * block,
                                     .source = alltoall_source};
}

const struct star_operation_info star_operations[STAR_OPERATIONS] = {
    [STAR_ALLTOALL] = {"alltoall", "MPI_Alltoall", expect_alltoall},
};

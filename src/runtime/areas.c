/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/areas.h"
#include "algorithms/operations.h"
#include "exec/run.h"
#include "runtime/operations.h"
#include "runtime/runners.h"

bool star_areas_of(const struct star_call *call, const struct star_communicator *state,
                   const struct star_facts *facts, struct star_areas *areas)
{
    const struct star_operation_info *info = &star_operations[call->operation];
    struct star_shape shape = star_shape_for(state, call->operation, facts);
    struct star_buffers buffers = {.op = MPI_OP_NULL};
    *areas = (struct star_areas){0};
    if (star_servers[call->operation].buffers(call, state, facts, &buffers) != MPI_SUCCESS)
        return false;
    const struct star_side *send = &buffers.send, *recv = &buffers.recv;
    int64_t sent = info->units       ? send->count
                   : send->size == 0 ? 0
                                     : info->expected.send_bytes(&shape, shape.rank) / send->size;
    int64_t received = info->units       ? recv->count
                       : recv->size == 0 ? 0
                                         : info->expected.recv_bytes(&shape, shape.rank) / recv->size;
    bool in_place = call->sendbuf == MPI_IN_PLACE;
    if (!in_place && !info->expected.one_buffer)
        areas->sent = star_area_of(send, sent, shape.size);
    if (call->recvbuf != MPI_IN_PLACE)
        areas->received = star_area_of(recv, received, shape.size);
    if (info->expected.reduces)
        areas->input = star_area_of(send, sent, shape.size);
    if (in_place)
        areas->other = areas->input;
    if (call->operation == STAR_EXSCAN && shape.rank == 0) {
        areas->other = areas->received;
        areas->received.blocks = 0;
    }
    return true;
}

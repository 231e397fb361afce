/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/sound.h"
#include "algorithms/operations.h"
#include "runtime/call.h"
#include "runtime/operations.h"

/* Of a send or receive buffer: one type for all blocks, or one for each. */
struct side {
    int64_t count;
    const void *counts;
    MPI_Datatype type;
    const MPI_Datatype *types;
};

static bool is_side(const struct star_call *call, int size, const struct side *side, bool lists)
{
    if (!lists)
        return side->count >= 0 && star_takes_datatype(side->type);
    bool right = side->counts != NULL && (side->types != NULL || star_takes_datatype(side->type));
    for (int k = 0; right && k < size; k++) {
        int64_t count = star_count_at(call->large, side->counts, k);
        right = count >= 0 && (side->types == NULL || count == 0 || star_takes_datatype(side->types[k]));
    }
    return right;
}

/* What only a root has is of no significance on other ranks. */
bool star_call_is_sound(const struct star_call *call, const struct star_communicator *state)
{
    enum star_operation which = call->operation;
    const struct star_operation_info *operation = &star_operations[which];
    bool root = call->root == state->rank, has_send = call->sendbuf != MPI_IN_PLACE;
    bool sends = which == STAR_SCATTER || which == STAR_SCATTERV ? root : has_send;
    bool receives = which == STAR_GATHER || which == STAR_GATHERV ? root : call->recvbuf != MPI_IN_PLACE;
    const struct side send = {call->sendcount, call->sendcounts, call->sendtype, call->sendtypes},
                      recv = {call->recvcount, call->recvcounts, call->recvtype, call->recvtypes};
    if (which == STAR_BARRIER)
        return true;
    if (operation->rooted && (call->root < 0 || call->root >= state->size))
        return false;
    if (operation->expected.reduces)
        return star_takes_operator(call->op, call->recvtype) &&
               is_side(call, state->size, &recv, which == STAR_REDUCE_SCATTER);
    if (which == STAR_BCAST)
        return is_side(call, state->size, &recv, false);
    bool v = which == STAR_ALLTOALLV || which == STAR_ALLTOALLW;
    return (!sends || is_side(call, state->size, &send, v || which == STAR_SCATTERV)) &&
           (!receives ||
            is_side(call, state->size, &recv, v || which == STAR_GATHERV || which == STAR_ALLGATHERV));
}

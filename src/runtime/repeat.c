/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/repeat.h"
#include "algorithms/operations.h"
#include "exec/side.h"
#include "runtime/call.h"
#include "runtime/operators.h"
#include "runtime/session.h"
#include "runtime/state.h"

#include <stdlib.h>
#include <string.h>

/* Arrays of counts may hold others each time: another size, or a mistake. */
static bool is_of_arrays(enum star_operation operation)
{
    return operation == STAR_ALLTOALLV || operation == STAR_ALLTOALLW || operation == STAR_ALLGATHERV ||
           operation == STAR_GATHERV || operation == STAR_SCATTERV || operation == STAR_REDUCE_SCATTER;
}

/* What a rank need not give may be anything, which the MPI library must not be asked about. */
static bool is_given(const struct star_communicator *state, const struct star_call *call, bool sends)
{
    bool gathers = call->operation == STAR_GATHER, scatters = call->operation == STAR_SCATTER;
    if ((sends ? scatters : gathers) && state->rank != call->root)
        return false;
    return (sends ? call->sendbuf : call->recvbuf) != MPI_IN_PLACE;
}

/* One of MPI's own; or none, where the call has no such argument; or one that does not matter. A program that
 * makes a type for each call comes here at each: asking the library is shorter than comparing with all. */
static bool is_lasting(const struct star_communicator *state, const struct star_call *call, bool sends)
{
    static const MPI_Datatype none;
    int combiner;
    MPI_Datatype type = sends ? call->sendtype : call->recvtype;
    return type == none || !is_given(state, call, sends) ||
           (star_combiner_of(type, &combiner) == MPI_SUCCESS && combiner == MPI_COMBINER_NAMED);
}

/* Bytes of the blocks of the ranks before this one. */
static int64_t bytes_before(const struct star_communicator *state, const struct star_facts *facts,
                            enum star_operation operation)
{
    return star_operation_blocks(operation, state->size) > 1 ? state->rank * facts->bytes : 0;
}

static bool is_lasting_operator(MPI_Op op, const struct star_repeat *known)
{
    static const MPI_Op none;
    int number;
    return op == none || op == known->op || star_operator_name(op, &number) != NULL;
}

void star_repeats_begin(struct star_communicator *state)
{
    state->repeats = aligned_alloc(_Alignof(struct star_repeat), STAR_REPEATS * sizeof *state->repeats);
    star_repeats_forget(state);
}

void star_repeats_forget(struct star_communicator *state)
{
    if (state->repeats != NULL)
        memset(state->repeats, 0, STAR_REPEATS * sizeof *state->repeats);
}

void star_repeats_end(struct star_communicator *state)
{
    free(state->repeats);
    state->repeats = NULL;
}

void star_repeat_remember(struct star_communicator *state, const struct star_call *call,
                          struct star_context *context, const struct star_facts *facts)
{
    if (state->repeats == NULL || call->site == NULL || state->checked || star_runtime.settings.verify ||
        is_of_arrays(call->operation))
        return;
    struct star_repeat *known = star_repeat_of(state, call);
    if (is_lasting(state, call, true) && is_lasting(state, call, false) &&
        is_lasting_operator(call->op, known))
        *known = (struct star_repeat){.site = call->site,
                                      .context = context,
                                      .sendcount = call->sendcount,
                                      .recvcount = call->recvcount,
                                      .sendtype = call->sendtype,
                                      .recvtype = call->recvtype,
                                      .op = call->op,
                                      .root = call->root,
                                      .operation = (uint16_t)call->operation,
                                      .giving = (uint8_t)star_giving_of(call->sendbuf, call->recvbuf),
                                      .large = call->large,
                                      .own = bytes_before(state, facts, call->operation),
                                      .facts = *facts};
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/errand.h"
#include "algorithms/operations.h"
#include "exec/execute.h"
#include "exec/native.h"
#include "exec/own.h"
#include "runtime/session.h"

#include <stdlib.h>

static void forget(struct star_general *general)
{
    free(general);
}

bool star_errand_is_right(const struct star_call *call, const struct star_buffers *buffers)
{
    MPI_Comm comm = star_alone();
    bool sends = call->operation != STAR_BARRIER, given = sends && call->sendbuf != MPI_IN_PLACE;
    return (!given || star_side_check(&buffers->send, comm) == MPI_SUCCESS) &&
           (!sends || star_side_check(&buffers->recv, comm) == MPI_SUCCESS);
}

/* The program may free a type of its own as soon as the call has begun. */
static int keep(MPI_Datatype *type, bool named, MPI_Datatype *kept)
{
    if (named || *type == MPI_DATATYPE_NULL)
        return MPI_SUCCESS;
    int error = PMPI_Type_dup(*type, kept);
    if (error == MPI_SUCCESS)
        *type = *kept;
    return error;
}

static int keep_types(struct star_errand *errand)
{
    bool in_place = errand->call.sendbuf == MPI_IN_PLACE;
    struct star_buffers *buffers = &errand->buffers;
    if (errand->call.operation != STAR_ALLTOALL && errand->call.operation != STAR_ALLGATHER)
        return MPI_SUCCESS; /* MPI's own */
    int error = keep(&errand->call.recvtype, buffers->recv.named, &errand->kept[0]);
    if (error == MPI_SUCCESS && !in_place)
        error = keep(&errand->call.sendtype, buffers->send.named, &errand->kept[1]);
    buffers->recv.type = errand->call.recvtype;
    buffers->send.type = in_place ? errand->call.recvtype : errand->call.sendtype;
    return error;
}

/* Bytes of its own: of what has gaps, and of what is sent from where it is received. */
static int make_room(struct star_errand *errand)
{
    struct star_buffers *buffers = &errand->buffers;
    bool moves = errand->call.operation == STAR_ALLTOALL || errand->call.operation == STAR_ALLGATHER;
    bool over = errand->call.operation == STAR_ALLTOALL && errand->call.sendbuf == MPI_IN_PLACE;
    const struct star_side from = over ? buffers->recv : buffers->send;
    bool sends = moves && (over || !from.dense), receives = moves && !buffers->recv.dense;
    errand->own = buffers->recv;
    if (sends || receives) {
        errand->room = malloc((size_t)((sends ? errand->sends : 0) + (receives ? errand->receives : 0)));
        if (errand->room == NULL)
            return MPI_ERR_NO_MEM;
    }
    if (receives)
        buffers->recv = star_side_packed(errand->room + (sends ? errand->sends : 0));
    else if (moves)
        buffers->recv = star_side_packed(buffers->recv.base);
    if (moves)
        buffers->send = star_side_packed(sends ? errand->room : from.base);
    return sends ? star_side_copy(buffers->send, 0, from, 0, errand->sends, star_alone()) : MPI_SUCCESS;
}

static void release(struct star_errand *errand)
{
    for (int i = 0; i < 2; i++)
        if (errand->kept[i] != MPI_DATATYPE_NULL)
            PMPI_Type_free(&errand->kept[i]);
    free(errand->room);
    errand->room = NULL;
}

struct star_errand *star_errand_new(const struct star_call *call, const struct star_buffers *buffers,
                                    const struct star_shape *shape)
{
    const struct star_expectation *expected = &star_operations[call->operation].expected;
    struct star_errand *errand = malloc(sizeof *errand);
    if (errand == NULL)
        return NULL;
    *errand = (struct star_errand){.call = *call,
                                   .buffers = *buffers,
                                   .kept = {MPI_DATATYPE_NULL, MPI_DATATYPE_NULL},
                                   .native = MPI_REQUEST_NULL};
    if (call->operation != STAR_BARRIER) {
        errand->sends = expected->send_bytes(shape, shape->rank);
        errand->receives = expected->recv_bytes(shape, shape->rank);
    }
    errand->general.forget = forget;
    if (keep_types(errand) == MPI_SUCCESS && make_room(errand) == MPI_SUCCESS &&
        star_general_start(&errand->general) == MPI_SUCCESS)
        return errand;
    release(errand);
    free(errand);
    return NULL;
}

void star_errand_run(struct star_errand *errand, struct star_runner *runner, const struct star_route *route)
{
    errand->state = STAR_ERRAND_RUNS;
    errand->runner = runner;
    errand->error = star_execute_begin(&errand->run, runner, &errand->buffers, route);
}

static int begin_natively(const struct star_call *c, MPI_Request *request)
{
    switch (c->operation) {
    case STAR_BARRIER:
        return star_native.Ibarrier(c->comm, request);
    case STAR_ALLTOALL:
        return star_native.Ialltoall(c->sendbuf, (int)c->sendcount, c->sendtype, c->recvbuf,
                                     (int)c->recvcount, c->recvtype, c->comm, request);
    case STAR_ALLGATHER:
        return star_native.Iallgather(c->sendbuf, (int)c->sendcount, c->sendtype, c->recvbuf,
                                      (int)c->recvcount, c->recvtype, c->comm, request);
    case STAR_REDUCE_SCATTER_BLOCK:
        return star_native.Ireduce_scatter_block(c->sendbuf, c->recvbuf, (int)c->recvcount, c->recvtype,
                                                 c->op, c->comm, request);
    default:
        return star_native.Iallreduce(c->sendbuf, c->recvbuf, (int)c->recvcount, c->recvtype, c->op, c->comm,
                                      request);
    }
}

void star_errand_run_natively(struct star_errand *errand)
{
    errand->state = STAR_ERRAND_RUNS_NATIVELY;
    errand->error = begin_natively(&errand->call, &errand->native);
}

bool star_errand_goes_on(struct star_errand *errand)
{
    int flag = 0;
    bool done = false;
    if (errand->state == STAR_ERRAND_WAITS)
        return false;
    if (errand->error != MPI_SUCCESS)
        return true;
    if (errand->state == STAR_ERRAND_RUNS_NATIVELY) {
        errand->error = star_native.Test(&errand->native, &flag, MPI_STATUS_IGNORE);
        return flag || errand->error != MPI_SUCCESS;
    }
    errand->error = star_execute_progress(&errand->run, &done);
    return done || errand->error != MPI_SUCCESS;
}

static int unpack(const struct star_errand *errand)
{
    bool apart = errand->room != NULL && !errand->own.dense && errand->state == STAR_ERRAND_RUNS;
    return apart ? star_side_copy(errand->own, 0, errand->buffers.recv, 0, errand->receives, star_alone())
                 : MPI_SUCCESS;
}

void star_errand_end(struct star_errand *errand)
{
    int error = errand->error != MPI_SUCCESS ? errand->error : unpack(errand);
    release(errand);
    star_general_end(&errand->general, error);
}

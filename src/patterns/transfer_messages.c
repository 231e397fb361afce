/* SPDX-License-Identifier: BSD-3-Clause
 * Sends and receives, blocking, begun or persistent; and packing. */
#include "patterns/transfer_messages.h"
#include "patterns/border.h"
#include "halo/halo.h"
#include "halo/neighborhood.h"

int star_do_pack(struct star_exchange *exchange, const struct star_act *act)
{
    const struct star_passage *passage = &exchange->border->sent[act->send];
    int position = 0;
    return PMPI_Pack(exchange->border->vectors.from, 1, passage->type, exchange->sent[act->send].at,
                     passage->packed_bytes, &position, exchange->border->vectors.comm);
}

int star_do_unpack(struct star_exchange *exchange, const struct star_act *act)
{
    const struct star_passage *passage = &exchange->border->received[act->receive];
    int position = 0;
    return PMPI_Unpack(exchange->received[act->receive].at, passage->packed_bytes, &position,
                       exchange->border->vectors.into, 1, passage->type, exchange->border->vectors.comm);
}

int star_do_begin_receive(struct star_exchange *exchange, const struct star_act *act)
{
    const struct star_message *m = &exchange->received[act->receive];
    return PMPI_Irecv(m->at, m->count, m->type, m->peer, m->tag, exchange->border->vectors.comm,
                      &exchange->request[act->first]);
}

int star_do_begin_send(struct star_exchange *exchange, const struct star_act *act)
{
    const struct star_message *m = &exchange->sent[act->send];
    return PMPI_Isend(m->at, m->count, m->type, m->peer, m->tag, exchange->border->vectors.comm,
                      &exchange->request[act->first]);
}

int star_do_send(struct star_exchange *exchange, const struct star_act *act)
{
    const struct star_message *m = &exchange->sent[act->send];
    return PMPI_Send(m->at, m->count, m->type, m->peer, m->tag, exchange->border->vectors.comm);
}

int star_do_receive(struct star_exchange *exchange, const struct star_act *act)
{
    const struct star_message *m = &exchange->received[act->receive];
    return PMPI_Recv(m->at, m->count, m->type, m->peer, m->tag, exchange->border->vectors.comm,
                     MPI_STATUS_IGNORE);
}

int star_do_sendrecv(struct star_exchange *exchange, const struct star_act *act)
{
    static const struct star_message none = {NULL, 0, MPI_BYTE, MPI_PROC_NULL, 0};
    const struct star_message *s = act->send == STAR_NOBODY ? &none : &exchange->sent[act->send];
    const struct star_message *r = act->receive == STAR_NOBODY ? &none : &exchange->received[act->receive];
    return PMPI_Sendrecv(s->at, s->count, s->type, s->peer, s->tag, r->at, r->count, r->type, r->peer, r->tag,
                         exchange->border->vectors.comm, MPI_STATUS_IGNORE);
}

int star_do_make_receive(struct star_exchange *exchange, const struct star_act *act)
{
    const struct star_message *m = &exchange->received[act->receive];
    return PMPI_Recv_init(m->at, m->count, m->type, m->peer, m->tag, exchange->border->vectors.comm,
                          &exchange->request[act->first]);
}

int star_do_make_send(struct star_exchange *exchange, const struct star_act *act)
{
    const struct star_message *m = &exchange->sent[act->send];
    return PMPI_Send_init(m->at, m->count, m->type, m->peer, m->tag, exchange->border->vectors.comm,
                          &exchange->request[act->first]);
}

int star_do_start(struct star_exchange *exchange, const struct star_act *act)
{
    return PMPI_Startall(act->count, &exchange->request[act->first]);
}

int star_do_wait(struct star_exchange *exchange, const struct star_act *act)
{
    return PMPI_Waitall(act->count, &exchange->request[act->first], MPI_STATUSES_IGNORE);
}

/* One by one: MPICH's MPI_Testall fails for partitioned messages. */
int star_try_wait(struct star_exchange *exchange, const struct star_act *act, bool *done)
{
    int error = 0, flag = 1;
    for (int r = act->first; !error && flag && r < act->first + act->count; r++)
        error = PMPI_Test(&exchange->request[r], &flag, MPI_STATUS_IGNORE);
    *done = flag != 0;
    return error;
}

int star_exchange_let_mpi_go_on(MPI_Comm comm)
{
    int found;
    return PMPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &found, MPI_STATUS_IGNORE);
}

void star_free_requests(struct star_exchange *exchange)
{
    for (int r = 0; exchange->request && r < exchange->script->requests; r++)
        if (exchange->request[r] != MPI_REQUEST_NULL)
            PMPI_Request_free(&exchange->request[r]);
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Partitioned messages, of one part each, where the MPI library has them. */
#include "patterns/transfer_parted.h"
#include "halo/neighborhood.h"

#if MPI_VERSION >= 4

int star_do_make_parted_receive(struct star_exchange *exchange, const struct star_act *act)
{
    const struct star_message *m = &exchange->received[act->receive];
    return PMPI_Precv_init(m->at, 1, m->count, m->type, m->peer, m->tag, exchange->border->vectors.comm,
                           MPI_INFO_NULL, &exchange->request[act->first]);
}

int star_do_make_parted_send(struct star_exchange *exchange, const struct star_act *act)
{
    const struct star_message *m = &exchange->sent[act->send];
    return PMPI_Psend_init(m->at, 1, m->count, m->type, m->peer, m->tag, exchange->border->vectors.comm,
                           MPI_INFO_NULL, &exchange->request[act->first]);
}

int star_do_ready(struct star_exchange *exchange, const struct star_act *act)
{
    return PMPI_Pready(0, exchange->request[act->first]);
}
#endif

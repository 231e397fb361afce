/* SPDX-License-Identifier: BSD-3-Clause */
#include "patterns/placing.h"
#include "patterns/border.h"
#include "halo/halo.h"

/* What lies in one piece is sent and received as such, which costs less than a datatype that says where. */
static struct star_message message_of(const struct star_passage *passage, void *vector, MPI_Datatype element,
                                      char *buffer, bool packs)
{
    if (passage->peer == STAR_NOBODY)
        return (struct star_message){.type = MPI_BYTE, .peer = MPI_PROC_NULL};
    if (!packs && passage->elements > 0)
        return (struct star_message){(char *)vector + passage->place, passage->elements, element,
                                     passage->peer, passage->tag};
    if (!packs)
        return (struct star_message){vector, 1, passage->type, passage->peer, passage->tag};
    return (struct star_message){buffer ? buffer + passage->mine.packed_at : NULL, passage->packed_bytes,
                                 MPI_PACKED, passage->peer, passage->tag};
}

void star_place_messages(struct star_exchange *exchange)
{
    const struct star_border *border = exchange->border;
    for (int k = 0; k < border->vectors.halo->sides; k++) {
        exchange->sent[k] = message_of(&border->sent[k], (void *)border->vectors.from, border->vectors.type,
                                       exchange->sent_buffer, exchange->packs);
        exchange->received[k] = message_of(&border->received[k], border->vectors.into, border->vectors.type,
                                           exchange->received_buffer, exchange->packs);
    }
}

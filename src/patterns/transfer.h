/* SPDX-License-Identifier: BSD-3-Clause
 * An exchange from the inside, and what each deed of a script is in MPI. All return an MPI error code. */
#pragma once

#include "halo/script.h"
#include "patterns/border.h"

/* One message as a call of MPI takes it. */
struct star_message {
    void *at;
    int count;
    MPI_Datatype type;
    int peer, tag;
};

struct star_neighbor_call; /* the arguments of a neighbourhood collective */

struct star_exchange {
    const struct star_border *border;
    const struct star_neighborhood *method;
    struct star_script *script;
    int at;                               /* the next act; all are done: nothing is under way */
    int pauses_from;                      /* no act before this one is left to progress */
    struct star_message *sent, *received; /* of each side */
    MPI_Request *request;
    bool packs;
    char *sent_buffer, *received_buffer; /* of packed messages: the border's, or one is the window */
    /* Of one-sided methods. */
    MPI_Win window;
    MPI_Aint before;   /* bytes of the window before the first element of the vector */
    MPI_Datatype *far; /* of each side: the message at its other end */
    MPI_Group *group;  /* of each act that opens an epoch */
    struct star_neighbor_call *call;
};

typedef int star_doing(struct star_exchange *exchange, const struct star_act *act);

/* Goes on without waiting: *DONE says whether the act is over. */
typedef int star_trying(struct star_exchange *exchange, const struct star_act *act, bool *done);

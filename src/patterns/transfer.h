/* SPDX-License-Identifier: BSD-3-Clause
 * An exchange from the inside, and what each deed of a script is in MPI. All return an MPI error code. */
#ifndef STAR_PATTERNS_TRANSFER_H
#define STAR_PATTERNS_TRANSFER_H

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

star_doing star_do_pack, star_do_unpack, star_do_begin_receive, star_do_begin_send, star_do_send,
    star_do_receive, star_do_sendrecv, star_do_make_receive, star_do_make_send, star_do_start, star_do_wait;
star_doing star_do_make_parted_receive, star_do_make_parted_send, star_do_ready;
star_doing star_do_make_neighbors, star_do_neighbors, star_do_begin_neighbors;
star_doing star_do_make_open, star_do_make_readable, star_do_fence, star_do_last_fence, star_do_post,
    star_do_access, star_do_put, star_do_get, star_do_complete, star_do_wait_exposed;

/* Goes on without waiting: *DONE says whether the act is over. */
typedef int star_trying(struct star_exchange *exchange, const struct star_act *act, bool *done);
star_trying star_try_wait, star_try_wait_exposed;

/* Says in SENT and RECEIVED where messages lie. */
void star_place_messages(struct star_exchange *exchange);

/* Frees what the acts of these kinds made. */
void star_free_requests(struct star_exchange *exchange);
void star_free_window(struct star_exchange *exchange);
void star_free_neighbors(struct star_exchange *exchange);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * Deeds of scripts by messages. */
#pragma once

#include "patterns/transfer.h"

/* Lets the MPI library go on where there is nothing to try. */
int star_exchange_let_mpi_go_on(MPI_Comm comm);

star_doing star_do_pack, star_do_unpack, star_do_begin_receive, star_do_begin_send, star_do_send,
    star_do_receive, star_do_sendrecv, star_do_make_receive, star_do_make_send, star_do_start, star_do_wait;
star_trying star_try_wait;
/* Frees what the acts of these kinds made. */
void star_free_requests(struct star_exchange *exchange);

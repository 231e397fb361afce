/* SPDX-License-Identifier: BSD-3-Clause */
#include "patterns/blindly.h"
#include "patterns/transfer_messages.h"

/* A program that asks on and on until the run is over comes to an end: in the end it is waited for. */
int star_request_ask_blindly(const struct star_request *request, bool *done)
{
    enum { ASKED_MOST = 10000 };
    *done = request->asked >= ASKED_MOST - 1;
    return star_exchange_let_mpi_go_on(request->comm);
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Neighbourhood exchanges in MPI. A border is what all methods share: a halo, the vectors, the datatypes of
 * its sides, and what the neighbours said of theirs. An exchange is a border with a method.
 *
 * Of the same communicator, exchanges with tags that do not overlap may be under way at once. Where some of
 * them are one-sided or pair-wise, all ranks must begin them in one order, and wait for them in one order. */
#pragma once

#include "halo/neighborhood.h"

#include <mpi.h>

/* What a border is made of. All of it must outlive the border. */
struct star_vectors {
    const struct star_halo *halo;
    MPI_Datatype type; /* of an element */
    const void *from;  /* where the first element of what is sent lies */
    void *into;        /* of what is received; the same, or a vector of the same shape */
    MPI_Comm comm;     /* private, with MPI_ERRORS_RETURN */
    int tag;           /* the first of halo->sides tags that are this border's */
};

struct star_border;
struct star_exchange;

/* 0, or STAR_ENEEDS with the reason: does the method work on so many ranks with this MPI library? The same on
 * all ranks. */
int star_neighborhood_applies(const struct star_neighborhood *method, int ranks, struct star_why *why);

/* Collective: all ranks return the same. STAR_ENEEDS where the method does not apply; STAR_EMEMORY,
 * STAR_ESYSTEM. Of the exchanges of one border one at a time may be under way. */
int star_exchange_make(const struct star_border *border, const struct star_neighborhood *method,
                       struct star_exchange **exchange, struct star_why *why);
/* Collective where the method is one-sided. NULL is nothing; it may not be under way. */
void star_exchange_free(struct star_exchange *exchange);

/* All return an MPI error code. INIT begins an exchange, as far as it goes without waiting for what others do
 * not have begun yet; methods of blocking calls do all there, and those of blocking sends begin all messages.
 * Until WAIT has returned, the inner points beside the halo may be read, and the halo may not be touched.
 * PROGRESS goes on as far as it can without waiting. Run is init and wait. */
int star_exchange_init(struct star_exchange *exchange);
int star_exchange_progress(struct star_exchange *exchange);
int star_exchange_wait(struct star_exchange *exchange);
int star_exchange_run(struct star_exchange *exchange);
/* Has progress come to the end, so that wait will not wait? */
bool star_exchange_is_over(const struct star_exchange *exchange);
/* Is MPI's next step one that can only be waited for, such as a fence? Progress goes no further then. */
bool star_exchange_is_untold(const struct star_exchange *exchange);

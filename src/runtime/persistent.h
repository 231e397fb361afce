/* SPDX-License-Identifier: BSD-3-Clause
 * Persistent collectives that are short, on communicators within one node. The program's handle is the MPI
 * library's own request. Where all ranks agreed to when it was made, its starts may go by a board of its own
 * (exec/board.h): then the library's request stays inactive, and a notice (notice.h) stands for it in what
 * waits and tests. Ranks may start several requests in different orders. */
#pragma once

#include "runtime/call.h"

#include <stdatomic.h>

struct star_persistent;

/* So many there are: nothing below is needed while there are none. */
extern atomic_int star_persistents;

/* The ranks agree whether CALL of FUNCTION can go by a board; NULL: it cannot. Collective, before the MPI
 * library makes the request: what it refuses on some ranks may leave it unable to do anything more that is
 * collective. */
struct star_persistent *star_persistent_prepare(const char *function, const struct star_call *call);
/* It has made REQUEST for it; MPI_REQUEST_NULL: it could not. */
void star_persistent_made(struct star_persistent *persistent, MPI_Request request);
/* NULL: it is another request. */
struct star_persistent *star_persistent_find(MPI_Request request);
/* Starts it. False: the MPI library is to; *ERROR is MPI's otherwise. */
bool star_persistent_start(struct star_persistent *persistent, int *error);
/* The program frees its request. */
void star_persistent_free(struct star_persistent *persistent);
/* What the MPI library is to be asked about in its place. */
MPI_Request star_persistent_now(const struct star_persistent *persistent);

/* Puts what the MPI library is to be asked about into REQUESTS; and what belongs there back, when it has
 * been: LIST is what the first one returned. */
struct star_persistent *star_persistents_take_out(int count, MPI_Request *requests);
void star_persistents_put_back(struct star_persistent *list, MPI_Request *requests);
/* MPI ends here. */
void star_persistents_leave(void);

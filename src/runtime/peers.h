/* SPDX-License-Identifier: BSD-3-Clause
 * Messages between the ranks of a communicator, which the program has no part in: those of talks. They are
 * short, and sent before their receiver is there. */
#pragma once

#include "runtime/state.h"

/* What a message is; those of plans come before (enum star_channel). */
enum star_matter {
    STAR_STATEMENT = STAR_SYNC + 1,
    STAR_OUTCOME,
    STAR_VERDICT,
    STAR_VOTE,
    STAR_REHEARSED,
    STAR_ANSWER,
    STAR_BOARD_KEY,
    STAR_PERSISTENT_KEY,
    STAR_BLOCK
};
_Static_assert((int)STAR_BLOCK < (int)STAR_TAG_OF_LANES, "each matter has a tag of its own");

/* To and from RANK of the communicator. MPI error codes, raised nowhere. */
int star_peer_send(const struct star_communicator *state, int rank, enum star_matter matter, const void *data,
                   size_t bytes);
int star_peer_isend(const struct star_communicator *state, int rank, enum star_matter matter,
                    const void *data, size_t bytes, MPI_Request *request);
int star_peer_irecv(const struct star_communicator *state, int rank, enum star_matter matter, void *data,
                    size_t room, MPI_Request *request);
/* COUNT elements of the program's, sent or received. */
struct star_elements {
    void *at;
    int64_t count;
    MPI_Datatype type;
};
int star_peer_isend_elements(const struct star_communicator *state, int rank, enum star_matter matter,
                             const struct star_elements *elements, MPI_Request *request);
int star_peer_irecv_elements(const struct star_communicator *state, int rank, enum star_matter matter,
                             const struct star_elements *elements, MPI_Request *request);
/* Waits for it: watch.h. */
int star_peer_recv(const struct star_communicator *state, int rank, enum star_matter matter, void *data,
                   size_t room);
/* Takes one that has come, into DATA; false: there is none. */
bool star_peer_take(const struct star_communicator *state, int rank, enum star_matter matter, void *data,
                    size_t room);
/* Is REQUEST over, or did it fail? Waits for nothing. */
bool star_peer_is_done(MPI_Request *request, MPI_Status *status, int *error);
/* What was to be received never will be. */
void star_peer_cancel(MPI_Request *request);

/* SPDX-License-Identifier: BSD-3-Clause
 * How each operation of MPI is served: native, the facts of a call, its buffers. */
#pragma once

#include "runtime/state.h"

/* How an operation of MPI is served: operations.c holds one of these for each. */
struct star_server {
    int (*native)(const struct star_call *call);
    int (*begin)(const struct star_call *call, MPI_Request *request); /* the nonblocking one */
    /* False when there is nothing to tune, or the call is not ours to judge (an argument is wrong): native
     * takes it. */
    bool (*facts)(const struct star_call *call, const struct star_communicator *state,
                  struct star_facts *facts);
    /* The program's buffers, from what they were at the last call (or zeros); MPI error code. */
    int (*buffers)(const struct star_call *call, const struct star_communicator *state,
                   const struct star_facts *facts, struct star_buffers *buffers);
};
extern const struct star_server star_servers[STAR_OPERATIONS];
/* One buffer for both, where the MPI library takes it as MPI_IN_PLACE. */
bool star_is_in_place(const struct star_call *call);

/* Bytes of COUNT elements of TYPE; negative: no count, or no datatype. */
int64_t star_bytes_of(int64_t count, MPI_Datatype type);
/* Does the MPI library take the datatype, or the operator with it? Asked by calls without elements of this
 * rank alone. */
bool star_takes_datatype(MPI_Datatype type);
bool star_takes_operator(MPI_Op op, MPI_Datatype type);
/* COUNTS[k] and DISPLS[k]; LARGE: of the binding for large counts. */
int64_t star_count_at(bool large, const void *counts, int64_t k);
int64_t star_displ_at(bool large, const void *displs, int64_t k);

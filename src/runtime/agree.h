/* SPDX-License-Identifier: BSD-3-Clause
 * Agreement between ranks: the only place, beside the executor and native itself, that communicates. */
#ifndef STAR_RUNTIME_AGREE_H
#define STAR_RUNTIME_AGREE_H

#include "runtime/runtime.h"
#include "util/text.h"

/* Is OK true on all ranks, and SITES the same (then *SAME)? Collective over COMM. False on an MPI error. */
bool star_agree(MPI_Comm comm, bool ok, uint64_t sites, bool *same);
/* Reduces the tuner's figures to rank 0 of COMM, which decides, and applies the decision on all ranks. An MPI
 * error leaves the tuner as it was. */
void star_agree_tuner(MPI_Comm comm, int rank, int size, struct star_tuner *tuner,
                      struct star_decision *decision);
/* Gives all ranks of MPI_COMM_WORLD the settings of rank 0; returns on rank 0 how many ranks had others. */
int star_agree_settings(struct star_settings *settings, bool *usable);
/* Puts all ranks' texts one behind the other, on rank 0 of MPI_COMM_WORLD. */
void star_agree_gather(struct star_text *text);

/* A communicator of the same ranks for startune's own messages, with MPI_ERRORS_RETURN; none of the
 * attributes of COMM is copied. MPI error code, raised nowhere. */
int star_agree_private(MPI_Comm comm, bool ok, uint64_t sites, bool *agreed, bool *same, MPI_Comm *made);

#endif

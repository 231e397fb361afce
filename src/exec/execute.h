/* SPDX-License-Identifier: BSD-3-Clause
 * Runs plans: the only place that moves a program's messages. All return an MPI error code, raised nowhere.
 */
#pragma once

#include "exec/run.h"

#include <stdint.h>

/* Is told what a rank of COMM has handed over to this one by shared memory, where no message tells. NULL:
 * nobody asks. */
extern void (*star_execute_fetched)(MPI_Comm comm, int rank, int64_t bytes, int64_t messages);

/* What MPI refuses in a buffer or a datatype, also where only packing would meet it: a null buffer, a type
 * that was not committed. */
int star_side_check(const struct star_side *side, MPI_Comm comm);

/* No error of MPI's: not all ranks make this call by shared memory, as some gave another length, or find
 * something wrong. The MPI library is to make it, and finds out. */
enum { STAR_EXECUTE_APART = -1 };

/* Collective over the ranks of ROUTE. May return STAR_EXECUTE_APART. */
int star_execute(struct star_runner *runner, const struct star_buffers *buffers,
                 const struct star_route *route);

/* In place of a call that this rank finds wrong: in shared memory the others learn of it, and find an error;
 * elsewhere they wait, as natively. */
void star_execute_refuse(const struct star_runner *runner, const struct star_route *route);

/* Can it go in pieces? Not with barriers, nor in shared memory. The same on all ranks. */
bool star_execute_in_pieces(const struct star_runner *runner);
/* The same in pieces. BEGIN and PROGRESS go as far as they can without waiting; *DONE: to the end. FINISH
 * waits. On one route one plan may be under way. */
int star_execute_begin(struct star_run *run, struct star_runner *runner, const struct star_buffers *buffers,
                       const struct star_route *route, bool *done);
int star_execute_progress(struct star_run *run, bool *done);
int star_execute_finish(struct star_run *run);

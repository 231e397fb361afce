/* SPDX-License-Identifier: BSD-3-Clause
 * Ranks without an MPI library: threads, or processes. As much of MPI as src/exec asks for where ranks share
 * memory, and no more; elements of reductions are bytes, and the operator adds them. What maps a file that
 * the process has mapped already gets the same memory at the same address, so that ThreadSanitizer sees what
 * threads do to it. */
#pragma once

#include "exec/run.h"

enum { RANKS_MOST = 4 };

/* What a rank does. Not for cmocka's assertions: see ranks_complain. */
typedef void rank_body(int rank, void *context);
/* Returns when all ranks have. */
void ranks_as_threads(int size, rank_body *body, void *context);
/* False: one of them has complained, or died. Each has a copy of what is not shared. */
bool ranks_as_processes(int size, rank_body *body, void *context);
/* Each rank on a processor of its own, where there are as many. */
void ranks_pin(int rank);

/* Of the ranks that run now. */
struct star_route ranks_route(void);
void ranks_barrier(void);
/* Others would wait for whoever finds something wrong: this ends the process. */
void ranks_complain(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

/* SPDX-License-Identifier: BSD-3-Clause
 * Is startune in front of every program of the job? A wrapper that sets LD_PRELOAD on one rank, or `startune
 * run` before one program of two, leaves ranks without it, which would take part in nothing that the others
 * agree on. Ranks of one node count each other in shared memory, before MPI_Init and after it, as no message
 * could ask a rank that has no startune. Ranks of other nodes cannot be counted: there the watchdog speaks
 * (watch.h). */
#ifndef STAR_RUNTIME_PRESENCE_H
#define STAR_RUNTIME_PRESENCE_H

#include <stdbool.h>

/* Before MPI_Init: this rank has startune. False: it is not known which ranks it belongs to. Local. */
bool star_presence_begin(void);
/* After it: have all ranks of this node? All of them that ask find the same. *MISSING: how many have not, of
 * ALL; one of those that ask is the FIRST. Waits a few seconds for those that have not come, where MPI_Init
 * did not. */
bool star_presence_is_complete(int *missing, int *all, bool *first);

#endif

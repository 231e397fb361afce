/* SPDX-License-Identifier: BSD-3-Clause
 * Is startune in front of every program of the job? A wrapper that sets LD_PRELOAD on one rank, or `startune
 * run` before one program of two, leaves ranks without it, which would take part in nothing that the others
 * agree on. Ranks of one node count each other in shared memory, before MPI_Init and after it, as no message
 * could ask a rank that has no startune. Ranks of other nodes cannot be counted: there the watchdog speaks
 * (watch.h). */
#pragma once

#include <stdbool.h>

/* Before MPI_Init: this rank has startune, which may be turned OFF. False: it is not known which ranks it
 * belongs to. Local. */
bool star_presence_begin(bool off);
/* After it: which ranks of this node have it? All of them that ask find the same, but that one of them is the
 * first. Waits a few seconds for those that have not come, where MPI_Init did not. */
struct star_presence {
    bool complete;         /* all have, or nobody can tell */
    bool first;            /* to ask */
    int all, missing, off; /* ranks of this node; of them without startune; and where it is turned off */
};
struct star_presence star_presence_find(void);

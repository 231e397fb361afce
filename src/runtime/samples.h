/* SPDX-License-Identifier: BSD-3-Clause
 * What nonblocking calls cost the program, by the board and natively: the time of beginning one, and that in
 * functions that wait for requests or test them, until the next one begins. The ranks see each other's
 * figures on the board; as the first one to come decides, they need not agree on them. */
#pragma once

#include "exec/board.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum { STAR_SAMPLES = 15 };
struct star_sampled {
    uint32_t calls, shared;                /* SHARED of them went by the board */
    uint32_t judge;                        /* when so many calls have come; */
    bool better;                           /* by the board, as far as known */
    uint8_t quiet;                         /* so many of the last ones were native's and no trials */
    uint32_t took[2];                      /* so many samples: natively, and by the board */
    uint32_t nanoseconds[2][STAR_SAMPLES]; /* the last ones */
};
/* Of a communicator. */
struct star_samples {
    struct star_sampled kinds[STAR_BOARD_KINDS];
};

/* What calls took one way, in nanoseconds: a mean without the longest. 0: none was timed. */
uint32_t star_samples_mean(const struct star_sampled *sampled, bool shared);

/* A call of KIND begins. What is to be wanted for it: the board, or not. LOOKING: nanoseconds that all ranks
 * save where it is native's and they rest. */
enum star_samples_want { STAR_WANT_NATIVE, STAR_WANT_SHARED, STAR_TRY_NATIVE, STAR_TRY_SHARED };
enum star_samples_want star_samples_begin(struct star_samples *samples, struct star_board *board, int kind,
                                          uint64_t looking);
/* So many blocking calls of an operation go to the MPI library unseen, where the first rank to come to the
 * call before them finds its kind quiet: the last ones were native's, and none of these is to be tried. */
enum { STAR_CALLS_RESTED = 63 };
bool star_samples_are_quiet(const struct star_sampled *sampled);
/* It goes this way; */
void star_samples_way(struct star_samples *samples, int kind, bool shared);
/* it has begun. */
void star_samples_began(void);
/* Is a sample taken? Then the program has waited or tested since BEGIN. */
extern atomic_bool star_samples_open;
void star_samples_waited(int64_t begin);
/* There is nothing to tell of these any more. */
void star_samples_forget(const struct star_sampled *sampled, int count);

/* What comes now is no part of it. */
void star_samples_end(void);
/* Of calls that are decided on elsewhere: one begins which is tried this way. */
void star_samples_try(struct star_sampled *sampled, bool shared);

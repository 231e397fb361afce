/* SPDX-License-Identifier: BSD-3-Clause
 * The ranks that tune, and what they have at hand. */
#pragma once

#include "cli/helpers/measure/calls.h"
#include "search/question.h"

/* How the ranks begin a measured call together. */
enum star_start { STAR_START_WINDOW, STAR_START_BARRIER, STAR_START_MPPTEST };

/* One of the methods that are compared. */
struct player {
    struct star_method method;
    struct star_shared_runner *runner; /* NULL: native, or it cannot run */
    bool ready, proven;                /* PROVEN: its result was compared with native's, at its first run */
};

/* The ranks that measure, and what they have at hand. */
struct stage {
    const struct star_question *ask;
    struct ground ground;
    enum star_start start;
    int64_t offset;        /* nanoseconds to add to this rank's clock for that of rank 0 */
    int64_t slack;         /* on rank 0: how far ahead it sets the moment of the start */
    double native_seconds; /* of the call at hand: what lateness is a multiple of */
    uint64_t random;       /* the same on all ranks: who comes late */
    struct call call;
    struct player *player;
    int players;
};

/* SPDX-License-Identifier: BSD-3-Clause
 * Gather, and scatter, which is the same backwards: one builder serves both where all that differs is the way
 * that blocks go. */
#pragma once

#include "algorithms/knobs.h"
#include "plan/build.h"

struct star_rooted {
    bool gathers;
    struct star_place own;    /* this rank's block */
    struct star_place blocks; /* at the root: all of them, by rank */
    star_build_move *up;      /* what a rank does that has blocks for the root, or gets them */
    star_build_move *down;    /* and what the other one does */
};

static inline struct star_rooted star_rooted_of(const struct star_shape *shape)
{
    if (shape->part->gathers)
        return (struct star_rooted){true, star_at(STAR_SENDBUF, 0), star_at(STAR_RECVBUF, 0), star_build_send,
                                    star_build_recv};
    return (struct star_rooted){false, star_at(STAR_RECVBUF, 0), star_at(STAR_SENDBUF, 0), star_build_recv,
                                star_build_send};
}

/* Copies BYTES between what lies nearer to the root and what lies farther, the way that blocks go. */
static inline void star_rooted_copy(struct star_builder *b, const struct star_rooted *rooted,
                                    struct star_place near, struct star_place far, int64_t bytes)
{
    star_build_copy(b, rooted->gathers ? near : far, rooted->gathers ? far : near, bytes);
}

/* SPDX-License-Identifier: BSD-3-Clause
 * The ways that nonblocking calls of a kind can go: natively, or by plans, with runners for some calls at a
 * time. */
#ifndef STAR_RUNTIME_WAYS_H
#define STAR_RUNTIME_WAYS_H

#include "exec/runner.h"
#include "runtime/course.h"
#include "runtime/samples.h"
#include "runtime/state.h"

/* So many calls of a communicator may be under way by plans. */
enum { STAR_UNDER_WAY = STAR_CHANNELS / 2 };

struct star_track {
    struct star_method method;
    struct star_runner *idle[STAR_UNDER_WAY];
    int idles, made;
    int64_t calls;
    struct star_series series;
};

/* Can nonblocking calls of the operation go by a plan? Those that no rank can end before all have begun. */
bool star_ways_serve(enum star_operation operation);
/* Fills WAYS, which holds zeros, native first; returns how many there are. The same on all ranks. FORCED: the
 * setting's methods, at any size. */
int star_ways_find(struct star_track *ways, enum star_operation operation, const struct star_shape *shape,
                   bool forced);
/* Makes a runner, which is idle then. False: it cannot be. Local. */
bool star_track_make(struct star_track *way, const struct star_shape *shape);
/* One that is idle, or is made; NULL: all are in use. No SHAPE: none is made. */
struct star_runner *star_track_take(struct star_track *way, const struct star_shape *shape);
void star_track_give(struct star_track *way, struct star_runner *runner);
/* None is in use. */
void star_ways_free(struct star_track *ways, int count);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * Hand-overs between the ranks of a node, step by step. *MOST is 0 at first, and becomes the bytes of the
 * longest vector that others have shown: STAR_SEGMENT_NOTHING if one of them has left the call without it.
 * All return an MPI error code, raised nowhere, or STAR_EXECUTE_APART. */
#pragma once

#include "exec/run.h"

void star_hand_post(const struct star_route *route, const struct star_plan *plan,
                    const struct star_step *step, int64_t most);
/* Waits. If a vector is longer than this rank's, the MPI library would find out of a message; all steps are
 * taken nevertheless, as others wait for them. */
int star_hand_await(const struct star_route *route, const struct star_step *step, int64_t *most);
/* LENGTH bytes at OFFSET of what the peer of STEP has SHOWN, or as many as there are; or those of STEP. */
struct star_shown; /* exec/window.h */
int star_hand_read(const struct star_route *route, const struct star_step *step,
                   const struct star_shown *shown, int64_t offset, void *to, int64_t length, int64_t *most);
int star_hand_read_step(const struct star_route *route, const struct star_step *step, void *to,
                        int64_t *most);

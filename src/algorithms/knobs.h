/* SPDX-License-Identifier: BSD-3-Clause
 * Knobs that several algorithms share. */
#ifndef STAR_ALGORITHMS_KNOBS_H
#define STAR_ALGORITHMS_KNOBS_H

#include "algorithms/method.h"

#define STAR_KNOB_SYNC                                                                                       \
    {                                                                                                        \
        .name = "sync",                                                                                      \
        .help = "between rounds: none, light, barrier, or barriers:N with 1 <= N <= rounds-1",               \
        .is_sync = true, .least = 1, .most = INT32_MAX, .preset = STAR_SYNC_NONE,                            \
        .values = {3, {STAR_SYNC_NONE, STAR_SYNC_LIGHT, STAR_SYNC_BARRIER}}, .more = {                       \
            2,                                                                                               \
            {1, 3}                                                                                           \
        }                                                                                                    \
    }

#define STAR_KNOB_WINDOW                                                                                     \
    {                                                                                                        \
        .name = "window", .help = "rounds in flight, 1 or more", .least = 1, .most = INT32_MAX, .preset = 1, \
        .values = {1, {1}}, .more = {                                                                        \
            2,                                                                                               \
            {2, 5}                                                                                           \
        }                                                                                                    \
    }

#endif

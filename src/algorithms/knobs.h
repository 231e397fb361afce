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

#define STAR_KNOB_RADIX(first, second)                                                                       \
    {                                                                                                        \
        .name = "radix", .help = "a whole number, 2 or more", .least = 2, .most = INT32_MAX,                 \
        .preset = (first), .values = {2, {(first), (second)}}, .more = {                                     \
            1,                                                                                               \
            {5}                                                                                              \
        }                                                                                                    \
    }

/* Bytes of the pieces in which a vector moves, so that its transfers overlap. */
#define STAR_KNOB_SEGMENT                                                                                    \
    {                                                                                                        \
        .name = "segment", .help = "none, or bytes such as 8K", .is_bytes = true, .least = 1,                \
        .most = INT32_MAX, .preset = 0, .values = {7, {0, 1024, 8192, 16384, 32768, 65536, 131072}},         \
        .more = {                                                                                            \
            1,                                                                                               \
            {16}                                                                                             \
        }                                                                                                    \
    }

#endif

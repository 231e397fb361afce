/* SPDX-License-Identifier: BSD-3-Clause
 * Knobs that several algorithms share. */
#pragma once

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

/* Of methods in which all ranks of a node exchange in each round, so that they hardly get out of step. */
#define STAR_KNOB_LIGHT_SYNC                                                                                 \
    {                                                                                                        \
        .name = "sync", .help = "between rounds: none, light, or barriers:N with 1 <= N <= rounds-1",        \
        .is_sync = true, .least = 1, .most = INT32_MAX, .preset = STAR_SYNC_NONE,                            \
        .values = {2, {STAR_SYNC_NONE, STAR_SYNC_LIGHT}}, .more = {                                          \
            1,                                                                                               \
            {2}                                                                                              \
        }                                                                                                    \
    }

#define STAR_KNOB_WINDOW                                                                                     \
    {                                                                                                        \
        .name = "window", .help = "rounds, or pieces, in flight: 1 or more, or auto: 1 round or 4 pieces",   \
        .zero = "auto", .least = 1, .most = INT32_MAX, .values = {1, {0}}, .more = {                         \
            1,                                                                                               \
            {5}                                                                                              \
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

/* The order in which ranks stand in a ring, chain or tree. */
enum { STAR_BY_RANK, STAR_BY_DFS };
extern const char *const star_rank_orders[];
#define STAR_KNOB_ORDER                                                                                      \
    {                                                                                                        \
        .name = "order", .help = "of the ranks: rank, or dfs, depth first in the tree of switches",          \
        .words = star_rank_orders, .group = "by switches", .most = STAR_BY_DFS, .preset = STAR_BY_RANK,      \
        .values = {                                                                                          \
            2,                                                                                               \
            {STAR_BY_RANK, STAR_BY_DFS}                                                                      \
        }                                                                                                    \
    }

#define STAR_SEVERAL_NODES "several nodes, or switches with level=switch"

/* Whose ranks belong together, in methods for several nodes. */
enum { STAR_BY_NODE, STAR_BY_SWITCH };
extern const char *const star_levels[];
#define STAR_KNOB_LEVEL                                                                                      \
    {                                                                                                        \
        .name = "level", .help = "what ranks share: node, or switch, the slowest links between them cut",    \
        .words = star_levels, .group = "by switches", .most = STAR_BY_SWITCH, .preset = STAR_BY_NODE,        \
        .values = {                                                                                          \
            2,                                                                                               \
            {STAR_BY_NODE, STAR_BY_SWITCH}                                                                   \
        }                                                                                                    \
    }

/* Bytes of the pieces in which messages move, a window of them at a time: small enough for the MPI libraries
 * to send them over TCP without asking the receiver first. */
#define STAR_KNOB_PIECES                                                                                     \
    {                                                                                                        \
        .name = "segment", .help = "none, or bytes such as 32K of the pieces of a message", .zero = "none",  \
        .is_bytes = true, .group = "in pieces", .least = 1, .most = INT32_MAX, .values = {2, {0, 8192}},     \
        .more = {                                                                                            \
            2,                                                                                               \
            {2, 32768}                                                                                       \
        }                                                                                                    \
    }

/* Bytes of the pieces in which a vector moves, so that its transfers overlap. The tuner tries the COUNT
 * values that come last; FURTHER is small, so that proofs of short vectors have pieces too. */
#define STAR_KNOB_SEGMENT_OF(text, further, count, ...)                                                      \
    {                                                                                                        \
        .name = "segment", .help = text, .zero = "none", .is_bytes = true, .least = 1, .most = INT32_MAX,    \
        .values = {(count), {__VA_ARGS__}}, .more = {                                                        \
            1,                                                                                               \
            {(further)}                                                                                      \
        }                                                                                                    \
    }
#define STAR_KNOB_SEGMENT                                                                                    \
    STAR_KNOB_SEGMENT_OF("none, or bytes such as 8K", 16, 7, 0, 1024, 8192, 16384, 32768, 65536, 131072)

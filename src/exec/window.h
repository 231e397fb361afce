/* SPDX-License-Identifier: BSD-3-Clause
 * Windows: how the ranks of a node read each other's memory where it lies (process_vm_readv), beside the
 * memory that they share. A rank's window says who it is, and where its buffers are.
 *
 * The system may refuse such reads: to some users, in containers, under a filter. A rank finds that out
 * before it first plans to read. Where it happens later, in a call, the reader asks the rank that shows the
 * bytes, which still waits for it, to copy them into its window piece by piece. */
#pragma once

#include "plan/plan.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum { STAR_WINDOW_ROOM = 16384 };

/* What a rank shows, in shared memory. */
struct star_shown {
    _Atomic uint64_t at;
    _Atomic int64_t bytes;
};
void star_shown_set(struct star_shown *shown, const void *at, int64_t bytes);
static inline int64_t star_shown_bytes(const struct star_shown *shown)
{
    return atomic_load_explicit(&shown->bytes, memory_order_relaxed);
}

/* In shared memory, zeros at first. Its rank alone writes it. */
struct star_window {
    _Atomic int64_t process;
    _Atomic uint64_t token, token_at; /* a number, and where it has that in memory of its own */
    _Atomic uint32_t number;          /* of the rank: 1 or more */
    struct star_shown shown[STAR_SHARED];
    /* What it asks for; the number of the question, and, as the lower half, of the rank that it asks. */
    _Atomic uint64_t plea_at, plea_call, plea;
    _Atomic int64_t plea_bytes;
    _Atomic uint64_t answer; /* what ROOM has: the question's number, and, as the lower half, its rank's */
    char room[STAR_WINDOW_ROOM];
};

/* The NUMBERth rank's own, before others are told of it. TOKEN stays where it is. */
void star_window_open(struct star_window *own, uint32_t number, const uint64_t *token);
/* Can this process read the memory of the other one? */
bool star_window_is_readable(const struct star_window *other);

/* Reads LENGTH bytes at OFFSET of what is SHOWN, and returns how many it could. */
int64_t star_window_read(const struct star_window *other, const struct star_shown *shown, int64_t offset,
                         void *to, int64_t length);
/* Asks for them, STAR_WINDOW_ROOM at most, in CALL: nobody answers in another one. */
void star_window_ask(struct star_window *own, const struct star_window *other, const struct star_shown *shown,
                     int64_t offset, int64_t length, uint64_t call);
/* Is the answer there? Then TO has the bytes, and the question is over. */
bool star_window_take(struct star_window *own, const struct star_window *other, void *to);
/* Answers a question that another one asks this rank in CALL: true. False: there is none. The windows of
 * COUNT ranks begin with FIRST, and lie STRIDE bytes apart. */
bool star_window_answer(struct star_window *own, const struct star_window *first, size_t stride, int count,
                        uint64_t call);

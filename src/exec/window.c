/* SPDX-License-Identifier: BSD-3-Clause */
#include "exec/window.h"

#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

void star_window_open(struct star_window *own, uint32_t number, const uint64_t *token)
{
    atomic_store_explicit(&own->number, number, memory_order_relaxed);
    atomic_store_explicit(&own->token, *token, memory_order_relaxed);
    atomic_store_explicit(&own->token_at, (uintptr_t)token, memory_order_relaxed);
    atomic_store_explicit(&own->process, getpid(), memory_order_relaxed);
}

/* Of LENGTH bytes at AT in the memory of another process. */
static int64_t read_process(const struct star_window *other, uint64_t at, void *to, int64_t length)
{
    pid_t process = (pid_t)atomic_load_explicit(&other->process, memory_order_relaxed);
    int64_t done = 0, got = 1;
    while (done < length && got > 0) {
        struct iovec local = {(char *)to + done, (size_t)(length - done)};
        struct iovec remote = {(void *)(uintptr_t)(at + (uint64_t)done), (size_t)(length - done)};
        got = process_vm_readv(process, &local, 1, &remote, 1, 0);
        done += got > 0 ? got : 0;
    }
    return done;
}

bool star_window_is_readable(const struct star_window *other)
{
    uint64_t found = 0, at = atomic_load_explicit(&other->token_at, memory_order_relaxed);
    return at != 0 && read_process(other, at, &found, sizeof found) == sizeof found &&
           found == atomic_load_explicit(&other->token, memory_order_relaxed);
}

void star_shown_set(struct star_shown *shown, const void *at, int64_t bytes)
{
    atomic_store_explicit(&shown->at, (uintptr_t)at, memory_order_relaxed);
    atomic_store_explicit(&shown->bytes, bytes, memory_order_relaxed);
}

static uint64_t place_of(const struct star_shown *shown, int64_t offset)
{
    return atomic_load_explicit(&shown->at, memory_order_relaxed) + (uint64_t)offset;
}

int64_t star_window_read(const struct star_window *other, const struct star_shown *shown, int64_t offset,
                         void *to, int64_t length)
{
    return read_process(other, place_of(shown, offset), to, length);
}

enum { HALF = 32 };

static uint64_t question_of(uint64_t number, const struct star_window *whom)
{
    return number << HALF | atomic_load_explicit(&whom->number, memory_order_relaxed);
}

void star_window_ask(struct star_window *own, const struct star_window *other, const struct star_shown *shown,
                     int64_t offset, int64_t length, uint64_t call)
{
    uint64_t last = atomic_load_explicit(&own->plea, memory_order_relaxed) >> HALF;
    atomic_store_explicit(&own->plea_at, place_of(shown, offset), memory_order_relaxed);
    atomic_store_explicit(&own->plea_bytes, length, memory_order_relaxed);
    atomic_store_explicit(&own->plea_call, call, memory_order_relaxed);
    atomic_store_explicit(&own->plea, question_of(last + 1, other), memory_order_release);
}

bool star_window_take(struct star_window *own, const struct star_window *other, void *to)
{
    uint64_t number = atomic_load_explicit(&own->plea, memory_order_relaxed) >> HALF;
    if (atomic_load_explicit(&other->answer, memory_order_acquire) != question_of(number, own))
        return false;
    memcpy(to, other->room, (size_t)atomic_load_explicit(&own->plea_bytes, memory_order_relaxed));
    atomic_store_explicit(&own->plea, number << HALF, memory_order_release);
    return true;
}

/* Nobody else writes the room, and whoever asks reads the answer until it asks anew. */
bool star_window_answer(struct star_window *own, const struct star_window *first, size_t stride, int count,
                        uint64_t call)
{
    uint64_t answered = atomic_load_explicit(&own->answer, memory_order_relaxed), next = 0;
    const struct star_window *asker = NULL;
    for (int i = 0; i < count; i++) {
        const struct star_window *other =
            (const struct star_window *)(const void *)((const char *)first + stride * (size_t)i);
        uint64_t plea = atomic_load_explicit(&other->plea, memory_order_acquire), number = plea >> HALF;
        if (plea != question_of(number, own) ||
            atomic_load_explicit(&other->plea_call, memory_order_relaxed) != call)
            continue;
        uint64_t question = question_of(number, other);
        if (question == answered) /* it has not taken that yet */
            return false;
        asker = other;
        next = question;
    }
    if (asker == NULL)
        return false;
    memcpy(own->room, (const void *)(uintptr_t)atomic_load_explicit(&asker->plea_at, memory_order_relaxed),
           (size_t)atomic_load_explicit(&asker->plea_bytes, memory_order_relaxed));
    atomic_store_explicit(&own->answer, next, memory_order_release);
    return true;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/samples.h"
#include "util/clock.h"
#include "util/quantile.h"

#include <pthread.h>
#include <stddef.h>
#include <string.h>

/* Each way is tried for a few calls in turn: first, soon again, as ranks do not run ahead of each other at
 * once, and in each round, as what is best may change. */
enum { BLOCK = 4, TRIAL_FIRST = 48, TRIAL = 32, SOON = 256, ROUND = 4096, JUDGED = 64, QUIET = 16 };

/* The one that is taken. */
static struct {
    struct star_sampled *of;
    struct star_board *board; /* NULL: the others do not look */
    pthread_t thread;         /* which began the call */
    int kind;
    bool shared, begins;
    int64_t begin, exposed;
} sample;
atomic_bool star_samples_open;

uint32_t star_samples_mean(const struct star_sampled *sampled, bool shared)
{
    uint32_t times[STAR_SAMPLES];
    uint32_t count = sampled->took[shared] < STAR_SAMPLES ? sampled->took[shared] : STAR_SAMPLES;
    memcpy(times, sampled->nanoseconds[shared], count * sizeof times[0]);
    return star_sort_typical(times, count);
}

static void close_sample(void)
{
    struct star_sampled *sampled = sample.of;
    int64_t most = UINT32_MAX, took = sample.exposed < 1 ? 1 : sample.exposed < most ? sample.exposed : most;
    sampled->nanoseconds[sample.shared][sampled->took[sample.shared]++ % STAR_SAMPLES] = (uint32_t)took;
    if (sample.board != NULL)
        star_board_tell(sample.board, sample.kind, sample.shared, star_samples_mean(sampled, sample.shared));
    star_samples_open = false;
}

static void open_sample(struct star_sampled *of, struct star_board *board, int kind, bool shared)
{
    sample.of = of;
    sample.board = board;
    sample.thread = pthread_self();
    sample.kind = kind;
    sample.shared = shared;
    sample.begin = star_now();
    sample.exposed = 0;
    sample.begins = true;
    star_samples_open = true;
}

void star_samples_end(void)
{
    if (star_samples_open)
        close_sample();
}

void star_samples_try(struct star_sampled *sampled, bool shared)
{
    open_sample(sampled, NULL, 0, shared);
}

/* By what all ranks lose together. */
static bool judge(const struct star_board *board, int kind, uint64_t looking)
{
    uint64_t natively = star_board_sum(board, kind, false), shared = star_board_sum(board, kind, true);
    return natively > 0 && shared > 0 && shared + looking < natively;
}

/* Is the call one of a trial? Its *NUMBER there. */
static bool is_tried(uint32_t call, uint32_t *number)
{
    *number = call < SOON ? call : call < ROUND ? call % SOON : call % ROUND;
    return *number < (call < SOON ? TRIAL_FIRST : TRIAL) && (call < 2 * SOON || call >= ROUND);
}

enum star_samples_want star_samples_begin(struct star_samples *samples, struct star_board *board, int kind,
                                          uint64_t looking)
{
    star_samples_end();
    struct star_sampled *sampled = &samples->kinds[kind];
    uint32_t number;
    bool tries = is_tried(sampled->calls++, &number);
    if (!tries && (sampled->calls >= sampled->judge || number == TRIAL_FIRST)) {
        sampled->better = judge(board, kind, looking);
        sampled->judge = sampled->calls + JUDGED;
    }
    sampled->quiet = !tries && !sampled->better ? sampled->quiet + (sampled->quiet < QUIET) : 0;
    if (!tries)
        return sampled->better ? STAR_WANT_SHARED : STAR_WANT_NATIVE;
    bool shared = number / BLOCK % 2 != 0;
    if (number % BLOCK != 0) /* the first one of a block waits for the last of another */
        open_sample(sampled, board, kind, shared);
    return shared ? STAR_TRY_SHARED : STAR_TRY_NATIVE;
}

bool star_samples_are_quiet(const struct star_sampled *sampled)
{
    uint32_t calls = sampled->calls, number;
    uint32_t round = calls < SOON ? SOON : ROUND - calls % ROUND + calls;
    return sampled->quiet == QUIET && calls + STAR_CALLS_RESTED < round && !is_tried(calls, &number);
}

/* One that was to go natively does not count if others had said otherwise; one that was not does, as for want
 * of room calls always may. */
void star_samples_way(struct star_samples *samples, int kind, bool shared)
{
    samples->kinds[kind].shared += shared;
    if (star_samples_open && sample.begins && shared && !sample.shared)
        star_samples_open = false;
}

void star_samples_began(void)
{
    if (star_samples_open && sample.begins && pthread_equal(sample.thread, pthread_self()))
        sample.exposed += star_since(sample.begin);
    sample.begins = false;
}

void star_samples_waited(int64_t begin)
{
    if (star_samples_open && pthread_equal(sample.thread, pthread_self()))
        sample.exposed += star_since(begin);
}

void star_samples_forget(const struct star_sampled *sampled, int count)
{
    if (star_samples_open && sample.of >= sampled && sample.of < sampled + count)
        star_samples_open = false;
}

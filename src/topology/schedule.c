/* SPDX-License-Identifier: BSD-3-Clause
 * The phase of every message by a formula. Names as in the formula: subtree i of m_i bundles, sorted so that
 * m_0 ≥ m_1 ≥ …; A_1 = 0 and A_i = m_1 + … + m_{i−1} are the bundles before it; W those outside subtree 0;
 * there are m_0 W phases, in rounds of m_0. The bundle with index a of subtree i sends to b of subtree j.
 *
 * Between subtrees, i → j takes m_i m_j phases in a row; the sorted sizes keep rows of one link apart. In
 * round R subtree 0's sender is p mod m_0 and its receiver (p + R) mod m_0, so that its pairs a → b differ by
 * R and find both their links free. Subtree i receives from 0 with one receiver through the round A_i + a;
 * its senders take every value in that round: there its pairs from a find their places. */
#include "topology/schedule.h"

#include <stdlib.h>

static int64_t modulo(int64_t value, int64_t by)
{
    int64_t rest = value % by;
    return rest < 0 ? rest + by : rest;
}

/* Within subtree 0, and within another. a = b is formal: the bundle's links are busy then, all others of the
 * subtree are free. */
static int64_t phase_within(const struct star_schedule *schedule, int i, int64_t a, int64_t b)
{
    int64_t first = schedule->size[0], size = schedule->size[i], before = schedule->before[i];
    if (i == 0)
        return first * modulo(a - b, first) + b;
    int64_t outside = schedule->phases / schedule->bundle / first;
    int64_t round = before + a, sending = round - (outside - before - size);
    if (sending >= 0 && sending < size) /* the subtree sends to subtree 0 in this round */
        return first * round + modulo(modulo(b - sending, size) - round, first);
    return first * round + modulo(b - first * round, size);
}

static int64_t phase_between(const struct star_schedule *schedule, int i, int64_t a, int j, int64_t b)
{
    int64_t first = schedule->size[0], phases = schedule->phases / schedule->bundle;
    int64_t size = schedule->size[i], before = schedule->before[i];
    int64_t size_to = schedule->size[j], before_to = schedule->before[j];
    if (i == 0)
        return first * (before_to + b) + a;
    if (j == 0) {
        int64_t round = phases / first - before - size + modulo(a - b, size);
        return first * round + modulo(b - round, first);
    }
    int64_t start =
        i < j ? size * (before_to - before - size) : phases - size_to * (before + size - before_to - size_to);
    return start + b * size + modulo(a - start, size);
}

int64_t star_schedule_phase(const struct star_schedule *schedule, int from, int to)
{
    int i = schedule->subtree[from], j = schedule->subtree[to], bundle = schedule->bundle;
    int a = schedule->index[from] / bundle, b = schedule->index[to] / bundle;
    int turn = (int)modulo(schedule->index[to] - schedule->index[from], bundle);
    if (i != j)
        return bundle * phase_between(schedule, i, a, j, b) + turn;
    if (a == b) /* when only the next bundle is busy: its own formal phase */
        a = b = (a + 1) % schedule->size[i];
    return bundle * phase_within(schedule, i, a, b) + turn;
}

static int by_phase(const void *left, const void *right)
{
    const struct star_message *a = left, *b = right;
    return (a->phase > b->phase) - (a->phase < b->phase);
}

int star_schedule_messages(const struct star_schedule *schedule, int rank, struct star_message *sends,
                           struct star_message *receives, struct star_why *why)
{
    if (rank < 0 || rank >= schedule->ranks)
        return star_because(why, STAR_EINPUT, "there is no rank %d among %d ranks", rank, schedule->ranks);
    size_t count = 0;
    for (int peer = 0; peer < schedule->ranks; peer++) {
        if (peer == rank)
            continue;
        sends[count] = (struct star_message){star_schedule_phase(schedule, rank, peer), peer};
        receives[count++] = (struct star_message){star_schedule_phase(schedule, peer, rank), peer};
    }
    if (count == 0)
        return 0;
    qsort(sends, count, sizeof *sends, by_phase);
    qsort(receives, count, sizeof *receives, by_phase);
    return 0;
}

void star_schedule_free(struct star_schedule *schedule)
{
    if (schedule == NULL)
        return;
    free(schedule->size);
    free(schedule);
}

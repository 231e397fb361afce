/* SPDX-License-Identifier: BSD-3-Clause
 * Between two subtrees the schedule is a row of phases, one message in each, and the rows of a subtree follow
 * each other. The names are those of schedule.c. */
#include "topology/sweep.h"

static int64_t round_length(const struct star_sweep *sweep)
{
    return sweep->schedule->size[0];
}

static int64_t outside(const struct star_sweep *sweep)
{
    return sweep->schedule->phases / sweep->schedule->bundle / sweep->schedule->size[0];
}

struct star_sweep star_sweep_of(const struct star_schedule *schedule, int subtree, enum star_flow flow)
{
    struct star_sweep sweep = {
        .schedule = schedule, .flow = flow, .subtree = subtree, .other = subtree, .phase = -1};
    if (flow == STAR_FLOW_WITHIN) {
        sweep.round = subtree == 0 ? -1 : schedule->before[subtree] - 1;
        sweep.from_subtree = sweep.to_subtree = subtree;
    }
    return sweep;
}

/* The subtree whose row comes after that of OTHER. Out of i they are i+1, i+2, …, then 0, then 1 … i−1; into
 * i they are the same backwards: i−1 … 1, then 0, then those from the last down to i+1. */
static int following(const struct star_sweep *sweep)
{
    int last = sweep->schedule->subtrees - 1, other = sweep->other;
    if (sweep->flow == STAR_FLOW_OUT)
        return other == last ? 0 : other + 1;
    return other == 0 ? last : other - 1;
}

static int64_t row_start(const struct star_schedule *schedule, int i, int j)
{
    int64_t first = schedule->size[0], phases = schedule->phases / schedule->bundle;
    int64_t size = schedule->size[i], before = schedule->before[i];
    int64_t size_to = schedule->size[j], before_to = schedule->before[j];
    if (i == 0)
        return first * before_to;
    if (j == 0)
        return phases - first * (before + size);
    return i < j ? size * (before_to - before - size)
                 : phases - size_to * (before + size - before_to - size_to);
}

static bool next_row(struct star_sweep *sweep)
{
    sweep->other = following(sweep);
    if (sweep->other == sweep->subtree)
        return false;
    bool out = sweep->flow == STAR_FLOW_OUT;
    sweep->from_subtree = out ? sweep->subtree : sweep->other;
    sweep->to_subtree = out ? sweep->other : sweep->subtree;
    sweep->start = sweep->phase = row_start(sweep->schedule, sweep->from_subtree, sweep->to_subtree);
    sweep->after = sweep->start + (int64_t)sweep->schedule->size[sweep->from_subtree] *
                                      sweep->schedule->size[sweep->to_subtree];
    return true;
}

static bool next_between(struct star_sweep *sweep)
{
    if (++sweep->phase >= sweep->after && !next_row(sweep))
        return false;
    int64_t phase = sweep->phase, first = round_length(sweep);
    int64_t size = sweep->schedule->size[sweep->from_subtree];
    if (sweep->to_subtree == 0) {
        sweep->to = (int)((phase + phase / first) % first);
        sweep->from = (int)((sweep->to + (phase - sweep->start) / first) % size);
    } else {
        sweep->to = (int)((phase - sweep->start) / size);
        sweep->from = (int)(phase % size);
    }
    return true;
}

/* The rounds of subtree 0 are 0…m_0−1, those of another A_i…A_i+m_i−1. */
static bool next_round(struct star_sweep *sweep)
{
    int64_t begin = sweep->subtree == 0 ? 0 : sweep->schedule->before[sweep->subtree];
    if (++sweep->round >= begin + sweep->schedule->size[sweep->subtree])
        return false;
    sweep->start = sweep->phase = round_length(sweep) * sweep->round;
    sweep->after = sweep->start + round_length(sweep);
    return true;
}

/* The message of this phase, if the subtree has one. */
static bool fill_within(struct star_sweep *sweep)
{
    int64_t first = round_length(sweep), round = sweep->round, at = sweep->phase - sweep->start;
    int64_t size = sweep->schedule->size[sweep->subtree], before = sweep->schedule->before[sweep->subtree];
    if (sweep->subtree == 0) {
        sweep->to = (int)at;
        sweep->from = (int)((at + round) % first);
        return true;
    }
    int64_t sending = round - (outside(sweep) - before - size), turn = at;
    bool sends_to_first = sending >= 0 && sending < size;
    if (sends_to_first)
        turn = (at + round) % first;
    if (turn >= size)
        return false;
    sweep->from = (int)(round - before);
    sweep->to = (int)((turn + (sends_to_first ? sending : sweep->start)) % size);
    return true;
}

static bool next_within(struct star_sweep *sweep)
{
    do
        if (++sweep->phase >= sweep->after && !next_round(sweep))
            return false;
    while (!fill_within(sweep));
    return true;
}

bool star_sweep_next(struct star_sweep *sweep)
{
    return sweep->flow == STAR_FLOW_WITHIN ? next_within(sweep) : next_between(sweep);
}

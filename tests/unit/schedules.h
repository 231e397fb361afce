/* SPDX-License-Identifier: BSD-3-Clause
 * What every schedule must be, and the slow construction of the same one. */
#pragma once

#include "topology/bundles.h"
#include "topology/schedule.h"
#include "trees.h"

/* Messages over each directed link in one phase, or in all. */
static inline int count_link(int directed_link, void *context)
{
    ++((int *)context)[directed_link];
    return 0;
}

/* Messages over the busiest directed link in an all-to-all; those between switches count a BUNDLE-th. */
static inline int64_t busiest(const struct star_network *network, int bundle)
{
    int64_t most = 0;
    for (int node = 0; node + 1 < network->nodes; node++) {
        int64_t below = network->below[node], load = below * (network->ranks - below);
        if (node >= network->ranks)
            load /= bundle;
        most = load > most ? load : most;
    }
    return most;
}

/* All phases within bounds, and in each of them no more messages on a link than it carries at once. */
static inline void expect_free_of_contention(const struct star_network *network,
                                             const struct star_schedule *schedule)
{
    size_t links = 2 * (size_t)network->nodes;
    int *load = calloc((size_t)schedule->phases * links + 1, sizeof *load);
    for (int from = 0; from < network->ranks; from++)
        for (int to = 0; to < network->ranks; to++) {
            if (from == to)
                continue;
            int64_t phase = star_schedule_phase(schedule, from, to);
            assert_true(phase >= 0 && phase < schedule->phases);
            star_network_path(network, from, to, count_link, load + (size_t)phase * links);
        }
    for (size_t at = 0; at < (size_t)schedule->phases * links; at++) {
        int node = (int)(at % links / 2), carries = node < network->ranks ? 1 : schedule->bundle;
        if (load[at] > carries)
            fail_msg("%d messages on link %d in phase %d", load[at], node, (int)(at / links));
    }
    free(load);
}

/* Each rank's messages are those of the formula, each peer once each way, in order. */
static inline void expect_messages(const struct star_schedule *schedule)
{
    struct star_message sends[TREE_RANKS], receives[TREE_RANKS];
    for (int rank = 0; rank < schedule->ranks; rank++) {
        bool sent[TREE_RANKS] = {0}, received[TREE_RANKS] = {0};
        assert_int_equal(star_schedule_messages(schedule, rank, sends, receives, NULL), 0);
        for (int i = 0; i < schedule->ranks - 1; i++) {
            assert_true(i == 0 || sends[i].phase > sends[i - 1].phase);
            assert_true(i == 0 || receives[i].phase > receives[i - 1].phase);
            assert_true(!sent[sends[i].peer] && !received[receives[i].peer]);
            sent[sends[i].peer] = received[receives[i].peer] = true;
            assert_true(sends[i].phase == star_schedule_phase(schedule, rank, sends[i].peer));
            assert_true(receives[i].phase == star_schedule_phase(schedule, receives[i].peer, rank));
        }
        assert_true(!sent[rank] && !received[rank]);
    }
}

/* The slow construction: it goes from phase to phase and asks who sends and who receives in each subtree. The
 * subtree of the bundle at place y of 1, 2, … */
static inline int subtree_at(const struct star_schedule *schedule, int64_t y)
{
    int j = 1;
    while (y >= schedule->before[j] + schedule->size[j])
        j++;
    return j;
}

/* Whom, and whose bundle, subtree I sends to in PHASE; j = −1: nobody. */
struct partner {
    int j;
    int64_t sender, receiver;
};

static inline struct partner partner_of(const struct star_schedule *schedule, int i, int64_t phase)
{
    int64_t first = schedule->size[0], outside = schedule->phases / first, round = phase / first;
    if (i == 0)
        return (struct partner){subtree_at(schedule, round), phase % first,
                                round - schedule->before[subtree_at(schedule, round)]};
    int64_t size = schedule->size[i], early = schedule->before[i] + size + phase / size;
    if (early < outside) { /* to those after it */
        int j = subtree_at(schedule, early);
        return (struct partner){j, phase % size, early - schedule->before[j]};
    }
    if (subtree_at(schedule, outside - 1 - round) == i) { /* its turn with subtree 0 */
        int64_t receiver = (phase + round) % first;
        int64_t turn = round - (outside - schedule->before[i] - size);
        return (struct partner){0, (receiver + turn) % size, receiver};
    }
    for (int j = 1; j < i; j++) { /* those before it look for their senders from the end */
        int64_t theirs = schedule->size[j], rest = schedule->phases - phase;
        int64_t late = schedule->before[j] + theirs + (rest + theirs - 1) / theirs - 1;
        if (late >= outside || subtree_at(schedule, late) != i)
            continue;
        int64_t begin =
            schedule->phases - theirs * (schedule->before[i] + size - schedule->before[j] - theirs);
        return (struct partner){j, phase % size, (phase - begin) / size};
    }
    return (struct partner){.j = -1, .sender = phase % size};
}

/* Where a → b within subtree I has its place: when b sends and a receives, whatever they send and receive. */
static inline int64_t slow_phase_within(const struct star_schedule *schedule, int i, int64_t a, int64_t b)
{
    int64_t first = schedule->size[0], found = -1, least = first;
    if (i == 0) {
        for (int64_t phase = 0; phase < first * first; phase++)
            if (phase % first == b && (phase + phase / first) % first == a)
                return phase;
        return -1;
    }
    int64_t round = schedule->before[i] + a;
    for (int64_t phase = round * first; phase < (round + 1) * first; phase++) {
        struct partner partner = partner_of(schedule, i, phase);
        if (partner.sender != b)
            continue;
        if (partner.j != 0)
            return phase;
        if (partner.receiver < least) { /* it comes round several times: for subtree 0's first bundles */
            least = partner.receiver;
            found = phase;
        }
    }
    return found;
}

static inline void expect_slow_construction(const struct star_schedule *schedule)
{
    assert_int_equal(schedule->bundle, 1);
    for (int i = 0; i < schedule->subtrees; i++) {
        for (int64_t phase = 0; phase < schedule->phases; phase++) {
            struct partner partner = partner_of(schedule, i, phase);
            if (partner.j < 0)
                continue;
            int from = schedule->member[schedule->start[i] + partner.sender];
            int to = schedule->member[schedule->start[partner.j] + partner.receiver];
            assert_true(star_schedule_phase(schedule, from, to) == phase);
        }
        for (int a = 0; a < schedule->size[i]; a++)
            for (int b = 0; b < schedule->size[i]; b++) {
                int from = schedule->member[schedule->start[i] + a];
                int to = schedule->member[schedule->start[i] + b];
                if (a != b)
                    assert_true(star_schedule_phase(schedule, from, to) ==
                                slow_phase_within(schedule, i, a, b));
            }
    }
}

static inline struct star_schedule *schedule_of(const struct star_network *network, int bundle)
{
    struct star_schedule *schedule = NULL;
    struct star_why why = {{0}};
    if (star_schedule_in_bundles(network, bundle, &schedule, &why))
        fail_msg("%s", why.text);
    return schedule;
}

/* All of the above. */
static inline void expect_good(const struct star_network *network)
{
    struct star_schedule *schedule = schedule_of(network, 1);
    assert_true(schedule->phases == busiest(network, 1));
    expect_free_of_contention(network, schedule);
    expect_messages(schedule);
    expect_slow_construction(schedule);
    star_schedule_free(schedule);
}

/* SPDX-License-Identifier: BSD-3-Clause
 * The phase of every message by a formula. Names as in the formula: subtree i of m_i bundles, sorted so that
 * m_0 ≥ m_1 ≥ …; A_1 = 0 and A_i = m_1 + … + m_{i−1} are the bundles before it; W those outside subtree 0;
 * there are m_0 W phases, in rounds of m_0. The bundle with index a of subtree i sends to b of subtree j.
 *
 * Between subtrees, i → j takes m_i m_j phases in a row; the sorted sizes keep rows of one link apart. In
 * round R subtree 0's sender is p mod m_0 and its receiver (p + R) mod m_0, so that its pairs a → b differ by
 * R and find both their links free. Subtree i receives from 0 with one receiver through the round A_i + a;
 * its senders take every value in that round: there its pairs from a find their places. */
#include "topology/subtrees.h"

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

/* A subtree while they are sorted. */
struct candidate {
    int number; /* the caller's */
    int ranks, least;
};

/* The greatest first, equal ones by their least rank. */
static int by_size(const void *left, const void *right)
{
    const struct candidate *a = left, *b = right;
    if (a->ranks != b->ranks)
        return a->ranks < b->ranks ? 1 : -1;
    return (a->least > b->least) - (a->least < b->least);
}

static void sort_subtrees(struct candidate *candidate, int subtrees, const int *subtree, int ranks)
{
    for (int i = 0; i < subtrees; i++)
        candidate[i] = (struct candidate){i, 0, ranks};
    for (int rank = ranks - 1; rank >= 0; rank--) {
        candidate[subtree[rank]].ranks++;
        candidate[subtree[rank]].least = rank;
    }
    qsort(candidate, (size_t)subtrees, sizeof *candidate, by_size);
}

static struct star_schedule *allocate(int ranks, int subtrees)
{
    struct star_schedule *schedule = calloc(1, sizeof *schedule);
    int *numbers = calloc(3 * ((size_t)subtrees + (size_t)ranks), sizeof *numbers);
    if (schedule == NULL || numbers == NULL) {
        free(schedule);
        free(numbers);
        return NULL;
    }
    schedule->ranks = ranks;
    schedule->subtrees = subtrees;
    schedule->size = numbers; /* all numbers are one allocation, which begins here */
    schedule->before = schedule->size + subtrees;
    schedule->start = schedule->before + subtrees;
    schedule->subtree = schedule->start + subtrees;
    schedule->index = schedule->subtree + ranks;
    schedule->member = schedule->index + ranks;
    return schedule;
}

void star_schedule_free(struct star_schedule *schedule)
{
    if (schedule == NULL)
        return;
    free(schedule->size);
    free(schedule);
}

/* Fills SIZE, BEFORE and START, and says in NEW what became of the caller's numbers. */
static void lay_out(struct star_schedule *schedule, const struct candidate *candidate, int *new)
{
    for (int i = 0, start = 0; i < schedule->subtrees; i++) {
        schedule->size[i] = candidate[i].ranks / schedule->bundle;
        schedule->before[i] = i > 1 ? schedule->before[i - 1] + schedule->size[i - 1] : 0;
        schedule->start[i] = start;
        start += candidate[i].ranks;
        new[candidate[i].number] = i;
    }
    if (schedule->subtrees > 0)
        schedule->phases =
            (int64_t)schedule->size[0] * (schedule->ranks - (int64_t)schedule->size[0] * schedule->bundle);
}

/* Ranks of a subtree are in the network's order, as it is from the root's first rank on: neighbours in it
 * share links. */
static void place_ranks(struct star_schedule *schedule, const struct star_network *network,
                        const int *subtree, const int *new, int *filled)
{
    for (int k = 0; k < network->ranks; k++) {
        int rank = network->order[(network->first[schedule->root] + k) % network->ranks];
        int i = new[subtree[rank]];
        schedule->subtree[rank] = i;
        schedule->index[rank] = filled[i];
        schedule->member[schedule->start[i] + filled[i]++] = rank;
    }
}

int star_schedule_build(const struct star_network *network, int root, const int *subtree, int subtrees,
                        int bundle, struct star_schedule **schedule, struct star_why *why)
{
    struct star_schedule *made = allocate(network->ranks, subtrees);
    struct candidate *candidate = malloc(((size_t)subtrees + 1) * sizeof *candidate);
    int *numbers = calloc(2 * (size_t)subtrees + 1, sizeof *numbers);
    bool good = made != NULL && candidate != NULL && numbers != NULL;
    if (good) {
        made->root = root;
        made->bundle = bundle;
        if (subtrees > 0) {
            sort_subtrees(candidate, subtrees, subtree, network->ranks);
            lay_out(made, candidate, numbers);
            place_ranks(made, network, subtree, numbers, numbers + subtrees);
        }
        *schedule = made;
    } else {
        star_schedule_free(made);
    }
    free(candidate);
    free(numbers);
    return good ? 0
                : star_because(why, STAR_EMEMORY, "no memory for the schedule of %d ranks", network->ranks);
}

int star_schedule_root(const struct star_network *network)
{
    int node =
        0; /* those with more than half below are above each other, and nodes are numbered from below */
    while (2 * (int64_t)network->below[node] <= network->ranks)
        node++;
    return node;
}

int star_schedule_of(const struct star_network *network, struct star_schedule **schedule,
                     struct star_why *why)
{
    int root = star_schedule_root(network), subtrees = 0;
    int *subtree = calloc((size_t)network->ranks, sizeof *subtree);
    if (subtree == NULL)
        return star_because(why, STAR_EMEMORY, "no memory for the schedule of %d ranks", network->ranks);
    if (network->below[root] < network->ranks) /* the branch that the root's own link leads to: the first */
        subtrees++;
    for (int node = 0; node < root; node++) {
        if (network->parent[node] != root)
            continue;
        for (int k = 0; k < network->below[node]; k++)
            subtree[network->order[network->first[node] + k]] = subtrees;
        subtrees++;
    }
    int error = star_schedule_build(network, root, subtree, subtrees, 1, schedule, why);
    free(subtree);
    return error;
}

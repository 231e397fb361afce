/* SPDX-License-Identifier: BSD-3-Clause */
#include "topology/subtrees.h"
#include "util/scratch.h"

#include <stdlib.h>

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
    struct star_scratch scratch = {0};
    struct candidate *candidate = star_scratch(&scratch, (size_t)subtrees, sizeof *candidate);
    int *numbers = star_scratch(&scratch, 2 * (size_t)subtrees, sizeof *numbers);
    bool good = made != NULL && !scratch.failed;
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
    star_scratch_free(&scratch);
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

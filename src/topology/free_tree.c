/* SPDX-License-Identifier: BSD-3-Clause
 * Of the ranks depth first from the root on, those below a link, or those above it, are an interval without
 * the root. A member that sends to the next one and to a second one does not disturb the subtrees of the two
 * if each interval that the second message leaves ends with the sender, or before the second, and each that
 * it enters begins with either child. The least height of a subtree is that of its best second child. */
#include "topology/free_tree.h"
#include "util/scratch.h"

#include <stdbool.h>
#include <stdint.h>

struct interval {
    int first, last;
};

struct search {
    int size, links;
    struct interval *link;
    int16_t *height, *best; /* of the members FIRST…LAST: at FIRST × size + LAST; BEST: the second child */
};

/* The side of NODE's link that does not hold the root, by members. */
static struct interval side_of(const struct star_network *network, int node, int root)
{
    int size = network->ranks, below = network->below[node];
    int first = (network->first[node] - network->place[root] + size) % size, last = first + below - 1;
    if (last < size && first > 0)
        return (struct interval){first, last};
    return (struct interval){(last + 1) % size, first > 0 ? first - 1 : size - 1};
}

static bool is_free(const struct search *s, int sender, int second)
{
    for (int i = 0; i < s->links; i++) {
        struct interval side = s->link[i];
        bool from = side.first <= sender && sender <= side.last;
        bool to = side.first <= second && second <= side.last;
        if (from && !to && side.last != sender && side.last != second - 1)
            return false;
        if (to && !from && side.first != sender + 1 && side.first != second)
            return false;
    }
    return true;
}

static int16_t *at(const struct search *s, int16_t *table, int first, int last)
{
    return &table[(size_t)first * (size_t)s->size + (size_t)last];
}

/* Heights of the intervals that begin with FIRST; all behind it are known. */
static void search_from(struct search *s, int first, bool *free_second)
{
    for (int second = first + 2; second < s->size; second++)
        free_second[second] = is_free(s, first, second);
    *at(s, s->height, first, first) = 0;
    for (int last = first + 1; last < s->size; last++) {
        int least = *at(s, s->height, first + 1, last), best = 0;
        for (int second = first + 2; second <= last; second++) {
            int a = *at(s, s->height, first + 1, second - 1), b = *at(s, s->height, second, last);
            if (free_second[second] && (a > b ? a : b) < least) {
                least = a > b ? a : b;
                best = second;
            }
        }
        *at(s, s->height, first, last) = (int16_t)(least + 1);
        *at(s, s->best, first, last) = (int16_t)best;
    }
}

static void take(struct search *s, int first, int last, int *second)
{
    while (first < last) {
        int best = *at(s, s->best, first, last);
        second[first] = best;
        if (best > 0) {
            take(s, best, last, second);
            last = best - 1;
        }
        first++;
    }
    second[first] = 0;
}

int star_free_tree(const struct star_network *network, int root, int *second, struct star_why *why)
{
    int size = network->ranks;
    if (size > STAR_FREE_TREE_MOST)
        return star_because(why, STAR_ENEEDS, "a contention-free tree of more than %d ranks",
                            STAR_FREE_TREE_MOST);
    size_t cells = (size_t)size * (size_t)size;
    struct star_scratch scratch = {0};
    struct search s = {.size = size,
                       .link = star_scratch(&scratch, (size_t)network->nodes, sizeof *s.link),
                       .height = star_scratch(&scratch, cells, sizeof *s.height),
                       .best = star_scratch(&scratch, cells, sizeof *s.best)};
    bool *free_second = star_scratch(&scratch, (size_t)size, sizeof *free_second), able = !scratch.failed;
    for (int node = 0; able && node < network->nodes; node++)
        if (network->parent[node] >= 0)
            s.link[s.links++] = side_of(network, node, root);
    for (int first = size - 1; able && first >= 0; first--)
        search_from(&s, first, free_second);
    if (able)
        take(&s, 0, size - 1, second);
    star_scratch_free(&scratch);
    return able ? 0 : star_because(why, STAR_EMEMORY, "out of memory for a tree of %d ranks", size);
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Each directed link parts the ranks: X on the side it comes from, Y on the side it goes to. What Y needs of
 * X must cross it, whatever the algorithm. Ranks' values may be reduced on the way, and copied.
 *
 * A prefix of ranks (scan, exscan) needs one vector over the link for each rank of X whose next rank is in Y:
 * what is reduced up to there, and none of these vectors follows from the others.
 *
 * An allreduce moves each element 2 (M − 1) times between M machines (Harary and Schwenk: as gossip does), so
 * that all their links together need time for it: Patarasuk and Yuan, JPDC 69 (2), 2009. */
#include "algorithms/bounds.h"

#include <stdlib.h>

/* One directed link, as the rules see it. */
struct cut {
    int ranks;      /* of all */
    int from, to;   /* |X|, |Y| */
    bool root_from; /* is the root in X? */
    int borders;    /* ranks of X whose next one is in Y */
};

/* How many times its bytes an operation moves over a link at least. */
static double load_of(enum star_operation operation, const struct cut *cut)
{
    switch (operation) {
    case STAR_ALLTOALL:
        return (double)cut->from * cut->to;
    case STAR_ALLGATHER:
        return cut->from;
    case STAR_ALLGATHERV:
        return (double)cut->from / cut->ranks;
    case STAR_ALLREDUCE:
        return 1;
    case STAR_BCAST:
        return cut->root_from ? 1 : 0;
    case STAR_REDUCE:
        return cut->root_from ? 0 : 1;
    case STAR_REDUCE_SCATTER_BLOCK:
        return cut->to;
    case STAR_REDUCE_SCATTER:
        return (double)cut->to / cut->ranks;
    case STAR_GATHER:
        return cut->root_from ? 0 : cut->from;
    case STAR_SCATTER:
        return cut->root_from ? cut->to : 0;
    case STAR_SCAN:
    case STAR_EXSCAN:
        return cut->borders;
    default:
        return 0;
    }
}

static int count_border(int directed_link, void *context)
{
    ++((int *)context)[directed_link];
    return 0;
}

/* The link up from NODE, or down to it. */
static struct cut cut_at(const struct star_network *network, int node, bool down, int root,
                         const int *borders_at)
{
    int below = network->below[node], after = network->place[root] - network->first[node];
    bool root_below = after >= 0 && after < below;
    return (struct cut){.ranks = network->ranks,
                        .from = down ? network->ranks - below : below,
                        .to = down ? below : network->ranks - below,
                        .root_from = down ? !root_below : root_below,
                        .borders = borders_at[2 * node + down]};
}

static struct star_bound busiest(const struct star_network *network, enum star_operation operation, int root,
                                 double bytes, const int *borders_at)
{
    struct star_bound bound = {0, STAR_LIMIT_NONE};
    for (int link = 0; link < 2 * (network->nodes - 1); link++) {
        double rate = network->rate[link / 2];
        struct cut cut = cut_at(network, link / 2, link % 2, root, borders_at);
        double seconds = rate > 0 ? load_of(operation, &cut) * bytes / rate : 0;
        if (seconds > bound.seconds)
            bound = (struct star_bound){seconds, link};
    }
    return bound;
}

/* The link of a machine is the first on the way up from its ranks that is limited; a machine is met at its
 * first rank. */
static void bound_together(const struct star_network *network, double bytes, struct star_bound *bound)
{
    double rates = 0;
    int machines = 0, top = network->nodes - 1;
    for (int place = 0; place < network->ranks;) {
        int node = network->order[place];
        while (node != top && network->rate[node] == 0)
            node = network->parent[node];
        if (node == top)
            return;
        machines++;
        rates += network->rate[node];
        place += network->below[node];
    }
    double seconds = 2.0 * (machines - 1) * bytes / rates;
    if (seconds > bound->seconds)
        *bound = (struct star_bound){seconds, STAR_LIMIT_TOGETHER};
}

int star_bound_of(enum star_operation operation, const struct star_network *network, int root, double bytes,
                  struct star_bound *bound, struct star_why *why)
{
    const struct star_operation_info *info = &star_operations[operation];
    if (info->measure == STAR_UNKNOWN)
        return star_because(why, STAR_ENEEDS, "%s: each rank has counts of its own, which no bound knows",
                            info->name);
    if (info->rooted && (root < 0 || root >= network->ranks))
        return star_because(why, STAR_EINPUT, "there is no root %d among %d ranks", root, network->ranks);
    int *borders_at = calloc(2 * (size_t)network->nodes, sizeof *borders_at);
    if (borders_at == NULL)
        return star_because(why, STAR_EMEMORY, "no memory for the links of %d ranks", network->ranks);
    for (int rank = 0; rank + 1 < network->ranks; rank++)
        star_network_path(network, rank, rank + 1, count_border, borders_at);
    *bound = busiest(network, operation, info->rooted ? root : 0, bytes, borders_at);
    if (operation == STAR_ALLREDUCE)
        bound_together(network, bytes, bound);
    free(borders_at);
    return 0;
}

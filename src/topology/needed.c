/* SPDX-License-Identifier: BSD-3-Clause
 * Which syncs a schedule needs. On each directed link it is enough to order each message after the one before
 * it: that one's receiver tells this one's sender. Links within a subtree are used by its own messages only:
 * those that leave it and those within it on the way up, those that come and those within on the way down. So
 * subtree by subtree, and way by way, two sweeps in the order of phases are merged, and each link remembers
 * its last message. Faraj and Yuan, IPDPS 2005, section 5, remove more, by a table of all pairs. */
#include "topology/needed.h"
#include "topology/sweep.h"
#include "util/grow.h"
#include "util/scratch.h"

#include <limits.h>
#include <stdlib.h>

struct transfer {
    int64_t phase;
    int from, to;
};

struct finder {
    const struct star_schedule *schedule;
    enum star_rule rule;
    int rank;
    /* The network hung on the schedule's root: what each node hangs on, and how deep. */
    int *above, *depth;
    bool up;               /* the way that is looked at */
    struct transfer *last; /* on each link, for each place of a bundle, this way; phase −1: none yet */
    struct star_needed *found;
    size_t count;
};

/* Turns the links between the network's root and the schedule's. */
static void hang(struct finder *finder, const struct star_network *network)
{
    int root = finder->schedule->root, below = -1;
    for (int node = 0; node < network->nodes; node++)
        finder->above[node] = network->parent[node];
    for (int node = root; node >= 0; node = network->parent[node]) {
        finder->above[node] = below;
        finder->depth[node] = below < 0 ? 0 : finder->depth[below] + 1;
        below = node;
    }
    for (int node = network->nodes - 1; node >= 0; node--)
        if (node != root && finder->above[node] == network->parent[node])
            finder->depth[node] = finder->depth[network->parent[node]] + 1;
}

/* Does LATER wait for EARLIER by itself? */
static bool is_ordered(enum star_rule rule, struct transfer earlier, struct transfer later)
{
    if (earlier.from == later.from || earlier.to == later.from)
        return true;
    return rule == STAR_RULE_RENDEZVOUS && (earlier.from == later.to || earlier.to == later.to);
}

/* The links of one message often have the same message before it. */
static bool is_known(const struct finder *finder, struct transfer earlier, struct transfer later)
{
    for (size_t i = finder->count; i > 0; i--) {
        const struct star_needed *known = &finder->found[i - 1];
        if (known->before != later.phase || known->to != later.from)
            return false;
        if (known->after == earlier.phase && known->from == earlier.to)
            return true;
    }
    return false;
}

static bool add(struct finder *finder, struct transfer earlier, struct transfer later)
{
    struct star_needed *found = star_grown(finder->found, finder->count, sizeof *found);
    if (found == NULL)
        return false;
    finder->found = found;
    finder->found[finder->count++] = (struct star_needed){earlier.to, later.from, earlier.phase, later.phase};
    return true;
}

static bool use_link(struct finder *finder, int node, int place, struct transfer transfer)
{
    struct transfer *last = &finder->last[(size_t)node * (size_t)finder->schedule->bundle + (size_t)place];
    struct transfer earlier = *last;
    *last = transfer;
    if (earlier.phase < 0 || is_ordered(finder->rule, earlier, transfer))
        return true;
    if (finder->rank >= 0 && finder->rank != earlier.to && finder->rank != transfer.from)
        return true;
    return is_known(finder, earlier, transfer) || add(finder, earlier, transfer);
}

/* The message at PLACE of its bundle uses the links of its end in the subtree, up to the other end's branch.
 * A rank's link carries one message at a time. */
static bool use_links(struct finder *finder, int place, struct transfer transfer, bool within)
{
    int end = finder->up ? transfer.from : transfer.to, node = end;
    int other = finder->up ? transfer.to : transfer.from;
    if (!within)
        other = finder->schedule->root;
    while (node != other)
        if (finder->depth[other] > finder->depth[node]) {
            other = finder->above[other];
        } else {
            if (!use_link(finder, node, node == end ? 0 : place, transfer))
                return false;
            node = finder->above[node];
        }
    return true;
}

/* All messages that one of the sweep stands for. */
static bool use_bundle(struct finder *finder, const struct star_sweep *sweep)
{
    const struct star_schedule *schedule = finder->schedule;
    int bundle = schedule->bundle, from = sweep->from, to = sweep->to, turn = 0;
    bool within = sweep->from_subtree == sweep->to_subtree;
    if (within && from == to) { /* this one's formal phase is when the bundle before it exchanges its own */
        int size = schedule->size[sweep->from_subtree];
        from = to = (from + size - 1) % size;
        turn = 1;
    }
    const int *sender = schedule->member + schedule->start[sweep->from_subtree] + (size_t)from * bundle;
    const int *receiver = schedule->member + schedule->start[sweep->to_subtree] + (size_t)to * bundle;
    for (; turn < bundle; turn++)
        for (int place = 0; place < bundle; place++) {
            struct transfer transfer = {bundle * sweep->phase + turn, sender[place],
                                        receiver[(place + turn) % bundle]};
            if (!use_links(finder, place, transfer, within))
                return false;
        }
    return true;
}

/* One way of one subtree. */
static bool sweep_subtree(struct finder *finder, int subtree, bool up)
{
    finder->up = up;
    struct star_sweep outer = star_sweep_of(finder->schedule, subtree, up ? STAR_FLOW_OUT : STAR_FLOW_IN);
    struct star_sweep inner = star_sweep_of(finder->schedule, subtree, STAR_FLOW_WITHIN);
    bool more_outer = star_sweep_next(&outer), more_inner = star_sweep_next(&inner);
    while (more_outer || more_inner) {
        bool is_outer = more_outer && (!more_inner || outer.phase <= inner.phase);
        if (!use_bundle(finder, is_outer ? &outer : &inner))
            return false;
        if (is_outer)
            more_outer = star_sweep_next(&outer);
        else
            more_inner = star_sweep_next(&inner);
    }
    return true;
}

static bool sweep_all(struct finder *finder, int nodes)
{
    size_t places = (size_t)nodes * (size_t)finder->schedule->bundle;
    for (int up = 0; up <= 1; up++) {
        for (size_t i = 0; i < places; i++)
            finder->last[i].phase = -1;
        for (int subtree = 0; subtree < finder->schedule->subtrees; subtree++)
            if (!sweep_subtree(finder, subtree, up))
                return false;
    }
    return true;
}

static int by_before(const void *left, const void *right)
{
    const struct star_needed *a = left, *b = right;
    if (a->before != b->before)
        return a->before < b->before ? -1 : 1;
    if (a->to != b->to)
        return a->to < b->to ? -1 : 1;
    if (a->after != b->after)
        return a->after < b->after ? -1 : 1;
    return (a->from > b->from) - (a->from < b->from);
}

static size_t sort_once_each(struct star_needed *needed, size_t count)
{
    if (count == 0)
        return 0;
    qsort(needed, count, sizeof *needed, by_before);
    size_t kept = 1;
    for (size_t i = 1; i < count; i++)
        if (by_before(&needed[i], &needed[kept - 1]) != 0)
            needed[kept++] = needed[i];
    return kept;
}

int star_schedule_needed(const struct star_schedule *schedule, const struct star_network *network,
                         enum star_rule rule, int rank, struct star_needed **needed, int *count,
                         struct star_why *why)
{
    size_t nodes = (size_t)network->nodes;
    struct star_scratch scratch = {0};
    struct finder finder = {
        .schedule = schedule,
        .rule = rule,
        .rank = rank,
        .above = star_scratch(&scratch, nodes, sizeof *finder.above),
        .depth = star_scratch(&scratch, nodes, sizeof *finder.depth),
        .last = star_scratch(&scratch, nodes * (size_t)schedule->bundle, sizeof *finder.last)};
    bool good = !scratch.failed;
    if (good) {
        hang(&finder, network);
        good = sweep_all(&finder, network->nodes);
    }
    star_scratch_free(&scratch);
    finder.count = good ? sort_once_each(finder.found, finder.count) : 0;
    if (!good || finder.count > INT_MAX) {
        free(finder.found);
        return good ? star_because(why, STAR_ELIMIT, "%d ranks need more syncs than can be counted",
                                   schedule->ranks)
                    : star_because(why, STAR_EMEMORY, "no memory for the syncs of %d ranks", schedule->ranks);
    }
    *needed = finder.found;
    *count = (int)finder.count;
    return 0;
}

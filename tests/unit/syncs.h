/* SPDX-License-Identifier: BSD-3-Clause
 * Are the syncs of a schedule enough? A graph of all that happens: in each phase in which a rank sends or
 * receives it first begins, when the syncs have come and it may post its messages, and then ends. */
#pragma once

#include "schedules.h"
#include "topology/needed.h"

struct happening {
    int *
        event; /* of each rank and phase: the number of its beginning; its end is the next. −1: no messages */
    int events, ranks;
    int64_t phases;
    bool *edge;   /* edge[x × events + y]: x is before y */
    bool *before; /* and what follows from that */
};

struct sent {
    int64_t phase;
    int from, to;
};

static inline int beginning(const struct happening *happening, int rank, int64_t phase)
{
    return happening->event[(int64_t)rank * happening->phases + phase];
}

static inline void put_edge(struct happening *happening, int before, int after)
{
    assert_true(before >= 0 && after >= 0);
    happening->edge[(size_t)before * (size_t)happening->events + (size_t)after] = true;
}

/* Numbers the events, and orders those of each rank. */
static inline void number_events(struct happening *happening, const struct sent *sent, int count)
{
    size_t all = (size_t)happening->ranks * (size_t)happening->phases;
    happening->event = malloc(all * sizeof *happening->event);
    for (size_t i = 0; i < all; i++)
        happening->event[i] = -1;
    for (int i = 0; i < count; i++) {
        happening->event[sent[i].from * happening->phases + sent[i].phase] = 0;
        happening->event[sent[i].to * happening->phases + sent[i].phase] = 0;
    }
    for (size_t i = 0; i < all; i++)
        if (happening->event[i] == 0) {
            happening->event[i] = happening->events;
            happening->events += 2;
        }
    happening->edge = calloc((size_t)happening->events * (size_t)happening->events, 1);
    for (int rank = 0; rank < happening->ranks; rank++)
        for (int64_t phase = 0, earlier = -1; phase < happening->phases; phase++) {
            int event = beginning(happening, rank, phase);
            if (event < 0)
                continue;
            put_edge(happening, event, event + 1);
            if (earlier >= 0)
                put_edge(happening, (int)earlier, event);
            earlier = event + 1;
        }
}

/* Follows the edges, in an order that respects them: where there is none, the schedule hangs. */
static inline void close_graph(struct happening *happening)
{
    size_t events = (size_t)happening->events, done = 0;
    int *waits = calloc(events, sizeof *waits), *order = calloc(events, sizeof *order);
    for (size_t at = 0; at < events * events; at++)
        waits[at % events] += happening->edge[at];
    for (size_t i = 0; i < events; i++)
        if (waits[i] == 0)
            order[done++] = (int)i;
    for (size_t i = 0; i < done; i++)
        for (size_t k = 0; k < events; k++)
            if (happening->edge[(size_t)order[i] * events + k] && --waits[k] == 0)
                order[done++] = (int)k;
    assert_int_equal(done, events);
    happening->before = calloc(events * events, 1);
    for (size_t i = events; i-- > 0;) {
        bool *row = happening->before + (size_t)order[i] * events;
        for (size_t k = 0; k < events; k++)
            if (happening->edge[(size_t)order[i] * events + k]) {
                row[k] = true;
                for (size_t l = 0; l < events; l++)
                    row[l] |= happening->before[k * events + l];
            }
    }
    free(waits);
    free(order);
}

static inline bool is_before(const struct happening *happening, int event, int other)
{
    return event == other || happening->before[(size_t)event * (size_t)happening->events + (size_t)other];
}

/* Has A left its links when B enters them? A has, at the latest, when its receiver ends the phase, and, with
 * rendezvous, its sender. B enters when its sender begins the phase and, with rendezvous, its receiver has. A
 * sender's card keeps the order of its messages. */
static inline bool is_after(const struct happening *happening, enum star_rule rule, struct sent a,
                            struct sent b)
{
    int ends[] = {beginning(happening, a.to, a.phase) + 1, beginning(happening, a.from, a.phase) + 1};
    int begins[] = {beginning(happening, b.from, b.phase), beginning(happening, b.to, b.phase)};
    int many = rule == STAR_RULE_RENDEZVOUS ? 2 : 1;
    for (int i = 0; i < many; i++)
        for (int k = 0; k < many; k++)
            if (is_before(happening, ends[i], begins[k]))
                return true;
    return rule == STAR_RULE_EAGER && a.from == b.from;
}

static inline struct happening graph_of(const struct star_schedule *schedule, enum star_rule rule,
                                        const struct sent *sent, int count, const struct star_needed *needed,
                                        int syncs)
{
    struct happening happening = {.ranks = schedule->ranks, .phases = schedule->phases};
    number_events(&happening, sent, count);
    for (int i = 0; i < count; i++) {
        int sender = beginning(&happening, sent[i].from, sent[i].phase);
        int receiver = beginning(&happening, sent[i].to, sent[i].phase);
        put_edge(&happening, sender, receiver + 1);
        if (rule == STAR_RULE_RENDEZVOUS)
            put_edge(&happening, receiver, sender + 1);
    }
    for (int i = 0; i < syncs; i++)
        put_edge(&happening, beginning(&happening, needed[i].from, needed[i].after) + 1,
                 beginning(&happening, needed[i].to, needed[i].before));
    close_graph(&happening);
    return happening;
}

static inline int by_sent_phase(const void *left, const void *right)
{
    const struct sent *a = left, *b = right;
    return (a->phase > b->phase) - (a->phase < b->phase);
}

static inline int all_sent(const struct star_schedule *schedule, struct sent *sent)
{
    int count = 0;
    for (int from = 0; from < schedule->ranks; from++)
        for (int to = 0; to < schedule->ranks; to++)
            if (from != to)
                sent[count++] = (struct sent){star_schedule_phase(schedule, from, to), from, to};
    qsort(sent, (size_t)count, sizeof *sent, by_sent_phase);
    return count;
}

/* On the directed link of NODE. Rendezvous: every two messages. Eager: each and the one before, because on
 * one link the order of cards and of syncs are links of the same chain. Places of a bundle have links of
 * their own. */
static inline void expect_link_in_order(const struct star_network *network,
                                        const struct star_schedule *schedule,
                                        const struct happening *happening, enum star_rule rule,
                                        const struct sent *sent, int count, int node, int way)
{
    int bundle = node < network->ranks ? 1 : schedule->bundle;
    for (int i = 0; i < count; i++) {
        if (star_network_uses(network, node, sent[i].from, sent[i].to) != way)
            continue;
        for (int k = i - 1; k >= 0; k--) {
            if (star_network_uses(network, node, sent[k].from, sent[k].to) != way)
                continue;
            if (schedule->index[sent[k].from] % bundle != schedule->index[sent[i].from] % bundle)
                continue;
            assert_true(sent[k].phase < sent[i].phase);
            if (!is_after(happening, rule, sent[k], sent[i]))
                fail_msg("%d→%d in %d may overtake %d→%d in %d", sent[i].from, sent[i].to, (int)sent[i].phase,
                         sent[k].from, sent[k].to, (int)sent[k].phase);
            if (rule == STAR_RULE_EAGER)
                break;
        }
    }
}

static inline void expect_syncs_enough(const struct star_network *network,
                                       const struct star_schedule *schedule, enum star_rule rule)
{
    struct star_needed *needed = NULL;
    int syncs = 0;
    assert_int_equal(star_schedule_needed(schedule, network, rule, -1, &needed, &syncs, NULL), 0);
    struct sent *sent = calloc((size_t)network->ranks * (size_t)network->ranks, sizeof *sent);
    int count = all_sent(schedule, sent);
    struct happening happening = graph_of(schedule, rule, sent, count, needed, syncs);
    for (int node = 0; node + 1 < network->nodes; node++)
        for (int way = -1; way <= 1; way += 2)
            expect_link_in_order(network, schedule, &happening, rule, sent, count, node, way);
    free(happening.event);
    free(happening.edge);
    free(happening.before);
    free(sent);
    free(needed);
}

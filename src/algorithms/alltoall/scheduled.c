/* SPDX-License-Identifier: BSD-3-Clause
 * Scheduled: in phases in which no link of the switches carries two messages in one direction, as many as the
 * busiest link has messages. Ranks that do not meet in a barrier may drift apart; with sync=needed a message
 * waits for those before it on its links, where it would not by itself: they tell its sender (needed-eager:
 * also where messages leave before their receivers are there). Faraj and Yuan: Message Scheduling for
 * All-to-all Personalized Communication, IPDPS 2005; STAR-MPI 3.1. */
#include "algorithms/knobs.h"
#include "plan/build.h"
#include "topology/bundles.h"
#include "topology/needed.h"

#include <stdlib.h>

enum { PHASES_MOST = 1 << 20 }; /* where each is a round of all ranks */

/* One rank's way through the phases. */
struct course {
    struct star_builder *b;
    const struct star_shape *shape;
    struct star_message *send,
        *receive; /* the next of size − 1 each, by phase; a last one is behind all phases */
    struct star_needed *await,
        *tell; /* likewise: what this rank hears before it sends, and tells afterwards */
};

static int by_before(const void *a, const void *b)
{
    const struct star_needed *x = a, *y = b;
    return (x->before > y->before) - (x->before < y->before);
}

static int by_after(const void *a, const void *b)
{
    const struct star_needed *x = a, *y = b;
    return (x->after > y->after) - (x->after < y->after);
}

/* Pair by pair, what is told last first. */
static int by_pair(const void *a, const void *b)
{
    const struct star_needed *x = a, *y = b;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    if (x->to != y->to)
        return x->to < y->to ? -1 : 1;
    return x->after != y->after ? by_after(b, a) : by_before(a, b);
}

/* The messages of PHASE. */
static void exchange(struct course *c, int64_t phase)
{
    int64_t block = c->shape->block;
    if (c->receive->phase == phase) {
        int from = c->receive++->peer;
        star_build_recv(c->b, from, star_at(STAR_RECVBUF, from * block), block);
    }
    if (c->send->phase == phase) {
        int to = c->send++->peer;
        star_build_send(c->b, to, star_at(STAR_SENDBUF, to * block), block);
    }
}

/* Tells of what is complete before PHASE, and hears what must be. */
static void synchronise(struct course *c, int64_t phase)
{
    bool any = c->await->before == phase || c->tell->after < phase;
    for (; c->await->before == phase; c->await++)
        star_build_hear(c->b, c->await->from);
    for (; c->tell->after < phase; c->tell++)
        star_build_tell_early(c->b, c->tell->to);
    if (any)
        star_build_end(c->b);
}

/* Phases without a message of this rank's are left out; or, EACH, are rounds too, in which all ranks can
 * meet. */
static void go_through(struct course *c, int64_t phases, bool each)
{
    for (int64_t phase = 0; each && phase < phases; phase++) {
        if (phase > 0)
            star_build_round(c->b);
        exchange(c, phase);
    }
    while (c->send->phase < phases || c->receive->phase < phases) {
        int64_t phase = c->send->phase < c->receive->phase ? c->send->phase : c->receive->phase;
        synchronise(c, phase);
        exchange(c, phase);
        star_build_end(c->b);
    }
    synchronise(c, phases);
}

/* Those of ALL that RANK tells, or awaits, in this order, with one behind all phases at the end. What another
 * of the same pair implies, told later and awaited earlier, is left out: messages of a pair arrive in order.
 */
static struct star_needed *own_ones(struct star_builder *b, struct star_needed *all, int count, int rank,
                                    bool tells)
{
    struct star_needed *own = star_build_scratch(b, ((size_t)count + 1) * sizeof *own);
    int kept = 0;
    int64_t least = INT64_MAX; /* phase before which one of the same pair is awaited */
    if (own == NULL)
        return NULL;
    if (count > 0)
        qsort(all, (size_t)count, sizeof *all, by_pair);
    for (int i = 0; i < count; i++) {
        bool next_pair = i == 0 || all[i].from != all[i - 1].from || all[i].to != all[i - 1].to;
        least = next_pair ? INT64_MAX : least;
        if (all[i].before >= least)
            continue;
        least = all[i].before;
        if ((tells ? all[i].from : all[i].to) == rank)
            own[kept++] = all[i];
    }
    own[kept] = (struct star_needed){.after = INT64_MAX, .before = INT64_MAX};
    if (kept > 0)
        qsort(own, (size_t)kept, sizeof *own, tells ? by_after : by_before);
    return own;
}

/* Finds what this rank sends, receives, awaits and tells; false when it cannot. */
static bool prepare(struct course *c, const struct star_schedule *schedule, int64_t sync)
{
    int size = c->shape->size, rank = c->shape->rank, count = 0;
    struct star_needed *needed = NULL;
    bool synchronised = sync == STAR_SYNC_NEEDED || sync == STAR_SYNC_NEEDED_EAGER;
    enum star_rule rule = sync == STAR_SYNC_NEEDED ? STAR_RULE_RENDEZVOUS : STAR_RULE_EAGER;
    c->send = star_build_scratch(c->b, (size_t)size * sizeof *c->send);
    c->receive = star_build_scratch(c->b, (size_t)size * sizeof *c->receive);
    if (c->send == NULL || c->receive == NULL ||
        star_schedule_messages(schedule, rank, c->send, c->receive, NULL) != 0 ||
        (synchronised &&
         star_schedule_needed(schedule, c->shape->network, rule, rank, &needed, &count, NULL) != 0))
        return false;
    c->send[size - 1].phase = c->receive[size - 1].phase = INT64_MAX;
    c->await = own_ones(c->b, needed, count, rank, false);
    c->tell = own_ones(c->b, needed, count, rank, true);
    free(needed);
    return c->await != NULL && c->tell != NULL;
}

static void build(struct star_builder *b, const struct star_shape *shape)
{
    struct course course = {.b = b, .shape = shape};
    struct star_schedule *schedule;
    int64_t own = shape->rank * shape->block;
    star_build_copy(b, star_at(STAR_RECVBUF, own), star_at(STAR_SENDBUF, own), shape->block);
    int error = star_schedule_for(shape->network, (int)shape->knob[1], &schedule, NULL);
    if (error == STAR_ENEEDS)
        star_build_refuse(b, "bundles that the switches do not divide into");
    else if (error)
        star_build_fail(b);
    if (error)
        return;
    if (shape->knob[0] > 0 && schedule->phases > PHASES_MOST)
        star_build_refuse(b, "too many phases for all ranks to meet between them");
    else if (prepare(&course, schedule, shape->knob[0]))
        go_through(&course, schedule->phases, shape->knob[0] > 0);
    else
        star_build_fail(b);
    star_schedule_free(schedule);
}

#define SYNC                                                                                                 \
    {                                                                                                        \
        .name = "sync", .help = "none, needed, needed-eager, or barriers:N with 1 <= N <= P-2",              \
        .is_sync = true, .least = 1, .most = INT32_MAX, .preset = STAR_SYNC_NONE,                            \
        .values = {3, {STAR_SYNC_NONE, STAR_SYNC_NEEDED, STAR_SYNC_NEEDED_EAGER}}, .more = {                 \
            1,                                                                                               \
            {2}                                                                                              \
        }                                                                                                    \
    }
/* More at once than a link carries is slower in theory. Where ranks are late to begin, the others fill the
 * gap. */
#define BUNDLE                                                                                               \
    {                                                                                                        \
        .name = "bundle", .zero = "auto",                                                                    \
        .help =                                                                                              \
            "messages at once on a link between switches, or auto: as many as it is faster than a host's",   \
        .least = 1, .most = INT32_MAX, .preset = 0, .values = {2, {0, 4}}, .more = {                         \
            1,                                                                                               \
            {1}                                                                                              \
        }                                                                                                    \
    }
#define ROW                                                                                                  \
    .name = "scheduled", .moves = "in phases without link contention, from the tree of switches",            \
    .optimises = "link contention", .cost = "L(α + nβ + θ), L messages on the busiest link",                 \
    .source = "Faraj and Yuan 2005; STAR-MPI 3.1", .needs = "a topology", .network = true, .forwards = true, \
    .build = build
const struct star_algorithm star_alltoall_scheduled = {
    .operation = STAR_ALLTOALL, .knobs = {SYNC, BUNDLE, STAR_KNOB_WINDOW, STAR_KNOB_PIECES}, ROW};
const struct star_algorithm star_alltoallv_scheduled = {
    .operation = STAR_ALLTOALLV, .knobs = {SYNC, BUNDLE}, ROW};

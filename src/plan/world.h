/* SPDX-License-Identifier: BSD-3-Clause
 * The world in which the plans of all ranks are walked together, for the cost model: walk.c has the ranks,
 * message.c their messages. */
#pragma once

#include "util/agenda.h"
#include "plan/cost.h"

enum star_event {
    RANK_GOES,      /* a rank takes its next step */
    MESSAGE_READY,  /* a message may use the connection */
    MESSAGE_LEFT,   /* its last byte is on the network */
    MESSAGE_ARRIVES /* its last byte is there */
};

struct star_envelope {
    int from, to;
    int32_t send, recv; /* requests; −1: not posted yet */
    int64_t length, bytes;
    double sent;
    bool eager, there;
    int next_unmatched, next_in_line; /* −1: it is the last */
};

struct star_queue {
    int first, last;
};

struct star_request {
    const struct star_step *step; /* NULL: not started */
    bool done, awaited, charged;  /* the overhead of having received it */
};

struct star_walker {
    const struct star_plan *plan;
    struct star_request *slots;
    int32_t at;      /* the step */
    int32_t awaited; /* requests that it still waits for */
    double busy_until;
    bool in_barrier;
    int32_t posts; /* its count in shared memory */
    bool awaits;   /* that of another rank, as its step says */
};

struct star_world {
    int size;
    const struct star_cost_parameters *parameters;
    struct star_walker *ranks;
    struct star_request *slots; /* of all ranks */
    struct star_envelope *messages;
    int message_count;
    struct star_queue *unmatched; /* [channel][from][to]: sends alone, or receives alone */
    struct star_queue *lines;     /* [from][to]: messages under way, one behind the other */
    struct star_flows *flows;
    struct star_agenda agenda;
    double now, end; /* when the last rank was done */
    double meeting;  /* seconds that a barrier takes */
    int in_barrier;
    int64_t until; /* when patience ends, by the clock; 0: never */
    struct star_why *why;
};

/* Lets EVENT happen to SUBJECT, a rank or a message, at TIME. */
int star_world_at(struct star_world *world, double time, enum star_event event, int subject);
/* The request of rank R is complete; the rank may have waited for it. */
int star_world_complete(struct star_world *world, int r, int32_t slot);
/* A message was received: charges the processor's part of it, once. */
void star_world_charge(const struct star_world *world, struct star_walker *rank, struct star_request *slot);
/* STAR_EMEMORY, with its reason. */
int star_world_no_memory(const struct star_world *world);
/* STAR_EWRONG: what is wrong with the step. */
int star_world_wrong(const struct star_world *world, const struct star_walker *rank,
                     const struct star_step *step, const char *what);

static inline double star_seconds_for(double bytes, double speed)
{
    return speed > 0 ? bytes / speed : 0;
}

static inline int64_t star_world_bytes(const struct star_world *world, const struct star_walker *rank,
                                       int64_t length)
{
    return rank->plan->units ? length * world->parameters->block : length;
}

/* Within a machine there is none. */
static inline double star_latency_over(const struct star_cost_parameters *parameters, int hops)
{
    return hops ? parameters->latency + hops * parameters->hop : 0;
}

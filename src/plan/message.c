/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/message.h"

#include <math.h>

static double latency_of(const struct star_world *world, const struct star_envelope *message)
{
    return star_latency_over(world->parameters, star_flows_hops(world->flows, message->from, message->to));
}

static struct star_queue *line_of(struct star_world *world, const struct star_envelope *message)
{
    return &world->lines[(size_t)message->from * (size_t)world->size + (size_t)message->to];
}

/* The message is the first of its line. */
static int transmit(struct star_world *world, int m)
{
    const struct star_envelope *message = &world->messages[m];
    if (message->bytes == 0)
        return star_world_at(world, world->now, MESSAGE_LEFT, m);
    int begun = star_flows_start(world->flows, message->from, message->to, message->bytes, m);
    if (begun < 0)
        return star_world_no_memory(world);
    double copied = world->now + star_seconds_for((double)message->bytes, world->parameters->copy);
    return begun ? 0 : star_world_at(world, copied, MESSAGE_LEFT, m);
}

int star_message_ready(struct star_world *world, int m)
{
    struct star_queue *line = line_of(world, &world->messages[m]);
    world->messages[m].next_in_line = -1;
    bool alone = line->first < 0;
    if (alone)
        line->first = m;
    else
        world->messages[line->last].next_in_line = m;
    line->last = m;
    return alone ? transmit(world, m) : 0;
}

int star_message_left(struct star_world *world, int m)
{
    const struct star_envelope *message = &world->messages[m];
    struct star_queue *line = line_of(world, message);
    line->first = message->next_in_line;
    int error = message->eager ? 0 : star_world_complete(world, message->from, message->send);
    if (!error)
        error = star_world_at(world, world->now + latency_of(world, message), MESSAGE_ARRIVES, m);
    return error || line->first < 0 ? error : transmit(world, line->first);
}

int star_message_arrives(struct star_world *world, int m)
{
    struct star_envelope *message = &world->messages[m];
    message->there = true;
    return message->recv < 0 ? 0 : star_world_complete(world, message->to, message->recv);
}

/* The message that the step belongs to: that of the other side, which came first, or a new one. */
static struct star_envelope *match(struct star_world *world, const struct star_walker *rank,
                                   const struct star_step *step)
{
    bool sends = step->kind == STAR_STEP_SEND;
    int from = sends ? rank->plan->rank : step->peer, to = sends ? step->peer : rank->plan->rank;
    size_t size = (size_t)world->size, channel = step->channel == STAR_SYNC;
    struct star_queue *queue = &world->unmatched[(channel * size + (size_t)from) * size + (size_t)to];
    struct star_envelope *first = queue->first < 0 ? NULL : &world->messages[queue->first];
    if (first != NULL && (sends ? first->send : first->recv) < 0) {
        queue->first = first->next_unmatched;
        return first;
    }
    int m = world->message_count++;
    int64_t bytes = star_world_bytes(world, rank, step->length);
    world->messages[m] = (struct star_envelope){.from = from,
                                                .to = to,
                                                .send = -1,
                                                .recv = -1,
                                                .length = step->length,
                                                .bytes = bytes,
                                                .eager = bytes <= world->parameters->eager,
                                                .next_unmatched = -1};
    if (first == NULL)
        queue->first = m;
    else
        world->messages[queue->last].next_unmatched = m;
    queue->last = m;
    return &world->messages[m];
}

/* Both sides of a rendezvous are there: the sender's question has a latency, the answer has one. */
static int meet(struct star_world *world, const struct star_envelope *message)
{
    double latency = latency_of(world, message), asked = message->sent + latency;
    return star_world_at(world, fmax(asked, world->now) + latency, MESSAGE_READY,
                         (int)(message - world->messages));
}

int star_message_post(struct star_world *world, struct star_walker *rank, const struct star_step *step)
{
    bool sends = step->kind == STAR_STEP_SEND;
    if (step->peer < 0 || step->peer >= world->size || step->peer == rank->plan->rank)
        return star_world_wrong(world, rank, step, "exchanges with a rank that is not there, or with itself");
    if (step->slot < 0 || step->slot >= rank->plan->slots || rank->slots[step->slot].step != NULL)
        return star_world_wrong(world, rank, step, "uses a request twice, or one that is not there");
    struct star_envelope *message = match(world, rank, step);
    if (step->length < 0 || step->length != message->length)
        return star_because(world->why, STAR_EWRONG, "rank %d sends a message to rank %d: %lld and %lld long",
                            message->from, message->to, (long long)message->length, (long long)step->length);
    struct star_request *slot = &rank->slots[step->slot];
    slot->step = step;
    if (sends) {
        message->send = step->slot;
        rank->busy_until = message->sent = world->now + world->parameters->overhead;
        slot->done = message->eager;
    } else {
        message->recv = step->slot;
        slot->done = message->there;
    }
    if (message->eager)
        return sends ? star_world_at(world, message->sent, MESSAGE_READY, (int)(message - world->messages))
                     : 0;
    return message->send >= 0 && message->recv >= 0 ? meet(world, message) : 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/machine.h"

#include <string.h>

static struct star_queue *queue_of(struct star_world *world, int kind, int channel, int source,
                                   int destination)
{
    size_t size = (size_t)world->size;
    size_t which = (size_t)(kind == STAR_STEP_RECV) * 2 + (size_t)(channel == STAR_SYNC);
    return &world->queues[(which * size + (size_t)source) * size + (size_t)destination];
}

static void enqueue(struct star_queue *queue, struct star_slot *slots, int32_t slot)
{
    slots[slot].next = -1;
    if (queue->first < 0)
        queue->first = slot;
    else
        slots[queue->last].next = slot;
    queue->last = slot;
}

/* Moves the bytes of a send and its receive, and completes both. */
static int meet(struct star_world *world, int source, struct star_slot *send, int destination,
                struct star_slot *recv)
{
    const struct star_step *from = send->step, *to = recv->step;
    if (from->length != to->length)
        return star_because(
            world->why, STAR_EWRONG,
            "rank %d of %d, round %d: sends %lld bytes to rank %d, which expects %lld in round %d", source,
            world->size, from->round, (long long)from->length, destination, (long long)to->length, to->round);
    const star_symbol *values = world->ranks[source].memory[from->from].bytes + from->from_offset;
    int error = star_machine_check_units(world, &world->ranks[destination], to, to->to, to->to_offset, values,
                                         to->length);
    if (error)
        return error;
    if (from->length > 0)
        memcpy(world->ranks[destination].memory[to->to].bytes + to->to_offset, values,
               (size_t)from->length * sizeof(star_symbol));
    if (world->expected->meets)
        memcpy(recv->told, send->told, (size_t)world->expressions.words * sizeof *recv->told);
    send->state = recv->state = STAR_SLOT_MATCHED;
    if (from->channel == STAR_SYNC)
        world->result.tokens++;
    else
        world->result.messages++;
    world->result.bytes += from->length;
    return 0;
}

static int post(struct star_world *world, struct star_machine *rank, const struct star_step *step)
{
    int me = rank->plan->rank, peer = step->peer;
    bool sends = step->kind == STAR_STEP_SEND;
    if (peer < 0 || peer >= world->size || peer == me)
        return star_machine_wrong(world, rank, step,
                                  "exchanges with a rank that is not there, or with itself");
    if (step->slot < 0 || step->slot >= rank->plan->slots ||
        rank->slots[step->slot].state != STAR_SLOT_UNUSED)
        return star_machine_wrong(world, rank, step, "uses a request twice");
    int error = sends
                    ? star_machine_check_read(world, rank, step, step->from, step->from_offset, step->length)
                    : star_machine_check_write(world, rank, step, step->to, step->to_offset, step->length);
    if (error)
        return error;
    struct star_slot *slot = &rank->slots[step->slot];
    *slot = (struct star_slot){step, STAR_SLOT_POSTED, -1, slot->told};
    if (world->expected->meets && sends)
        memcpy(slot->told, rank->come, (size_t)world->expressions.words * sizeof *slot->told);
    if (!sends)
        star_machine_cover(rank, step->to, step->to_offset, step->length);
    star_machine_own(rank, step, 1);
    int source = sends ? me : peer, destination = sends ? peer : me;
    struct star_queue *waiting =
        queue_of(world, sends ? STAR_STEP_RECV : STAR_STEP_SEND, step->channel, source, destination);
    if (waiting->first < 0) {
        enqueue(queue_of(world, step->kind, step->channel, source, destination), rank->slots, step->slot);
        return 0;
    }
    struct star_slot *other = &world->ranks[peer].slots[waiting->first];
    waiting->first = other->next;
    return sends ? meet(world, source, slot, destination, other)
                 : meet(world, source, other, destination, slot);
}

static int copy(struct star_world *world, struct star_machine *rank, const struct star_step *step)
{
    int error =
        step->repeat < 0 ? star_machine_wrong(world, rank, step, "copies a negative number of times") : 0;
    for (int64_t i = 0; !error && i < step->repeat; i++) {
        int64_t from, to;
        if (__builtin_mul_overflow(i, step->from_stride, &from) ||
            __builtin_add_overflow(from, step->from_offset, &from) ||
            __builtin_mul_overflow(i, step->to_stride, &to) ||
            __builtin_add_overflow(to, step->to_offset, &to))
            return star_machine_wrong(world, rank, step, "copies from or to nowhere");
        error = star_machine_check_read(world, rank, step, step->from, from, step->length);
        if (!error)
            error = star_machine_check_bounds(world, rank, step, "writes", step->to, to, step->length);
        /* The input in place is not copied onto itself. */
        const star_symbol *source =
            error ? NULL : star_machine_read_by(world, rank, step)->memory[step->from].bytes + from;
        if (!error && source == rank->memory[step->to].bytes + to && step->from != step->to)
            continue;
        if (!error)
            error = star_machine_check_write(world, rank, step, step->to, to, step->length);
        if (!error && star_machine_overlap(rank, step, source, to))
            error = star_machine_wrong(world, rank, step, "copies onto itself");
        if (!error)
            error = star_machine_check_units(world, rank, step, step->to, to, source, step->length);
        if (error)
            continue;
        memmove(rank->memory[step->to].bytes + to, source, (size_t)step->length * sizeof(star_symbol));
        star_machine_cover(rank, step->to, to, step->length);
    }
    return error;
}

static int show(struct star_world *world, struct star_machine *rank, const struct star_step *step)
{
    int error =
        star_machine_check_bounds(world, rank, step, "shows", step->from, step->from_offset, step->length);
    if (!error && rank->shown[step->from].end > 0)
        error = star_machine_wrong(world, rank, step, "shows a buffer twice");
    if (error)
        return error;
    rank->shown[step->from].from = step->from_offset;
    rank->shown[step->from].end = step->from_offset + step->length;
    return 0;
}

/* Is what begins at VALUES an element, and not parts of several? */
static bool is_element(const struct star_world *world, const star_symbol *values)
{
    const struct star_expressions *all = &world->expressions;
    int64_t first = star_symbol_offset(all, values[0]), granule = world->shape->granule;
    bool whole = first % granule == 0;
    for (int64_t i = 1; whole && i < granule; i++)
        whole = star_symbol_offset(all, values[i]) == first + i &&
                star_symbol_same_tree(all, values[0], values[i]);
    return whole;
}

static int check_elements(struct star_world *world, const struct star_machine *rank,
                          const struct star_step *step, const star_symbol *from)
{
    const star_symbol *to = rank->memory[step->to].bytes + step->to_offset;
    int64_t granule = world->shape->granule, length = world->shape->units ? 0 : step->length;
    bool whole = length % granule == 0 && step->from_offset % granule == 0 && step->to_offset % granule == 0;
    for (int64_t i = 0; whole && i < length; i += granule)
        whole = is_element(world, from + i) && is_element(world, to + i);
    return whole ? 0 : star_machine_wrong(world, rank, step, "splits an element");
}

static int reduce_byte(struct star_world *world, const struct star_machine *rank,
                       const struct star_step *step, star_symbol left, star_symbol *right)
{
    struct star_expressions *all = &world->expressions;
    if (star_symbol_offset(all, left) != star_symbol_offset(all, *right))
        return star_machine_wrong(world, rank, step, "reduces different places of the vector");
    int twice = star_symbol_common(all, left, *right);
    if (twice >= 0)
        return star_because(world->why, STAR_EWRONG,
                            "rank %d of %d, round %d: reduces what comes from rank %d twice",
                            rank->plan->rank, world->size, step->round, twice);
    if (!world->shape->commutative && !star_symbol_follows(all, left, *right))
        return star_machine_wrong(world, rank, step, "reduces out of the order of ranks");
    *right = star_symbol_combine(all, left, *right);
    return *right ? 0 : star_because(world->why, STAR_EMEMORY, "out of memory for the simulation");
}

static int reduce(struct star_world *world, struct star_machine *rank, const struct star_step *step)
{
    if (!world->expected->reduces)
        return star_machine_wrong(world, rank, step, "reduces, and the operation does not");
    if (step->to == STAR_SHARED)
        return star_machine_wrong(world, rank, step, "reduces into shared memory");
    int error = star_machine_check_read(world, rank, step, step->from, step->from_offset, step->length);
    if (!error)
        error = star_machine_check_read(world, rank, step, step->to, step->to_offset, step->length);
    if (!error)
        error = star_machine_check_write(world, rank, step, step->to, step->to_offset, step->length);
    const star_symbol *from =
        error ? NULL : star_machine_read_by(world, rank, step)->memory[step->from].bytes + step->from_offset;
    if (!error)
        error = check_elements(world, rank, step, from);
    if (!error && star_machine_overlap(rank, step, from, step->to_offset))
        error = star_machine_wrong(world, rank, step, "reduces onto itself");
    for (int64_t i = 0; !error && i < step->length; i++)
        error = reduce_byte(world, rank, step, from[i], &rank->memory[step->to].bytes[step->to_offset + i]);
    if (!error)
        star_machine_cover(rank, step->to, step->to_offset, step->length);
    return error;
}

/* 1 when all requests of the step are complete, 0 when not yet, negative on a fault. */
static int wait(struct star_world *world, struct star_machine *rank, const struct star_step *step)
{
    int32_t slots = rank->plan->slots;
    if (step->slot < 0 || step->repeat < 0 || step->slot > slots || step->repeat > slots - step->slot)
        return star_machine_wrong(world, rank, step, "waits for a request that is not there");
    for (int32_t i = step->slot; i < step->slot + step->repeat; i++) {
        if (rank->slots[i].state == STAR_SLOT_UNUSED)
            return star_machine_wrong(world, rank, step, "waits for a request before it is started");
        if (rank->slots[i].state == STAR_SLOT_POSTED)
            return 0;
    }
    for (int32_t i = step->slot; i < step->slot + step->repeat; i++)
        if (rank->slots[i].state == STAR_SLOT_MATCHED) {
            rank->slots[i].state = STAR_SLOT_WAITED;
            for (int w = 0; world->expected->meets && w < world->expressions.words; w++)
                rank->come[w] |= rank->slots[i].step->kind == STAR_STEP_RECV ? rank->slots[i].told[w] : 0;
            star_machine_own(rank, rank->slots[i].step, -1);
        }
    return 1;
}

/* 1 when all ranks have come to it. */
static int barrier(struct star_world *world, struct star_machine *rank)
{
    if (rank->entered == rank->passed)
        rank->entered++;
    for (int i = 0; i < world->size; i++)
        if (world->ranks[i].entered < rank->entered)
            return 0;
    rank->passed++;
    return 1;
}

static int post_count(struct star_world *world, struct star_machine *rank, const struct star_step *step)
{
    size_t words = (size_t)world->expressions.words;
    if (!star_plan_shares(rank->plan))
        return star_machine_wrong(world, rank, step, "posts without shared memory");
    if (step->repeat <= rank->posts || step->repeat > STAR_POSTS_MOST)
        return star_machine_wrong(world, rank, step, "posts a count that is not higher than the last");
    for (size_t i = (size_t)rank->posts + 1; world->expected->meets && i <= (size_t)step->repeat; i++)
        memcpy(rank->posted + words * i, rank->come, words * sizeof *rank->come);
    rank->posts = step->repeat;
    return 0;
}

/* 1 when the peer has posted so much, 0 when not yet. */
static int await_count(struct star_world *world, struct star_machine *rank, const struct star_step *step)
{
    size_t words = (size_t)world->expressions.words;
    if (step->peer < 0 || step->peer >= world->size || step->repeat < 1 || !star_plan_shares(rank->plan))
        return star_machine_wrong(world, rank, step, "awaits nothing that comes");
    const struct star_machine *peer = &world->ranks[step->peer];
    if (peer->posts < step->repeat)
        return 0;
    for (size_t w = 0; world->expected->meets && w < words; w++)
        rank->come[w] |= peer->posted[words * (size_t)step->repeat + w];
    return 1;
}

static int step_once(struct star_world *world, struct star_machine *rank)
{
    const struct star_step *step = &rank->plan->steps[rank->at];
    int outcome = 1, error = 0;
    switch (step->kind) {
    case STAR_STEP_SEND:
    case STAR_STEP_RECV:
        error = post(world, rank, step);
        break;
    case STAR_STEP_COPY:
    case STAR_STEP_READ:
        error = copy(world, rank, step);
        break;
    case STAR_STEP_SHOW:
        error = show(world, rank, step);
        break;
    case STAR_STEP_REDUCE:
        error = reduce(world, rank, step);
        break;
    case STAR_STEP_WAIT:
        outcome = wait(world, rank, step);
        break;
    case STAR_STEP_BARRIER:
        outcome = barrier(world, rank);
        break;
    case STAR_STEP_POST:
        error = post_count(world, rank, step);
        break;
    case STAR_STEP_AWAIT:
        outcome = await_count(world, rank, step);
        break;
    default:
        error = star_machine_wrong(world, rank, step, "is a step of no known kind");
    }
    return error ? error : outcome;
}

static int deadlock(struct star_world *world)
{
    for (int r = 0; r < world->size; r++) {
        struct star_machine *rank = &world->ranks[r];
        if (rank->at == rank->plan->count)
            continue;
        const struct star_step *step = &rank->plan->steps[rank->at];
        if (step->kind == STAR_STEP_BARRIER)
            return star_machine_wrong(world, rank, step,
                                      "deadlock: it waits at a barrier that not all ranks reach");
        if (step->kind == STAR_STEP_AWAIT)
            return star_because(
                world->why, STAR_EWRONG,
                "rank %d of %d, round %d: deadlock: it awaits count %d of rank %d, which never comes", r,
                world->size, step->round, step->repeat, step->peer);
        for (int32_t i = step->slot; i < step->slot + step->repeat; i++)
            if (rank->slots[i].state == STAR_SLOT_POSTED) {
                const struct star_step *stuck = rank->slots[i].step;
                return star_because(
                    world->why, STAR_EWRONG,
                    "rank %d of %d, round %d: deadlock: its %s of round %d %s rank %d never completes", r,
                    world->size, step->round, stuck->kind == STAR_STEP_SEND ? "send" : "receive",
                    stuck->round, stuck->kind == STAR_STEP_SEND ? "to" : "from", stuck->peer);
            }
    }
    return star_because(world->why, STAR_EWRONG, "deadlock");
}

static int run_all(struct star_world *world)
{
    for (;;) {
        bool moved = false, done = true;
        for (int r = 0; r < world->size; r++) {
            struct star_machine *rank = &world->ranks[r];
            while (rank->at < rank->plan->count) {
                int outcome = step_once(world, rank);
                if (outcome < 0)
                    return outcome;
                if (outcome == 0)
                    break;
                moved = true;
                rank->at++;
            }
            done = done && rank->at == rank->plan->count;
        }
        if (done)
            return 0;
        if (!moved)
            return deadlock(world);
    }
}

static int check_ranks(struct star_world *world, int rank, int64_t at, struct star_origin origin,
                       star_symbol found)
{
    const struct star_expressions *all = &world->expressions;
    for (int r = 0; r < world->size; r++)
        if (star_symbol_has(all, found, r) != (r >= origin.first && r <= origin.last))
            return star_because(world->why, STAR_EWRONG,
                                "rank %d of %d: byte %lld of the receive buffer %s what comes from rank %d",
                                rank, world->size, (long long)at,
                                star_symbol_has(all, found, r) ? "must not hold" : "lacks", r);
    return 0;
}

/* What lay there at first: in place the input. */
static int check_untouched(struct star_world *world, int rank, int64_t at, star_symbol found)
{
    const struct star_memory *memory = world->ranks[rank].memory, *own = &memory[STAR_SENDBUF];
    int64_t offset = own->borrowed ? &memory[STAR_RECVBUF].bytes[at] - own->bytes : -1;
    bool input = offset >= 0 && offset < own->length;
    if (found == (input ? star_symbol_of(rank, offset) : 0))
        return 0;
    return star_because(
        world->why, STAR_EWRONG,
        "rank %d of %d: byte %lld of the receive buffer is written, which the operation leaves alone", rank,
        world->size, (long long)at);
}

static int check_byte(struct star_world *world, int rank, int64_t at, struct star_origin origin,
                      star_symbol found)
{
    const struct star_expressions *all = &world->expressions;
    if (origin.first > origin.last)
        return check_untouched(world, rank, at, found);
    if (found == 0)
        return star_because(world->why, STAR_EWRONG,
                            "rank %d of %d: byte %lld of the receive buffer is never written", rank,
                            world->size, (long long)at);
    if (star_symbol_offset(all, found) != origin.offset ||
        (origin.first == origin.last && (found & STAR_REDUCED)) ||
        (origin.first == origin.last && star_symbol_rank(found) != origin.first)) {
        int first, last;
        star_symbol_ranks(all, found, &first, &last);
        return star_because(world->why, STAR_EWRONG,
                            "rank %d of %d: byte %lld of the receive buffer is byte %lld of rank %d%s, "
                            "and must be byte %lld of rank %d",
                            rank, world->size, (long long)at, (long long)star_symbol_offset(all, found),
                            first, found & STAR_REDUCED ? " and others" : "", (long long)origin.offset,
                            origin.first);
    }
    return check_ranks(world, rank, at, origin, found);
}

static int check_requests(struct star_world *world, int r)
{
    struct star_machine *rank = &world->ranks[r];
    for (int32_t i = 0; i < rank->plan->slots; i++)
        if (rank->slots[i].state != STAR_SLOT_WAITED)
            return star_because(world->why, STAR_EWRONG, "rank %d of %d: request %d is never waited for", r,
                                world->size, i);
    for (int i = 0; world->expected->meets && i < world->size; i++)
        if (!(rank->come[i / 64] >> i % 64 & 1))
            return star_because(world->why, STAR_EWRONG,
                                "rank %d of %d: leaves the barrier though rank %d may not have come", r,
                                world->size, i);
    return 0;
}

static int check_outcome(struct star_world *world)
{
    int error = 0;
    world->result.rank_order = world->expected->reduces;
    for (int r = 0; !error && r < world->size; r++) {
        const star_symbol *bytes = world->ranks[r].memory[STAR_RECVBUF].bytes;
        error = check_requests(world, r);
        for (int64_t i = 0; !error && i < world->expected->recv_bytes(world->shape, r); i++) {
            if (r > 0 && world->expected->same && bytes[i] == world->ranks[0].memory[STAR_RECVBUF].bytes[i])
                continue; /* rank 0's is right, and this is the same */
            struct star_origin origin = world->expected->origin(world->shape, r, i);
            error = check_byte(world, r, i, origin, bytes[i]);
            if (!error && r > 0 && world->expected->same)
                error = star_because(world->why, STAR_EWRONG,
                                     "rank %d of %d: byte %lld of the receive buffer is reduced in another "
                                     "order than on rank 0",
                                     r, world->size, (long long)i);
            if (!error && world->result.rank_order && origin.first <= origin.last)
                world->result.rank_order =
                    bytes[i] ==
                    star_symbol_in_rank_order(&world->expressions, origin.first, origin.last, origin.offset);
        }
    }
    return error;
}

int star_simulate(const struct star_plan *const *plans, const struct star_shape *shape,
                  const struct star_expectation *expected, bool in_place, struct star_simulation *result,
                  struct star_why *why)
{
    struct star_world world = {.size = shape->size, .shape = shape, .expected = expected, .why = why};
    for (int r = 0; r < world.size; r++)
        if (plans[r]->rank != r || plans[r]->size != world.size)
            return star_because(why, STAR_EWRONG, "plan %d is that of rank %d of %d", r, plans[r]->rank,
                                plans[r]->size);
    int error;
    if (star_world_make(&world, plans, in_place)) {
        world.result.rounds = plans[0]->rounds;
        error = run_all(&world);
        if (!error)
            error = check_outcome(&world);
    } else {
        error = star_because(why, STAR_EMEMORY, "out of memory for the simulation of %d ranks", shape->size);
    }
    if (result != NULL)
        *result = world.result;
    star_world_free(&world);
    return error;
}

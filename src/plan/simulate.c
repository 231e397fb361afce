/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/simulate.h"

#include <stdlib.h>
#include <string.h>

/* A byte's content: 0 when never written, else which byte of which rank's send buffer it is. */
typedef uint64_t symbol;

struct memory {
    symbol *bytes;
    uint16_t *readers; /* outstanding sends that own the byte */
    uint8_t *writer;   /* an outstanding receive owns the byte */
    int64_t length;
};

enum slot_state { UNUSED, POSTED, MATCHED, WAITED };

struct slot {
    const struct star_step *step;
    enum slot_state state;
    int32_t next; /* in its queue; -1 at the end */
};

struct machine {
    const struct star_plan *plan;
    struct memory memory[STAR_BUFFERS];
    struct slot *slots;
    int32_t at;
    int entered, passed; /* barriers */
};

struct queue {
    int32_t first, last;
};

struct world {
    int size;
    struct machine *ranks;
    struct queue *queues; /* unmatched: [kind][channel][source][destination] */
    struct star_simulation result;
    struct star_why *why;
};

static symbol symbol_of(int rank, int64_t offset)
{
    return ((symbol)rank << 40 | (symbol)offset) + 1;
}

static const char *buffer_name(int buffer)
{
    static const char *const names[] = {"the send buffer", "the receive buffer", "the temporary"};
    return names[buffer];
}

static int wrong(struct world *world, const struct machine *rank, const struct star_step *step,
                 const char *what)
{
    return star_because(world->why, STAR_EWRONG, "rank %d of %d, round %d: %s", rank->plan->rank, world->size,
                        step->round, what);
}

static int wrong_place(struct world *world, const struct machine *rank, const struct star_step *step,
                       const char *verb, int buffer, int64_t offset, const char *trouble)
{
    return star_because(world->why, STAR_EWRONG, "rank %d of %d, round %d: %s byte %lld of %s %s",
                        rank->plan->rank, world->size, step->round, verb, (long long)offset,
                        buffer_name(buffer), trouble);
}

static int check_bounds(struct world *world, const struct machine *rank, const struct star_step *step,
                        const char *verb, int buffer, int64_t offset, int64_t length)
{
    if (buffer >= STAR_BUFFERS)
        return wrong(world, rank, step, "names no buffer");
    int64_t room = rank->memory[buffer].length;
    if (offset < 0 || length < 0 || offset > room || length > room - offset)
        return wrong_place(world, rank, step, verb, buffer, offset, "outside of it");
    return 0;
}

static int check_read(struct world *world, struct machine *rank, const struct star_step *step, int buffer,
                      int64_t offset, int64_t length)
{
    int error = check_bounds(world, rank, step, "reads", buffer, offset, length);
    if (error)
        return error;
    const struct memory *memory = &rank->memory[buffer];
    for (int64_t i = offset; !error && i < offset + length; i++) {
        if (memory->writer[i])
            error = wrong_place(world, rank, step, "reads", buffer, i, "while it is being received");
        else if (memory->bytes[i] == 0)
            error = wrong_place(world, rank, step, "reads", buffer, i, "before it is written");
    }
    return error;
}

static int check_write(struct world *world, struct machine *rank, const struct star_step *step, int buffer,
                       int64_t offset, int64_t length)
{
    int error = check_bounds(world, rank, step, "writes", buffer, offset, length);
    if (error)
        return error;
    if (buffer == STAR_SENDBUF)
        return wrong_place(world, rank, step, "writes", buffer, offset, "which belongs to the program");
    const struct memory *memory = &rank->memory[buffer];
    for (int64_t i = offset; !error && i < offset + length; i++)
        if (memory->writer[i] || memory->readers[i])
            error = wrong_place(world, rank, step, "writes", buffer, i, "while a request owns it");
    return error;
}

static struct queue *queue_of(struct world *world, int kind, int channel, int source, int destination)
{
    size_t size = (size_t)world->size;
    size_t which = (size_t)(kind == STAR_RECV) * 2 + (size_t)(channel == STAR_SYNC);
    return &world->queues[(which * size + (size_t)source) * size + (size_t)destination];
}

static void enqueue(struct queue *queue, struct slot *slots, int32_t slot)
{
    slots[slot].next = -1;
    if (queue->first < 0)
        queue->first = slot;
    else
        slots[queue->last].next = slot;
    queue->last = slot;
}

/* Moves the bytes of a send and its receive, and completes both. */
static int meet(struct world *world, int source, struct slot *send, int destination, struct slot *recv)
{
    const struct star_step *from = send->step, *to = recv->step;
    if (from->length != to->length)
        return star_because(
            world->why, STAR_EWRONG,
            "rank %d of %d, round %d: sends %lld bytes to rank %d, which expects %lld in round %d", source,
            world->size, from->round, (long long)from->length, destination, (long long)to->length, to->round);
    if (from->length > 0)
        memcpy(world->ranks[destination].memory[to->to].bytes + to->to_offset,
               world->ranks[source].memory[from->from].bytes + from->from_offset,
               (size_t)from->length * sizeof(symbol));
    send->state = recv->state = MATCHED;
    if (from->channel == STAR_SYNC)
        world->result.tokens++;
    else
        world->result.messages++;
    world->result.bytes += from->length;
    return 0;
}

static void own(struct machine *rank, const struct star_step *step, int by)
{
    if (step->kind == STAR_SEND)
        for (int64_t i = 0; i < step->length; i++)
            rank->memory[step->from].readers[step->from_offset + i] += (uint16_t)by;
    else
        for (int64_t i = 0; i < step->length; i++)
            rank->memory[step->to].writer[step->to_offset + i] += (uint8_t)by;
}

static int post(struct world *world, struct machine *rank, const struct star_step *step)
{
    int me = rank->plan->rank, peer = step->peer;
    bool sends = step->kind == STAR_SEND;
    if (peer < 0 || peer >= world->size || peer == me)
        return wrong(world, rank, step, "exchanges with a rank that is not there, or with itself");
    if (step->slot < 0 || step->slot >= rank->plan->slots || rank->slots[step->slot].state != UNUSED)
        return wrong(world, rank, step, "uses a request twice");
    int error = sends ? check_read(world, rank, step, step->from, step->from_offset, step->length)
                      : check_write(world, rank, step, step->to, step->to_offset, step->length);
    if (error)
        return error;
    struct slot *slot = &rank->slots[step->slot];
    *slot = (struct slot){step, POSTED, -1};
    own(rank, step, 1);
    int source = sends ? me : peer, destination = sends ? peer : me;
    struct queue *waiting =
        queue_of(world, sends ? STAR_RECV : STAR_SEND, step->channel, source, destination);
    if (waiting->first < 0) {
        enqueue(queue_of(world, step->kind, step->channel, source, destination), rank->slots, step->slot);
        return 0;
    }
    struct slot *other = &world->ranks[peer].slots[waiting->first];
    waiting->first = other->next;
    return sends ? meet(world, source, slot, destination, other)
                 : meet(world, source, other, destination, slot);
}

static int copy(struct world *world, struct machine *rank, const struct star_step *step)
{
    int error = step->repeat < 0 ? wrong(world, rank, step, "copies a negative number of times") : 0;
    for (int64_t i = 0; !error && i < step->repeat; i++) {
        int64_t from, to;
        if (__builtin_mul_overflow(i, step->from_stride, &from) ||
            __builtin_add_overflow(from, step->from_offset, &from) ||
            __builtin_mul_overflow(i, step->to_stride, &to) ||
            __builtin_add_overflow(to, step->to_offset, &to))
            return wrong(world, rank, step, "copies from or to nowhere");
        error = check_read(world, rank, step, step->from, from, step->length);
        if (!error)
            error = check_write(world, rank, step, step->to, to, step->length);
        if (!error && step->from == step->to && from < to + step->length && to < from + step->length)
            error = wrong(world, rank, step, "copies onto itself");
        if (!error)
            memcpy(rank->memory[step->to].bytes + to, rank->memory[step->from].bytes + from,
                   (size_t)step->length * sizeof(symbol));
    }
    return error;
}

/* 1 when all requests of the step are complete, 0 when not yet, negative on a fault. */
static int wait(struct world *world, struct machine *rank, const struct star_step *step)
{
    int32_t slots = rank->plan->slots;
    if (step->slot < 0 || step->repeat < 0 || step->slot > slots || step->repeat > slots - step->slot)
        return wrong(world, rank, step, "waits for a request that is not there");
    for (int32_t i = step->slot; i < step->slot + step->repeat; i++) {
        if (rank->slots[i].state == UNUSED)
            return wrong(world, rank, step, "waits for a request before it is started");
        if (rank->slots[i].state == POSTED)
            return 0;
    }
    for (int32_t i = step->slot; i < step->slot + step->repeat; i++)
        if (rank->slots[i].state == MATCHED) {
            rank->slots[i].state = WAITED;
            own(rank, rank->slots[i].step, -1);
        }
    return 1;
}

/* 1 when all ranks have come to it. */
static int barrier(struct world *world, struct machine *rank)
{
    if (rank->entered == rank->passed)
        rank->entered++;
    for (int i = 0; i < world->size; i++)
        if (world->ranks[i].entered < rank->entered)
            return 0;
    rank->passed++;
    return 1;
}

static int step_once(struct world *world, struct machine *rank)
{
    const struct star_step *step = &rank->plan->steps[rank->at];
    int outcome = 1, error = 0;
    switch (step->kind) {
    case STAR_SEND:
    case STAR_RECV:
        error = post(world, rank, step);
        break;
    case STAR_COPY:
        error = copy(world, rank, step);
        break;
    case STAR_WAIT:
        outcome = wait(world, rank, step);
        break;
    case STAR_BARRIER:
        outcome = barrier(world, rank);
        break;
    default:
        error = wrong(world, rank, step, "is a step of no known kind");
    }
    return error ? error : outcome;
}

static int deadlock(struct world *world)
{
    for (int r = 0; r < world->size; r++) {
        struct machine *rank = &world->ranks[r];
        if (rank->at == rank->plan->count)
            continue;
        const struct star_step *step = &rank->plan->steps[rank->at];
        if (step->kind == STAR_BARRIER)
            return wrong(world, rank, step, "deadlock: it waits at a barrier that not all ranks reach");
        for (int32_t i = step->slot; i < step->slot + step->repeat; i++)
            if (rank->slots[i].state == POSTED) {
                const struct star_step *stuck = rank->slots[i].step;
                return star_because(
                    world->why, STAR_EWRONG,
                    "rank %d of %d, round %d: deadlock: its %s of round %d %s rank %d never completes", r,
                    world->size, step->round, stuck->kind == STAR_SEND ? "send" : "receive", stuck->round,
                    stuck->kind == STAR_SEND ? "to" : "from", stuck->peer);
            }
    }
    return star_because(world->why, STAR_EWRONG, "deadlock");
}

static int run_all(struct world *world)
{
    for (;;) {
        bool moved = false, done = true;
        for (int r = 0; r < world->size; r++) {
            struct machine *rank = &world->ranks[r];
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

static int check_outcome(struct world *world, const struct star_expectation *expected)
{
    for (int r = 0; r < world->size; r++) {
        struct machine *rank = &world->ranks[r];
        for (int32_t i = 0; i < rank->plan->slots; i++)
            if (rank->slots[i].state != WAITED)
                return star_because(world->why, STAR_EWRONG, "rank %d of %d: request %d is never waited for",
                                    r, world->size, i);
        for (int64_t i = 0; i < expected->recv_bytes; i++) {
            int from;
            int64_t offset;
            expected->source(expected, r, i, &from, &offset);
            symbol found = rank->memory[STAR_RECVBUF].bytes[i];
            if (found == symbol_of(from, offset))
                continue;
            if (found == 0)
                return star_because(world->why, STAR_EWRONG,
                                    "rank %d of %d: byte %lld of the receive buffer is never written", r,
                                    world->size, (long long)i);
            return star_because(world->why, STAR_EWRONG,
                                "rank %d of %d: byte %lld of the receive buffer is byte %lld of rank %lld, "
                                "and must be byte %lld of rank %d",
                                r, world->size, (long long)i,
                                (long long)((found - 1) & (((symbol)1 << 40) - 1)),
                                (long long)((found - 1) >> 40), (long long)offset, from);
        }
    }
    return 0;
}

static bool make_memory(struct memory *memory, int64_t length)
{
    size_t count = (size_t)length + 1;
    memory->length = length;
    memory->bytes = calloc(count, sizeof *memory->bytes);
    memory->readers = calloc(count, sizeof *memory->readers);
    memory->writer = calloc(count, sizeof *memory->writer);
    return memory->bytes && memory->readers && memory->writer;
}

static bool make_machine(struct machine *rank, const struct star_plan *plan,
                         const struct star_expectation *expected)
{
    rank->plan = plan;
    rank->slots = calloc((size_t)plan->slots + 1, sizeof *rank->slots);
    if (rank->slots == NULL || !make_memory(&rank->memory[STAR_SENDBUF], expected->send_bytes) ||
        !make_memory(&rank->memory[STAR_RECVBUF], expected->recv_bytes) ||
        !make_memory(&rank->memory[STAR_TEMP], plan->temp_bytes))
        return false;
    for (int64_t i = 0; i < expected->send_bytes; i++)
        rank->memory[STAR_SENDBUF].bytes[i] = symbol_of(plan->rank, i);
    return true;
}

static void free_world(struct world *world)
{
    for (int r = 0; world->ranks != NULL && r < world->size; r++) {
        struct machine *rank = &world->ranks[r];
        for (int b = 0; b < STAR_BUFFERS; b++) {
            free(rank->memory[b].bytes);
            free(rank->memory[b].readers);
            free(rank->memory[b].writer);
        }
        free(rank->slots);
    }
    free(world->ranks);
    free(world->queues);
}

int star_simulate(const struct star_plan *const *plans, const struct star_expectation *expected,
                  struct star_simulation *result, struct star_why *why)
{
    struct world world = {.size = expected->size, .why = why};
    size_t size = (size_t)expected->size;
    world.ranks = calloc(size, sizeof *world.ranks);
    world.queues = malloc(4 * size * size * sizeof *world.queues);
    bool made = world.ranks && world.queues;
    for (int r = 0; r < world.size; r++)
        if (plans[r]->rank != r || plans[r]->size != world.size) {
            free_world(&world);
            return star_because(why, STAR_EWRONG, "plan %d is that of rank %d of %d", r, plans[r]->rank,
                                plans[r]->size);
        }
    for (int r = 0; made && r < world.size; r++)
        made = make_machine(&world.ranks[r], plans[r], expected);
    int error = STAR_EMEMORY;
    if (made) {
        for (size_t i = 0; i < 4 * size * size; i++)
            world.queues[i] = (struct queue){-1, -1};
        world.result.rounds = plans[0]->rounds;
        error = run_all(&world);
        if (!error)
            error = check_outcome(&world, expected);
    } else {
        star_because(why, STAR_EMEMORY, "out of memory for the simulation of %d ranks", expected->size);
    }
    if (result != NULL)
        *result = world.result;
    free_world(&world);
    return error;
}

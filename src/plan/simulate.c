/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/simulate.h"

#include <stdlib.h>
#include <string.h>

/* A byte's content: 0 when never written, which byte of which rank's send buffer it is, or REDUCED and the
 * number of an expression. Equal expressions have equal numbers. */
typedef uint64_t symbol;
#define REDUCED ((symbol)1 << 63)

/* LEFT op RIGHT. */
struct expression {
    symbol left, right;
    int64_t offset;
    int first, last; /* the ranks in it are these, in order; FIRST > LAST: they are in no such order */
    int next;        /* of its bucket */
};

struct expressions {
    struct expression *at;
    uint64_t *ranks; /* WORDS for each: which ranks are in it */
    int *buckets;    /* ROOM of them, a power of two */
    int count, room, words;
};

struct memory {
    symbol *bytes;
    uint16_t *readers; /* outstanding sends that own the byte */
    uint8_t *writer;   /* an outstanding receive owns the byte */
    int64_t length;
    bool borrowed; /* part of another buffer */
};

enum slot_state { UNUSED, POSTED, MATCHED, WAITED };

struct slot {
    const struct star_step *step;
    enum slot_state state;
    int32_t next;   /* in its queue; -1 at the end */
    uint64_t *told; /* of a barrier: who had come, as far as the sender knew */
};

struct machine {
    const struct star_plan *plan;
    struct memory memory[STAR_BUFFERS];
    struct slot *slots;
    int32_t at;
    bool covers;         /* the result may lie upon any of the input: in place, and in units */
    int entered, passed; /* barriers */
    uint64_t *come;      /* of a barrier: who has come, as far as this rank knows */
};

struct queue {
    int32_t first, last;
};

struct world {
    int size;
    const struct star_shape *shape;
    const struct star_expectation *expected;
    struct machine *ranks;
    struct queue *queues; /* unmatched: [kind][channel][source][destination] */
    struct expressions expressions;
    struct star_simulation result;
    struct star_why *why;
};

static symbol symbol_of(int rank, int64_t offset)
{
    return ((symbol)rank << 40 | (symbol)offset) + 1;
}

static int leaf_rank(symbol leaf)
{
    return (int)((leaf - 1) >> 40);
}

static int64_t leaf_offset(symbol leaf)
{
    return (int64_t)((leaf - 1) & (((symbol)1 << 40) - 1));
}

static const struct expression *expression_of(const struct world *world, symbol value)
{
    return &world->expressions.at[value & ~REDUCED];
}

static int64_t offset_of(const struct world *world, symbol value)
{
    return value & REDUCED ? expression_of(world, value)->offset : leaf_offset(value);
}

static bool has_rank(const struct world *world, symbol value, int rank)
{
    const struct expressions *all = &world->expressions;
    if (!(value & REDUCED))
        return leaf_rank(value) == rank;
    return all->ranks[(size_t)(value & ~REDUCED) * (size_t)all->words + (size_t)rank / 64] >> rank % 64 & 1;
}

/* A rank that is in both, or −1. */
static int common_rank(const struct world *world, symbol a, symbol b)
{
    const struct expressions *all = &world->expressions;
    if (!(a & REDUCED))
        return has_rank(world, b, leaf_rank(a)) ? leaf_rank(a) : -1;
    if (!(b & REDUCED))
        return has_rank(world, a, leaf_rank(b)) ? leaf_rank(b) : -1;
    for (int w = 0; w < all->words; w++) {
        uint64_t both = all->ranks[(size_t)(a & ~REDUCED) * (size_t)all->words + (size_t)w] &
                        all->ranks[(size_t)(b & ~REDUCED) * (size_t)all->words + (size_t)w];
        if (both != 0)
            return w * 64 + __builtin_ctzll(both);
    }
    return -1;
}

static void ranks_of(const struct world *world, symbol value, int *first, int *last)
{
    bool leaf = !(value & REDUCED);
    *first = leaf ? leaf_rank(value) : expression_of(world, value)->first;
    *last = leaf ? leaf_rank(value) : expression_of(world, value)->last;
}

/* Neighbouring bytes have neighbouring buckets, as they are reduced one after the other. */
static int *bucket_of(const struct expressions *all, symbol left, symbol right)
{
    uint64_t ranks = (left >> 40) * 0x9e3779b97f4a7c15u ^ (right >> 40) * 0xbf58476d1ce4e5b9u;
    return &all->buckets[((ranks >> 32) + left + 3 * right) & (uint64_t)(all->room - 1)];
}

static void fill_buckets(struct expressions *all)
{
    for (int i = 0; i < all->room; i++)
        all->buckets[i] = -1;
    for (int i = 0; i < all->count; i++) {
        int *bucket = bucket_of(all, all->at[i].left, all->at[i].right);
        all->at[i].next = *bucket;
        *bucket = i;
    }
}

static bool make_room(struct expressions *all)
{
    if (all->count < all->room)
        return true;
    size_t room = all->room ? (size_t)all->room * 2 : 256;
    struct expression *at = realloc(all->at, room * sizeof *at);
    if (at != NULL)
        all->at = at;
    uint64_t *ranks = realloc(all->ranks, room * (size_t)all->words * sizeof *ranks);
    if (ranks != NULL)
        all->ranks = ranks;
    int *buckets = realloc(all->buckets, room * sizeof *buckets);
    if (buckets != NULL)
        all->buckets = buckets;
    if (at == NULL || ranks == NULL || buckets == NULL)
        return false;
    all->room = (int)room;
    fill_buckets(all);
    return true;
}

static void add_ranks(const struct expressions *all, symbol value, uint64_t *ranks)
{
    if (!(value & REDUCED))
        ranks[leaf_rank(value) / 64] |= (uint64_t)1 << leaf_rank(value) % 64;
    for (size_t w = 0, words = (size_t)all->words; (value & REDUCED) && w < words; w++)
        ranks[w] |= all->ranks[(size_t)(value & ~REDUCED) * words + w];
}

/* LEFT op RIGHT, which stand for the same place of the vector and have no rank in common; 0 when out of
 * memory. */
static symbol combine(struct world *world, symbol left, symbol right)
{
    struct expressions *all = &world->expressions;
    if (!make_room(all))
        return 0;
    int *bucket = bucket_of(all, left, right);
    for (int i = *bucket; i >= 0; i = all->at[i].next)
        if (all->at[i].left == left && all->at[i].right == right)
            return REDUCED | (symbol)i;
    int first, last, then, end, index = all->count++;
    ranks_of(world, left, &first, &last);
    ranks_of(world, right, &then, &end);
    bool ordered = first <= last && then <= end && last + 1 == then;
    all->at[index] = (struct expression){.left = left,
                                         .right = right,
                                         .offset = offset_of(world, left),
                                         .first = ordered ? first : 1,
                                         .last = ordered ? end : 0,
                                         .next = *bucket};
    *bucket = index;
    uint64_t *ranks = &all->ranks[(size_t)index * (size_t)all->words];
    memset(ranks, 0, (size_t)all->words * sizeof *ranks);
    add_ranks(all, left, ranks);
    add_ranks(all, right, ranks);
    return REDUCED | (symbol)index;
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
    bool input = world->expected->one_buffer && rank->plan->rank == world->shape->root;
    if (buffer == STAR_SENDBUF || (buffer == STAR_RECVBUF && input))
        return wrong_place(world, rank, step, "writes", buffer, offset, "which belongs to the program");
    const struct memory *memory = &rank->memory[buffer];
    bool all = rank->covers && buffer == STAR_RECVBUF && length > 0;
    int64_t first = all ? 0 : offset, end = all ? memory->length : offset + length;
    for (int64_t i = first; !error && i < end; i++)
        if (memory->writer[i] || memory->readers[i])
            error = wrong_place(world, rank, step, "writes", buffer, i, "while a request owns it");
    return error;
}

/* In units, where the result lies upon the input: what is left of that, nobody knows. */
static void cover(struct machine *rank, int buffer, int64_t offset, int64_t length)
{
    struct memory *memory = &rank->memory[buffer];
    for (int64_t i = 0; rank->covers && buffer == STAR_RECVBUF && i < memory->length; i++)
        if (i < offset || i >= offset + length)
            memory->bytes[i] = 0;
}

static bool overlap(const struct machine *rank, const struct star_step *step, int64_t from_offset,
                    int64_t to_offset)
{
    const symbol *from = rank->memory[step->from].bytes + from_offset;
    const symbol *to = rank->memory[step->to].bytes + to_offset;
    bool covered = rank->covers && step->to == STAR_RECVBUF && step->from != STAR_TEMP && step->length > 0;
    return covered || (from < to + step->length && to < from + step->length);
}

/* Of a page of the temporary: which block the room at OFFSET is for. */
static int64_t block_of_room(const struct world *world, const struct machine *rank, int64_t offset)
{
    int64_t page = offset / world->size, index = offset % world->size;
    bool rotated = page < 64 && (rank->plan->rotated >> page & 1);
    return rotated ? (index + rank->plan->rank) % world->size : index;
}

/* Does a block of the length of VALUE have room at OFFSET? */
static bool has_room(const struct world *world, const struct machine *rank, int buffer, int64_t offset,
                     symbol value)
{
    bool by_offset = world->expected->reduces; /* else a block of a page is as long as its rank says */
    if (buffer == STAR_TEMP)
        return block_of_room(world, rank, offset) == (by_offset ? offset_of(world, value) : leaf_rank(value));
    struct star_origin origin = world->expected->origin(world->shape, rank->plan->rank, offset);
    return offset_of(world, value) == origin.offset && (by_offset || leaf_rank(value) == origin.first);
}

static int check_units(struct world *world, const struct machine *rank, const struct star_step *step,
                       int buffer, int64_t offset, const symbol *values, int64_t count)
{
    for (int64_t i = 0; world->shape->units && i < count; i++)
        if (!has_room(world, rank, buffer, offset + i, values[i]))
            return wrong_place(world, rank, step, "writes", buffer, offset + i,
                               "where a block of another length has room");
    return 0;
}

static struct queue *queue_of(struct world *world, int kind, int channel, int source, int destination)
{
    size_t size = (size_t)world->size;
    size_t which = (size_t)(kind == STAR_STEP_RECV) * 2 + (size_t)(channel == STAR_SYNC);
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
    const symbol *values = world->ranks[source].memory[from->from].bytes + from->from_offset;
    int error = check_units(world, &world->ranks[destination], to, to->to, to->to_offset, values, to->length);
    if (error)
        return error;
    if (from->length > 0)
        memcpy(world->ranks[destination].memory[to->to].bytes + to->to_offset, values,
               (size_t)from->length * sizeof(symbol));
    if (world->expected->meets)
        memcpy(recv->told, send->told, (size_t)world->expressions.words * sizeof *recv->told);
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
    if (step->kind == STAR_STEP_SEND)
        for (int64_t i = 0; i < step->length; i++)
            rank->memory[step->from].readers[step->from_offset + i] += (uint16_t)by;
    else
        for (int64_t i = 0; i < step->length; i++)
            rank->memory[step->to].writer[step->to_offset + i] += (uint8_t)by;
}

static int post(struct world *world, struct machine *rank, const struct star_step *step)
{
    int me = rank->plan->rank, peer = step->peer;
    bool sends = step->kind == STAR_STEP_SEND;
    if (peer < 0 || peer >= world->size || peer == me)
        return wrong(world, rank, step, "exchanges with a rank that is not there, or with itself");
    if (step->slot < 0 || step->slot >= rank->plan->slots || rank->slots[step->slot].state != UNUSED)
        return wrong(world, rank, step, "uses a request twice");
    int error = sends ? check_read(world, rank, step, step->from, step->from_offset, step->length)
                      : check_write(world, rank, step, step->to, step->to_offset, step->length);
    if (error)
        return error;
    struct slot *slot = &rank->slots[step->slot];
    *slot = (struct slot){step, POSTED, -1, slot->told};
    if (world->expected->meets && sends)
        memcpy(slot->told, rank->come, (size_t)world->expressions.words * sizeof *slot->told);
    if (!sends)
        cover(rank, step->to, step->to_offset, step->length);
    own(rank, step, 1);
    int source = sends ? me : peer, destination = sends ? peer : me;
    struct queue *waiting =
        queue_of(world, sends ? STAR_STEP_RECV : STAR_STEP_SEND, step->channel, source, destination);
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
            error = check_bounds(world, rank, step, "writes", step->to, to, step->length);
        /* The input in place is not copied onto itself. */
        if (!error && rank->memory[step->from].bytes + from == rank->memory[step->to].bytes + to &&
            step->from != step->to)
            continue;
        if (!error)
            error = check_write(world, rank, step, step->to, to, step->length);
        if (!error && overlap(rank, step, from, to))
            error = wrong(world, rank, step, "copies onto itself");
        if (!error)
            error = check_units(world, rank, step, step->to, to, rank->memory[step->from].bytes + from,
                                step->length);
        if (error)
            continue;
        memmove(rank->memory[step->to].bytes + to, rank->memory[step->from].bytes + from,
                (size_t)step->length * sizeof(symbol));
        cover(rank, step->to, to, step->length);
    }
    return error;
}

/* Are they the same expression of the same ranks, though of different bytes? */
static bool same_tree(const struct world *world, symbol a, symbol b)
{
    if (!(a & b & REDUCED))
        return !((a | b) & REDUCED) && leaf_rank(a) == leaf_rank(b);
    const struct expression *one = expression_of(world, a), *other = expression_of(world, b);
    return same_tree(world, one->left, other->left) && same_tree(world, one->right, other->right);
}

/* Is what begins at VALUES an element, and not parts of several? */
static bool is_element(const struct world *world, const symbol *values)
{
    int64_t first = offset_of(world, values[0]), granule = world->shape->granule;
    bool whole = first % granule == 0;
    for (int64_t i = 1; whole && i < granule; i++)
        whole = offset_of(world, values[i]) == first + i && same_tree(world, values[0], values[i]);
    return whole;
}

static int check_elements(struct world *world, const struct machine *rank, const struct star_step *step)
{
    const symbol *from = rank->memory[step->from].bytes + step->from_offset;
    const symbol *to = rank->memory[step->to].bytes + step->to_offset;
    int64_t granule = world->shape->granule, length = world->shape->units ? 0 : step->length;
    bool whole = length % granule == 0 && step->from_offset % granule == 0 && step->to_offset % granule == 0;
    for (int64_t i = 0; whole && i < length; i += granule)
        whole = is_element(world, from + i) && is_element(world, to + i);
    return whole ? 0 : wrong(world, rank, step, "splits an element");
}

static int reduce_byte(struct world *world, const struct machine *rank, const struct star_step *step,
                       symbol left, symbol *right)
{
    int first, last, then, end;
    ranks_of(world, left, &first, &last);
    ranks_of(world, *right, &then, &end);
    if (offset_of(world, left) != offset_of(world, *right))
        return wrong(world, rank, step, "reduces different places of the vector");
    int twice = common_rank(world, left, *right);
    if (twice >= 0)
        return star_because(world->why, STAR_EWRONG,
                            "rank %d of %d, round %d: reduces what comes from rank %d twice",
                            rank->plan->rank, world->size, step->round, twice);
    if (!world->shape->commutative && !(first <= last && then <= end && last + 1 == then))
        return wrong(world, rank, step, "reduces out of the order of ranks");
    *right = combine(world, left, *right);
    return *right ? 0 : star_because(world->why, STAR_EMEMORY, "out of memory for the simulation");
}

static int reduce(struct world *world, struct machine *rank, const struct star_step *step)
{
    if (!world->expected->reduces)
        return wrong(world, rank, step, "reduces, and the operation does not");
    int error = check_read(world, rank, step, step->from, step->from_offset, step->length);
    if (!error)
        error = check_read(world, rank, step, step->to, step->to_offset, step->length);
    if (!error)
        error = check_write(world, rank, step, step->to, step->to_offset, step->length);
    if (!error)
        error = check_elements(world, rank, step);
    if (!error && overlap(rank, step, step->from_offset, step->to_offset))
        error = wrong(world, rank, step, "reduces onto itself");
    for (int64_t i = 0; !error && i < step->length; i++)
        error = reduce_byte(world, rank, step, rank->memory[step->from].bytes[step->from_offset + i],
                            &rank->memory[step->to].bytes[step->to_offset + i]);
    if (!error)
        cover(rank, step->to, step->to_offset, step->length);
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
            for (int w = 0; world->expected->meets && w < world->expressions.words; w++)
                rank->come[w] |= rank->slots[i].step->kind == STAR_STEP_RECV ? rank->slots[i].told[w] : 0;
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
    case STAR_STEP_SEND:
    case STAR_STEP_RECV:
        error = post(world, rank, step);
        break;
    case STAR_STEP_COPY:
        error = copy(world, rank, step);
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
        if (step->kind == STAR_STEP_BARRIER)
            return wrong(world, rank, step, "deadlock: it waits at a barrier that not all ranks reach");
        for (int32_t i = step->slot; i < step->slot + step->repeat; i++)
            if (rank->slots[i].state == POSTED) {
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

/* r0 op (r1 op (r2 op …)) */
static symbol in_rank_order(struct world *world, struct star_origin origin)
{
    symbol value = symbol_of(origin.last, origin.offset);
    for (int r = origin.last - 1; value != 0 && r >= origin.first; r--)
        value = combine(world, symbol_of(r, origin.offset), value);
    return value;
}

static int check_ranks(struct world *world, int rank, int64_t at, struct star_origin origin, symbol found)
{
    for (int r = 0; r < world->size; r++)
        if (has_rank(world, found, r) != (r >= origin.first && r <= origin.last))
            return star_because(world->why, STAR_EWRONG,
                                "rank %d of %d: byte %lld of the receive buffer %s what comes from rank %d",
                                rank, world->size, (long long)at,
                                has_rank(world, found, r) ? "must not hold" : "lacks", r);
    return 0;
}

/* What lay there at first: in place the input. */
static int check_untouched(struct world *world, int rank, int64_t at, symbol found)
{
    const struct memory *memory = world->ranks[rank].memory, *own = &memory[STAR_SENDBUF];
    int64_t offset = own->borrowed ? &memory[STAR_RECVBUF].bytes[at] - own->bytes : -1;
    bool input = offset >= 0 && offset < own->length;
    if (found == (input ? symbol_of(rank, offset) : 0))
        return 0;
    return star_because(
        world->why, STAR_EWRONG,
        "rank %d of %d: byte %lld of the receive buffer is written, which the operation leaves alone", rank,
        world->size, (long long)at);
}

static int check_byte(struct world *world, int rank, int64_t at, struct star_origin origin, symbol found)
{
    if (origin.first > origin.last)
        return check_untouched(world, rank, at, found);
    if (found == 0)
        return star_because(world->why, STAR_EWRONG,
                            "rank %d of %d: byte %lld of the receive buffer is never written", rank,
                            world->size, (long long)at);
    if (offset_of(world, found) != origin.offset || (origin.first == origin.last && (found & REDUCED)) ||
        (origin.first == origin.last && leaf_rank(found) != origin.first)) {
        int first, last;
        ranks_of(world, found, &first, &last);
        return star_because(world->why, STAR_EWRONG,
                            "rank %d of %d: byte %lld of the receive buffer is byte %lld of rank %d%s, "
                            "and must be byte %lld of rank %d",
                            rank, world->size, (long long)at, (long long)offset_of(world, found), first,
                            found & REDUCED ? " and others" : "", (long long)origin.offset, origin.first);
    }
    return check_ranks(world, rank, at, origin, found);
}

static int check_requests(struct world *world, int r)
{
    struct machine *rank = &world->ranks[r];
    for (int32_t i = 0; i < rank->plan->slots; i++)
        if (rank->slots[i].state != WAITED)
            return star_because(world->why, STAR_EWRONG, "rank %d of %d: request %d is never waited for", r,
                                world->size, i);
    for (int i = 0; world->expected->meets && i < world->size; i++)
        if (!(rank->come[i / 64] >> i % 64 & 1))
            return star_because(world->why, STAR_EWRONG,
                                "rank %d of %d: leaves the barrier though rank %d may not have come", r,
                                world->size, i);
    return 0;
}

static int check_outcome(struct world *world)
{
    int error = 0;
    world->result.rank_order = world->expected->reduces;
    for (int r = 0; !error && r < world->size; r++) {
        const symbol *bytes = world->ranks[r].memory[STAR_RECVBUF].bytes;
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
                world->result.rank_order = bytes[i] == in_rank_order(world, origin);
        }
    }
    return error;
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

/* The part of OTHER that begins at OFFSET. */
static void borrow_memory(struct memory *memory, const struct memory *other, int64_t offset, int64_t length)
{
    *memory = (struct memory){.bytes = other->bytes + offset,
                              .readers = other->readers + offset,
                              .writer = other->writer + offset,
                              .length = length,
                              .borrowed = true};
}

static bool make_buffers(struct world *world, struct machine *rank, bool in_place)
{
    const struct star_expectation *expected = world->expected;
    int r = rank->plan->rank;
    int64_t sends = expected->send_bytes(world->shape, r), receives = expected->recv_bytes(world->shape, r);
    int64_t at = in_place && expected->in_place ? expected->in_place(world->shape, r) : -1;
    rank->covers = at >= 0 && expected->reduces && world->shape->units;
    if (at >= 0 && at + sends > receives)
        receives = at + sends;
    if (!make_memory(&rank->memory[STAR_RECVBUF], receives) ||
        !make_memory(&rank->memory[STAR_TEMP], rank->plan->temp_bytes))
        return false;
    if (at >= 0)
        borrow_memory(&rank->memory[STAR_SENDBUF], &rank->memory[STAR_RECVBUF], at, sends);
    else if (!make_memory(&rank->memory[STAR_SENDBUF], expected->one_buffer ? 0 : sends))
        return false;
    for (int64_t i = 0; i < sends; i++)
        rank->memory[expected->one_buffer ? STAR_RECVBUF : STAR_SENDBUF].bytes[i] = symbol_of(r, i);
    return true;
}

static bool make_machine(struct world *world, struct machine *rank, const struct star_plan *plan,
                         bool in_place)
{
    size_t words = (size_t)world->expressions.words;
    rank->plan = plan;
    rank->slots = calloc((size_t)plan->slots + 1, sizeof *rank->slots);
    if (rank->slots == NULL || !make_buffers(world, rank, in_place))
        return false;
    if (!world->expected->meets)
        return true;
    rank->come = calloc(words * ((size_t)plan->slots + 1), sizeof *rank->come);
    for (int32_t i = 0; rank->come != NULL && i < plan->slots; i++)
        rank->slots[i].told = rank->come + words * ((size_t)i + 1);
    if (rank->come != NULL)
        rank->come[plan->rank / 64] |= (uint64_t)1 << plan->rank % 64;
    return rank->come != NULL;
}

static void free_world(struct world *world)
{
    for (int r = 0; world->ranks != NULL && r < world->size; r++) {
        struct machine *rank = &world->ranks[r];
        for (int b = 0; b < STAR_BUFFERS; b++)
            if (!rank->memory[b].borrowed) {
                free(rank->memory[b].bytes);
                free(rank->memory[b].readers);
                free(rank->memory[b].writer);
            }
        free(rank->slots);
        free(rank->come);
    }
    free(world->ranks);
    free(world->queues);
    free(world->expressions.at);
    free(world->expressions.ranks);
    free(world->expressions.buckets);
}

int star_simulate(const struct star_plan *const *plans, const struct star_shape *shape,
                  const struct star_expectation *expected, bool in_place, struct star_simulation *result,
                  struct star_why *why)
{
    struct world world = {.size = shape->size, .shape = shape, .expected = expected, .why = why};
    size_t size = (size_t)shape->size;
    world.expressions.words = (shape->size + 63) / 64;
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
        made = make_machine(&world, &world.ranks[r], plans[r], in_place);
    int error = STAR_EMEMORY;
    if (made) {
        for (size_t i = 0; i < 4 * size * size; i++)
            world.queues[i] = (struct queue){-1, -1};
        world.result.rounds = plans[0]->rounds;
        error = run_all(&world);
        if (!error)
            error = check_outcome(&world);
    } else {
        star_because(why, STAR_EMEMORY, "out of memory for the simulation of %d ranks", shape->size);
    }
    if (result != NULL)
        *result = world.result;
    free_world(&world);
    return error;
}

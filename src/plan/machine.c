/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/machine.h"

static const char *buffer_name(int buffer)
{
    static const char *const names[] = {"the send buffer", "the receive buffer", "the temporary",
                                        "the shared memory"};
    return names[buffer];
}

int star_machine_wrong(struct star_world *world, const struct star_machine *rank,
                       const struct star_step *step, const char *what)
{
    return star_because(world->why, STAR_EWRONG, "rank %d of %d, round %d: %s", rank->plan->rank, world->size,
                        step->round, what);
}

static int wrong_place(struct star_world *world, const struct star_machine *rank,
                       const struct star_step *step, const char *verb, int buffer, int64_t offset,
                       const char *trouble)
{
    return star_because(world->why, STAR_EWRONG, "rank %d of %d, round %d: %s byte %lld of %s %s",
                        rank->plan->rank, world->size, step->round, verb, (long long)offset,
                        buffer_name(buffer), trouble);
}

const struct star_machine *star_machine_read_by(const struct star_world *world,
                                                const struct star_machine *rank, const struct star_step *step)
{
    bool lent = step->from == STAR_SHARED || step->kind == STAR_STEP_READ;
    return lent ? &world->ranks[step->peer] : rank;
}

int star_machine_check_bounds(struct star_world *world, const struct star_machine *rank,
                              const struct star_step *step, const char *verb, int buffer, int64_t offset,
                              int64_t length)
{
    if (buffer >= STAR_BUFFERS)
        return star_machine_wrong(world, rank, step, "names no buffer");
    if (buffer == STAR_SHARED && step->kind != STAR_STEP_COPY && step->kind != STAR_STEP_REDUCE)
        return star_machine_wrong(world, rank, step, "sends or receives in shared memory");
    int64_t room = rank->memory[buffer].length;
    if (offset < 0 || length < 0 || offset > room || length > room - offset)
        return wrong_place(world, rank, step, verb, buffer, offset, "outside of it");
    return 0;
}

int star_machine_check_read(struct star_world *world, struct star_machine *rank, const struct star_step *step,
                            int buffer, int64_t offset, int64_t length)
{
    bool shown = step->kind == STAR_STEP_READ;
    bool lent = shown || (buffer == STAR_SHARED && step->from == STAR_SHARED);
    if (lent && (step->peer < 0 || step->peer >= world->size))
        return star_machine_wrong(world, rank, step, "reads the memory of a rank that is not there");
    const struct star_machine *owner = lent ? &world->ranks[step->peer] : rank;
    int error = star_machine_check_bounds(world, owner, step, "reads", buffer, offset, length);
    if (error)
        return error;
    if (shown && (offset < owner->shown[buffer].from || offset + length > owner->shown[buffer].end))
        return wrong_place(world, rank, step, "reads", buffer, offset, "which its rank has not shown");
    const struct star_memory *memory = &owner->memory[buffer];
    for (int64_t i = offset; !error && i < offset + length; i++) {
        if (memory->writer[i])
            error = wrong_place(world, rank, step, "reads", buffer, i, "while it is being received");
        else if (memory->bytes[i] == 0)
            error = wrong_place(world, rank, step, "reads", buffer, i, "before it is written");
    }
    return error;
}

int star_machine_check_write(struct star_world *world, struct star_machine *rank,
                             const struct star_step *step, int buffer, int64_t offset, int64_t length)
{
    int error = star_machine_check_bounds(world, rank, step, "writes", buffer, offset, length);
    if (error)
        return error;
    bool input = world->expected->one_buffer && rank->plan->rank == world->shape->root;
    if (buffer == STAR_SENDBUF || (buffer == STAR_RECVBUF && input))
        return wrong_place(world, rank, step, "writes", buffer, offset, "which belongs to the program");
    /* Elements with gaps are shown as they are then, packed. */
    if (world->expected->reduces && offset < rank->shown[buffer].end &&
        offset + length > rank->shown[buffer].from)
        return wrong_place(world, rank, step, "writes", buffer, offset, "which it has shown");
    const struct star_memory *memory = &rank->memory[buffer];
    bool all = rank->covers && buffer == STAR_RECVBUF && length > 0;
    int64_t first = all ? 0 : offset, end = all ? memory->length : offset + length;
    for (int64_t i = first; !error && i < end; i++)
        if (memory->writer[i] || memory->readers[i])
            error = wrong_place(world, rank, step, "writes", buffer, i, "while a request owns it");
    return error;
}

void star_machine_cover(struct star_machine *rank, int buffer, int64_t offset, int64_t length)
{
    struct star_memory *memory = &rank->memory[buffer];
    for (int64_t i = 0; rank->covers && buffer == STAR_RECVBUF && i < memory->length; i++)
        if (i < offset || i >= offset + length)
            memory->bytes[i] = 0;
}

bool star_machine_overlap(const struct star_machine *rank, const struct star_step *step,
                          const star_symbol *from, int64_t to_offset)
{
    const star_symbol *to = rank->memory[step->to].bytes + to_offset;
    bool own = step->from == STAR_SENDBUF || step->from == STAR_RECVBUF;
    bool covered = rank->covers && step->to == STAR_RECVBUF && own && step->length > 0;
    return covered || (from < to + step->length && to < from + step->length);
}

/* Of a page of the temporary: which block the room at OFFSET is for. */
static int64_t block_of_room(const struct star_world *world, const struct star_machine *rank, int64_t offset)
{
    int64_t page = offset / world->size, index = offset % world->size;
    bool rotated = page < 64 && (rank->plan->rotated >> page & 1);
    return rotated ? (index + rank->plan->rank) % world->size : index;
}

/* Does a block of the length of VALUE have room at OFFSET? */
static bool has_room(const struct star_world *world, const struct star_machine *rank, int buffer,
                     int64_t offset, star_symbol value)
{
    const struct star_expressions *all = &world->expressions;
    bool by_offset = world->expected->reduces; /* else a block of a page is as long as its rank says */
    if (buffer == STAR_TEMP)
        return block_of_room(world, rank, offset) ==
               (by_offset ? star_symbol_offset(all, value) : star_symbol_rank(value));
    struct star_origin origin = world->expected->origin(world->shape, rank->plan->rank, offset);
    return star_symbol_offset(all, value) == origin.offset &&
           (by_offset || star_symbol_rank(value) == origin.first);
}

int star_machine_check_units(struct star_world *world, const struct star_machine *rank,
                             const struct star_step *step, int buffer, int64_t offset,
                             const star_symbol *values, int64_t count)
{
    for (int64_t i = 0; world->shape->units && i < count; i++)
        if (!has_room(world, rank, buffer, offset + i, values[i]))
            return wrong_place(world, rank, step, "writes", buffer, offset + i,
                               "where a block of another length has room");
    return 0;
}

void star_machine_own(struct star_machine *rank, const struct star_step *step, int by)
{
    if (step->kind == STAR_STEP_SEND)
        for (int64_t i = 0; i < step->length; i++)
            rank->memory[step->from].readers[step->from_offset + i] += (uint16_t)by;
    else
        for (int64_t i = 0; i < step->length; i++)
            rank->memory[step->to].writer[step->to_offset + i] += (uint8_t)by;
}

static bool make_memory(struct star_world *world, struct star_memory *memory, int64_t length)
{
    size_t count = (size_t)length;
    memory->length = length;
    memory->bytes = star_scratch(&world->scratch, count, sizeof *memory->bytes);
    memory->readers = star_scratch(&world->scratch, count, sizeof *memory->readers);
    memory->writer = star_scratch(&world->scratch, count, sizeof *memory->writer);
    return !world->scratch.failed;
}

/* The part of OTHER that begins at OFFSET. */
static void borrow_memory(struct star_memory *memory, const struct star_memory *other, int64_t offset,
                          int64_t length)
{
    *memory = (struct star_memory){.bytes = other->bytes + offset,
                                   .readers = other->readers + offset,
                                   .writer = other->writer + offset,
                                   .length = length,
                                   .borrowed = true};
}

static bool make_buffers(struct star_world *world, struct star_machine *rank, bool in_place)
{
    const struct star_expectation *expected = world->expected;
    int r = rank->plan->rank;
    int64_t sends = expected->send_bytes(world->shape, r), receives = expected->recv_bytes(world->shape, r);
    int64_t at = in_place && expected->in_place ? expected->in_place(world->shape, r) : -1;
    rank->covers = at >= 0 && expected->reduces && world->shape->units;
    if (at >= 0 && at + sends > receives)
        receives = at + sends;
    if (!make_memory(world, &rank->memory[STAR_SHARED], rank->plan->shared_bytes) ||
        !make_memory(world, &rank->memory[STAR_RECVBUF], receives) ||
        !make_memory(world, &rank->memory[STAR_TEMP], rank->plan->temp_bytes))
        return false;
    if (at >= 0)
        borrow_memory(&rank->memory[STAR_SENDBUF], &rank->memory[STAR_RECVBUF], at, sends);
    else if (!make_memory(world, &rank->memory[STAR_SENDBUF], expected->one_buffer ? 0 : sends))
        return false;
    for (int64_t i = 0; i < sends; i++)
        rank->memory[expected->one_buffer ? STAR_RECVBUF : STAR_SENDBUF].bytes[i] = star_symbol_of(r, i);
    return true;
}

static int32_t posts_of(const struct star_plan *plan)
{
    int32_t most = 0;
    for (int32_t i = 0; i < plan->count; i++)
        if (plan->steps[i].kind == STAR_STEP_POST && plan->steps[i].repeat > most)
            most = plan->steps[i].repeat;
    return most < STAR_POSTS_MOST ? most : STAR_POSTS_MOST;
}

static bool make_machine(struct star_world *world, struct star_machine *rank, const struct star_plan *plan,
                         bool in_place)
{
    size_t words = (size_t)world->expressions.words;
    rank->plan = plan;
    rank->slots = star_scratch(&world->scratch, (size_t)plan->slots, sizeof *rank->slots);
    if (rank->slots == NULL || !make_buffers(world, rank, in_place))
        return false;
    if (!world->expected->meets)
        return true;
    rank->come = star_scratch(&world->scratch, words * ((size_t)plan->slots + 1), sizeof *rank->come);
    for (int32_t i = 0; rank->come != NULL && i < plan->slots; i++)
        rank->slots[i].told = rank->come + words * ((size_t)i + 1);
    rank->posted = star_scratch(&world->scratch, words * ((size_t)posts_of(plan) + 1), sizeof *rank->posted);
    if (rank->come != NULL)
        rank->come[plan->rank / 64] |= (uint64_t)1 << plan->rank % 64;
    return rank->come != NULL && rank->posted != NULL;
}

bool star_world_make(struct star_world *world, const struct star_plan *const *plans, bool in_place)
{
    size_t size = (size_t)world->size, queues = 4 * size * size;
    world->expressions = star_expressions_of(world->size);
    world->ranks = star_scratch(&world->scratch, size, sizeof *world->ranks);
    world->queues = star_scratch(&world->scratch, queues, sizeof *world->queues);
    if (world->scratch.failed)
        return false;
    for (size_t i = 0; i < queues; i++)
        world->queues[i] = (struct star_queue){-1, -1};
    bool made = true;
    for (int r = 0; made && r < world->size; r++)
        made = make_machine(world, &world->ranks[r], plans[r], in_place);
    return made;
}

void star_world_free(struct star_world *world)
{
    star_scratch_free(&world->scratch);
    star_expressions_free(&world->expressions);
}

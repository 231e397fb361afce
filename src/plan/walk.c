/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/walk.h"
#include "plan/message.h"
#include "plan/world.h"
#include "util/clock.h"
#include "util/scratch.h"

#include <math.h>

/* What happens at less than this part of the time passed is at once: rounding must not part it. */
#define AT_ONCE 1e-11

/* Seconds until a processor sees what another one of its node has posted: a line of the cache goes over. */
static const double hand_over = 100e-9;
/* Seconds of the system call that reads another process's memory, beside the copy. */
static const double reading = 500e-9;

static int wait(struct star_world *world, struct star_walker *rank, const struct star_step *step)
{
    int32_t slots = rank->plan->slots;
    if (step->slot < 0 || step->repeat < 0 || step->slot > slots || step->repeat > slots - step->slot)
        return star_world_wrong(world, rank, step, "waits for a request that is not there");
    for (int32_t i = step->slot; i < step->slot + step->repeat; i++) {
        struct star_request *slot = &rank->slots[i];
        if (slot->step == NULL)
            return star_world_wrong(world, rank, step, "waits for a request before it is started");
        slot->awaited = !slot->done;
        rank->awaited += slot->awaited;
        if (slot->done)
            star_world_charge(world, rank, slot);
    }
    return 0;
}

static int barrier(struct star_world *world, struct star_walker *rank)
{
    rank->in_barrier = true;
    if (++world->in_barrier < world->size)
        return 0;
    world->in_barrier = 0;
    int error = 0;
    for (int r = 0; !error && r < world->size; r++) {
        world->ranks[r].in_barrier = false;
        world->ranks[r].at++;
        error = star_world_at(world, world->now + world->meeting, RANK_GOES, r);
    }
    return error;
}

/* Whoever awaits this count goes on. */
static int post(struct star_world *world, struct star_walker *rank, const struct star_step *step)
{
    int error = 0;
    rank->posts = step->repeat;
    for (int r = 0; !error && r < world->size; r++) {
        struct star_walker *other = &world->ranks[r];
        const struct star_step *its = other->awaits ? &other->plan->steps[other->at] : NULL;
        if (its == NULL || its->peer != rank->plan->rank || its->repeat > rank->posts)
            continue;
        other->awaits = false;
        other->at++;
        error = star_world_at(world, world->now + hand_over, RANK_GOES, r);
    }
    return error;
}

static int await(struct star_world *world, struct star_walker *rank, const struct star_step *step)
{
    if (step->peer < 0 || step->peer >= world->size)
        return star_world_wrong(world, rank, step, "awaits a rank that is not there");
    rank->awaits = world->ranks[step->peer].posts < step->repeat;
    rank->busy_until += rank->awaits ? 0 : hand_over;
    return 0;
}

static int take_step(struct star_world *world, struct star_walker *rank, const struct star_step *step)
{
    double bytes = (double)star_world_bytes(world, rank, step->length);
    switch (step->kind) {
    case STAR_STEP_SEND:
    case STAR_STEP_RECV:
        return star_message_post(world, rank, step);
    case STAR_STEP_COPY:
        rank->busy_until += star_seconds_for(bytes * step->repeat, world->parameters->copy);
        return 0;
    case STAR_STEP_READ:
        rank->busy_until += reading + star_seconds_for(bytes, world->parameters->copy);
        return 0;
    case STAR_STEP_SHOW:
        return 0;
    case STAR_STEP_REDUCE:
        rank->busy_until += star_seconds_for(bytes, world->parameters->reduce);
        return 0;
    case STAR_STEP_WAIT:
        return wait(world, rank, step);
    case STAR_STEP_BARRIER:
        return barrier(world, rank);
    case STAR_STEP_POST:
        return post(world, rank, step);
    case STAR_STEP_AWAIT:
        return await(world, rank, step);
    default:
        return star_world_wrong(world, rank, step, "is a step of no known kind");
    }
}

/* Steps until one takes time, or waits. */
static int go(struct star_world *world, int r)
{
    struct star_walker *rank = &world->ranks[r];
    while (rank->at < rank->plan->count) {
        const struct star_step *step = &rank->plan->steps[rank->at];
        rank->busy_until = world->now;
        int error = take_step(world, rank, step);
        if (error || rank->awaited > 0 || rank->awaits || step->kind == STAR_STEP_BARRIER)
            return error;
        rank->at++;
        if (rank->busy_until > world->now)
            return star_world_at(world, rank->busy_until, RANK_GOES, r);
    }
    world->end = fmax(world->end, world->now);
    return 0;
}

static int handle(struct star_world *world, struct star_entry entry)
{
    static int (*const handlers[])(struct star_world *, int) = {[RANK_GOES] = go,
                                                                [MESSAGE_READY] = star_message_ready,
                                                                [MESSAGE_LEFT] = star_message_left,
                                                                [MESSAGE_ARRIVES] = star_message_arrives};
    return handlers[entry.kind](world, entry.subject);
}

static int handle_all_at_once(struct star_world *world)
{
    int error = 0;
    while (!error && star_agenda_next(&world->agenda) <= world->now * (1 + AT_ONCE))
        error = handle(world, star_agenda_take(&world->agenda));
    return error;
}

/* The first rank that is not done, and what it waits for. */
static int check_end(const struct star_world *world)
{
    for (int r = 0; r < world->size; r++) {
        const struct star_walker *rank = &world->ranks[r];
        if (rank->at == rank->plan->count)
            continue;
        const struct star_step *step = &rank->plan->steps[rank->at];
        if (rank->in_barrier)
            return star_world_wrong(world, rank, step,
                                    "deadlock: it waits at a barrier that not all ranks reach");
        if (rank->awaits)
            return star_world_wrong(world, rank, step, "deadlock: it awaits a count that never comes");
        for (int32_t i = step->slot; i < step->slot + step->repeat; i++)
            if (!rank->slots[i].done) {
                const struct star_step *stuck = rank->slots[i].step;
                bool sends = stuck->kind == STAR_STEP_SEND;
                return star_because(world->why, STAR_EWRONG,
                                    "rank %d of %d, round %d: deadlock: its %s rank %d never completes", r,
                                    world->size, step->round, sends ? "send to" : "receive from",
                                    stuck->peer);
            }
    }
    return 0;
}

static int check_patience(const struct star_world *world)
{
    if (world->until == 0 || star_now() <= world->until)
        return 0;
    return star_because(world->why, STAR_ELIMIT, "the cost of the plans of %d ranks takes longer than %g s",
                        world->size, world->parameters->patience);
}

static int run_all(struct star_world *world)
{
    int error = 0;
    for (int r = 0; !error && r < world->size; r++)
        error = star_world_at(world, 0, RANK_GOES, r);
    while (!error) {
        error = check_patience(world);
        if (!error)
            error = handle_all_at_once(world);
        double until = star_agenda_next(&world->agenda) - world->now;
        double seconds = fmin(until, star_flows_next(world->flows));
        if (error || isinf(seconds))
            break;
        double slack = (world->now + seconds) * AT_ONCE;
        const int *ended;
        int count = star_flows_pass(world->flows, seconds, slack, &ended);
        world->now += seconds;
        for (int i = 0; !error && i < count; i++)
            error = star_world_at(world, world->now, MESSAGE_LEFT, ended[i]);
    }
    return error ? error : check_end(world);
}

/* Rounds of a barrier: ⌈log₂ ranks⌉. */
static int rounds_of(int ranks)
{
    int rounds = 0;
    while ((int64_t)1 << rounds < ranks)
        rounds++;
    return rounds;
}

static void give_slots(struct star_world *world, struct star_plan *const *plans)
{
    struct star_request *slots = world->slots;
    for (int r = 0; r < world->size; r++) {
        world->ranks[r].plan = plans[r];
        world->ranks[r].slots = slots;
        slots += plans[r]->slots;
    }
}

static bool make_world(struct star_world *world, struct star_plan *const *plans, struct star_scratch *scratch)
{
    size_t size = (size_t)world->size, slots = 0, messages = 0;
    for (size_t r = 0; r < size; r++) {
        slots += (size_t)plans[r]->slots;
        for (int32_t i = 0; i < plans[r]->count; i++)
            messages +=
                plans[r]->steps[i].kind == STAR_STEP_SEND || plans[r]->steps[i].kind == STAR_STEP_RECV;
    }
    world->ranks = star_scratch(scratch, size, sizeof *world->ranks);
    world->slots = star_scratch(scratch, slots, sizeof *world->slots);
    world->messages = star_scratch(scratch, messages, sizeof *world->messages);
    world->unmatched = star_scratch(scratch, 2 * size * size, sizeof *world->unmatched);
    world->lines = star_scratch(scratch, size * size, sizeof *world->lines);
    if (scratch->failed)
        return false;
    for (size_t i = 0; i < 2 * size * size; i++)
        world->unmatched[i] = (struct star_queue){-1, -1};
    for (size_t i = 0; i < size * size; i++)
        world->lines[i] = (struct star_queue){-1, -1};
    give_slots(world, plans);
    return true;
}

/* Pairs of ranks have tables: where somebody waits for the answer, they may be so large. */
bool star_walk_is_too_wide(int ranks)
{
    static const double most = 32 << 20;
    return 3 * (double)sizeof(struct star_queue) * ranks * ranks > most;
}

int star_walk(struct star_plan *const *plans, int count, struct star_flows *flows,
              const struct star_cost_parameters *parameters, double *seconds, struct star_why *why)
{
    struct star_world world = {.size = count, .parameters = parameters, .flows = flows, .why = why};
    struct star_scratch scratch = {0};
    double round = star_latency_over(parameters, star_flows_farthest(flows)) + 2 * parameters->overhead;
    if (parameters->patience > 0)
        world.until = star_now() + (int64_t)(parameters->patience * 1e9);
    world.meeting = rounds_of(count) * round;
    if (world.until > 0 && star_walk_is_too_wide(count))
        return star_because(why, STAR_ELIMIT, "the cost of the plans of %d ranks takes too much memory",
                            count);
    int error = make_world(&world, plans, &scratch) ? run_all(&world) : star_world_no_memory(&world);
    *seconds = world.end;
    star_scratch_free(&scratch);
    star_agenda_free(&world.agenda);
    return error;
}

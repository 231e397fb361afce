/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/world.h"

#include <math.h>

int star_world_no_memory(const struct star_world *world)
{
    return star_because(world->why, STAR_EMEMORY, "out of memory for the cost of the plans of %d ranks",
                        world->size);
}

int star_world_wrong(const struct star_world *world, const struct star_walker *rank,
                     const struct star_step *step, const char *what)
{
    return star_because(world->why, STAR_EWRONG, "rank %d of %d, round %d: %s", rank->plan->rank, world->size,
                        step->round, what);
}

int star_world_at(struct star_world *world, double time, enum star_event event, int subject)
{
    return star_agenda_add(&world->agenda, time, event, subject) ? 0 : star_world_no_memory(world);
}

void star_world_charge(const struct star_world *world, struct star_walker *rank, struct star_request *slot)
{
    if (slot->step->kind == STAR_STEP_RECV && !slot->charged)
        rank->busy_until += world->parameters->overhead;
    slot->charged = true;
}

int star_world_complete(struct star_world *world, int r, int32_t which)
{
    struct star_walker *rank = &world->ranks[r];
    struct star_request *slot = &rank->slots[which];
    slot->done = true;
    if (!slot->awaited)
        return 0;
    rank->busy_until = fmax(rank->busy_until, world->now);
    star_world_charge(world, rank, slot);
    if (--rank->awaited > 0)
        return 0;
    rank->at++;
    return star_world_at(world, rank->busy_until, RANK_GOES, r);
}

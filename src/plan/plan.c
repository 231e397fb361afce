/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/plan.h"

#include <stdlib.h>

void star_plan_free(struct star_plan *plan)
{
    if (plan == NULL)
        return;
    free(plan->steps);
    free(plan);
}

size_t star_plan_bytes(const struct star_plan *plan)
{
    return sizeof *plan + (size_t)plan->count * sizeof *plan->steps;
}

int64_t star_plan_room(int64_t temp_limit)
{
    static const int64_t least = 64 << 20;
    return temp_limit > least ? temp_limit : least;
}

static uint64_t mixed(uint64_t digest, uint64_t value)
{
    digest = (digest ^ value) * 0x9e3779b97f4a7c15u;
    return digest ^ digest >> 29;
}

static uint64_t digest_of_step(const struct star_step *step, uint64_t digest)
{
    const uint64_t values[] = {(uint64_t)step->kind << 24 | (uint64_t)step->channel << 16 |
                                   (uint64_t)step->from << 8 | step->to,
                               (uint64_t)(uint32_t)step->peer << 32 | (uint32_t)step->slot,
                               (uint64_t)step->from_offset,
                               (uint64_t)step->to_offset,
                               (uint64_t)step->length,
                               (uint64_t)(uint32_t)step->repeat,
                               (uint64_t)step->from_stride,
                               (uint64_t)step->to_stride};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        digest = mixed(digest, values[i]);
    return digest;
}

uint64_t star_plan_digest(const struct star_plan *plan, uint64_t seed)
{
    uint64_t digest = mixed(seed, (uint64_t)(uint32_t)plan->size << 32 | (uint32_t)plan->rank);
    digest = mixed(digest, (uint64_t)plan->units | (uint64_t)plan->reduces << 1 |
                               (uint64_t)plan->pieces << 2 | (uint64_t)plan->input_in_recv << 3);
    digest = mixed(mixed(digest, plan->rotated), (uint64_t)plan->shared_bytes);
    for (int32_t i = 0; i < plan->count; i++)
        digest = digest_of_step(&plan->steps[i], digest);
    return digest;
}

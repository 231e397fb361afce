/* SPDX-License-Identifier: BSD-3-Clause
 * Plans of methods, and what is in them. */
#pragma once

#include "algorithms/method.h"
#include "expect.h"
#include "plan/plan.h"

static inline struct star_shape shape_of(int size, int rank, int64_t block)
{
    struct star_shape shape = star_shape_of(size, block);
    shape.rank = rank;
    return shape;
}

static inline struct star_plan *plan_of(const char *text, int size, int rank, int64_t block)
{
    struct star_method method;
    struct star_why why = {{0}};
    struct star_plan *plan = NULL;
    struct star_shape shape = shape_of(size, rank, block);
    if (star_method_parse(text, &method, &why) || star_method_plan(&method, &shape, INT64_MAX, &plan, &why))
        fail_msg("%s at %d of %d: %s", text, rank, size, why.text);
    assert_int_equal(plan->rank, rank);
    assert_int_equal(plan->size, size);
    return plan;
}

static inline bool moves(const struct star_step *step)
{
    return step->kind == STAR_STEP_SEND || step->kind == STAR_STEP_RECV;
}

static inline int count_steps(const struct star_plan *plan, int kind, int channel)
{
    int count = 0;
    for (int32_t i = 0; i < plan->count; i++)
        count +=
            plan->steps[i].kind == kind && (!moves(&plan->steps[i]) || plan->steps[i].channel == channel);
    return count;
}

/* SPDX-License-Identifier: BSD-3-Clause
 * What plans cost, for tests of the cost model. */
#pragma once

#include "plan/cost.h"
#include "hand.h"
#include "planned.h"
#include "tree.h"

#include <math.h>

/* Nothing but bytes on links costs: the rest is set by each test. */
static inline struct star_cost_parameters lock_step(double host)
{
    return (struct star_cost_parameters){.framing = 1, .host = host, .eager = 1 << 20, .block = 1};
}

static inline void expect_seconds(double found, double expected)
{
    if (!(fabs(found - expected) <= 1e-9 * (expected + 1e-6)))
        fail_msg("%.12g seconds, not %.12g", found, expected);
}

static inline void cost_of(const struct hand *hand, const struct star_network *network,
                           const struct star_cost_parameters *parameters, struct star_cost *cost)
{
    struct star_plan *plans[RANKS_MAX];
    struct star_why why = {{0}};
    for (int r = 0; r < hand->shape.size; r++)
        plans[r] = (struct star_plan *)&hand->plans[r];
    if (star_cost_of(plans, hand->shape.size, network, parameters, cost, &why) != 0)
        fail_msg("%s", why.text);
}

/* Of the link above NODE. */
static inline const struct star_link_load *load_of(const struct star_cost *cost, int node, bool down)
{
    return &cost->load[2 * (ptrdiff_t)node + down];
}

static inline double seconds_of(const struct hand *hand, const struct star_network *network,
                                const struct star_cost_parameters *parameters)
{
    struct star_cost cost;
    cost_of(hand, network, parameters, &cost);
    double seconds = cost.seconds;
    star_cost_free(&cost);
    return seconds;
}

static inline void expect_refused(const struct hand *hand, const struct star_network *network,
                                  const struct star_cost_parameters *parameters, const char *first,
                                  const char *second)
{
    struct star_plan *plans[RANKS_MAX];
    struct star_why why = {{0}};
    struct star_cost cost;
    for (int r = 0; r < hand->shape.size; r++)
        plans[r] = (struct star_plan *)&hand->plans[r];
    assert_int_equal(star_cost_of(plans, hand->shape.size, network, parameters, &cost, &why), STAR_EWRONG);
    expect_reason(&why, first);
    expect_reason(&why, second);
    assert_null(cost.load);
}

static inline void cost_of_method(const char *text, int size, int64_t block,
                                  const struct star_network *network,
                                  const struct star_cost_parameters *parameters, struct star_cost *cost)
{
    struct star_plan *plans[NODES_MAX];
    struct star_why why = {{0}};
    for (int r = 0; r < size; r++)
        plans[r] = plan_of(text, size, r, block);
    if (star_cost_of(plans, size, network, parameters, cost, &why) != 0)
        fail_msg("%s: %s", text, why.text);
    for (int r = 0; r < size; r++)
        star_plan_free(plans[r]);
}

static inline double seconds_of_method(const char *text, int size, int64_t block,
                                       const struct star_network *network,
                                       const struct star_cost_parameters *parameters)
{
    struct star_cost cost;
    cost_of_method(text, size, block, network, parameters, &cost);
    double seconds = cost.seconds;
    star_cost_free(&cost);
    return seconds;
}

/* Ranks 0 and 1 send BYTES to each other at once. */
static inline void exchange(struct hand *hand, int64_t bytes)
{
    begin(hand, STAR_ALLTOALL, 2);
    for (int r = 0; r < 2; r++) {
        recv(hand, r, 1 - r, in(0), bytes);
        send(hand, r, 1 - r, out(0), bytes);
        wait_for(hand, r, 0, 2);
    }
}

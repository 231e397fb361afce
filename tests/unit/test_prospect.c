/* SPDX-License-Identifier: BSD-3-Clause
 * Of what the cost of plans consists, against what can be worked out by hand. */
#include "plan/cost.h"
#include "plan/plan.h"
#include "plan/prospect.h"
#include "planned.h"
#include "topology/network.h"
#include "trees.h"
#include "util/prospect.h"
#include "util/seconds.h"
#include "util/why.h"

#include <math.h>

enum { RANKS = 8, BLOCK = 1000 };

/* A byte takes a microsecond on a link, a message ten milliseconds more; nothing else costs. */
static const struct star_cost_parameters plain = {
    .latency = 10e-3, .framing = 1, .host = 1e6, .eager = 1 << 20, .block = 1};

static struct star_prospect foreseen(const char *method, const struct star_network *network, const int *node)
{
    struct star_plan *plans[RANKS];
    struct star_prospect prospect;
    struct star_why why = {{0}};
    for (int r = 0; r < RANKS; r++)
        plans[r] = plan_of(method, RANKS, r, BLOCK);
    struct star_foresight *foresight = star_foresight_new(network, node, RANKS, &plain);
    assert_non_null(foresight);
    assert_int_equal(star_foresee(foresight, plans, 0, true, &prospect, &why), 0);
    star_foresight_free(foresight);
    for (int r = 0; r < RANKS; r++)
        star_plan_free(plans[r]);
    return prospect;
}

/* Seven rounds. In order one message a round leaves either half; by turns each crosses, four each way. */
static void a_ring_by_its_parts(void **state)
{
    (void)state;
    struct star_prospect ring = foreseen("allgather:neighbor_ring", NULL, NULL);
    assert_float_equal(ring.seconds, 77e-3, 1e-6);
    assert_float_equal(ring.latency, 70e-3, 1e-6);
    assert_float_equal(ring.link, 7e-3, 1e-9);
    assert_float_equal(ring.halves, 7e-3, 1e-9);
    assert_float_equal(ring.turns, 28e-3, 1e-9);
}

/* Within a machine nothing is on a link: four machines, of which every other one is on the second switch. */
static void ranks_of_a_machine_share_its_link(void **state)
{
    (void)state;
    static const int node[] = {0, 0, 1, 1, 2, 2, 3, 3}, turns[] = {0, 1, 2, 3, 0, 1, 2, 3};
    struct star_prospect pairs = foreseen("allgather:neighbor_ring", NULL, node),
                         apart = foreseen("allgather:neighbor_ring", NULL, turns);
    assert_float_equal(pairs.link, 7e-3, 1e-9);
    assert_float_equal(pairs.halves, 7e-3, 1e-9);
    assert_float_equal(pairs.turns, 14e-3, 1e-9);
    assert_float_equal(apart.link, 14e-3, 1e-9);
    assert_float_equal(apart.seconds, 84e-3, 1e-6);
    assert_float_equal(apart.turns, 28e-3, 1e-9);
}

/* Bytes of each pair cross the trunk of a known network once; it says what halves would. */
static void of_a_known_network_the_busiest_link_is_told(void **state)
{
    (void)state;
    struct tree tree = {.nodes = 0};
    int above = add_node(&tree, -1, false, 0), below = add_node(&tree, above, false, mbps(1));
    for (int r = 0; r < RANKS; r++)
        add_ranks(&tree, add_node(&tree, r < RANKS / 2 ? below : above, true, mbps(1)), 1);
    struct star_network *network = network_of(&tree);
    struct star_prospect known = foreseen("alltoall:simple", network, NULL),
                         unknown = foreseen("alltoall:simple", NULL, NULL);
    assert_float_equal(known.link, 16e-3, 1e-9);
    assert_true(!star_is_known(known.halves) && !star_is_known(known.turns));
    assert_float_equal(unknown.link, 7e-3, 1e-9);
    assert_float_equal(unknown.halves, 16e-3, 1e-9);
    assert_float_equal(unknown.turns, 16e-3, 1e-9);
    assert_float_equal(known.latency, unknown.latency, 1e-6);
    star_network_free(network);
}

static void without_patience_it_says_so(void **state)
{
    (void)state;
    struct star_plan *plans[RANKS];
    struct star_prospect prospect;
    for (int r = 0; r < RANKS; r++)
        plans[r] = plan_of("alltoall:simple", RANKS, r, BLOCK);
    struct star_foresight *foresight = star_foresight_new(NULL, NULL, RANKS, &plain);
    assert_int_equal(star_foresee(foresight, plans, 1e-9, true, &prospect, NULL), STAR_ELIMIT);
    assert_true(!star_is_known(prospect.seconds));
    assert_int_equal(star_foresee(foresight, plans, 0, false, &prospect, NULL), 0);
    assert_true(prospect.seconds > 0 && !star_is_known(prospect.latency) && !star_is_known(prospect.link));
    star_foresight_free(foresight);
    for (int r = 0; r < RANKS; r++)
        star_plan_free(plans[r]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ring_by_its_parts),
        cmocka_unit_test(ranks_of_a_machine_share_its_link),
        cmocka_unit_test(of_a_known_network_the_busiest_link_is_told),
        cmocka_unit_test(without_patience_it_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

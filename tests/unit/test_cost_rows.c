/* SPDX-License-Identifier: BSD-3-Clause
 * What holds of the cost of every row of the repository. */
#include "algorithms/bounds.h"
#include "algorithms/method.h"
#include "algorithms/operations.h"
#include "plan/cost.h"
#include "plan/flows.h"
#include "plan/plan.h"
#include "planned.h"
#include "topology/network.h"
#include "tree.h"
#include "util/why.h"

enum { RATE = 1000, BLOCK = 48 };

/* Two machines' worth of ranks on a node, so that methods for nodes apply. */
static struct star_shape shape_on(int size, const int *node)
{
    struct star_shape shape = star_shape_of(size, BLOCK);
    shape.node = node;
    return shape;
}

/* Bytes over each directed link, message by message. */
static void expect_loads(struct star_plan *const *plans, const struct star_network *network,
                         const struct star_cost *cost, int64_t block, const char *name)
{
    for (int link = 0; link < 2 * (network->nodes - 1); link++) {
        int64_t bytes = 0;
        for (int r = 0; r < network->ranks; r++)
            for (int32_t i = 0; i < plans[r]->count; i++) {
                const struct star_step *step = &plans[r]->steps[i];
                if (step->kind == STAR_STEP_SEND && crosses(network, r, step->peer, link))
                    bytes += step->length * (plans[r]->units ? block : 1);
            }
        if (cost->load[link].bytes != bytes)
            fail_msg("%s: %lld bytes over link %d, not %lld", name, (long long)cost->load[link].bytes, link,
                     (long long)bytes);
    }
}

static void expect_bounded(const struct star_network *network, const struct star_cost *cost, const char *name)
{
    for (int link = 0; link < 2 * (network->nodes - 1); link++) {
        const struct star_link_load *load = &cost->load[link];
        double least = (double)load->bytes / network->rate[link / 2];
        bool bounded = cost->seconds >= least * (1 - 1e-9) && cost->seconds < 1e6 &&
                       load->busy >= least * (1 - 1e-9) && load->busy <= cost->seconds * (1 + 1e-9) &&
                       load->contended <= load->busy && (load->most_flows > 0) == (load->bytes > 0);
        if (!bounded)
            fail_msg("%s: link %d: %g s, busy %g s, %lld bytes", name, link, cost->seconds, load->busy,
                     (long long)load->bytes);
    }
}

/* The bound is of the operation, worked out without any plan. */
static void expect_no_faster_than_the_limit(const struct star_method *method,
                                            const struct star_network *network,
                                            const struct star_shape *shape, const struct star_cost *cost,
                                            const char *name)
{
    struct star_bound bound;
    struct star_why why;
    if (shape->units || method->algorithm->shares) /* what is in shared memory loads no link */
        return;
    if (star_bound_of(method->algorithm->operation, network, 0, (double)shape->block, &bound, &why))
        fail_msg("%s: %s", name, why.text);
    if (cost->seconds < bound.seconds * (1 - 1e-9))
        fail_msg("%s: %g s, the limit is %g s", name, cost->seconds, bound.seconds);
}

struct visit {
    const struct star_network *network;
    struct star_shape shape;
    const struct star_cost_parameters *parameters;
    int costed;
};

static int cost_method(const struct star_method *method, void *context)
{
    struct visit *visit = context;
    struct star_plan *plans[NODES_MAX] = {0};
    struct star_shape shape = visit->shape;
    struct star_why why = {{0}};
    struct star_cost cost;
    char name[STAR_METHOD_TEXT];
    int size = shape.size, error = 0;
    star_method_format(method, name, sizeof name);
    for (shape.rank = 0; !error && shape.rank < size; shape.rank++)
        error = star_method_plan(method, &shape, INT64_MAX, &plans[shape.rank], &why);
    if (!error) {
        if (star_cost_of(plans, size, visit->network, visit->parameters, &cost, &why) != 0)
            fail_msg("%s of %d: %s", name, size, why.text);
        expect_loads(plans, visit->network, &cost, visit->parameters->block, name);
        expect_bounded(visit->network, &cost, name);
        expect_no_faster_than_the_limit(method, visit->network, &shape, &cost, name);
        star_cost_free(&cost);
        visit->costed++;
    }
    for (int r = 0; r < size; r++)
        star_plan_free(plans[r]);
    return 0;
}

static int cost_all(int size, const struct star_cost_parameters *parameters)
{
    struct tree tree;
    int node[NODES_MAX];
    for (int r = 0; r < size; r++)
        node[r] = r / 2;
    struct visit visit = {.network = plant_two_switches(&tree, size, size / 3, RATE, 1.5 * RATE),
                          .shape = shape_on(size, node),
                          .parameters = parameters};
    visit.shape.network = visit.network;
    for (int operation = 0; operation < STAR_OPERATIONS; operation++) {
        visit.shape.units = star_operations[operation].units;
        visit.shape.block = visit.shape.units ? 1 : BLOCK;
        star_methods_each((enum star_operation)operation, false, cost_method, &visit);
    }
    return visit.costed;
}

static void every_row_ends_no_sooner_than_its_busiest_link(void **state)
{
    (void)state;
    struct star_cost_parameters bare = {.framing = 1, .host = 1, .block = 16};
    struct star_cost_parameters full = star_cost_presets;
    full.contention = 0.05;
    static const int sizes[] = {4, 8, 13};
    for (int i = 0; i < 3; i++) {
        bare.eager = 0;
        assert_true(cost_all(sizes[i], &bare) > 50);
        bare.eager = 1 << 20;
        assert_true(cost_all(sizes[i], &bare) > 50);
        assert_true(cost_all(sizes[i], &full) > 50);
    }
}

static double seconds_of(const char *name, const struct star_network *network, int64_t block,
                         int64_t *over_trunk)
{
    struct star_plan *plans[NODES_MAX];
    struct star_shape shape = star_shape_of(network->ranks, block);
    struct star_method method;
    struct star_why why = {{0}};
    struct star_cost cost;
    struct star_cost_parameters bare = {.framing = 1, .host = 1, .eager = 1 << 20};
    shape.network = network;
    int error = star_method_parse(name, &method, &why);
    for (shape.rank = 0; !error && shape.rank < shape.size; shape.rank++)
        error = star_method_plan(&method, &shape, INT64_MAX, &plans[shape.rank], &why);
    if (error || star_cost_of(plans, shape.size, network, &bare, &cost, &why) != 0)
        fail_msg("%s: %s", name, why.text);
    int up = 2 * shape.size; /* of the node behind the ranks: the first switch */
    *over_trunk = cost.load[up].bytes;
    assert_int_equal(cost.load[up + 1].bytes, *over_trunk);
    double seconds = cost.seconds;
    star_cost_free(&cost);
    for (int r = 0; r < shape.size; r++)
        star_plan_free(plans[r]);
    return seconds;
}

/* Over a slow link between switches each block need go once: half of what a ring carries there. */
static void a_slow_link_carries_each_block_once(void **state)
{
    (void)state;
    struct tree tree;
    const struct star_network *network = plant_two_switches(&tree, 16, 8, RATE, RATE / 4.0);
    int64_t bytes;
    double block = (double)BLOCK / RATE, ring = seconds_of("allgather:neighbor_ring", network, BLOCK, &bytes);
    assert_int_equal(bytes, 15 * BLOCK);
    assert_true(ring >= 15 * 4 * block * (1 - 1e-9));
    double lanes = seconds_of("allgather:lanes,level=switch", network, BLOCK, &bytes);
    assert_int_equal(bytes, 8 * BLOCK);
    double overlapped = seconds_of("allgather:overlapped_lanes,level=switch", network, BLOCK, &bytes);
    assert_int_equal(bytes, 8 * BLOCK);
    double in_pieces =
        seconds_of("allgather:overlapped_lanes,segment=6,level=switch", network, BLOCK, &bytes);
    assert_int_equal(bytes, 8 * BLOCK);
    /* 8 blocks at a quarter of the rate; then 7 of each switch's, of the other's alone, or of its last
     * pieces, of which a block has eight. */
    assert_true(lanes >= (8 * 4 + 14) * block * (1 - 1e-9) && lanes <= (8 * 4 + 14 + 1) * block);
    assert_true(overlapped >= (8 * 4 + 7) * block * (1 - 1e-9) && overlapped <= (8 * 4 + 7 + 2) * block);
    assert_true(in_pieces >= (8 * 4 + 7 / 8.0) * block * (1 - 1e-9) && in_pieces <= (8 * 4 + 1) * block);
}

/* Two sums of a vector must meet over a slow link: it goes over once each way, and a ring of all ranks sends
 * it almost twice. */
static void a_slow_link_is_busy_with_half_of_a_rings_sums(void **state)
{
    (void)state;
    enum { VECTOR = 4096, PIECES = 16 };
    struct tree tree;
    const struct star_network *network = plant_two_switches(&tree, 16, 8, RATE, RATE / 4.0);
    int64_t bytes;
    double vector = (double)VECTOR / RATE, ring = seconds_of("allreduce:ring", network, VECTOR, &bytes);
    assert_int_equal(bytes, 2 * 15 * VECTOR / 16);
    assert_true(ring >= 2 * 15 / 16.0 * 4 * vector * (1 - 1e-9));
    double lanes = seconds_of("allreduce:lanes,level=switch", network, VECTOR, &bytes);
    assert_int_equal(bytes, VECTOR);
    assert_true(lanes >= (4 + 2 * 7 / 8.0) * vector * (1 - 1e-9));
    double overlapped =
        seconds_of("allreduce:overlapped_lanes,segment=256,level=switch", network, VECTOR, &bytes);
    assert_int_equal(bytes, VECTOR);
    /* The link has nothing to do while the first piece's blocks are reduced, and the last one's handed out.
     */
    double least = (4 + 2 * 7 / 8.0 / PIECES) * vector;
    assert_true(overlapped >= least * (1 - 1e-9) && overlapped <= least * 1.01);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_ends_no_sooner_than_its_busiest_link),
        cmocka_unit_test(a_slow_link_carries_each_block_once),
        cmocka_unit_test(a_slow_link_is_busy_with_half_of_a_rings_sums),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

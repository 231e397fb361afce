/* SPDX-License-Identifier: BSD-3-Clause
 * What methods that know the switches do to the links. */
#include "algorithms/method.h"
#include "algorithms/operations.h"
#include "algorithms/prove.h"
#include "plan/plan.h"
#include "topology/bundles.h"
#include "topology/free_tree.h"
#include "topology/network.h"
#include "topology/schedule.h"
#include "trees.h"
#include "util/why.h"

#include <stdio.h>

enum { TRIES = 200, FEW = 12, LINKS = 2 * (2 * TREE_RANKS + TREE_NODES) };

static struct star_plan *plan_on(const struct star_network *network, const char *text, int rank, int root,
                                 int64_t block)
{
    struct star_method method;
    struct star_why why = {{0}};
    struct star_plan *plan = NULL;
    struct star_shape shape = star_shape_of(network->ranks, block);
    shape.rank = rank;
    shape.root = root;
    shape.network = network;
    if (star_method_parse(text, &method, &why) || star_method_plan(&method, &shape, INT64_MAX, &plan, &why))
        fail_msg("%s at %d of %d: %s", text, rank, network->ranks, why.text);
    return plan;
}

struct senders {
    int *of; /* each directed link; −1: nobody yet */
    int sender, clashes;
};

static int send_over(int directed_link, void *context)
{
    struct senders *senders = context;
    int *other = &senders->of[directed_link];
    senders->clashes += *other >= 0 && *other != senders->sender;
    *other = senders->sender;
    return 0;
}

/* How often a directed link carries data of two senders, within a round or, with ROUNDS false, at all. */
static int clashes(const struct star_network *network, const char *method, int root, bool rounds)
{
    int ranks = network->ranks, links = 2 * network->nodes;
    int most = rounds ? 2 * ranks + 2 : 1;
    struct senders senders = {.of = malloc((size_t)most * (size_t)links * sizeof(int))};
    int *all = senders.of;
    for (int i = 0; i < most * links; i++)
        all[i] = -1;
    for (int rank = 0; rank < ranks; rank++) {
        struct star_plan *plan = plan_on(network, method, rank, root, 4 * ranks);
        senders.sender = rank;
        for (int32_t i = 0; i < plan->count; i++) {
            const struct star_step *step = &plan->steps[i];
            assert_true(!rounds || step->round < most);
            senders.of = all + (rounds ? (size_t)step->round * (size_t)links : 0);
            if (step->kind == STAR_STEP_SEND && step->channel == STAR_DATA)
                star_network_path(network, rank, step->peer, send_over, &senders);
        }
        star_plan_free(plan);
    }
    free(all);
    return senders.clashes;
}

static void rings_in_dfs_order_share_no_link(void **state)
{
    (void)state;
    static const char *const rings[] = {"allgather:neighbor_ring,order=dfs", "allreduce:ring,order=dfs",
                                        "reduce_scatter_block:ring,order=dfs"};
    uint64_t random = 41;
    for (int i = 0; i < trials(TRIES, FEW); i++) {
        struct star_network *network = random_network(&random, 40);
        for (size_t k = 0; k < sizeof rings / sizeof *rings; k++)
            assert_int_equal(clashes(network, rings[k], 0, true), 0);
        star_network_free(network);
    }
}

static void rings_by_rank_do_share_links(void **state)
{
    (void)state;
    /* Else the test above would say nothing. */
    uint64_t random = 43;
    int shared = 0;
    for (int i = 0; i < trials(TRIES, FEW); i++) {
        struct star_network *network = random_network(&random, 40);
        shared += clashes(network, "allgather:neighbor_ring", 0, true) > 0;
        star_network_free(network);
    }
    assert_true(shared > trials(TRIES, FEW) / 2);
}

static void pipelines_in_dfs_order_share_no_link_from_any_root(void **state)
{
    (void)state;
    static const char *const pipelines[] = {"bcast:chain,order=dfs", "reduce:chain,order=dfs",
                                            "bcast:free_binary", "bcast:free_binary,segment=1K"};
    uint64_t random = 47;
    for (int i = 0; i < trials(TRIES, FEW); i++) {
        struct star_network *network = random_network(&random, 32);
        int root = (int)random_below(&random, (uint64_t)network->ranks);
        for (size_t k = 0; k < sizeof pipelines / sizeof *pipelines; k++)
            assert_int_equal(clashes(network, pipelines[k], root, false), 0);
        star_network_free(network);
    }
}

/* Height of the subtree of the members FIRST…LAST, over all choices of second children, the slow way. */
static int height_of(const int *second, int first, int last)
{
    if (first == last)
        return 0;
    int end = second[first] > 0 ? second[first] - 1 : last;
    int one = height_of(second, first + 1, end);
    int other = second[first] > 0 ? height_of(second, second[first], last) : 0;
    return 1 + (one > other ? one : other);
}

static void a_free_tree_on_one_switch_is_as_flat_as_binary_trees_are(void **state)
{
    (void)state;
    for (int ranks = 1, least = 0; ranks <= 100; ranks++) {
        struct star_network *network = network_of_sizes(STAR, &ranks, 1, 1, 1);
        int second[TREE_RANKS];
        assert_int_equal(star_free_tree(network, 0, second, NULL), 0);
        least += ranks >= 1 << (least + 1); /* ⌊lg P⌋ */
        assert_int_equal(height_of(second, 0, ranks - 1), least);
        star_network_free(network);
    }
}

static void too_many_ranks_for_a_free_tree_are_refused(void **state)
{
    (void)state;
    struct star_network network = {.ranks = STAR_FREE_TREE_MOST + 1};
    struct star_why why;
    assert_int_equal(star_free_tree(&network, 0, NULL, &why), STAR_ENEEDS);
    expect_reason(&why, "512");
}

/* Messages of RANK's plan in order, and the schedule's. */
static void expect_scheduled(const struct star_network *network, const struct star_schedule *schedule,
                             const char *method, int rank)
{
    struct star_message sends[TREE_RANKS], receives[TREE_RANKS];
    struct star_plan *plan = plan_on(network, method, rank, 0, 8);
    int send = 0, receive = 0;
    assert_int_equal(star_schedule_messages(schedule, rank, sends, receives, NULL), 0);
    for (int32_t i = 0; i < plan->count; i++) {
        const struct star_step *step = &plan->steps[i];
        if (step->channel == STAR_SYNC)
            continue;
        if (step->kind == STAR_STEP_SEND)
            assert_int_equal(step->peer, sends[send++].peer);
        if (step->kind == STAR_STEP_RECV)
            assert_int_equal(step->peer, receives[receive++].peer);
    }
    assert_int_equal(send, network->ranks - 1);
    assert_int_equal(receive, network->ranks - 1);
    star_plan_free(plan);
}

static void scheduled_goes_by_the_phases(void **state)
{
    (void)state;
    static const char *const syncs[] = {"none", "needed", "needed-eager"};
    uint64_t random = 53;
    for (int i = 0; i < trials(TRIES, FEW); i++) {
        struct star_network *network = random_network(&random, 24);
        struct star_schedule *schedule = NULL;
        assert_int_equal(star_schedule_of(network, &schedule, NULL), 0);
        for (int s = 0; s < 3; s++) {
            char method[80];
            snprintf(method, sizeof method, "alltoall:scheduled,bundle=1,sync=%s", syncs[s]);
            for (int rank = 0; rank < network->ranks; rank++)
                expect_scheduled(network, schedule, method, rank);
        }
        star_schedule_free(schedule);
        star_network_free(network);
    }
}

/* On any network, not only those of `startune check`. */
static void methods_for_networks_are_right_on_random_ones(void **state)
{
    (void)state;
    static const char *const methods[] = {
        "alltoall:scheduled,sync=needed",     "alltoall:scheduled,sync=needed-eager,segment=3",
        "alltoallv:scheduled,sync=needed",    "alltoall:ring,order=dfs,sync=light",
        "allgather:ring,order=dfs,segment=2", "allgather:neighbor_ring,order=dfs,segment=2,window=2",
        "allreduce:rab1,order=dfs",           "allreduce:ring,order=dfs,segment=4",
        "bcast:free_binary,segment=16",       "reduce:free_binary,segment=16",
        "reduce_scatter:ring,order=dfs",      "bcast:scatter_ring_allgather,order=dfs"};
    uint64_t random = 59;
    for (int i = 0; i < trials(TRIES, FEW); i++) {
        struct star_network *network = random_network(&random, 12);
        struct star_shape shape = star_shape_of(network->ranks, 7);
        shape.network = network;
        shape.root = (int)random_below(&random, (uint64_t)network->ranks);
        for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
            struct star_method method;
            struct star_why why = {{0}};
            assert_int_equal(star_method_parse(methods[k], &method, &why), 0);
            shape.root = star_operations[method.algorithm->operation].rooted ? shape.root : 0;
            shape.granule = star_operations[method.algorithm->operation].expected.reduces ? 7 : 1;
            shape.block = shape.granule * 7;
            int error = star_method_prove(&method, &shape, false, NULL, &why);
            if (error)
                fail_msg("%s on network %d: %s", methods[k], i, why.text);
        }
        star_network_free(network);
    }
}

static void without_a_topology_they_do_not_apply(void **state)
{
    (void)state;
    static const char *const methods[] = {"alltoall:scheduled", "alltoall:ring,order=dfs",
                                          "bcast:free_binary"};
    struct star_shape shape = star_shape_of(8, 64);
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        struct star_method method;
        struct star_why why;
        assert_int_equal(star_method_parse(methods[k], &method, NULL), 0);
        assert_int_equal(star_method_applies(&method, &shape, &why), STAR_ENEEDS);
        expect_reason(&why, "topology");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rings_in_dfs_order_share_no_link),
        cmocka_unit_test(rings_by_rank_do_share_links),
        cmocka_unit_test(pipelines_in_dfs_order_share_no_link_from_any_root),
        cmocka_unit_test(a_free_tree_on_one_switch_is_as_flat_as_binary_trees_are),
        cmocka_unit_test(too_many_ranks_for_a_free_tree_are_refused),
        cmocka_unit_test(scheduled_goes_by_the_phases),
        cmocka_unit_test(methods_for_networks_are_right_on_random_ones),
        cmocka_unit_test(without_a_topology_they_do_not_apply),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

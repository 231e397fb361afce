/* SPDX-License-Identifier: BSD-3-Clause
 * Methods of operations that some ranks may leave before others have come: those whose rows say that they are
 * one-way, and no others, make nobody wait for a rank that it need not wait for. The root of a broadcast, and
 * the leaves of a reduction, wait for nobody; and nobody waits in a circle. */
#include "algorithms/method.h"
#include "algorithms/operations.h"
#include "algorithms/prove.h"
#include "expect.h"
#include "plan/plan.h"
#include "topology/network.h"

enum { RANKS_MOST = 9 };

/* AWAITS[a][b]: a receives from b. */
struct waits {
    int size;
    bool awaits[RANKS_MOST][RANKS_MOST];
    bool meets; /* in a barrier */
    bool late;  /* a rank sends behind a wait */
};

static bool find_waits(const struct star_method *method, struct star_shape shape, struct waits *waits)
{
    memset(waits, 0, sizeof *waits);
    waits->size = shape.size;
    for (shape.rank = 0; shape.rank < shape.size; shape.rank++) {
        struct star_plan *plan;
        if (star_method_plan(method, &shape, INT64_MAX, &plan, NULL) != 0)
            return false;
        bool waited = false;
        for (int32_t i = 0; i < plan->count; i++) {
            waited = waited || plan->steps[i].kind == STAR_STEP_WAIT;
            waits->late = waits->late || (waited && plan->steps[i].kind == STAR_STEP_SEND);
            waits->meets = waits->meets || plan->steps[i].kind == STAR_STEP_BARRIER;
            if (plan->steps[i].kind == STAR_STEP_RECV)
                waits->awaits[shape.rank][plan->steps[i].peer] = true;
        }
        /* Until all have left a call that had the same area. */
        for (int r = 0; star_plan_shares(plan) && r < shape.size; r++)
            waits->awaits[shape.rank][r] = r != shape.rank;
        star_plan_free(plan);
    }
    return true;
}

/* Takes away, one after the other, ranks that wait for none of those that are left. */
static bool has_circle(const struct waits *waits)
{
    bool gone[RANKS_MOST] = {false};
    for (int turn = 0; turn < waits->size; turn++)
        for (int a = 0; a < waits->size; a++) {
            bool free = true;
            for (int b = 0; b < waits->size; b++)
                free = free && (gone[b] || !waits->awaits[a][b]);
            gone[a] = gone[a] || free;
        }
    for (int a = 0; a < waits->size; a++)
        if (!gone[a])
            return true;
    return false;
}

/* Down: the root waits for nobody. Up: nobody waits for the root. */
static bool is_one_way(const struct waits *waits, bool down, int root)
{
    for (int other = 0; other < waits->size; other++)
        if (down ? waits->awaits[root][other] : waits->awaits[other][root])
            return false;
    return !waits->meets && !has_circle(waits);
}

static bool goes_down(enum star_operation operation)
{
    return operation == STAR_BCAST || operation == STAR_SCATTER || operation == STAR_SCATTERV ||
           operation == STAR_SCAN || operation == STAR_EXSCAN;
}

/* Between all numbers of ranks, on one node and on several. False: it never applies. */
static bool holds_everywhere(const struct star_method *method, bool *one_way)
{
    static const int nodes[] = {0, 1, 0, 1, 2, 2, 0, 1, 2};
    enum star_operation operation = method->algorithm->operation;
    bool applied = false;
    *one_way = true;
    for (int size = 2; size <= trials(RANKS_MOST, 6); size++)
        for (int root = 0; root < (star_operations[operation].rooted ? size : 1); root++)
            for (int several = 0; several < 2; several++) {
                struct star_shape shape = star_shape_of(size, star_operations[operation].units ? 1 : 4096);
                struct star_network *network = NULL;
                struct waits waits;
                shape.root = root;
                shape.granule = star_operations[operation].expected.reduces ? 8 : 1;
                shape.units = star_operations[operation].units;
                shape.node = several ? nodes : NULL;
                if (several && star_sample_network(nodes, size, 0, &network, NULL) == 0)
                    shape.network = network;
                if (star_method_applies(method, &shape, NULL) == 0 && find_waits(method, shape, &waits)) {
                    applied = true;
                    /* Of alltoallw no rank waits for another but for its block, which has left before. */
                    bool exchanges = operation == STAR_ALLTOALLW;
                    *one_way = *one_way && (exchanges ? !waits.late && !waits.meets
                                                      : is_one_way(&waits, goes_down(operation), root));
                }
                star_network_free(network);
            }
    return applied;
}

static int look_at(const struct star_method *method, void *count)
{
    char name[STAR_METHOD_TEXT];
    bool one_way;
    if (method->algorithm->build == NULL || !holds_everywhere(method, &one_way))
        return 0;
    ++*(int *)count;
    if (one_way != star_method_is_one_way(method))
        fail_msg("%s is %sone-way, and its row says otherwise", star_method_format(method, name, sizeof name),
                 one_way ? "" : "not ");
    return 0;
}

static void rows_say_who_waits(void **state)
{
    int count = 0;
    (void)state;
    for (int i = 0; i < STAR_OPERATIONS; i++)
        if (!star_operation_awaits_all((enum star_operation)i))
            star_methods_each((enum star_operation)i, true, look_at, &count);
    assert_true(count > 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rows_say_who_waits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

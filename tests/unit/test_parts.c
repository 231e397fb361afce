/* SPDX-License-Identifier: BSD-3-Clause
 * All-gathers as parts: teams in another order than that of ranks, and blocks that differ in length or are
 * empty. With all ranks in their order and blocks alike the rows prove them. */
#include "algorithms/method.h"
#include "algorithms/parts/allgather.h"
#include "algorithms/parts/team.h"
#include "expect.h"
#include "plan/build.h"
#include "plan/plan.h"
#include "plan/simulate.h"
#include "util/why.h"

/* The case at hand: member i is rank TURN[i], and BLOCKS are the members'. */
enum { SIZE_MAX_HERE = 18 };
static int turn[SIZE_MAX_HERE], member_of[SIZE_MAX_HERE];
static struct star_blocks blocks;

static int64_t own_bytes(const struct star_shape *shape, int rank)
{
    (void)shape;
    return star_block_bytes(&blocks, member_of[rank], member_of[rank] + 1);
}

static int64_t all_bytes(const struct star_shape *shape, int rank)
{
    (void)shape, (void)rank;
    return blocks.bytes;
}

static struct star_origin block_of_member(const struct star_shape *shape, int rank, int64_t offset)
{
    (void)shape, (void)rank;
    int k = 0;
    while (star_block_start(&blocks, k + 1) <= offset)
        k++;
    return (struct star_origin){turn[k], turn[k], offset - star_block_start(&blocks, k)};
}

static const struct star_expectation allgather = {own_bytes, all_bytes, block_of_member, .same = true};

static struct star_plan *plan_of(star_allgather_part *part, struct star_shape *shape)
{
    struct star_plan *plan;
    struct star_why why;
    struct star_builder *b = star_builder_new(shape, INT64_MAX);
    struct star_team team = {.size = shape->size, .me = member_of[shape->rank], .rank = turn};
    star_build_copy(b, star_block(&blocks, team.me), star_at(STAR_SENDBUF, 0), own_bytes(shape, shape->rank));
    part(b, &team, &blocks);
    if (star_builder_finish(b, (struct star_pacing){.window = 1}, &plan, &why))
        fail_msg("%s", why.text);
    return plan;
}

static void prove(const char *name, star_allgather_part *part, int size)
{
    struct star_plan *plans[SIZE_MAX_HERE];
    struct star_shape shape = star_shape_of(size, blocks.bytes);
    struct star_why why;
    for (shape.rank = 0; shape.rank < size; shape.rank++)
        plans[shape.rank] = plan_of(part, &shape);
    if (star_simulate((const struct star_plan *const *)plans, &shape, &allgather, false, NULL, &why))
        fail_msg("%s, %d members, %d bytes: %s", name, size, (int)blocks.bytes, why.text);
    for (int r = 0; r < size; r++)
        star_plan_free(plans[r]);
}

static void prove_turned(const char *name, star_allgather_part *part, int size)
{
    for (int step = -1; step <= 1; step += 2)
        for (int64_t bytes = 0; bytes <= 3 * size + 1; bytes += size / 2 + 1) {
            for (int i = 0; i < size; i++) {
                turn[i] = (size / 3 + step * i + size) % size;
                member_of[turn[i]] = i;
            }
            blocks = (struct star_blocks){.at = star_at(STAR_RECVBUF, 0), .granule = 1, .count = size};
            blocks.bytes = bytes;
            prove(name, part, size);
        }
}

static void bruck_of_base_3(struct star_builder *b, const struct star_team *team,
                            const struct star_blocks *all)
{
    star_team_allgather_by_radix(b, team, all, 3);
}

static void bruck_of_base_4(struct star_builder *b, const struct star_team *team,
                            const struct star_blocks *all)
{
    star_team_allgather_by_radix(b, team, all, 4);
}

static void allgathers_take_any_team_and_any_blocks(void **state)
{
    (void)state;
    const struct {
        const char *name;
        star_allgather_part *part;
        bool even, power_of_two;
    } parts[] = {
        {"simple", star_team_allgather_simple, false, false},
        {"mesh2d", star_team_allgather_mesh2d, false, false},
        {"mesh3d", star_team_allgather_mesh3d, false, false},
        {"rdb", star_team_allgather_rdb, false, false},
        {"bruck", star_team_allgather_bruck, false, false},
        {"bruck in base 3", bruck_of_base_3, false, false},
        {"bruck in base 4", bruck_of_base_4, false, false},
        {"ring", star_team_allgather_ring, false, false},
        {"pair", star_team_allgather_pair, false, true},
        {"neighbor_ring", star_team_allgather_neighbor_ring, false, false},
        {"neighbor_exchange", star_team_allgather_neighbor_exchange, true, false},
        {"gather_bcast", star_team_allgather_gather_bcast, false, false},
        {"circulant", star_team_allgather_circulant, false, false},
    };
    for (size_t p = 0; p < sizeof parts / sizeof *parts; p++)
        for (int size = 1; size <= SIZE_MAX_HERE; size++)
            if ((!parts[p].even || size % 2 == 0) && (!parts[p].power_of_two || (size & (size - 1)) == 0))
                prove_turned(parts[p].name, parts[p].part, size);
}

/* Else a barrier between rounds would also follow the last. */
static void an_end_begins_a_round_only_if_something_follows(void **state)
{
    (void)state;
    const struct star_shape shape = star_shape_of(2, 4);
    for (int ends = 0; ends <= 3; ends++) {
        struct star_plan *plan;
        struct star_builder *b = star_builder_new(&shape, 0);
        for (int i = 0; i < ends; i++)
            star_build_end(b);
        assert_int_equal(star_builder_finish(b, (struct star_pacing){.window = 1}, &plan, NULL), 0);
        assert_int_equal(plan->rounds, ends == 0 ? 1 : ends);
        star_plan_free(plan);
    }
}

static void a_step_of_no_bytes_begins_the_round_after_an_end(void **state)
{
    (void)state;
    const struct star_shape shape = star_shape_of(2, 4);
    struct star_plan *plan;
    struct star_builder *b = star_builder_new(&shape, 0);
    star_build_end(b);
    star_build_recv(b, 1, star_at(STAR_RECVBUF, 0), 0);
    star_build_end(b);
    star_build_round(b);
    assert_int_equal(star_builder_finish(b, (struct star_pacing){.window = 1}, &plan, NULL), 0);
    assert_int_equal(plan->rounds, 4);
    star_plan_free(plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(allgathers_take_any_team_and_any_blocks),
        cmocka_unit_test(an_end_begins_a_round_only_if_something_follows),
        cmocka_unit_test(a_step_of_no_bytes_begins_the_round_after_an_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

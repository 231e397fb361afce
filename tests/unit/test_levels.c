/* SPDX-License-Identifier: BSD-3-Clause
 * Levels of a node: what the kernel tells of a process, groups of ranks, and trees over them. */
#include "algorithms/method.h"
#include "algorithms/parts/levels.h"
#include "algorithms/prove.h"
#include "expect.h"
#include "plan/build.h"
#include "topology/levels.h"
#include "util/locality.h"

#include <sched.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { RANKS_MOST = 24 };

static char folder[] = "/tmp/startune-levels-XXXXXX";
static unsigned processor, node;
static cpu_set_t all;

/* What is read is that of the processor it runs on: so it stays on one. */
static int set_up(void **state)
{
    cpu_set_t one;
    (void)state;
    if (mkdtemp(folder) == NULL || sched_getaffinity(0, sizeof all, &all) != 0 || sched_getcpu() < 0)
        return -1;
    CPU_ZERO(&one);
    CPU_SET((unsigned)sched_getcpu(), &one);
    if (sched_setaffinity(0, sizeof one, &one) != 0 || syscall(SYS_getcpu, &processor, &node, NULL) != 0)
        return -1;
    char words[400];
    snprintf(words, sizeof words, "mkdir -p %s/node/node%u %s/cpu/cpu%u/topology %s/cpu/cpu%u/cache/index3",
             folder, node, folder, processor, folder, processor);
    return system(words);
}

static int tear_down(void **state)
{
    char words[300];
    (void)state;
    snprintf(words, sizeof words, "rm -r %s", folder);
    return system(words) != 0 || sched_setaffinity(0, sizeof all, &all) != 0;
}

static const char *path_of(int kind, char path[256])
{
    if (kind == STAR_NUMA_NODE)
        snprintf(path, 256, "%s/node/node%u/cpulist", folder, node);
    else
        snprintf(path, 256, "%s/cpu/cpu%u/%s", folder, processor,
                 kind == STAR_PACKAGE ? "topology/core_siblings_list" : "cache/index3/shared_cpu_list");
    return path;
}

/* NULL: there is no such file. */
static void tell(int kind, const char *list)
{
    char path[256];
    FILE *file = list != NULL ? fopen(path_of(kind, path), "w") : NULL;
    if (list == NULL)
        unlink(path_of(kind, path));
    assert_true(list == NULL || (file != NULL && fputs(list, file) >= 0 && fclose(file) == 0));
}

static uint64_t found(int kind)
{
    return star_locality_of(star_locality(folder), kind);
}

static void a_process_learns_what_it_is_bound_to(void **state)
{
    char own[64];
    (void)state;
    for (int kind = 0; kind < STAR_LOCALITIES; kind++)
        tell(kind, NULL);
    assert_int_equal(star_locality(folder), 0);
    assert_int_equal(star_locality("/nowhere"), 0);
    tell(STAR_PACKAGE, "0-1023\n");
    snprintf(own, sizeof own, "%u\n", processor);
    tell(STAR_L3_CACHE, own);
    assert_int_equal(found(STAR_PACKAGE), 1);
    assert_int_equal(found(STAR_NUMA_NODE), 0);
    assert_int_equal(found(STAR_L3_CACHE), processor + 1);
    snprintf(own, sizeof own, "%u,%u-1000\n", processor + 7, processor);
    tell(STAR_NUMA_NODE, own);
    assert_int_equal(found(STAR_NUMA_NODE), processor + 1);
}

static void what_it_may_leave_is_none(void **state)
{
    char others[64];
    (void)state;
    snprintf(others, sizeof others, "%u-%u\n", processor + 1, processor + 3);
    const char *const lists[] = {others, "", "\n", "x", "-1", "99999999999999999999", ",0-1023"};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        tell(STAR_L3_CACHE, lists[i]);
        assert_int_equal(found(STAR_L3_CACHE), 0);
    }
}

static bool find(const char *const *localities, int ranks, struct star_levels *levels, int *room)
{
    uint64_t locality[RANKS_MOST];
    for (int r = 0; r < ranks; r++)
        locality[r] = (uint64_t)(localities[r][0] - '0') << 16 * STAR_PACKAGE |
                      (uint64_t)(localities[r][1] - '0') << 16 * STAR_NUMA_NODE |
                      (uint64_t)(localities[r][2] - '0') << 16 * STAR_L3_CACHE;
    return star_levels_find(locality, ranks, room, levels);
}
#define FIND(...)                                                                                            \
    find((const char *const[]){__VA_ARGS__}, sizeof(const char *[]){__VA_ARGS__} / sizeof(char *), &levels,  \
         room)

static void where_all_share_all_or_nothing_there_are_no_levels(void **state)
{
    struct star_levels levels;
    int room[RANKS_MOST * STAR_LOCALITIES];
    (void)state;
    assert_false(FIND("111", "111", "111", "111"));
    assert_false(FIND("111", "112", "113", "114"));
    assert_false(FIND("111", "112"));
    assert_false(FIND("000", "000", "000"));
    assert_false(FIND("111", "111", "110", "112")); /* of one it is not known */
}

static void groups_lie_within_those_of_the_level_before(void **state)
{
    struct star_levels levels;
    int room[RANKS_MOST * STAR_LOCALITIES];
    (void)state;
    assert_true(FIND("211", "112", "211", "113", "213"));
    assert_int_equal(levels.count, 2);
    const int package[] = {0, 1, 0, 1, 0}, cache[] = {0, 1, 0, 2, 3};
    assert_memory_equal(levels.group[0], package, sizeof package);
    assert_memory_equal(levels.group[1], cache, sizeof cache);
    assert_true(FIND("111", "111", "222", "222")); /* the same on all levels */
    assert_int_equal(levels.count, 1);
}

/* The parents of all ranks, and that they are those whose children they are. */
static void expect_tree(const struct star_levels *levels, int size, int root, int64_t radix,
                        const int *parents)
{
    int children = 0;
    for (int r = 0; r < size; r++) {
        struct star_shape shape = star_shape_of(size, 1);
        struct star_tree tree;
        shape.rank = r;
        shape.root = root;
        shape.levels = levels;
        struct star_builder *b = star_builder_new(&shape, INT64_MAX);
        assert_true(star_levels_tree(b, &shape, radix, &tree));
        assert_int_equal(tree.parent, parents[r]);
        children += tree.children;
        for (int c = 0; c < tree.children; c++)
            assert_int_equal(parents[tree.child[c]], r);
        struct star_plan *plan;
        star_builder_finish(b, (struct star_pacing){.window = 1}, &plan, NULL);
        star_plan_free(plan);
    }
    assert_int_equal(children, size - 1);
}

static void trees_go_from_leader_to_leader(void **state)
{
    struct star_levels levels;
    int room[RANKS_MOST * STAR_LOCALITIES];
    (void)state;
    assert_true(FIND("111", "111", "112", "112", "223", "223", "224", "224"));
    assert_int_equal(levels.count, 2);
    expect_tree(&levels, 8, 0, 32, (const int[]){-1, 0, 0, 2, 0, 4, 4, 6});
    expect_tree(&levels, 8, 3, 32, (const int[]){3, 0, 3, -1, 3, 4, 4, 6});
    expect_tree(&levels, 8, 7, 32, (const int[]){7, 0, 0, 2, 7, 4, 7, -1});
    assert_true(FIND("110", "220", "110", "220", "110", "110", "110"));
    expect_tree(&levels, 7, 0, 2, (const int[]){-1, 0, 0, 1, 0, 4, 0});
}

static bool is_candidate(const char *text, const struct star_levels *levels)
{
    struct star_method method;
    struct star_shape shape = star_shape_of(8, 8);
    shape.levels = levels;
    assert_int_equal(star_method_parse(text, &method, NULL), 0);
    return star_method_is_candidate(&method, &shape, 8);
}

static void they_are_tried_where_there_are_levels_alone(void **state)
{
    static const char *const methods[] = {"bcast:shared_levels", "reduce:shared_levels",
                                          "allreduce:shared_levels,radix=4", "barrier:shared_levels"};
    uint64_t locality[8];
    int room[8 * STAR_LOCALITIES];
    struct star_levels levels;
    (void)state;
    assert_true(star_sample_levels(8, 0, locality, room, &levels));
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        assert_true(is_candidate(methods[i], &levels));
        assert_false(is_candidate(methods[i], NULL));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_process_learns_what_it_is_bound_to),
        cmocka_unit_test(what_it_may_leave_is_none),
        cmocka_unit_test(where_all_share_all_or_nothing_there_are_no_levels),
        cmocka_unit_test(groups_lie_within_those_of_the_level_before),
        cmocka_unit_test(trees_go_from_leader_to_leader),
        cmocka_unit_test(they_are_tried_where_there_are_levels_alone),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}

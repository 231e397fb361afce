/* SPDX-License-Identifier: BSD-3-Clause */
#include "expect.h"
#include "topology/placing.h"
#include "topology/read.h"
#include "topology/topology.h"
#include "util/why.h"

#include <stdio.h>

enum { RANKS_MOST = 32 };

/* Three machines on one switch, two on another; n10 has two slots. */
static const char uneven[] =
    "switch hub\nswitch a\nswitch b\nlink hub a\nlink hub b\nhost n1 a\nhost n10 a slots=2\n"
    "host n2 a\nhost m1 b\nhost m2 b\n";

/* The machine's name of each rank, each with a space behind. */
static const char *places(const char *text, const char *how, int ranks, char *names, size_t room)
{
    struct star_topology *topology;
    struct star_placing placing;
    struct star_why why = {{0}};
    int machine[RANKS_MOST] = {0};
    assert_true(star_placing_parse(how, &placing));
    if (star_topology_parse(text, strlen(text), "test", &topology, &why) ||
        star_place(topology, &placing, ranks, machine, &why))
        fail_msg("%s", why.text);
    names[0] = 0;
    for (int r = 0; r < ranks; r++) {
        size_t used = strlen(names);
        snprintf(names + used, room - used, "%s ", topology->node[machine[r]].name);
    }
    star_topology_free(topology);
    return names;
}
#define PLACES(how, ranks) places(uneven, how, ranks, (char[400]){0}, 400)

static void block_fills_machine_by_machine(void **state)
{
    (void)state;
    assert_string_equal(PLACES("block", 6), "m1 m2 n1 n2 n10 n10 ");
    assert_string_equal(PLACES("block", 1), "m1 ");
    assert_string_equal(PLACES("block", 7), "m1 m1 m2 m2 n1 n1 n2 ");
    assert_string_equal(PLACES("block", 12), "m1 m1 m2 m2 n1 n1 n2 n2 n10 n10 n10 n10 ");
}

static void cyclic_takes_the_switches_in_turn(void **state)
{
    (void)state;
    assert_string_equal(PLACES("cyclic", 6), "m1 n1 m2 n2 n10 n10 ");
    assert_string_equal(PLACES("cyclic", 12), "m1 n1 m2 n2 m1 n10 m2 n1 n2 n10 n10 n10 ");
}

static int compare_letters(const void *left, const void *right)
{
    return *(const char *)left - *(const char *)right;
}

static void random_is_a_shuffle_that_its_seed_repeats(void **state)
{
    (void)state;
    char first[400], second[400], block[400];
    places(uneven, "random:5", 12, first, sizeof first);
    places(uneven, "random:5", 12, second, sizeof second);
    assert_string_equal(first, second);
    assert_string_not_equal(first, places(uneven, "random:6", 12, second, sizeof second));
    places(uneven, "random:1", 12, second, sizeof second);
    assert_string_equal(second, PLACES("random", 12));
    places(uneven, "block", 12, block, sizeof block);
    assert_string_not_equal(first, block);
    qsort(first, strlen(first), 1, compare_letters);
    qsort(block, strlen(block), 1, compare_letters);
    assert_string_equal(first, block);
}

static void other_words_are_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {"",        "blocks",   "block:1",  "cyclic:2",
                                      "random:", "random:x", "random:-1"};
    struct star_placing placing;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(star_placing_parse(bad[i], &placing));
}

static void a_lone_machine_takes_all(void **state)
{
    (void)state;
    char names[100];
    assert_string_equal(places("switch s\nhost h s\n", "cyclic", 3, names, sizeof names), "h h h ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(block_fills_machine_by_machine),
        cmocka_unit_test(cyclic_takes_the_switches_in_turn),
        cmocka_unit_test(random_is_a_shuffle_that_its_seed_repeats),
        cmocka_unit_test(other_words_are_refused),
        cmocka_unit_test(a_lone_machine_takes_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

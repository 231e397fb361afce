/* SPDX-License-Identifier: BSD-3-Clause
 * The store of wisdom: what is added is there. */
#include "store/base.h"
#include "store/facts.h"
#include "store/store.h"
#include "util/why.h"
#include "wisdom/fact.h"
#include "wisdom/where.h"
#include "wisdoms.h"

#include <math.h>

static void what_is_added_is_read_again(void **state)
{
    (void)state;
    struct star_wisdom *store = opened(STAR_WISDOM_WRITE);
    assert_string_equal(star_wisdom_note(store), "");
    assert_int_equal(everything(store).count, 0);
    struct star_fact fact = fact_of("it's; 2 nodes", "alltoall", 1024, "alltoall:ring,sync=light", 7);
    fact.nodes = 2;
    fact.in_place = true;
    fact.commutative = false;
    fact.figures.squares = 3e-9;
    add(store, &fact, 1);
    star_wisdom_close(store);
    store = opened(STAR_WISDOM_READ);
    struct found found = everything(store);
    assert_int_equal(found.count, 1);
    const struct star_fact *read = &found.at[0];
    assert_string_equal(read->machine, fact.machine);
    assert_string_equal(read->operation, fact.operation);
    assert_string_equal(read->method, fact.method);
    assert_int_equal(read->ranks, 4);
    assert_int_equal(read->nodes, 2);
    assert_int_equal(read->bytes, 1024);
    assert_true(read->in_place && !read->commutative);
    assert_memory_equal(&read->figures, &fact.figures, sizeof fact.figures);
    star_wisdom_close(store);
}

/* 1, 2, 3 and 7, 9 ms: added up as if they had been one run. By hand: mean 4.4, squares 47.2. */
static void two_runs_make_one_statistics(void **state)
{
    (void)state;
    struct star_fact one = fact_of("m", "bcast", 8, "bcast:chain", 3), other = one;
    one.figures = (struct star_figures){3, 2, 2, 1, NOW};
    other.figures = (struct star_figures){2, 8, 2, 7, NOW};
    struct star_wisdom *store = opened(STAR_WISDOM_WRITE);
    add(store, &one, 1);
    add(store, &other, 1);
    struct star_figures sum = everything(store).at[0].figures;
    assert_true(fabs(sum.count - 5) < 1e-12 && fabs(sum.mean - 4.4) < 1e-12);
    assert_true(fabs(sum.squares - 47.2) < 1e-9 && sum.least == 1);
    star_wisdom_close(store);
}

static void what_is_old_counts_half_and_then_nothing(void **state)
{
    (void)state;
    struct star_fact old = fact_of("m", "bcast", 8, "bcast:chain", 4), recent = old;
    old.figures.date = NOW - STAR_FACT_HALF * (int64_t)DAY;
    old.figures.mean = 4, recent.figures.mean = 1;
    struct star_wisdom *store = opened(STAR_WISDOM_WRITE);
    for (int order = 0; order < 2; order++) { /* of adding: it makes no difference */
        add(store, order ? &recent : &old, 1);
        add(store, order ? &old : &recent, 1);
        struct star_figures sum = everything(store).at[0].figures;
        assert_true(fabs(sum.count - 6) < 1e-9 && fabs(sum.mean - 2) < 1e-9);
        assert_int_equal(sum.date, NOW);
        int64_t forgotten;
        assert_int_equal(star_wisdom_forget(store, &(struct star_wisdom_filter){0}, &forgotten, NULL), 0);
        assert_int_equal(forgotten, 1);
    }
    old.figures.date = NOW - (STAR_FACT_FORGOTTEN + 1) * (int64_t)DAY;
    snprintf(recent.method, sizeof recent.method, "bcast:ring");
    add(store, &old, 1);
    add(store, &recent, 1);
    add(store, NULL, 0);
    struct found found = everything(store);
    assert_int_equal(found.count, 1);
    assert_string_equal(found.at[0].method, "bcast:ring");
    star_wisdom_close(store);
}

/* Ten years, in one run. */
static void a_clock_that_is_ahead_forgets_nothing(void **state)
{
    (void)state;
    struct star_fact fact = fact_of("m", "bcast", 8, "bcast:chain", 4), late = fact;
    struct star_wisdom *store = opened(STAR_WISDOM_WRITE);
    add(store, &fact, 1);
    snprintf(late.method, sizeof late.method, "bcast:ring");
    late.figures.date = NOW + 3650 * (int64_t)DAY;
    assert_int_equal(star_wisdom_add(store, &late, 1, late.figures.date, NULL), 0);
    add(store, NULL, 0);
    assert_int_equal(everything(store).count, 2);
    star_wisdom_close(store);
}

/* The clock was ahead when the first fact was learned. */
static void a_date_in_the_future_is_now(void **state)
{
    (void)state;
    struct star_fact fact = fact_of("m", "bcast", 8, "bcast:chain", 4);
    fact.figures.date = NOW + 1000 * (int64_t)DAY;
    struct star_wisdom *store = opened(STAR_WISDOM_WRITE);
    add(store, &fact, 1);
    fact.figures.date = NOW;
    add(store, &fact, 1);
    struct star_figures sum = everything(store).at[0].figures;
    assert_true(fabs(sum.count - 8) < 1e-9);
    assert_int_equal(sum.date, NOW);
    star_wisdom_close(store);
}

/* It says 1970: nothing that is known gets as old, and what was learned counts. */
static void a_clock_that_was_never_set_harms_nothing(void **state)
{
    (void)state;
    struct star_fact fact = fact_of("m", "bcast", 8, "bcast:chain", 4), other = fact;
    struct star_wisdom *store = opened(STAR_WISDOM_WRITE);
    add(store, &fact, 1);
    fact.figures.date = other.figures.date = 77;
    snprintf(other.method, sizeof other.method, "bcast:ring");
    struct star_fact both[] = {fact, other};
    assert_int_equal(star_wisdom_add(store, both, 2, 78, NULL), 0);
    fact.figures.date = NOW;
    add(store, &fact, 1);
    struct found found = everything(store);
    assert_int_equal(found.count, 2);
    for (int i = 0; i < 2; i++) {
        bool again = strcmp(found.at[i].method, "bcast:chain") == 0;
        assert_int_equal(found.at[i].figures.date, NOW);
        assert_true(fabs(found.at[i].figures.count - (again ? 12 : 4)) < 1e-9);
    }
    star_wisdom_close(store);
}

/* Of the first runs, on a machine whose clock is set later. */
static void what_was_learned_before_the_clock_was_set_is_not_lost(void **state)
{
    (void)state;
    struct star_fact fact = fact_of("m", "bcast", 8, "bcast:chain", 4), other = fact;
    struct star_wisdom *store = opened(STAR_WISDOM_WRITE);
    fact.figures.date = 77;
    assert_int_equal(star_wisdom_add(store, &fact, 1, 78, NULL), 0);
    struct star_figures figures = everything(store).at[0].figures;
    assert_int_equal(star_figures_until(figures, NOW).date, NOW);
    assert_int_equal(all_of(store, (struct star_wisdom_filter){.before = NOW}).count, 0);
    snprintf(other.method, sizeof other.method, "bcast:ring");
    add(store, &other, 1);
    struct found found = everything(store);
    assert_int_equal(found.count, 2);
    for (int i = 0; i < 2; i++)
        assert_true(found.at[i].figures.date == NOW && found.at[i].figures.count == 4);
    star_wisdom_close(store);
}

static void filters_choose_and_the_fastest_comes_first(void **state)
{
    (void)state;
    struct star_fact facts[] = {
        fact_of("a", "alltoall", 8, "alltoall:ring", 1), fact_of("a", "alltoall", 8, "alltoall:native", 1),
        fact_of("a", "bcast", 8, "bcast:chain", 1), fact_of("b", "alltoall", 8, "alltoall:ring", 1)};
    facts[1].figures.mean = 0.5;
    facts[1].figures.least = 0.5;
    facts[0].figures.mean = 2;
    facts[2].figures.date = NOW - DAY;
    struct star_wisdom *store = opened(STAR_WISDOM_WRITE);
    add(store, facts, 4);
    struct found found = all_of(store, (struct star_wisdom_filter){.machine = "a", .operation = "alltoall"});
    assert_int_equal(found.count, 2);
    assert_string_equal(found.at[0].method, "alltoall:native");
    assert_int_equal(all_of(store, (struct star_wisdom_filter){.machine = "b"}).count, 1);
    assert_int_equal(all_of(store, (struct star_wisdom_filter){.machine = "' OR 1 --"}).count, 0);
    assert_int_equal(all_of(store, (struct star_wisdom_filter){.before = NOW}).count, 1);
    int64_t forgotten;
    struct star_wisdom_filter filter = {.machine = "a", .operation = "alltoall"};
    assert_int_equal(star_wisdom_forget(store, &filter, &forgotten, NULL), 0);
    assert_int_equal(forgotten, 2);
    assert_int_equal(everything(store).count, 2);
    star_wisdom_close(store);
}

static void an_operation_names_all_its_problems(void **state)
{
    (void)state;
    struct star_fact facts[] = {fact_of("a", "neighborhood:6x6/1", 8, "x", 1),
                                fact_of("a", "neighborhood:8x8/1", 8, "x", 1),
                                fact_of("a", "neighborhoods", 8, "x", 1), fact_of("a", "neighbor", 8, "x", 1),
                                fact_of("a", "neighborhood", 8, "x", 1)};
    struct star_wisdom *store = opened(STAR_WISDOM_WRITE);
    add(store, facts, 5);
    assert_int_equal(all_of(store, (struct star_wisdom_filter){.operation = "neighborhood"}).count, 3);
    assert_int_equal(all_of(store, (struct star_wisdom_filter){.operation = "neighborhood:8x8/1"}).count, 1);
    assert_int_equal(all_of(store, (struct star_wisdom_filter){.operation = "neighbor"}).count, 1);
    assert_int_equal(all_of(store, (struct star_wisdom_filter){.operation = "n' OR 1 --"}).count, 0);
    star_wisdom_close(store);
}

static void impossible_facts_are_refused_and_none_is_added(void **state)
{
    (void)state;
    struct star_fact good = fact_of("m", "bcast", 8, "bcast:chain", 1), bad[14];
    for (int i = 0; i < 14; i++)
        bad[i] = good;
    bad[0].machine[0] = 0;
    bad[1].method[3] = '\n';
    bad[2].ranks = 0;
    bad[3].figures.count = NAN;
    bad[4].figures.mean = -1;
    bad[5].figures.least = 2;
    bad[6].figures.squares = INFINITY;
    bad[8].nodes = 5;
    bad[9].figures.mean = 1e7; /* in a message's picoseconds there is no room for it */
    bad[10].figures.mean = INFINITY;
    bad[11].figures.squares = 1e300;
    bad[12].figures.count = 1e300;
    bad[13].figures.count = -10;
    memset(bad[7].operation, 'x', sizeof bad[7].operation);
    struct star_wisdom *store = opened(STAR_WISDOM_WRITE);
    for (int i = 0; i < 14; i++) {
        struct star_fact both[] = {good, bad[i]};
        struct star_why why = {{0}};
        assert_int_equal(star_wisdom_add(store, both, 2, NOW, &why), STAR_EINPUT);
        expect_one_line(why.text);
    }
    assert_int_equal(everything(store).count, 0);
    star_wisdom_close(store);
}

/* Of COUNT calls of SECONDS each. */
static struct star_figures figures_of(double count, double seconds)
{
    return (struct star_figures){count, seconds, 0, seconds, NOW};
}

/* What somebody had made up, or another machine had taken, was believed for many runs. */
static void what_contradicts_a_fact_replaces_it(void **state)
{
    (void)state;
    static const struct {
        double known, calls, seconds;
        bool replaces;
    } cases[] = {{10, 3, 1e-5, true},       {10, 1, 1e-5, true},        {1e-9, 2, 1e-5, true},
                 {1e-9, 1, 1e-5, false}, /* it may have been held up */
                 {1e-5, 256, 2e-5, false},  {1e-5, 256, 0.5e-5, false}, {1e-5, 256, 5e-5, true},
                 {1e-5, 256, 0.2e-5, true}, {1e-5, 2, 10e-5, false},    {1e-5, 2, 0.1e-5, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct star_figures sum =
            star_figures_add(figures_of(1000, cases[i].known), figures_of(cases[i].calls, cases[i].seconds));
        if (cases[i].replaces) {
            assert_true(sum.count == cases[i].calls && sum.mean == cases[i].seconds);
        } else {
            assert_true(sum.count > 1000 && sum.least <= cases[i].known);
        }
    }
}

/* Else they would be lost as soon as they are read again. */
static void what_possible_facts_add_up_to_is_possible(void **state)
{
    (void)state;
    struct star_figures few = {1, 1e6, 0, 1e6, NOW}, wide = {1, 0, 1e12, 0, NOW}, sum = few;
    for (int i = 0; i < 3000; i++) {
        sum = star_figures_add(sum, i % 3 ? few : wide);
        assert_true(star_figures_are_possible(&sum));
    }
}

static void a_store_that_is_not_there_is_not_made_by_reading(void **state)
{
    (void)state;
    struct star_wisdom *store;
    struct star_why why = {{0}};
    assert_int_equal(star_wisdom_open(path, STAR_WISDOM_READ, &store, &why), STAR_ESYSTEM);
    expect_reason(&why, path);
    assert_int_equal(access(path, F_OK), -1);
}

static void a_folder_that_cannot_be_made_is_a_reason(void **state)
{
    (void)state;
    struct star_wisdom *store;
    struct star_why why = {{0}};
    assert_int_equal(star_wisdom_open("/dev/null/x/wisdom.db", STAR_WISDOM_WRITE, &store, &why),
                     STAR_ESYSTEM);
    expect_reason(&why, "/dev/null");
}

static void the_users_store_is_where_the_standard_says(void **state)
{
    (void)state;
    char found[200];
    struct star_why why = {{0}};
    setenv("HOME", "/home/x", 1);
    setenv("XDG_DATA_HOME", "relative", 1); /* to be ignored, says the standard */
    assert_int_equal(star_wisdom_path(found, sizeof found, &why), 0);
    assert_string_equal(found, "/home/x/.local/share/startune/wisdom.db");
    setenv("XDG_DATA_HOME", "/data", 1);
    assert_int_equal(star_wisdom_path(found, sizeof found, &why), 0);
    assert_string_equal(found, "/data/startune/wisdom.db");
    assert_int_equal(star_wisdom_path(found, 10, &why), STAR_EINPUT);
    unsetenv("XDG_DATA_HOME");
    unsetenv("HOME");
    assert_int_equal(star_wisdom_path(found, sizeof found, &why), STAR_ENEEDS);
    expect_one_line(why.text);
}

/* A hundred machines; of one, all are read, and no other. */
static void of_many_machines_one_is_read(void **state)
{
    (void)state;
    enum { MACHINES = 100, FACTS = 40 };
    static struct star_fact facts[FACTS];
    struct star_wisdom *store = opened(STAR_WISDOM_WRITE);
    for (int m = 0; m < MACHINES; m++) {
        char machine[16];
        snprintf(machine, sizeof machine, "machine %d", m);
        for (int i = 0; i < FACTS; i++)
            facts[i] = fact_of(machine, i % 2 ? "alltoall" : "bcast", i, "bcast:chain", 1);
        add(store, facts, FACTS);
    }
    star_wisdom_close(store);
    store = opened(STAR_WISDOM_READ);
    assert_int_equal(all_of(store, (struct star_wisdom_filter){.machine = "machine 57"}).count, FACTS);
    star_wisdom_close(store);
}

/* So a change is believed after a few runs. 2,000 calls of 1 ms, then 1,024 of 2: half of each. */
static void no_fact_weighs_more_than_it_may(void **state)
{
    (void)state;
    struct star_fact fact = fact_of("m", "bcast", 8, "bcast:chain", 2000);
    struct star_wisdom *store = opened(STAR_WISDOM_WRITE);
    add(store, &fact, 1);
    assert_true(everything(store).at[0].figures.count == STAR_FACT_MOST);
    fact.figures = (struct star_figures){STAR_FACT_MOST, 2e-3, 0, 2e-3, NOW};
    add(store, &fact, 1);
    struct star_figures sum = everything(store).at[0].figures;
    assert_true(sum.count == STAR_FACT_MOST && fabs(sum.mean - 1.5e-3) < 1e-12);
    star_wisdom_close(store);
}

static void the_newest_facts_of_a_machine_come_first_and_no_more_than_asked_for(void **state)
{
    (void)state;
    struct star_fact facts[] = {
        fact_of("a", "bcast", 1, "bcast:chain", 1), fact_of("a", "bcast", 2, "bcast:chain", 1),
        fact_of("a", "bcast", 3, "bcast:chain", 1), fact_of("b", "bcast", 4, "bcast:chain", 1)};
    facts[0].figures.date = NOW - 2 * DAY;
    facts[2].figures.date = NOW - DAY;
    struct star_wisdom *store = opened(STAR_WISDOM_WRITE);
    add(store, facts, 4);
    struct found found = {0};
    struct star_why why;
    assert_int_equal(star_wisdom_newest(store, "a", 2, find, &found, &why), 0);
    assert_int_equal(found.count, 2);
    assert_true(found.at[0].bytes == 2 && found.at[1].bytes == 3);
    star_wisdom_close(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_HOME(what_is_added_is_read_again),
        WITH_HOME(two_runs_make_one_statistics),
        WITH_HOME(what_is_old_counts_half_and_then_nothing),
        WITH_HOME(a_date_in_the_future_is_now),
        WITH_HOME(a_clock_that_is_ahead_forgets_nothing),
        WITH_HOME(a_clock_that_was_never_set_harms_nothing),
        WITH_HOME(what_was_learned_before_the_clock_was_set_is_not_lost),
        WITH_HOME(filters_choose_and_the_fastest_comes_first),
        WITH_HOME(an_operation_names_all_its_problems),
        WITH_HOME(impossible_facts_are_refused_and_none_is_added),
        cmocka_unit_test(what_contradicts_a_fact_replaces_it),
        cmocka_unit_test(what_possible_facts_add_up_to_is_possible),
        WITH_HOME(a_store_that_is_not_there_is_not_made_by_reading),
        WITH_HOME(a_folder_that_cannot_be_made_is_a_reason),
        WITH_HOME(of_many_machines_one_is_read),
        WITH_HOME(no_fact_weighs_more_than_it_may),
        WITH_HOME(the_newest_facts_of_a_machine_come_first_and_no_more_than_asked_for),
        cmocka_unit_test(the_users_store_is_where_the_standard_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Which network it may be: what a few methods took says what others will. */
#include "expect.h"
#include "tuner/evidence.h"
#include "tuner/expect.h"
#include "tuner/networks.h"
#include "tuner/outlook.h"
#include "tuner/standing.h"
#include "tuner/strategy.h"
#include "util/prospect.h"
#include "util/seconds.h"

#include <math.h>

enum { COUNT = 8 };

/* By turns the second half of the methods crowds a trunk, by halves the others; each needs other shares of
 * messages and of bytes. Milliseconds; of native nothing is foreseen. */
static const struct star_prospect foreseen[COUNT] = {
    {.seconds = STAR_UNKNOWN_SECONDS},        {1.1e-3, 1e-3, 0.1e-3, 0.6e-3, 0.1e-3},
    {1.2e-3, 0.8e-3, 0.4e-3, 1.6e-3, 0.1e-3}, {1e-3, 0.4e-3, 0.3e-3, 1.2e-3, 0.2e-3},
    {0.9e-3, 0.1e-3, 0.8e-3, 3.2e-3, 0.4e-3}, {0.9e-3, 0.6e-3, 0.2e-3, 0.1e-3, 0.8e-3},
    {0.9e-3, 0.3e-3, 0.6e-3, 0.2e-3, 2.4e-3}, {1e-3, 0.2e-3, 0.5e-3, 0.3e-3, 2e-3},
};

/* Where links take SLOWER times as long, and bytes between switches TRUNK's part of those. */
static double takes(int i, double slower, double trunk)
{
    const struct star_prospect *it = &foreseen[i];
    return 3 * (it->latency + slower * hypot(it->seconds - it->latency, trunk));
}

/* The measured ones took what TIMES says; native is as fast as may be thought. */
static struct star_standing shared_by(struct star_networks *shared, const double *times, const bool *of,
                                      bool ahead)
{
    static const int groups[COUNT] = {0, 1, 2, 3, 4, 5, 6, 7};
    struct star_standing standing = {0};
    double level = 0;
    assert_true(star_standing_make(&standing, groups, NULL, COUNT));
    standing.ahead = ahead;
    standing.calls = 100;
    star_networks_foresee(&standing, foreseen, shared);
    for (int i = 1; i < COUNT; i++)
        level += log(times[i]) / (COUNT - 1);
    star_evidence_note(&standing, 0, exp(level - 0.2), 8, 8);
    for (int i = 1; i < COUNT; i++)
        if (of[i])
            star_evidence_note(&standing, i, times[i], 8, 8);
    return standing;
}

static struct star_standing measured(const double *times, const bool *of, bool ahead)
{
    return shared_by(NULL, times, of, ahead);
}

static double expected(const struct star_standing *standing, int i)
{
    struct star_outlook each[COUNT];
    star_expect(standing, each);
    return exp(each[i].mean);
}

static void expect_near(const struct star_standing *standing, int i, double seconds, double share)
{
    double mine = expected(standing, i);
    if (fabs(log(mine / seconds)) > share)
        fail_msg("of %d %g is expected, but %g is right", i, mine, seconds);
}

/* On one switch whose links are 16 times as slow, a method of few bytes is the fastest, though not as they
 * are assumed to be. */
static void of_slow_links_bytes_count(void **state)
{
    (void)state;
    double times[COUNT];
    const bool of[COUNT] = {true, false, true, false, true, false, true, false};
    for (int i = 1; i < COUNT; i++)
        times[i] = takes(i, 16, 0);
    struct star_standing standing = measured(times, of, false);
    for (int i = 1; i < COUNT; i++)
        expect_near(&standing, i, times[i], 0.25);
    assert_true(expected(&standing, 1) < expected(&standing, 5));
    assert_true(foreseen[1].seconds > foreseen[5].seconds);
    star_standing_free(&standing);
}

static void of_fast_links_messages_count(void **state)
{
    (void)state;
    double times[COUNT];
    const bool of[COUNT] = {true, true, false, true, true, false, false, false};
    for (int i = 1; i < COUNT; i++)
        times[i] = takes(i, 1.0 / 16, 0);
    struct star_standing standing = measured(times, of, false);
    for (int i = 1; i < COUNT; i++)
        expect_near(&standing, i, times[i], 0.35);
    assert_true(expected(&standing, 7) < expected(&standing, 6));
    assert_true(expected(&standing, 6) < expected(&standing, 5));
    star_standing_free(&standing);
}

/* What crosses a trunk tells who is on which switch. */
static void it_is_found_whether_machines_are_on_two_switches(void **state)
{
    (void)state;
    const bool of[COUNT] = {true, true, false, false, true, true, true, false};
    for (int turns = 0; turns < 2; turns++) {
        double times[COUNT];
        for (int i = 1; i < COUNT; i++)
            times[i] = takes(i, 4, turns ? foreseen[i].turns : foreseen[i].halves);
        struct star_standing standing = measured(times, of, false);
        for (int i = 1; i < COUNT; i++)
            expect_near(&standing, i, times[i], 0.3);
        assert_int_equal(expected(&standing, 2) < expected(&standing, 7), turns);
        star_standing_free(&standing);
    }
}

/* Before anything is known but native, others are expected to be to each other as in the mean over all
 * networks, and nobody knows which it is; in the end one is left. */
static void at_first_it_may_be_any(void **state)
{
    (void)state;
    double times[COUNT];
    const bool none[COUNT] = {true}, some[COUNT] = {true, true, true, false, true, false, true, true};
    struct star_outlook nothing[COUNT] = {{0}}, before[COUNT], behind[COUNT], told[COUNT] = {{0}};
    const struct star_outlook native = {log(2e-3) - STAR_BEHIND_NATIVE, 1e-2};
    for (int i = 1; i < COUNT; i++) {
        times[i] = takes(i, 1, 0);
        told[i] = (struct star_outlook){log(times[i]), 1e-3};
    }
    struct star_standing standing = measured(times, none, false);
    star_networks_expect(&standing, nothing, &native, before);
    star_standing_free(&standing);
    standing = measured(times, some, false);
    star_networks_expect(&standing, told, &native, behind);
    assert_true(before[7].variance > 0.1);
    assert_true(behind[7].variance < 0.05);
    assert_true(before[6].mean > before[5].mean); /* of twice the bytes, and half the messages */
    star_standing_free(&standing);
}

/* Where native cannot run, the first one is foreseen as others are, and says nothing but its own time. */
static void a_first_one_that_is_foreseen_counts_once(void **state)
{
    (void)state;
    static const int groups[] = {0, 1, 2};
    const struct star_prospect each[] = {foreseen[1], foreseen[2], foreseen[3]};
    const struct star_outlook told[] = {{log(each[0].seconds), 1e-3}, {log(each[1].seconds), 1e-3}, {0, 0}};
    struct star_standing standing = {.calls = 100};
    assert_true(star_standing_make(&standing, groups, NULL, 3));
    star_networks_foresee(&standing, each, NULL);
    star_evidence_note(&standing, 0, each[0].seconds, 8, 8);
    star_evidence_note(&standing, 1, each[1].seconds, 8, 8);
    struct star_outlook outlook[3], as_two_others[3];
    star_expect(&standing, outlook);
    star_networks_expect(&standing, told, NULL, as_two_others);
    assert_true(fabs(outlook[2].mean - as_two_others[2].mean) < 1e-9);
    assert_true(fabs(outlook[2].mean - log(each[2].seconds)) < 0.2);
    star_standing_free(&standing);
}

/* Native tells how fast links are before any method was measured: where what is foreseen is right, it is not
 * faster than the best, nor far slower. So much slower methods are known for what they are. */
static void native_tells_how_fast_links_are(void **state)
{
    (void)state;
    const bool none[COUNT] = {true};
    double before = 0;
    for (int slower = 1; slower <= 64; slower *= 8) {
        double times[COUNT];
        for (int i = 1; i < COUNT; i++)
            times[i] = takes(i, slower, 0) / 3;
        struct star_standing standing = measured(times, none, false);
        double messages =
            expected(&standing, 1) / expected(&standing, 4); /* few bytes in many, many in few */
        assert_true(before == 0 || messages < before);
        before = messages;
        star_standing_free(&standing);
    }
    assert_true(before < 0.5);
}

/* Where calls overlap, native's few calls do not say which network it is: it may be as slow as the slowest
 * there. Method 6 crowds a trunk if machines are by turns on two switches; then 1 is far faster, which must
 * not be thought impossible because native is slower than 6. */
static void a_slow_native_rules_out_no_network(void **state)
{
    (void)state;
    const bool one[COUNT] = {true, false, false, false, false, false, true, false};
    double times[COUNT];
    for (int i = 1; i < COUNT; i++)
        times[i] = takes(i, 64, 0);
    for (int slower = 1; slower <= 4; slower *= 4) {
        struct star_standing standing = measured(times, one, true);
        struct star_outlook told[COUNT] = {{0}}, each[COUNT];
        told[6] = (struct star_outlook){log(times[6]), 1e-2};
        const struct star_outlook native = {told[6].mean + log(slower), 1e-2};
        star_networks_expect(&standing, told, &native, each);
        assert_true(each[1].mean - sqrt(each[1].variance) < each[6].mean + log(0.3));
        star_standing_free(&standing);
    }
}

/* What one context has found out tells another one how methods are to each other before one was measured. To
 * look again is no more evidence, and what it has said itself counts for it as before. */
static void contexts_tell_each_other(void **state)
{
    (void)state;
    double times[COUNT];
    struct star_networks shared = {.contexts = 0}, once;
    const bool most[COUNT] = {true, true, true, false, true, true, true, false}, none[COUNT] = {true};
    for (int i = 1; i < COUNT; i++)
        times[i] = takes(i, 4, foreseen[i].turns);
    struct star_standing first = shared_by(&shared, times, most, false), alone = measured(times, most, false);
    double own = expected(&first, 7);
    once = shared;
    assert_true(own == expected(&first, 7) && own == expected(&alone, 7));
    assert_memory_equal(&shared, &once, sizeof shared);
    struct star_standing told = shared_by(&shared, times, none, false), untold = measured(times, none, false);
    assert_true(expected(&told, 2) < 0.4 * expected(&told, 7));
    assert_true(expected(&untold, 2) > 0.6 * expected(&untold, 7));
    star_standing_free(&first);
    star_standing_free(&alone);
    star_standing_free(&told);
    star_standing_free(&untold);
}

/* Where calls overlap it is not ruled out that others are wrong: 6, which crowds a trunk of which they tell,
 * may still be three times as fast as 4. */
static void what_others_say_is_doubted_where_calls_overlap(void **state)
{
    (void)state;
    double times[COUNT];
    struct star_networks shared = {.contexts = 0};
    const bool all[COUNT] = {true, true, true, true, true, true, true, true}, none[COUNT] = {true};
    for (int i = 1; i < COUNT; i++)
        times[i] = takes(i, 16, 4 * foreseen[i].turns);
    struct star_standing first = shared_by(&shared, times, all, false);
    assert_true(expected(&first, 4) < expected(&first, 6));
    struct star_standing told = shared_by(&shared, times, none, true);
    struct star_outlook nothing[COUNT] = {{0}}, each[COUNT];
    const struct star_outlook native = {log(times[4]), 1e-2};
    star_networks_expect(&told, nothing, &native, each);
    assert_true(each[6].mean - 2 * sqrt(each[6].variance) < each[4].mean - log(3));
    star_standing_free(&first);
    star_standing_free(&told);
}

/* Where ranks may run ahead, calls overlap: a chain takes as long as its busiest link. */
static void where_calls_overlap_the_busiest_link_counts(void **state)
{
    (void)state;
    double times[COUNT], off[2] = {0};
    const bool of[COUNT] = {true, true, false, true, true, false, true, false};
    for (int i = 1; i < COUNT; i++)
        times[i] = 8 * foreseen[i].link;
    for (int ahead = 0; ahead < 2; ahead++) {
        struct star_standing standing = measured(times, of, ahead);
        for (int i = 1; i < COUNT; i++)
            off[ahead] += of[i] ? 0 : fabs(log(expected(&standing, i) / times[i]));
        star_standing_free(&standing);
    }
    if (!(off[1] < 0.5 * off[0]))
        fail_msg("off by %g, and %g where calls do not overlap", off[1], off[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_slow_links_bytes_count),
        cmocka_unit_test(of_fast_links_messages_count),
        cmocka_unit_test(it_is_found_whether_machines_are_on_two_switches),
        cmocka_unit_test(at_first_it_may_be_any),
        cmocka_unit_test(a_first_one_that_is_foreseen_counts_once),
        cmocka_unit_test(native_tells_how_fast_links_are),
        cmocka_unit_test(a_slow_native_rules_out_no_network),
        cmocka_unit_test(contexts_tell_each_other),
        cmocka_unit_test(what_others_say_is_doubted_where_calls_overlap),
        cmocka_unit_test(where_calls_overlap_the_busiest_link_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

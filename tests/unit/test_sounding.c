/* SPDX-License-Identifier: BSD-3-Clause
 * Soundings: who meets whom, how much they send, and what is made of when it arrived; figures by hand. */
#include "expect.h"
#include "plan/sounding.h"

#include <math.h>

static const enum star_sounding_part parts[] = {STAR_SOUND_HALVES, STAR_SOUND_TURNS, STAR_SOUND_ALONE};

static void an_even_number_of_machines_takes_part_and_not_too_many(void **state)
{
    (void)state;
    static const int of[][2] = {{0, 0},   {1, 0},   {2, 2},   {3, 2},      {8, 8},
                                {63, 62}, {64, 64}, {65, 64}, {100000, 64}};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++)
        assert_int_equal(star_soundings_of(of[i][0], 8192).machines, of[i][1]);
}

/* Spread over all there are, each once. */
static void machines_are_those_there_are(void **state)
{
    (void)state;
    for (int all = 2; all < 300; all++) {
        struct star_soundings soundings = star_soundings_of(all, 8192);
        int before = -1;
        for (int k = 0; k < soundings.machines; k++) {
            int machine = star_sounding_machine(&soundings, all, k);
            assert_true(machine > before && machine < all);
            before = machine;
        }
    }
}

/* Else one would wait for ever. */
static void who_has_a_partner_is_that_one_s_partner(void **state)
{
    (void)state;
    for (int all = 2; all <= 64; all++) {
        struct star_soundings soundings = star_soundings_of(all, 8192);
        for (int p = 0; p < STAR_SOUND_PARTS; p++) {
            int pairs = 0;
            for (int k = 0; k < soundings.machines; k++) {
                int partner = star_sounding_partner(&soundings, parts[p], k);
                if (partner < 0)
                    continue;
                assert_in_range(partner, 0, soundings.machines - 1);
                assert_int_not_equal(partner, k);
                assert_int_equal(star_sounding_partner(&soundings, parts[p], partner), k);
                pairs += k < partner;
            }
            bool alone = parts[p] == STAR_SOUND_ALONE;
            assert_int_equal(pairs, alone ? 1 : soundings.machines == 2 ? 0 : soundings.machines / 2);
        }
    }
}

static void all_pairs_cross_the_halves_or_the_turns(void **state)
{
    (void)state;
    struct star_soundings soundings = star_soundings_of(8, 8192);
    for (int k = 0; k < 8; k++) {
        assert_int_not_equal(k < 4, star_sounding_partner(&soundings, STAR_SOUND_HALVES, k) < 4);
        assert_int_not_equal(k % 2, star_sounding_partner(&soundings, STAR_SOUND_TURNS, k) % 2);
    }
}

static void trains_fit_what_runs_them(void **state)
{
    (void)state;
    static const double bytes[] = {0, 1, 1e4, 1e5, 1e6, 1e12};
    for (size_t i = 0; i < sizeof bytes / sizeof *bytes; i++)
        for (int machines = 2; machines < 70; machines++) {
            struct star_soundings soundings = star_soundings_of(machines, star_sounding_amount(bytes[i]));
            for (int p = 0; p < STAR_SOUND_PARTS; p++) {
                const struct star_train *train = &soundings.train[p];
                assert_in_range(train->piece, 1, STAR_TRAIN_PIECE_MOST);
                assert_in_range(train->head, 1, STAR_TRAIN_MOST - 1);
                assert_in_range(train->head + train->rest, 2, STAR_TRAIN_MOST);
            }
        }
    assert_int_equal(star_sounding_amount(0), 8192);
    assert_int_equal(star_sounding_amount(1e5), 20000);
    assert_int_equal(star_sounding_amount(INFINITY), 65536);
}

/* Alone 12 pieces of 1 KB; at once four pairs of 5 pieces of 1 KB, twice. */
static void the_price_is_that_of_all_bytes_on_one_link(void **state)
{
    (void)state;
    struct star_soundings soundings = star_soundings_of(8, 8192), pair = star_soundings_of(2, 8192);
    assert_float_equal(star_sounding_seconds(&soundings, 1e-6), (12 + 2 * 4 * 5) * 1024e-6, 1e-9);
    assert_float_equal(star_sounding_seconds(&pair, 1e-6), 12 * 1024e-6, 1e-9);
}

/* Of 8 machines whose links take 0.1 us for a byte, where 5 ns are assumed; WAIT[part]: times as long as the
 * rest of the train would take alone. */
static struct star_sounding told(int machines, const double *wait)
{
    static const double of_byte = 0.1e-6, assumed = 5e-9;
    struct star_soundings soundings = star_soundings_of(machines, 8192);
    struct star_arrival arrival[STAR_SOUND_PARTS];
    struct star_sounding sounding;
    for (int p = 0; p < STAR_SOUND_PARTS; p++) {
        const struct star_train *train = &soundings.train[p];
        double seconds = wait[p] * of_byte * (double)(train->rest * train->piece);
        arrival[p] = (struct star_arrival){seconds, seconds};
    }
    assert_true(star_sounding_tell(&soundings, arrival, assumed, &sounding));
    return sounding;
}

static void a_link_that_all_pairs_share_is_found(void **state)
{
    (void)state;
    static const double nothing[] = {0.6, 0.9, 1}, turns[] = {0.6, 4, 1}, halves[] = {4, 0.6, 1},
                        fast[] = {2, 0.6, 1};
    struct star_sounding found = told(8, nothing);
    assert_float_equal(found.link, 20, 1e-9);
    assert_float_equal(found.halves, 0, 0);
    assert_float_equal(found.turns, 0, 0);
    found = told(8, turns); /* a link as slow as the others, which four pairs share */
    assert_float_equal(found.link, 20, 1e-9);
    assert_float_equal(found.halves, 0, 0);
    assert_float_equal(found.turns, 20, 1e-9);
    assert_float_equal(told(8, halves).halves, 20, 1e-9);
    assert_float_equal(told(8, fast).halves, 10, 1e-9); /* one twice as fast */
    /* Of one pair there is nothing to share. */
    assert_float_equal(told(2, halves).halves, 0, 0);
}

/* Who comes late finds that all has arrived: the one that did not counts. */
static void who_was_late_says_little(void **state)
{
    (void)state;
    struct star_soundings soundings = star_soundings_of(8, 8192);
    struct star_arrival arrival[STAR_SOUND_PARTS] = {{0.1e-3, 0.4e-3}, {0.8e-3, 1.6e-3}, {0.4e-3, 0.8e-3}};
    struct star_sounding found;
    assert_true(star_sounding_tell(&soundings, arrival, 1e-9, &found));
    assert_float_equal(found.link, 0.8e-3 / 8192 / 1e-9, 1e-6);
    assert_float_equal(found.halves, 0, 0);
    assert_float_equal(found.turns, 1.6e-3 / 4096 / 4 / 1e-9, 1e-6);
}

static void what_says_nothing_is_refused(void **state)
{
    (void)state;
    struct star_soundings soundings = star_soundings_of(8, 8192), none = star_soundings_of(1, 8192);
    struct star_arrival arrival[STAR_SOUND_PARTS] = {{1, 1}, {1, 1}, {1, 1}};
    struct star_sounding found;
    assert_false(star_sounding_tell(&none, arrival, 1e-9, &found));
    assert_false(star_sounding_tell(&soundings, arrival, 0, &found));
    arrival[STAR_SOUND_ALONE] = (struct star_arrival){0, 0};
    assert_false(star_sounding_tell(&soundings, arrival, 1e-9, &found));
    arrival[STAR_SOUND_ALONE] = (struct star_arrival){NAN, NAN};
    assert_false(star_sounding_tell(&soundings, arrival, 1e-9, &found));
    arrival[STAR_SOUND_ALONE] = (struct star_arrival){1, INFINITY};
    assert_false(star_sounding_tell(&soundings, arrival, 1e-9, &found));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_even_number_of_machines_takes_part_and_not_too_many),
        cmocka_unit_test(machines_are_those_there_are),
        cmocka_unit_test(who_has_a_partner_is_that_one_s_partner),
        cmocka_unit_test(all_pairs_cross_the_halves_or_the_turns),
        cmocka_unit_test(trains_fit_what_runs_them),
        cmocka_unit_test(the_price_is_that_of_all_bytes_on_one_link),
        cmocka_unit_test(a_link_that_all_pairs_share_is_found),
        cmocka_unit_test(who_was_late_says_little),
        cmocka_unit_test(what_says_nothing_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

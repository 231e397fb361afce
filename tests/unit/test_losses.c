/* SPDX-License-Identifier: BSD-3-Clause
 * A program that lost time in its last runs is left alone; noise, one bad run, and what is wrong in the file
 * leave none alone for long. */
#include "util/text.h"
#include "wisdom/losses.h"
#include "wisdoms.h"

#include <math.h>
#include <sys/stat.h>

static struct star_loss loss_of(const char *program, int64_t date)
{
    struct star_loss loss = {
        .run = {.machine = "m", .version = "1", .ranks = 4}, .date = date, .least = 31000, .most = 45000};
    snprintf(loss.run.program, sizeof loss.run.program, "%s", program);
    return loss;
}

static void add_loss(struct star_losses *losses, const struct star_loss *loss)
{
    assert_true(star_losses_add(losses, loss));
}

/* Is the program "a" left alone at NOW, where enough of its losses make it so for a week? */
static bool is_left(const struct star_losses *losses, int64_t now)
{
    struct star_loss sum, asked = loss_of("a", 0);
    return star_losses_enough(losses, &asked.run, now, 7, &sum);
}

static enum star_loss_verdict verdict(double seconds, double saved, double error)
{
    struct star_loss loss;
    return star_loss_of(seconds, saved, error, &loss);
}

static void a_loss_is_one_that_is_sure_and_of_a_share(void **state)
{
    (void)state;
    struct star_loss loss;
    assert_int_equal(star_loss_of(10, -0.5, 0.1, &loss), STAR_LOSS_SURE);
    assert_int_equal(loss.least, 40000);
    assert_int_equal(loss.most, 60000);
    assert_int_equal(verdict(10, 2, 0.1), STAR_LOSS_NONE);
    assert_int_equal(verdict(10, 0, 0.05), STAR_LOSS_NONE);
    assert_int_equal(verdict(10, -0.09, 0), STAR_LOSS_NONE);   /* too little to matter */
    assert_int_equal(verdict(10, -0.5, 0.45), STAR_LOSS_NONE); /* it may be noise */
    assert_int_equal(verdict(10, 1, 2), STAR_LOSS_NONE);
    assert_int_equal(verdict(0.5, -0.1, 0), STAR_LOSS_UNKNOWN); /* too short to tell of longer ones */
    assert_int_equal(star_loss_of(2, -3, 0.1, &loss), STAR_LOSS_SURE);
    assert_int_equal(loss.most, 1000000);
}

static void what_is_no_number_says_nothing(void **state)
{
    (void)state;
    const double none[] = {NAN, INFINITY, -INFINITY};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        assert_int_equal(verdict(none[i], -1, 0), STAR_LOSS_UNKNOWN);
        assert_int_equal(verdict(10, none[i], 0), STAR_LOSS_UNKNOWN);
        assert_int_equal(verdict(10, -1, none[i]), STAR_LOSS_UNKNOWN);
    }
    assert_int_equal(verdict(10, -1, -1), STAR_LOSS_UNKNOWN);
    assert_int_equal(verdict(1e300, -1e300, 1e299), STAR_LOSS_SURE);
}

static void one_bad_run_is_not_enough_and_a_good_one_clears_it(void **state)
{
    (void)state;
    struct star_losses losses = {0};
    struct star_loss first = loss_of("a", NOW), second = loss_of("a", NOW + 60), sum;
    second.least = 20000;
    add_loss(&losses, &first);
    assert_false(is_left(&losses, NOW));
    assert_int_equal(star_losses_forget(&losses, "a", "m", 4, 0), 1);
    add_loss(&losses, &first);
    assert_false(is_left(&losses, NOW));
    add_loss(&losses, &second);
    assert_true(star_losses_enough(&losses, &first.run, NOW + 60, 7, &sum));
    assert_int_equal(sum.least, 20000);
    assert_int_equal(sum.most, 45000);
    assert_int_equal(sum.date, NOW + 60);
    star_losses_free(&losses);
}

static void a_run_is_judged_at_its_end(void **state)
{
    (void)state;
    struct star_losses losses = {0};
    struct star_loss loss = loss_of("a", NOW);
    assert_true(star_losses_judge(&losses, 10, -0.5, 0.1, &loss));
    assert_int_equal(loss.least, 40000);
    assert_false(star_losses_judge(&losses, 0.5, 1, 0.1, &loss)); /* too short to tell */
    assert_false(is_left(&losses, NOW));
    assert_true(star_losses_judge(&losses, 10, -0.5, 0.1, &loss));
    assert_true(is_left(&losses, NOW));
    assert_true(star_losses_judge(&losses, 10, 0.5, 0.1, &loss));
    assert_int_equal(losses.count, 0);
    assert_false(star_losses_judge(&losses, 10, 0.5, 0.1, &loss));
    star_losses_free(&losses);
}

static void two_losses(struct star_losses *losses)
{
    for (int i = 0; i < 2; i++) {
        struct star_loss loss = loss_of("a", NOW - 60 + i * 60);
        add_loss(losses, &loss);
    }
}

static void others_are_not_left_alone(void **state)
{
    (void)state;
    struct star_losses losses = {0};
    struct star_loss sum, other = loss_of("b", NOW), wider = loss_of("a", NOW), elsewhere = loss_of("a", NOW),
                          newer = loss_of("a", NOW);
    wider.run.ranks = 8;
    snprintf(elsewhere.run.machine, sizeof elsewhere.run.machine, "n");
    snprintf(newer.run.version, sizeof newer.run.version, "2");
    two_losses(&losses);
    assert_true(is_left(&losses, NOW));
    const struct star_loss *all[] = {&other, &wider, &elsewhere, &newer};
    for (int i = 0; i < 4; i++)
        assert_false(star_losses_enough(&losses, &all[i]->run, NOW, 7, &sum));
    star_losses_free(&losses);
}

static void it_is_tried_again_after_some_days(void **state)
{
    (void)state;
    struct star_losses losses = {0};
    struct star_loss sum, again = loss_of("a", NOW + 7 * DAY);
    two_losses(&losses);
    assert_true(is_left(&losses, NOW + 7 * DAY - 1));
    assert_false(is_left(&losses, NOW + 7 * DAY));
    assert_false(star_losses_enough(&losses, &again.run, NOW, 0, &sum)); /* never */
    assert_true(star_losses_enough(&losses, &again.run, NOW + 36499 * (int64_t)DAY, 36500, &sum));
    add_loss(&losses, &again); /* it loses still */
    assert_int_equal(losses.count, 2);
    assert_true(is_left(&losses, NOW + 8 * DAY));
    star_losses_free(&losses);
}

static void a_new_version_needs_as_many_of_its_own(void **state)
{
    (void)state;
    struct star_losses losses = {0};
    struct star_loss sum, newer = loss_of("a", NOW);
    snprintf(newer.run.version, sizeof newer.run.version, "2");
    two_losses(&losses);
    add_loss(&losses, &newer);
    assert_false(star_losses_enough(&losses, &newer.run, NOW, 7, &sum));
    assert_false(is_left(&losses, NOW)); /* nor the older one */
    add_loss(&losses, &newer);
    assert_true(star_losses_enough(&losses, &newer.run, NOW, 7, &sum));
    assert_int_equal(losses.count, 2);
    star_losses_free(&losses);
}

static void a_clock_that_was_ahead_leaves_none_alone(void **state)
{
    (void)state;
    struct star_losses losses = {0};
    two_losses(&losses);
    assert_true(is_left(&losses, NOW - 60)); /* another node's may be a little behind */
    assert_false(is_left(&losses, NOW - 2 * DAY));
    assert_false(is_left(&losses, 0)); /* one that was never set */
    assert_false(is_left(&losses, INT64_MIN / 2));
    star_losses_free(&losses);
}

static void as_many_are_kept_as_there_is_room_for(void **state)
{
    (void)state;
    struct star_losses losses = {0};
    struct star_text text = {0};
    two_losses(&losses);
    for (int i = 0; i < STAR_LOSSES_MOST; i++) {
        struct star_loss loss = loss_of("", NOW);
        memset(loss.run.program, 'p', sizeof loss.run.program - 1);
        memset(loss.run.machine, 'm', sizeof loss.run.machine - 1);
        memset(loss.run.version, 'v', sizeof loss.run.version - 1);
        loss.run.ranks = i + 1;
        add_loss(&losses, &loss);
    }
    assert_int_equal(losses.count, STAR_LOSSES_MOST);
    assert_false(is_left(&losses, NOW)); /* the oldest */
    star_losses_format(&losses, &text);
    assert_true(text.length <= STAR_LOSSES_BYTES_MOST);
    star_text_free(&text);
    star_losses_free(&losses);
}

static void what_is_forgotten_is_chosen(void **state)
{
    (void)state;
    struct star_losses losses = {0};
    struct star_loss other = loss_of("b", NOW - 400 * DAY);
    add_loss(&losses, &other);
    two_losses(&losses);
    assert_int_equal(star_losses_forget(&losses, "c", NULL, 0, 0), 0);
    assert_int_equal(star_losses_forget(&losses, NULL, "n", 0, 0), 0);
    assert_int_equal(star_losses_forget(&losses, NULL, NULL, 5, 0), 0);
    assert_int_equal(star_losses_forget(&losses, NULL, NULL, 0, NOW - 365 * DAY), 1);
    assert_int_equal(star_losses_forget(&losses, NULL, NULL, 0, 0), 2);
    star_losses_free(&losses);
}

static void the_file_keeps_what_it_was_given(void **state)
{
    (void)state;
    struct star_losses losses = {0}, read = {0};
    struct stat status;
    char file[120];
    snprintf(file, sizeof file, "%s.losses", path);
    assert_false(star_losses_read(path, &read));
    two_losses(&losses);
    assert_true(star_losses_write(path, &losses));
    assert_true(star_losses_read(path, &read));
    assert_int_equal(read.count, 2);
    for (int i = 0; i < 2; i++) {
        assert_string_equal(read.at[i].run.program, "a");
        assert_string_equal(read.at[i].run.machine, "m");
        assert_int_equal(read.at[i].date, losses.at[i].date);
        assert_int_equal(read.at[i].least, losses.at[i].least);
        assert_int_equal(read.at[i].most, losses.at[i].most);
    }
    star_losses_forget(&losses, NULL, NULL, 0, 0);
    assert_true(star_losses_write(path, &losses)); /* nothing to say: no file */
    assert_int_not_equal(stat(file, &status), 0);
    assert_false(star_losses_write("", &read));
    assert_false(star_losses_write("/proc/nowhere/wisdom.db", &read));
    star_losses_free(&losses);
    star_losses_free(&read);
}

/* A line each; those of LINES that are possible. */
static size_t parsed(const char *lines)
{
    struct star_losses losses = {0};
    star_losses_parse(lines, strlen(lines), &losses);
    size_t count = losses.count;
    star_losses_free(&losses);
    return count;
}

#define HEAD "startune-losses 1\n"
#define GOOD "1700000000\t31000\t45000\t4\t1\ta\tm\n"

static void what_is_wrong_in_the_file_is_left_out(void **state)
{
    (void)state;
    static const char *const wrong[] = {"",
                                        GOOD,                                 /* no head */
                                        "startune-losses 2\n" GOOD,           /* of another version */
                                        HEAD "\n\t\t\t\t\t\t\t\n",            /* nothing in it */
                                        HEAD "1700000000\t31000\n",           /* too little */
                                        HEAD "1\t31000\t45000\t4\t1\ta\tm\n", /* of 1970 */
                                        HEAD "9999999999999999\t31000\t45000\t4\t1\ta\tm\n",
                                        HEAD "99999999999999999999999\t31000\t45000\t4\t1\ta\tm\n",
                                        HEAD "1700000000\t-1\t45000\t4\t1\ta\tm\n",
                                        HEAD "1700000000\t45000\t31000\t4\t1\ta\tm\n",
                                        HEAD "1700000000\t31000\t1000001\t4\t1\ta\tm\n",
                                        HEAD "1700000000\t3e4\t45000\t4\t1\ta\tm\n",
                                        HEAD "1700000000\tnan\tinf\t4\t1\ta\tm\n",
                                        HEAD "1700000000\t31000\t45000\t0\t1\ta\tm\n",
                                        HEAD "1700000000\t31000\t45000\t4\t1\t\tm\n",
                                        HEAD "1700000000\t31000\t45000\t4\t1\ta\033[2J\tm\n",
                                        HEAD "1700000000\t31000\t45000\t4\t1\ta\tm\tmore\n",
                                        HEAD "1700000000\t31000\t45000\t4\t1\ta\tm"}; /* cut off */
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(parsed(wrong[i]), 0);
    assert_int_equal(parsed(HEAD GOOD GOOD), 2);
    assert_int_equal(parsed(HEAD GOOD GOOD GOOD GOOD), STAR_LOSSES_ENOUGH);
    assert_int_equal(parsed(HEAD "nonsense\n" GOOD "\n" GOOD), 2);
    char longer[4000];
    snprintf(longer, sizeof longer, HEAD "1700000000\t31000\t45000\t4\t1\t%03000d\tm\n" GOOD, 0);
    assert_int_equal(parsed(longer), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_loss_is_one_that_is_sure_and_of_a_share),
        cmocka_unit_test(what_is_no_number_says_nothing),
        cmocka_unit_test(one_bad_run_is_not_enough_and_a_good_one_clears_it),
        cmocka_unit_test(a_run_is_judged_at_its_end),
        cmocka_unit_test(others_are_not_left_alone),
        cmocka_unit_test(it_is_tried_again_after_some_days),
        cmocka_unit_test(a_new_version_needs_as_many_of_its_own),
        cmocka_unit_test(a_clock_that_was_ahead_leaves_none_alone),
        cmocka_unit_test(as_many_are_kept_as_there_is_room_for),
        cmocka_unit_test(what_is_forgotten_is_chosen),
        cmocka_unit_test_setup_teardown(the_file_keeps_what_it_was_given, make_home, remove_home),
        cmocka_unit_test(what_is_wrong_in_the_file_is_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause
 * The account of what runs saved and lost: sums are right and their intervals sound, whatever runs have in
 * common; what is wrong in the file is left out alone; and adding it up loses nothing. */
#include "util/random.h"
#include "util/text.h"
#include "wisdom/hours.h"
#include "wisdoms.h"

#include <math.h>
#include <sys/stat.h>
#include <utime.h>

static struct star_loss_run run_of(const char *program, int64_t ranks)
{
    struct star_loss_run run = {.machine = "m", .version = "1", .ranks = ranks};
    snprintf(run.program, sizeof run.program, "%s", program);
    return run;
}

static struct star_hours_of hours_of(const char *program, double seconds, double saved, double error)
{
    struct star_loss_run run = run_of(program, 4);
    struct star_hours_of hours;
    assert_true(star_hours_run(&run, NOW, seconds, true, saved, error, &hours));
    return hours;
}

static void a_run_counts_for_all_its_ranks(void **state)
{
    (void)state;
    struct star_hours_of hours = hours_of("a", 10, 2, 0.5);
    assert_true(hours.seconds == 40 && hours.saved == 8 && hours.error == 2 && hours.lost == 0);
    assert_int_equal(hours.saved_runs, 1);
    hours = hours_of("a", 10, -2, 0.5);
    assert_true(hours.saved == -8 && hours.lost == 8);
    assert_int_equal(hours.lost_runs, 1);
    hours = hours_of("a", 10, -2, 3); /* it may be noise */
    assert_true(hours.lost == 0);
    assert_int_equal(hours.lost_runs + hours.saved_runs + hours.unknown_runs, 0);
    hours = hours_of("a", 10, -20, 0.5); /* no more than all */
    assert_true(hours.lost == 40);
}

static void what_is_no_number_is_not_known(void **state)
{
    (void)state;
    const double none[] = {NAN, INFINITY, -INFINITY};
    struct star_loss_run run = run_of("a", 2);
    struct star_hours_of hours;
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        assert_false(star_hours_run(&run, NOW, none[i], true, 1, 0, &hours));
        assert_true(star_hours_run(&run, NOW, 10, true, none[i], 1, &hours));
        assert_int_equal(hours.unknown_runs, 1);
        assert_true(star_hours_run(&run, NOW, 10, true, 1, none[i], &hours));
        assert_true(hours.unknown_seconds == 20 && hours.saved == 0);
    }
    assert_true(star_hours_run(&run, NOW, 10, false, 5, 1, &hours));
    assert_true(hours.unknown_runs == 1 && hours.saved == 0 && hours.error == 0);
    assert_false(star_hours_run(&run, 5, 10, true, 1, 0, &hours)); /* a clock that was never set */
}

static double normal(uint64_t *random)
{
    double sum = -6;
    for (int i = 0; i < 12; i++)
        sum += star_draw_share(random);
    return sum;
}

/* In so many of 100 of CASES the sum of RUNS runs is within its error; these have a share in common. */
static int within(double common, int runs, int cases)
{
    uint64_t random = 7;
    int good = 0;
    for (int i = 0; i < cases; i++) {
        double all = normal(&random), truth = 0;
        struct star_hours_of sum = {0};
        for (int r = 0; r < runs; r++) {
            double off = sqrt(common) * all + sqrt(1 - common) * normal(&random), saved = r % 3 - 1.0;
            struct star_hours_of one = hours_of("a", 100, saved + off, 1.96);
            truth += 4 * saved;
            if (r == 0)
                sum = one;
            else
                star_hours_add(&sum, &one);
        }
        good += fabs(sum.saved - truth) <= sum.error;
    }
    return 100 * good / cases;
}

static void intervals_of_sums_are_sound_whatever_runs_have_in_common(void **state)
{
    (void)state;
    bool few = getenv("FEW_CASES") != NULL; /* they show nothing but that valgrind is content */
    for (int runs = 1; runs <= 64; runs *= 4)
        for (int share = 0; share <= 4; share++)
            assert_true(within(share / 4.0, runs, few ? 50 : 2000) >= (few ? 80 : 94));
}

/* Of each of COUNT programs a line of RUNS runs' figures. */
static void fill(struct star_text *text, int count, int runs)
{
    char program[40];
    for (int i = 0; i < count; i++)
        for (int r = 0; r < runs; r++) {
            snprintf(program, sizeof program, "program-%04d", i);
            struct star_hours_of hours = hours_of(program, i + 1, r % 2 ? -0.25 : 0.5, 0.125);
            star_hours_format(&hours, text);
        }
}

static struct star_hours_of total_of(struct star_hours *hours)
{
    for (size_t i = 1; i < hours->count; i++)
        star_hours_add(&hours->at[0], &hours->at[i]);
    assert_true(hours->count > 0);
    return hours->at[0];
}

static void lines_keep_what_they_were_given(void **state)
{
    (void)state;
    struct star_text text = {0};
    struct star_hours hours = {0};
    struct star_hours_of hard = hours_of("pw.x a\"\\b .in", 1.0 / 3, 1e-9 / 7, 1e-300);
    star_hours_format(&hard, &text);
    assert_true(star_hours_parse(text.bytes, text.length, &hours));
    assert_int_equal(hours.count, 1);
    assert_int_equal(hours.wrong, 0);
    assert_true(hours.at[0].seconds == hard.seconds && hours.at[0].saved == hard.saved &&
                hours.at[0].error == hard.error);
    assert_string_equal(hours.at[0].program, hard.program);
    star_hours_free(&hours);
    star_text_free(&text);
}

static void the_least_of_many_programs_become_one_and_nothing_is_lost(void **state)
{
    (void)state;
    struct star_text text = {0};
    struct star_hours all = {0}, few = {0};
    fill(&text, STAR_HOURS_PROGRAMS + 200, 2);
    assert_true(star_hours_parse(text.bytes, text.length, &all));
    assert_true(star_hours_parse(text.bytes, text.length, &few));
    star_hours_shorten(&few);
    assert_int_equal(few.count, STAR_HOURS_PROGRAMS + 1);
    assert_string_equal(few.at[0].program, star_hours_others);
    assert_int_equal(few.at[0].runs, 400);
    assert_string_equal(few.at[1].program, "program-0200");
    struct star_hours_of before = total_of(&all), now = total_of(&few);
    assert_true(before.seconds == now.seconds && before.saved == now.saved && before.error == now.error &&
                before.lost == now.lost);
    assert_int_equal(before.runs, now.runs);
    assert_int_equal(before.lost_runs, now.lost_runs);
    star_hours_free(&all);
    star_hours_free(&few);
    star_text_free(&text);
}

#define GOOD "1700000000\t1700000000\t4\t4\t1\t0\t0\t1\t40\t0\t0\t8\t2\ta\t.\n"

static void what_is_wrong_is_left_out_alone(void **state)
{
    (void)state;
    static const char *const wrong[] = {
        "nonsense\n",
        "1700000000\t1700000000\t4\t4\t1\t0\t0\t1\t40\t0\t0\t8\t2\ta\t\n", /* cut off */
        "1700000000\t1700000000\t4\t4\t1\t0\t0\t1\t40\t0\t0\t8\t2\ta\n",
        "1700000000\t1700000000\t4\t4\t1\t0\t0\t1\t40\t0\t0\t8\t2\ta\t.",
        "1700000000\t1700000000\t4\t4\t1\t0\t0\t1\t40\t0\t0\t8\t2\ta\t.\tmore\n",
        "1\t1700000000\t4\t4\t1\t0\t0\t1\t40\t0\t0\t8\t2\ta\t.\n", /* of 1970 */
        "1700000000\t1600000000\t4\t4\t1\t0\t0\t1\t40\t0\t0\t8\t2\ta\t.\n",
        "1700000000\t1700000000\t0\t4\t1\t0\t0\t1\t40\t0\t0\t8\t2\ta\t.\n",
        "1700000000\t1700000000\t4\t4\t1\t0\t1\t1\t40\t0\t8\t8\t2\ta\t.\n", /* lost and saved */
        "1700000000\t1700000000\t4\t4\t1\t2\t0\t0\t40\t0\t0\t8\t2\ta\t.\n",
        "1700000000\t1700000000\t4\t4\t99999999999999999999\t0\t0\t1\t40\t0\t0\t8\t2\ta\t.\n",
        "1700000000\t1700000000\t4\t4\t1\t0\t0\t1\t1e300\t0\t0\t8\t2\ta\t.\n",
        "1700000000\t1700000000\t4\t4\t1\t0\t0\t1\tnan\t0\t0\t8\t2\ta\t.\n",
        "1700000000\t1700000000\t4\t4\t1\t0\t0\t1\t40\t0\t0\tinf\t2\ta\t.\n",
        "1700000000\t1700000000\t4\t4\t1\t0\t0\t1\t40\t0\t0\t-41\t2\ta\t.\n", /* more than all */
        "1700000000\t1700000000\t4\t4\t1\t0\t0\t1\t40\t0\t0\t8\t-2\ta\t.\n",
        "1700000000\t1700000000\t4\t4\t1\t0\t0\t1\t40\t0\t0\t8\t2\ta\033[2J\t.\n",
        "1700000000\t1700000000\t4\t4\t1\t0\t0\t1\t40\t0\t0\t8\t2\t\t.\n"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct star_text text = {0};
        struct star_hours hours = {0};
        star_text_add(&text, GOOD "\n%s%s", wrong[i], wrong[i][strlen(wrong[i]) - 1] == '\n' ? GOOD : "");
        assert_true(star_hours_parse(text.bytes, text.length, &hours));
        if (hours.wrong != 1)
            fail_msg("line %zu: %zu wrong", i, hours.wrong);
        assert_int_equal(hours.count, wrong[i][strlen(wrong[i]) - 1] == '\n' ? 2 : 1);
        star_hours_free(&hours);
        star_text_free(&text);
    }
}

static struct star_hours_of read_total(void)
{
    struct star_hours hours = {0};
    struct star_why why;
    bool there;
    assert_int_equal(star_hours_read(path, &hours, &there, &why), 0);
    assert_true(there);
    assert_int_equal(hours.wrong, 0);
    struct star_hours_of total = total_of(&hours);
    star_hours_free(&hours);
    return total;
}

static void name_of(const char *which, char file[120])
{
    snprintf(file, 120, "%s.%s", path, which);
}

static void a_long_file_is_added_up(void **state)
{
    (void)state;
    struct star_hours_of hours = hours_of("a", 10, 2, 0.5);
    struct stat status;
    char file[120], other[120];
    int runs = 0;
    name_of("hours", file);
    name_of("hours.moved", other);
    for (off_t before = 0, now = 1; now > before; runs++) {
        before = now;
        star_hours_note(path, &hours);
        assert_int_equal(stat(file, &status), 0);
        now = status.st_size;
    }
    assert_true(runs > 1000 && status.st_size < 1000);
    assert_int_not_equal(stat(other, &status), 0);
    struct star_hours_of total = read_total();
    assert_int_equal(total.runs, runs);
    assert_true(total.saved == 8.0 * runs && total.error == 2.0 * runs);
}

/* As whoever added it up leaves it when he is killed: before, and after the sums were written. */
static void who_is_killed_in_between_neither_loses_nor_doubles(void **state)
{
    (void)state;
    struct star_hours_of hours = hours_of("a", 10, 2, 0.5);
    char file[120], other[120];
    name_of("hours", file);
    name_of("hours.moved", other);
    for (int i = 0; i < 100; i++)
        star_hours_note(path, &hours);
    assert_int_equal(link(file, other), 0); /* two names for one file */
    assert_int_equal(read_total().runs, 100);
    assert_int_equal(unlink(file), 0);
    assert_int_equal(read_total().runs, 100);
    star_hours_note(path, &hours);
    assert_int_equal(read_total().runs, 101);
    struct star_hours_of sum = hours;
    for (int i = 1; i < 100; i++)
        star_hours_add(&sum, &hours);
    star_hours_note(path, &sum);
    assert_int_equal(read_total().runs, 101);
    struct utimbuf old = {NOW, NOW};
    assert_int_equal(utime(other, &old), 0);
    struct stat status;
    int more = 0; /* until it is gone through again */
    for (; stat(other, &status) == 0; more++)
        star_hours_note(path, &hours);
    assert_int_equal(read_total().runs, 101 + more);
}

static void what_is_forgotten_is_of_a_date(void **state)
{
    (void)state;
    struct star_hours_of hours = hours_of("a", 10, 2, 0.5), old = hours;
    old.first = old.last = NOW - 100 * DAY;
    assert_int_equal(star_hours_forget(path, 0), 0);
    star_hours_note(path, &hours);
    star_hours_note(path, &old);
    assert_int_equal(star_hours_forget(path, NOW - 200 * DAY), 0);
    assert_int_equal(star_hours_forget(path, NOW - 50 * DAY), 1);
    assert_int_equal(read_total().runs, 1);
    assert_int_equal(star_hours_forget(path, 0), 1);
    assert_int_equal(star_hours_forget(path, 0), 0);
}

static void where_it_may_not_be_written_nothing_is(void **state)
{
    (void)state;
    struct star_hours_of hours = hours_of("a", 10, 2, 0.5);
    char file[120], target[120];
    struct stat status;
    star_hours_note("", &hours);
    star_hours_note("/proc/nowhere/wisdom.db", &hours);
    star_hours_note(path, &hours);
    name_of("hours", file);
    name_of("target", target);
    assert_int_equal(rename(file, target), 0);
    assert_int_equal(symlink(target, file), 0); /* of whoever may write there */
    assert_int_equal(stat(target, &status), 0);
    off_t before = status.st_size;
    star_hours_note(path, &hours);
    assert_int_equal(stat(target, &status), 0);
    assert_int_equal(status.st_size, before);
    struct star_hours read = {0};
    struct star_why why;
    bool there;
    assert_int_equal(star_hours_read(path, &read, &there, &why), STAR_ESYSTEM);
    assert_non_null(strstr(why.text, "link"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_counts_for_all_its_ranks),
        cmocka_unit_test(what_is_no_number_is_not_known),
        cmocka_unit_test(intervals_of_sums_are_sound_whatever_runs_have_in_common),
        cmocka_unit_test(lines_keep_what_they_were_given),
        cmocka_unit_test(the_least_of_many_programs_become_one_and_nothing_is_lost),
        cmocka_unit_test(what_is_wrong_is_left_out_alone),
        WITH_HOME(a_long_file_is_added_up),
        WITH_HOME(who_is_killed_in_between_neither_loses_nor_doubles),
        WITH_HOME(what_is_forgotten_is_of_a_date),
        WITH_HOME(where_it_may_not_be_written_nothing_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

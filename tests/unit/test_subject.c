/* SPDX-License-Identifier: BSD-3-Clause
 * A subject's books: what is counted, and what is said to be saved. */
#include "subject/balance.h"
#include "subject/subject.h"
#include "tuner/strategy.h"
#include "util/random.h"
#include "util/seconds.h"
#include "util/settings.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { COUNT = 3 };

/* A program of one rank. */
struct program {
    struct star_subject subject;
    uint64_t seed;
    const double *base; /* seconds of a call of each alternative */
    double took;        /* what all calls took, timed or not, */
    double deciding;    /* and what deciding took */
};

static void begin(struct program *program, const double *base, uint64_t seed, const char *sample)
{
    static const int groups[COUNT] = {0, 1, 2};
    struct star_settings settings;
    struct star_traits none = {0};
    star_settings_preset(&settings);
    assert_int_equal(star_settings_set(&settings, "sample", sample, NULL), 0);
    memset(program, 0, sizeof *program);
    program->base = base;
    program->seed = seed * 7919 + 1;
    struct star_subject *subject = &program->subject;
    struct star_tuning tuning = star_tuning_of(&settings, STAR_RANKS_MEET);
    subject->leads = true;
    subject->ranks = 1;
    subject->sample = (int32_t)settings.sample;
    subject->tuner = star_tuner_new(&tuning, groups, &none, COUNT, true);
    assert_non_null(subject->tuner);
    assert_true(star_subject_make(subject, COUNT));
}

static void end(struct program *program)
{
    star_subject_free(&program->subject);
}

/* A fifth more or less, in turns of 20 calls, and now and then twice as long. */
static double seconds_of(struct program *program, int alternative)
{
    double noise = star_draw_share(&program->seed) - 0.5,
           lately = program->subject.calls / 20 % 2 == 0 ? 0.9 : 1.1;
    bool disturbed = star_draw(&program->seed, 200) == 0;
    return program->base[alternative] * (lately + 0.2 * noise) * (disturbed ? 2 : 1);
}

static void agree(struct program *program)
{
    struct star_subject *subject = &program->subject;
    struct star_decision decision;
    struct star_figure *figures = star_tuner_scratch(subject->tuner);
    int before = subject->now;
    memset(&decision, 0, sizeof decision);
    star_tuner_tell(subject->tuner, figures);
    star_tuner_decide(subject->tuner, figures, 1, &decision);
    struct star_spread spread = star_tuner_spread(subject->tuner);
    assert_true(star_tuner_apply(subject->tuner, &decision));
    star_subject_watched(subject, before, &spread);
    star_subject_decided(subject, &decision, 1000);
    program->deciding += 1e-6;
}

static void call(struct program *program)
{
    struct star_subject *subject = &program->subject;
    int alternative = subject->now;
    double seconds = seconds_of(program, alternative);
    program->took += seconds;
    if (star_subject_skips(subject))
        return;
    if (star_subject_count(subject, alternative, (int64_t)(seconds * 1e9)))
        agree(program);
    star_subject_leave_untimed(subject, alternative);
}

/* What native alone would have taken, less what was taken. */
static double truth(const struct program *program, long calls)
{
    return 1.005 * program->base[0] * (double)calls - program->took - program->deciding;
}

/* Of programs of all kinds the interval has the truth in 95 of 100. */
static void the_interval_has_the_truth(void **state)
{
    static const double bases[][COUNT] = {{1e-3, 0.5e-3, 2e-3}, {1e-3, 1.5e-3, 3e-3}, {20e-6, 10e-6, 5e-6},
                                          {1e-3, 1e-3, 1e-3},   {5e-6, 4e-6, 40e-6},  {0.1, 0.12, 0.05}};
    static const long lengths[] = {60, 500, 5000};
    enum { KINDS = sizeof bases / sizeof *bases, LENGTHS = 3, SEEDS = 20 };
    int right = 0, clear = 0, of = 0;
    (void)state;
    for (int k = 0; k < KINDS * LENGTHS * SEEDS; k++) {
        struct program program;
        long calls = lengths[k % LENGTHS];
        begin(&program, bases[k / LENGTHS % KINDS], (uint64_t)k, "16");
        for (long i = 0; i < calls; i++)
            call(&program);
        struct star_balance balance = star_balance_of(&program.subject, true);
        double off = fabs(balance.saved - truth(&program, calls));
        /* The truth is what native would have taken in the mean: by chance it takes a little more or less. */
        double chance = 2 * 0.15 * program.base[0] * sqrt((double)calls);
        assert_true(balance.known && balance.calls == calls);
        right += off <= balance.error + chance;
        clear += star_balance_is_clear(&balance);
        of++;
        end(&program);
    }
    if (right < 0.95 * of)
        fail_msg("%d of %d intervals have the truth", right, of);
    if (clear < of / 4)
        fail_msg("%d of %d are clear", clear, of);
}

/* All calls are there, each once, whatever ran. */
static void calls_are_counted_once(void **state)
{
    static const double base[COUNT] = {1e-4, 0.7e-4, 2e-4};
    struct program program;
    (void)state;
    begin(&program, base, 1, "4");
    for (long i = 0; i < 3000; i++) {
        call(&program);
        int64_t all = program.subject.calls - program.subject.ran_since, timed = 0, nanoseconds = 0;
        for (int a = 0; a < COUNT; a++) {
            const struct star_tally *tally = &program.subject.tally[a];
            all += tally->all;
            timed += tally->calls + tally->cold_calls;
            nanoseconds += tally->nanoseconds + tally->cold_nanoseconds;
        }
        assert_int_equal(all, i + 1);
        assert_int_equal(timed, i + 1 - program.subject.skipped);
        assert_int_equal(nanoseconds, program.subject.nanoseconds);
    }
    end(&program);
}

/* Native that alone runs neither costs nor saves; deciding does cost. */
static void native_alone_saves_nothing(void **state)
{
    static const double base[COUNT] = {1e-3, 1, 1};
    struct program program;
    (void)state;
    begin(&program, base, 1, "1");
    for (int i = 0; i < 3; i++)
        star_subject_count(&program.subject, 0, 1000000);
    star_subject_pay(&program.subject, 5000);
    struct star_balance balance = star_balance_of(&program.subject, true);
    assert_true(balance.known && fabs(balance.saved + 5e-6) < 1e-12 && balance.error < 1e-12);
    end(&program);
}

/* Calls behind the last whole batch, which are slower, are no reason to be sure. */
static void calls_that_scatter_are_not_sure(void **state)
{
    static const double base[COUNT] = {1, 1, 1};
    struct program program;
    (void)state;
    begin(&program, base, 1, "1");
    for (int i = 0; i < 11; i++)
        star_subject_count(&program.subject, 0, (i < 8 ? 1000000 : 3000000) + i * 10000);
    program.subject.now = 1;
    for (int i = 0; i < 100; i++)
        star_subject_count(&program.subject, 1, 1400000);
    struct star_balance balance = star_balance_of(&program.subject, true);
    assert_true(balance.error > 0.01 * balance.seconds);
    end(&program);
}

/* Timed calls that were slow by chance are no measure of those that were not timed: what is said to be lost
 * stays within the run. */
static void no_more_is_lost_than_there_was(void **state)
{
    struct star_balance balance = {.seconds = 0.45, .saved = -0.43, .error = 0.01, .known = true},
                        same = balance;
    (void)state;
    star_balance_bound(&balance, 0.185);
    assert_true(fabs(balance.saved + 0.185) < 1e-9 && fabs(balance.seconds - 0.185) < 1e-9);
    assert_false(star_balance_is_clear(&balance));
    balance = same;
    star_balance_bound(&balance, 0.45);
    assert_true(fabs(balance.saved - same.saved) < 1e-12 && fabs(balance.error - same.error) < 1e-12);
    balance.saved = 2; /* which native would have taken longer */
    star_balance_bound(&balance, 0.45);
    assert_true(balance.saved > 1.99);
}

/* One slow call of native does not make a saving: its mean may be off by all of it. */
static void one_slow_call_is_no_saving(void **state)
{
    static const double base[COUNT] = {1, 1, 1};
    struct program program;
    (void)state;
    begin(&program, base, 1, "1");
    star_subject_count(&program.subject, 0, 15500000);
    program.subject.now = 1;
    for (int i = 0; i < 1000; i++)
        star_subject_count(&program.subject, 1, 100000);
    struct star_balance balance = star_balance_of(&program.subject, true);
    assert_false(star_balance_is_clear(&balance));
    assert_true(balance.saved <= balance.seconds);
    end(&program);
}

/* A sum says of how many calls native's time was remembered, or is not known. */
static void calls_without_native_are_counted(void **state)
{
    static const double base[COUNT] = {1, 1, 1};
    (void)state;
    for (int remembered = 0; remembered <= 1; remembered++) {
        struct program program;
        begin(&program, base, 1, "1");
        program.subject.now = 1;
        program.subject.native_before = remembered ? 2e-3 : STAR_UNKNOWN_SECONDS;
        program.subject.native_deviation = 1e-4;
        for (int i = 0; i < 10; i++)
            star_subject_count(&program.subject, 1, 1000000);
        struct star_balance balance = star_balance_of(&program.subject, true), all = balance;
        star_balance_add(&all, &(struct star_balance){.calls = 30, .known = true});
        assert_int_equal(all.remembered_calls, remembered ? 10 : 0);
        assert_int_equal(all.unknown_calls, remembered ? 0 : 10);
        assert_int_equal(all.calls, 40);
        assert_int_equal(star_balance_of(&program.subject, false).unknown_calls, 10); /* nothing is native */
        end(&program);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_interval_has_the_truth),       cmocka_unit_test(calls_are_counted_once),
        cmocka_unit_test(native_alone_saves_nothing),       cmocka_unit_test(calls_that_scatter_are_not_sure),
        cmocka_unit_test(one_slow_call_is_no_saving),       cmocka_unit_test(no_more_is_lost_than_there_was),
        cmocka_unit_test(calls_without_native_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

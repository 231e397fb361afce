/* SPDX-License-Identifier: BSD-3-Clause
 * Traces, and runs simulated with them: figures worked out by hand. */
#include "algorithms/alike.h"
#include "algorithms/operations.h"
#include "expect.h"
#include "replay/reader.h"
#include "replay/run.h"
#include "replay/trace.h"
#include "replay/truth.h"
#include "tuner/tuning.h"
#include "util/seconds.h"
#include "util/text.h"
#include "util/why.h"

#include <math.h>
#include <stdio.h>

static const char simple[] = "startune trace 2 # calls of two methods\n"
                             "context alltoall 2 2048 0\n"
                             "method alltoall:native 0\n"
                             "method alltoall:ring 0 1.5e-05 # as the cost model says\n"
                             "\n"
                             "burst 1 40/40 20/20 10/10 10/10\n"
                             "burst 0 45/45 45/45 45/45 45/45\n"
                             "burst 1 60/60 20/20 10/10 10/10\n"
                             "burst 0 45/45 45/45 45/45 45/45\n"
                             "end 1\n";

static struct star_traces parsed(const char *text)
{
    struct star_traces traces = {0};
    struct star_why why = {{0}};
    assert_int_equal(star_traces_parse(text, strlen(text), "here", &traces, &why), 0);
    return traces;
}

static void a_trace_is_read_and_written_again(void **state)
{
    (void)state;
    struct star_traces traces = parsed(simple), again;
    struct star_text text = {0};
    const struct star_trace *trace = &traces.at[0];
    assert_int_equal(traces.count, 1);
    assert_int_equal(trace->operation, STAR_ALLTOALL);
    assert_int_equal(trace->ranks, 2);
    assert_int_equal(trace->bytes, 2048);
    assert_int_equal(trace->methods.count, 2);
    assert_int_equal(trace->bursts, 4);
    assert_int_equal(trace->burst[2].method, 1);
    assert_true(fabs((double)star_trace_call(trace, trace->burst[2].first)[1] - 60e-6) < 1e-11);
    star_traces_write(&traces, &text);
    again = parsed(text.bytes);
    assert_int_equal(again.at[0].calls, 16);
    assert_true(!star_is_known(again.at[0].predicted[0].seconds));
    assert_float_equal(again.at[0].predicted[1].seconds, 1.5e-5, 1e-12);
    star_traces_free(&again);
    star_traces_free(&traces);
    star_text_free(&text);
}

/* 1.234e+04 would be two numbers. */
static void long_calls_are_written_without_exponents(void **state)
{
    (void)state;
    struct star_traces traces =
        parsed("startune trace 2\ncontext bcast 2 8 0\nmethod bcast:native 0\nmethod "
               "bcast:linear 0\nburst 0 12345678/23456 9999.7/99.7\nburst 1 1/0 0.0001/7\nend 1\n");
    struct star_text text = {0};
    star_traces_write(&traces, &text);
    struct star_traces again = parsed(text.bytes);
    assert_true(fabs((double)star_trace_call(&again.at[0], 0)[0] - 12.345678) < 1e-5);
    assert_true(fabs((double)star_trace_call(&again.at[0], 1)[0] - 10000e-6) < 1e-8);
    assert_true(fabs((double)star_trace_call(&again.at[0], 3)[1] - 7e-6) < 1e-10);
    star_traces_free(&again);
    star_traces_free(&traces);
    star_text_free(&text);
}

/* A good trace in which line LINE is another one. */
static void expect_refusal(int line, const char *instead, const char *reason)
{
    struct star_traces traces = {0};
    struct star_text text = {0};
    struct star_why why = {{0}};
    char at[32];
    const char *rest = simple;
    for (int i = 1; *rest != 0; i++) {
        const char *end = strchr(rest, '\n');
        star_text_add(&text, "%.*s\n", i == line ? (int)strlen(instead) : (int)(end - rest),
                      i == line ? instead : rest);
        rest = end + 1;
    }
    assert_int_equal(star_traces_parse(text.bytes, text.length, "here", &traces, &why), STAR_EINPUT);
    snprintf(at, sizeof at, "here:%d: ", line);
    assert_string_equal((why.text[strlen(at)] = 0, why.text), at);
    assert_int_equal(star_traces_parse(text.bytes, text.length, "here", &traces, &why), STAR_EINPUT);
    assert_non_null(strstr(why.text, reason));
    assert_int_equal(traces.count, 0);
    star_traces_free(&traces);
    star_text_free(&text);
}

static void what_is_no_trace_is_refused_by_its_line(void **state)
{
    (void)state;
    expect_refusal(1, "startune map 1", "no trace");
    expect_refusal(1, "startune trace 1", "record it anew");
    expect_refusal(2, "context alltoal 2 2048 0", "alltoal");
    expect_refusal(2, "context alltoall 0 2048 0", "ranks");
    expect_refusal(2, "context alltoall 2 many 0", "bytes");
    expect_refusal(2, "context alltoall 2 2048 -1", "agreement");
    expect_refusal(2, "context alltoall 2 2048 0 0", "one word too many");
    expect_refusal(3, "method alltoall:ring 0", "native is the first");
    expect_refusal(4, "method bcast:chain 0", "no method of alltoall");
    expect_refusal(4, "method alltoall:rong 0", "rong");
    expect_refusal(4, "method alltoall:ring 0 -1", "predicted");
    expect_refusal(4, "method alltoall:ring 0 1 2", "one, three or five");
    expect_refusal(4, "method alltoall:ring 0 1 2 3 4 5 6", "one word too many");
    expect_refusal(3, "method alltoall:native 0 1", "of native nothing");
    expect_refusal(5, "method alltoall:pair 0 1 2 3", "3 times are predicted, and of methods above 1");
    expect_refusal(6, "method alltoall:ring 0", "twice");
    expect_refusal(6, "burst 2 1/1 1/1", "none of the context's methods");
    expect_refusal(6, "burst 1 1/1", "two calls");
    expect_refusal(6, "burst 1 1/1 1", "call 2");
    expect_refusal(6, "burst 1 1/1 nan/1", "call 2");
    expect_refusal(6, "burst 1 1/1 0/0", "call 2");
    expect_refusal(6, "burst 1 1/1 1/1/1", "call 2");
    expect_refusal(6, "burst 1 1/1 1/", "call 2");
    expect_refusal(6, "boost 1 1/1 1/1", "burst or end");
    expect_refusal(10, "end 2", "1 contexts");
    expect_refusal(10, "burst 1 1/1 1/1", "cut off");
}

static struct star_tuning tuning_of(enum star_strategy strategy)
{
    return (struct star_tuning){.strategy = strategy,
                                .estimator = STAR_ESTIMATOR_AUTO,
                                .iter = 4,
                                .warmup = 1,
                                .delta = 2,
                                .delta_most = 64,
                                .epsilon = 0.1,
                                .sample = 1,
                                .budget = 0.05,
                                .confidence = 2,
                                .effect = 0.05};
}

static void the_best_is_that_of_the_long_run(void **state)
{
    (void)state;
    struct star_traces traces = parsed(simple);
    struct star_truth truth;
    assert_int_equal(star_truth_make(&truth, &traces.at[0], NULL), 0);
    assert_int_equal(truth.best, 1);
    assert_float_equal(truth.steady[1], 22.5e-6, 1e-11);              /* of all its calls, */
    assert_float_equal(truth.early[truth.early_calls], 50e-6, 1e-11); /* its first ones, */
    assert_float_equal(truth.rest[1], 40e-6 / 3, 1e-11);              /* and those behind them */
    assert_true(fabs(star_truth_distance(&truth, 0) - 1) < 1e-6);
    star_truth_free(&truth);
    star_traces_free(&traces);
}

#define FIVE(words)    words words words words words
#define FIFTEEN(words) FIVE(words) FIVE(words) FIVE(words)

/* The root, which gives on first, is faster than rank 1 in each call but the first of a burst. */
static void a_call_costs_what_it_takes_on_the_slowest_rank(void **state)
{
    (void)state;
    struct star_traces traces =
        parsed("startune trace 2\ncontext bcast 2 8 0\nmethod bcast:native 0\nmethod bcast:linear 0\n"
               "burst 0 30/10 " FIFTEEN("10/40 ") "\nburst 1 20/20 " FIFTEEN("20/20 ") "\nend 1\n");
    struct star_truth truth;
    assert_int_equal(star_truth_make(&truth, &traces.at[0], NULL), 0);
    assert_int_equal(truth.early_calls, 2);
    assert_float_equal(truth.steady[0], 610e-6 / 16, 1e-11);
    assert_float_equal(truth.rest[0], 40e-6, 1e-11);
    assert_float_equal(truth.early[0], 30e-6, 1e-11);
    assert_float_equal(truth.early[1], 20e-6, 1e-11); /* after two calls rank 1 is the later one, by 50 µs */
    assert_int_equal(truth.best, 1);
    star_truth_free(&truth);
    star_traces_free(&traces);
}

/* A burst that took as long as eight others counts as three. */
static void what_was_held_up_counts_little(void **state)
{
    (void)state;
    struct star_traces traces = parsed(
        "startune trace 2\ncontext bcast 2 8 0\nmethod bcast:native 0\nmethod bcast:linear 0\n"
        "burst 0 10/10 10/10\nburst 1 20/20 20/20\nburst 0 10/10 150/150\nburst 0 10/10 10/10\nend 1\n");
    struct star_truth truth;
    assert_int_equal(star_truth_make(&truth, &traces.at[0], NULL), 0);
    assert_float_equal(truth.steady[0], (20 + 20 + 60) * 1e-6 / 6, 1e-11);
    star_truth_free(&truth);
    star_traces_free(&traces);
}

/* Native 5 times, and the ring: 50, three times 13.3, and 22.5 µs from then on. */
static void a_run_costs_what_its_calls_do(void **state)
{
    (void)state;
    struct star_traces traces = parsed(simple);
    struct star_truth truth;
    struct star_moment moments[] = {{.calls = 5}, {.calls = 6}, {.calls = 10}, {.calls = 1000}};
    assert_int_equal(star_truth_make(&truth, &traces.at[0], NULL), 0);
    struct star_replay_run run = {.truth = &truth, .tuning = tuning_of(STAR_EXHAUSTIVE), .seed = 3};
    assert_int_equal(star_replay(&run, moments, 4, NULL), 0);
    assert_true(fabs(star_moment_regret(&truth, &moments[0]) - 1) < 1e-5);
    assert_float_equal(moments[1].seconds, (5 * 45 + 50) * 1e-6, 1e-9);
    assert_float_equal(moments[2].seconds, (5 * 45 + 50 + 40 + 22.5) * 1e-6, 1e-9);
    assert_int_equal(moments[3].chosen, 1);
    assert_int_equal(moments[3].settled, 9); /* the tenth call's agreement has chosen it */
    assert_int_equal(moments[3].switches, 1);
    star_truth_free(&truth);
    star_traces_free(&traces);
}

static void agreements_and_plans_are_paid_for(void **state)
{
    (void)state;
    static const char costly[] = "startune trace 2\ncontext bcast 2 8 1e-3\nmethod bcast:native 0\nmethod "
                                 "bcast:linear 5e-3\nburst 0 10/10 10/10\nburst 1 20/20 20/20\nend 1\n";
    struct star_traces traces = parsed(costly);
    struct star_truth truth;
    struct star_moment moment = {.calls = 10};
    assert_int_equal(star_truth_make(&truth, &traces.at[0], NULL), 0);
    struct star_replay_run run = {.truth = &truth, .tuning = tuning_of(STAR_EXHAUSTIVE), .seed = 1};
    assert_int_equal(star_replay(&run, &moment, 1, NULL), 0);
    assert_true(fabs(moment.seconds - (5 * 10e-6 + 5 * 20e-6 + 1e-3 + 5e-3)) < 1e-9);
    star_truth_free(&truth);
    star_traces_free(&traces);
}

/* Between two ranks a chain is what linear is; segments make it another one. */
static void methods_that_are_the_same_have_the_calls_of_all(void **state)
{
    (void)state;
    struct star_traces traces =
        parsed("startune trace 2\ncontext bcast 2 2048 0\nmethod bcast:native 0\nmethod bcast:linear 1e-6\n"
               "method bcast:chain 3e-6\nmethod bcast:chain,segment=1K 7e-6\n"
               "burst 0 30/30 30/30\nburst 1 10/10 10/10\nburst 2 20/20 20/20\nburst 3 5/5 5/5\nend 1\n");
    struct star_truth truth;
    struct star_moment once = {.calls = 3};
    assert_int_equal(star_truth_make(&truth, &traces.at[0], NULL), 0);
    assert_memory_equal(truth.alike, ((const int[]){0, 1, 1, 3}), 4 * sizeof(int));
    assert_float_equal(truth.steady[0], 30e-6, 1e-10);
    assert_float_equal(truth.steady[1], 15e-6, 1e-10);
    assert_float_equal(truth.steady[2], 15e-6, 1e-10);
    assert_float_equal(truth.steady[3], 5e-6, 1e-10);
    star_replay_once(&truth, &once, 1);
    assert_float_equal(once.seconds, (30 + 1 + 15 + 7 + 5) * 1e-6, 1e-9);
    star_truth_free(&truth);
    star_traces_free(&traces);
}

static void the_same_seed_is_the_same_run(void **state)
{
    (void)state;
    struct star_traces traces = parsed(simple);
    struct star_truth truth;
    assert_int_equal(star_truth_make(&truth, &traces.at[0], NULL), 0);
    for (int strategy = 0; strategy < STAR_STRATEGIES; strategy++) {
        struct star_moment moments[2] = {{.calls = 700}, {.calls = 700}};
        struct star_replay_run run = {
            .truth = &truth, .tuning = tuning_of((enum star_strategy)strategy), .seed = 9};
        assert_int_equal(star_replay(&run, &moments[0], 1, NULL), 0);
        assert_int_equal(star_replay(&run, &moments[1], 1, NULL), 0);
        assert_memory_equal(&moments[0], &moments[1], sizeof moments[0]);
    }
    star_truth_free(&truth);
    star_traces_free(&traces);
}

/* Where a burst's last calls are short ones, a run meets no more of them than there are. */
static void a_run_sees_the_calls_that_count(void **state)
{
    (void)state;
    static const char text[] =
        "startune trace 2\ncontext bcast 2 2048 0\nmethod bcast:native 0\nmethod bcast:linear 0\n"
        "burst 0 30/1 30/1 80/1 80/1 80/1 80/1 80/1 80/1 80/1 10/1 10/1 10/1 10/1 10/1 10/1 10/1\n"
        "burst 1 99/1 99/1\nend 1\n";
    struct star_traces traces = parsed(text);
    struct star_truth truth;
    struct star_replay_seen seen;
    struct star_moment moment = {.calls = 5000};
    assert_int_equal(star_truth_make(&truth, &traces.at[0], NULL), 0);
    struct star_replay_run run = {.truth = &truth, .tuning = tuning_of(STAR_RACE), .seed = 1, .seen = &seen};
    run.tuning.budget = 0;
    assert_int_equal(star_replay(&run, &moment, 1, NULL), 0);
    assert_int_equal(seen.count, 1);
    assert_true(fabs(seen.of[0].mean / truth.steady[0] - 1) < 0.05);
    star_truth_free(&truth);
    star_traces_free(&traces);
}

static void who_has_wisdom_begins_with_the_best(void **state)
{
    (void)state;
    struct star_traces traces = parsed(simple);
    struct star_truth truth;
    struct star_replay_seen seen;
    struct star_moment first = {.calls = 500}, second = {.calls = 100};
    assert_int_equal(star_truth_make(&truth, &traces.at[0], NULL), 0);
    struct star_replay_run run = {.truth = &truth, .tuning = tuning_of(STAR_RACE), .seen = &seen};
    /* One whose first call was not the slower one. */
    for (first.chosen = 0; first.chosen != 1 && run.seed < 50; run.seed++)
        assert_int_equal(star_replay(&run, &first, 1, NULL), 0);
    assert_int_equal(seen.count, 2);
    assert_int_equal(first.chosen, 1);
    run.seen = NULL;
    run.known = &seen;
    run.confidence = 1;
    assert_int_equal(star_replay(&run, &second, 1, NULL), 0);
    assert_int_equal(second.chosen, 1);
    assert_true(second.settled <= 1);
    assert_true(second.seconds < (50 + 40 + 96 * 22.5 + 1) * 1e-6 + star_alike_seconds(2, 2));
    star_truth_free(&truth);
    star_traces_free(&traces);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_trace_is_read_and_written_again),
        cmocka_unit_test(long_calls_are_written_without_exponents),
        cmocka_unit_test(what_is_no_trace_is_refused_by_its_line),
        cmocka_unit_test(the_best_is_that_of_the_long_run),
        cmocka_unit_test(a_call_costs_what_it_takes_on_the_slowest_rank),
        cmocka_unit_test(what_was_held_up_counts_little),
        cmocka_unit_test(a_run_costs_what_its_calls_do),
        cmocka_unit_test(agreements_and_plans_are_paid_for),
        cmocka_unit_test(methods_that_are_the_same_have_the_calls_of_all),
        cmocka_unit_test(the_same_seed_is_the_same_run),
        cmocka_unit_test(a_run_sees_the_calls_that_count),
        cmocka_unit_test(who_has_wisdom_begins_with_the_best),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

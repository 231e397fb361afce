/* SPDX-License-Identifier: BSD-3-Clause
 * Traces: accepted ones are replayed, and survive writing and reading. */
#include "replay/trace.h"
#include "algorithms/method.h"
#include "expect.h"
#include "replay/reader.h"
#include "replay/run.h"
#include "replay/truth.h"
#include "targets.h"
#include "tuner/tuning.h"
#include "util/prospect.h"
#include "util/seconds.h"
#include "util/text.h"
#include "util/why.h"

#include <math.h>

static void replay_all(const struct star_traces *traces)
{
    for (int i = 0; i < traces->count; i++) {
        struct star_truth truth;
        struct star_moment moment = {.calls = 60};
        assert_int_equal(star_truth_make(&truth, &traces->at[i], NULL), 0);
        struct star_replay_run run = {
            .truth = &truth, .tuning = {.strategy = STAR_RACE, .iter = 3, .delta = 1, .delta_most = 4}};
        run.tuning.budget = 0.5;
        assert_int_equal(star_replay(&run, &moment, 1, NULL), 0);
        assert_in_range(moment.chosen, 0, traces->at[i].methods.count - 1);
        star_truth_free(&truth);
    }
}

/* Of seconds, which are written with so many digits; B was read. */
static void expect_near(double a, double b, int digits)
{
    assert_true(fabs(a - b) <= pow(10, 1 - digits) * a);
}

static void expect_same_prospect(const struct star_prospect *a, const struct star_prospect *b)
{
    const double mine[] = {a->seconds, a->latency, a->link, a->halves, a->turns},
                 others[] = {b->seconds, b->latency, b->link, b->halves, b->turns};
    for (size_t i = 0; i < sizeof mine / sizeof *mine; i++) {
        assert_int_equal(star_is_known(mine[i]), star_is_known(others[i]));
        if (star_is_known(mine[i]))
            expect_near(mine[i], others[i], 4);
    }
}

static void expect_same(const struct star_trace *a, const struct star_trace *b)
{
    assert_int_equal(a->operation, b->operation);
    assert_int_equal(a->ranks, b->ranks);
    assert_int_equal(a->bytes, b->bytes);
    expect_near(a->agreement, b->agreement, 4);
    assert_int_equal(a->methods.count, b->methods.count);
    for (int i = 0; i < a->methods.count; i++) {
        assert_true(star_method_equal(&a->methods.at[i], &b->methods.at[i]));
        expect_near(a->making[i], b->making[i], 4);
        expect_same_prospect(&a->predicted[i], &b->predicted[i]);
    }
    assert_int_equal(a->bursts, b->bursts);
    assert_memory_equal(a->burst, b->burst, (size_t)a->bursts * sizeof *a->burst);
    assert_int_equal(a->calls, b->calls);
    for (int i = 0; i < a->calls * star_trace_ranks(a); i++)
        expect_near((double)a->seconds[i], (double)b->seconds[i], 4);
}

static void accept(const struct star_traces *traces)
{
    struct star_text text = {0};
    struct star_traces again = {0};
    struct star_why why;
    star_traces_write(traces, &text);
    assert_int_equal(star_traces_parse(text.bytes, text.length, "again", &again, &why), 0);
    assert_int_equal(again.count, traces->count);
    for (int i = 0; i < traces->count; i++)
        expect_same(&traces->at[i], &again.at[i]);
    replay_all(traces);
    star_traces_free(&again);
    star_text_free(&text);
}

int fuzz_trace(const char *text, size_t length, struct star_why *why)
{
    struct star_traces traces = {0};
    int error = star_traces_parse(text, length, "fuzz", &traces, why);
    if (error)
        assert_int_equal(traces.count, 0);
    else
        accept(&traces);
    star_traces_free(&traces);
    return error;
}

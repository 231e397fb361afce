/* SPDX-License-Identifier: BSD-3-Clause
 * Mutated traces: each is refused with a reason, or accepted, replayed, and survives writing and reading.
 * fuzz.h says how. */
#include "fuzz.h"
#include "replay/replay.h"

#include <math.h>
#include <stdio.h>

static long rounds;

static const char *const pieces[] = {"startune trace 3\n",
                                     "context bcast 3 8 1e-5\n",
                                     "method alltoall:pair 0\n",
                                     "method bcast:native 0\n",
                                     "burst 0 1/1/0 2/0/3\n",
                                     "burst 1 ",
                                     " 1e5/3/2",
                                     "end 2\n",
                                     "\n",
                                     " ",
                                     "/",
                                     "-",
                                     "#",
                                     "0",
                                     "1e308",
                                     "1e-320",
                                     "nan",
                                     "99999999999999999999",
                                     "2147483647",
                                     "\xff"};

static const char begin[] =
    "startune trace 3\ncontext alltoall 4 1024 1.2e-05\nmethod alltoall:native 0\n"
    "method alltoall:ring 3e-05 1e-5 4e-6 5e-6 6e-6 7e-6\nburst 1 30/31/29/30 20/22/19/20 21/21/21/20\n"
    "burst 0 25/25/25/25 26/26/27/26\nburst 0 25/25/25/26 24/24/25/24\n"
    "context barrier 2 0 0\nmethod barrier:native 0\nmethod barrier:linear 1e-6\n"
    "burst 0 3/4 4/5\nburst 1 12345/0.5 8/0\nend 2\n";

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

static int read_traces(const char *text, size_t length, struct star_why *why)
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

static void a_trace_is_read_or_refused(void **state)
{
    (void)state;
    fuzz(read_traces, begin, sizeof begin - 1, pieces, sizeof pieces / sizeof *pieces, rounds, 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_trace_is_read_or_refused)};
    rounds = fuzz_rounds(4000);
    return cmocka_run_group_tests(tests, NULL, NULL);
}

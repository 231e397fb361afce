/* SPDX-License-Identifier: BSD-3-Clause
 * The cost model's parameters as words, and its patience. */
#include "costs.h"
#include "plan/cost.h"
#include "plan/plan.h"
#include "util/text.h"
#include "util/why.h"

static void parameters_are_read_by_name(void **state)
{
    (void)state;
    struct star_cost_parameters parameters = star_cost_presets;
    struct star_why why;
    assert_int_equal(star_cost_parse("latency=3e-6,eager=128K,contention=5%", &parameters, &why), 0);
    expect_seconds(parameters.latency, 3e-6);
    expect_seconds(parameters.contention, 0.05);
    assert_int_equal(parameters.eager, 128 << 10);
    expect_seconds(parameters.overhead, star_cost_presets.overhead);
    assert_int_equal(star_cost_parse("copy=1,reduce=2,hop=3,overhead=4,host=5,framing=6", &parameters, &why),
                     0);
    expect_seconds(parameters.copy + 10 * parameters.reduce + 100 * parameters.hop, 321);
    expect_seconds(parameters.overhead + 10 * parameters.host + 100 * parameters.framing, 654);
    static const char *const bad[] = {"",       "latency",    "latency=",  "latency=x", "latency=-1",
                                      "late=1", "latency=1,", "framing=0", "eager=-1",  "block=0",
                                      "host=0", ",",          "eager=x",   "contention"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(star_cost_parse(bad[i], &parameters, &why), STAR_EINPUT);
        expect_one_line(why.text);
    }
    expect_seconds(parameters.latency, 3e-6);
}

static void what_is_written_is_read_again(void **state)
{
    (void)state;
    struct star_cost_parameters first = {.latency = 3e-6,
                                         .hop = 1.5e-7,
                                         .overhead = 2.25e-5,
                                         .copy = 5e9,
                                         .reduce = 2e9,
                                         .contention = 0.05,
                                         .framing = 1.0625,
                                         .host = 125e6,
                                         .eager = 65280};
    struct star_cost_parameters again = star_cost_presets;
    struct star_text text = {0};
    struct star_why why;
    star_cost_write(&first, &text);
    assert_int_equal(star_cost_parse(text.bytes, &again, &why), 0);
    expect_seconds(again.latency, first.latency);
    expect_seconds(again.hop, first.hop);
    expect_seconds(again.overhead, first.overhead);
    expect_seconds(again.copy, first.copy);
    expect_seconds(again.reduce, first.reduce);
    expect_seconds(again.contention, first.contention);
    expect_seconds(again.framing, first.framing);
    expect_seconds(again.host, first.host);
    assert_int_equal(again.eager, first.eager);
    star_text_free(&text);
}

static void all_parameters_are_members_of_the_json(void **state)
{
    (void)state;
    struct star_text text = {0};
    star_json_open(&text, NULL, '{');
    star_cost_json(&star_cost_presets, &text);
    star_json_close(&text, '}');
    assert_string_equal(text.bytes,
                        "{\"latency\": 2.5e-05, \"hop\": 1e-06, \"overhead\": 2e-06, \"copy\": 5e+09, "
                        "\"reduce\": 2e+09, \"contention\": 0, \"framing\": 1.0621547, \"host\": 125000000, "
                        "\"eager\": 65536}");
    star_text_free(&text);
}

static void a_cost_is_given_up_when_patience_ends(void **state)
{
    (void)state;
    struct hand hand;
    struct star_cost cost;
    struct star_why why = {{0}};
    struct star_cost_parameters parameters = lock_step(1e6);
    exchange(&hand, 1000);
    struct star_plan *plans[] = {&hand.plans[0], &hand.plans[1]};
    parameters.patience = 1e-9;
    assert_int_equal(star_cost_of(plans, 2, NULL, &parameters, &cost, &why), STAR_ELIMIT);
    expect_reason(&why, "2 ranks");
    assert_null(cost.load);
    parameters.patience = 10;
    assert_int_equal(star_cost_of(plans, 2, NULL, &parameters, &cost, &why), 0);
    star_cost_free(&cost);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parameters_are_read_by_name),
        cmocka_unit_test(what_is_written_is_read_again),
        cmocka_unit_test(all_parameters_are_members_of_the_json),
        cmocka_unit_test(a_cost_is_given_up_when_patience_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

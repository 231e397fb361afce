/* SPDX-License-Identifier: BSD-3-Clause
 * Reports of runs: what is refused, and what follows from what was measured. */
#include "expect.h"
#include "report/confidence.h"
#include "report/explain.h"
#include "report/lines.h"
#include "report/read.h"
#include "report/rows.h"
#include "reports.h"
#include "util/why.h"

#include <math.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static json_t *parsed(const char *text)
{
    json_t *report;
    struct star_why why = {{0}};
    if (star_report_parse(text, strlen(text), "it", &report, &why))
        fail_msg("%s", why.text);
    return report;
}

static json_t *explained(const char *text)
{
    json_t *report = parsed(text);
    assert_int_equal(star_report_explain(report, NULL), 0);
    return report;
}

static json_t *samples(const char *list)
{
    char text[200];
    snprintf(text, sizeof text, "{\"samples\":[%s]}", list);
    return json_loads(text, 0, NULL);
}

static double confidence(const char *mine, const char *theirs)
{
    json_t *method = samples(mine), *other = samples(theirs);
    double sure = star_report_confidence(method, other);
    json_decref(method);
    json_decref(other);
    return sure;
}

/* Means 12 and 14, variances 1: t = 2 / sqrt(2/3) = 2.449 with 4 degrees of freedom, whose table says 0.9648.
 */
static void confidence_is_welchs(void **state)
{
    (void)state;
    assert_true(fabs(confidence("11,12,13", "13,14,15") - 0.9648) < 0.0002);
    assert_true(fabs(confidence("13,14,15", "11,12,13") - 0.0352) < 0.0002);
    assert_true(fabs(confidence("11,12,13", "11,12,13") - 0.5) < 1e-9);
    assert_true(fabs(confidence("1,2", "1,1") - 0.25) < 0.0002); /* t = −1, of 1 degree: Cauchy's */
    assert_true(confidence("1,1", "2,2") >= 1 && confidence("2,2", "1,1") <= 0);
    assert_true(isnan(confidence("1", "2,2")) && isnan(confidence("", "2,2")));
}

/* Of means by their errors: 1.96 standard ones, 0.1 and 0.1, so that t = 0.2 / 0.1414. */
static void confidence_is_that_of_means_with_errors(void **state)
{
    (void)state;
    json_t *one = json_loads("{\"mean_seconds\":1,\"mean_error_seconds\":0.196,\"samples\":[9,9]}", 0, NULL),
           *two =
               json_loads("{\"mean_seconds\":1.2,\"mean_error_seconds\":0.196,\"samples\":[1,1]}", 0, NULL),
           *none = json_loads("{\"mean_seconds\":null,\"mean_error_seconds\":null,\"samples\":[]}", 0, NULL);
    assert_true(fabs(star_report_confidence(one, two) - 0.9214) < 1e-4);
    assert_true(fabs(star_report_confidence(two, one) - 0.0786) < 1e-4);
    assert_true(fabs(star_report_spread(one) - 0.196) < 1e-12);
    assert_true(isnan(star_report_confidence(one, none)) && isnan(star_report_spread(none)));
    json_decref(one);
    json_decref(two);
    json_decref(none);
}

static void disturbed_samples_do_not_count(void **state)
{
    (void)state;
    assert_true(fabs(confidence("1,2,300", "1,2") - 0.5) < 1e-9);
    assert_true(fabs(confidence("1,2,2.9", "1,2") - 0.5) > 0.01);
}

#define SPREAD(calls)                                                                                        \
    "\"ranks_seconds_per_call\":{\"mean\":1,\"most\":1.5,\"least\":0.25,\"calls\":" calls "},"

static void each_context_is_explained(void **state)
{
    (void)state;
    json_t *report = explained(REPORT(REPORT_CONTEXT("8", "allreduce:ring", "2.5", ""))),
           *context = json_array_get(json_object_get(report, "contexts"), 0);
    assert_true(fabs(json_number_value(json_object_get(context, "share")) - 0.25) < 1e-12);
    assert_true(fabs(json_number_value(json_object_get(context, "seconds_per_call")) - 0.1) < 1e-12);
    assert_true(json_number_value(json_object_get(context, "confidence")) > 0.999);
    assert_string_equal(json_string_value(json_object_get(context, "where")), "app+0x40"); /* no such file */
    assert_true(json_is_null(json_object_get(context, "waits")));
    assert_int_equal(json_array_size(json_object_get(context, "attention")), 0);
    json_decref(report);
}

/* Whoever reads the report would wait for what is written into it. */
static void a_module_that_is_a_pipe_is_not_opened(void **state)
{
    (void)state;
    char folder[] = "/tmp/startune-report-XXXXXX", pipe[60];
    struct star_line line;
    assert_non_null(mkdtemp(folder));
    snprintf(pipe, sizeof pipe, "%s/pipe", folder);
    assert_int_equal(mkfifo(pipe, 0600), 0);
    struct star_lines *lines = star_lines_new();
    alarm(60);
    assert_false(star_lines_find(lines, pipe, 0x40, INT64_MAX, &line));
    alarm(0);
    star_lines_free(lines);
    assert_int_equal(unlink(pipe) || rmdir(folder), 0);
}

static void each_request_is_explained(void **state)
{
    (void)state;
    json_t *report = explained(
               REPORT_OF("", REPORT_REQUEST("points", "-0.2", "") "," REPORT_REQUEST("rows", "1", ""))),
           *requests = json_object_get(report, "requests"), *points = json_array_get(requests, 0),
           *rows = json_array_get(requests, 1);
    assert_true(fabs(json_number_value(json_object_get(points, "share")) - 0.25) < 1e-12);
    assert_true(fabs(json_number_value(json_object_get(points, "seconds_per_call")) - 12) < 1e-12);
    assert_true(fabs(json_number_value(json_object_get(rows, "seconds_per_call")) - 14) < 1e-12);
    /* Beside the first function; and that one beside the fastest of the others. The table's numbers again. */
    assert_true(fabs(json_number_value(json_object_get(points, "confidence")) - 0.9648) < 0.0002);
    assert_true(fabs(json_number_value(json_object_get(rows, "confidence")) - 0.0352) < 0.0002);
    assert_string_equal(json_string_value(json_array_get(json_object_get(points, "attention"), 0)),
                        "it cost 2.0 % of the run more than its first function alone would have");
    assert_int_equal(json_array_size(json_object_get(rows, "attention")), 0);
    json_decref(report);
}

/* How much is worth attention of a context in which TO stands instead of FROM. */
static size_t reasons_of(const char *from, const char *to)
{
    char text[8192], *at;
    snprintf(text, sizeof text, "%s", REPORT(REPORT_CONTEXT("8", "allreduce:ring", "2.5", "\"here\":0,")));
    at = strstr(text, from);
    assert_non_null(at);
    memmove(at + strlen(to), at + strlen(from), strlen(at + strlen(from)) + 1);
    memcpy(at, to, strlen(to));
    json_t *report = explained(text), *context = json_array_get(json_object_get(report, "contexts"), 0);
    size_t count = json_array_size(json_object_get(context, "attention"));
    json_decref(report);
    return count;
}

static void what_is_worth_attention_is_said(void **state)
{
    (void)state;
    assert_int_equal(reasons_of("\"here\":0,", SPREAD("99")), 0);
    assert_int_equal(reasons_of("\"here\":0,", SPREAD("100")), 1);
    assert_int_equal(reasons_of("\"saved_seconds\":1,\"tuning", "\"saved_seconds\":-1,\"tuning"), 1);
    assert_int_equal(reasons_of("\"saved_seconds\":1,\"tuning", "\"saved_seconds\":-0.01,\"tuning"), 0);
}

static void ranks_of_operations_with_a_root_may_be_apart(void **state)
{
    (void)state;
    json_t *context = json_pack("{s:s, s:{s:f, s:f}}", "operation", "bcast", "ranks_seconds_per_call", "mean",
                                1.0, "least", 0.25);
    assert_true(isnan(star_report_waits(context)));
    json_object_set_new(context, "operation", json_string("allgather"));
    assert_true(fabs(star_report_waits(context) - 0.75) < 1e-12);
    json_decref(context);
}

static void contexts_that_are_alike_are_one_row(void **state)
{
    (void)state;
    json_t *report = explained(REPORT(REPORT_CONTEXT("8", "allreduce:ring", "2", "") "," REPORT_CONTEXT(
        "16", "allreduce:ring", "9", "") "," REPORT_CONTEXT("8", "allreduce:native", "5",
                                                            "") "," REPORT_CONTEXT("8", "allreduce:ring", "3",
                                                                                   "\"native_once\":true,")));
    struct star_rows rows;
    assert_int_equal(star_rows_of(report, 0, &rows, NULL), 0);
    assert_int_equal(rows.count, 2);
    assert_int_equal(rows.row[0].bytes, 8); /* 10 s of the one, 9 of the other */
    assert_int_equal(rows.row[0].calls, 30);
    assert_int_equal(rows.row[0].contexts, 3);
    assert_true(rows.row[0].native_once && !rows.row[1].native_once); /* of the last one */
    assert_true(fabs(rows.row[0].seconds - 10) < 1e-9 && fabs(rows.row[0].saved - 3) < 1e-9);
    assert_string_equal(rows.row[0].method, "allreduce:native"); /* of the one that took most */
    star_rows_free(&rows);
    assert_int_equal(star_rows_of(report, STAR_ROWS_BY_METHOD, &rows, NULL), 0);
    assert_int_equal(rows.count, 3);
    star_rows_free(&rows);
    json_decref(report);
}

static void reports_that_are_wrong_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *word;
    } wrong[] = {
        {"", "it:"},
        {"[1]", "not an object"},
        {"{\"startune\":\"1\"}", "'mpi' is missing"},
        {REPORT("7"), "contexts 1: not an object"},
        {REPORT("{}"), "contexts 1: 'operation' is missing"},
        {REPORT(REPORT_CONTEXT("-8", "allreduce:ring", "2", "")), "'bytes'"},
        {REPORT(REPORT_CONTEXT("8", "allreduce:ring", "true", "")), "'seconds' is of another kind"},
        {REPORT(REPORT_CONTEXT("8", "allreduce:ring", "2", "\"ranks_seconds_per_call\":{},")), "'mean'"},
        {REPORT(REPORT_CONTEXT("8", "allreduce:ring", "2", "\"memory_bytes\":{\"plan\":1},")), "'context'"},
        {REPORT(REPORT_CONTEXT("8", "allreduce:ring", "2", "\"remembered_methods\":-1,")),
         "'remembered_methods'"},
        {REPORT(REPORT_CONTEXT("8", "allreduce:ring", "2", "\"agreement_seconds\":\"x\",")),
         "'agreement_seconds'"},
        {REPORT_OF("", "{}"), "requests 1: 'function_set' is missing"},
        {REPORT_OF("", REPORT_REQUEST("rows", "true", "")), "'saved_seconds'"},
        {REPORT_OF("", REPORT_REQUEST("rows\",\"of\":7,\"in\":\"a", "1", "")), "'attributes'"},
        {REPORT_OF("", REPORT_REQUEST("rows", "1", "\"remembered_function\":7,")), "'remembered_function'"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        json_t *report;
        struct star_why why = {{0}};
        assert_int_equal(star_report_parse(wrong[i].text, strlen(wrong[i].text), "it", &report, &why),
                         STAR_EINPUT);
        expect_reason(&why, wrong[i].word);
        assert_null(report);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(confidence_is_welchs),
                                       cmocka_unit_test(confidence_is_that_of_means_with_errors),
                                       cmocka_unit_test(disturbed_samples_do_not_count),
                                       cmocka_unit_test(each_context_is_explained),
                                       cmocka_unit_test(each_request_is_explained),
                                       cmocka_unit_test(a_module_that_is_a_pipe_is_not_opened),
                                       cmocka_unit_test(what_is_worth_attention_is_said),
                                       cmocka_unit_test(ranks_of_operations_with_a_root_may_be_apart),
                                       cmocka_unit_test(contexts_that_are_alike_are_one_row),
                                       cmocka_unit_test(reports_that_are_wrong_are_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

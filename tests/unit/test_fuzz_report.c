/* SPDX-License-Identifier: BSD-3-Clause
 * Mutated reports: each is refused with a reason, or accepted, and then explained, grouped and made a page.
 * fuzz.h says how. */
#include "fuzz.h"
#include "report/report.h"
#include "reports.h"

#include <stdio.h>

static long rounds;

static const char *const pieces[] = {"{",           "}",
                                     "[",           "]",
                                     "\"",          ",",
                                     ":",           "null",
                                     "-1",          "1e308",
                                     "1e999",       "0",
                                     "{}",          "[]",
                                     "true",        "\\u0000",
                                     "\\ud800",     "\xff",
                                     "</script>",   "99999999999999999999",
                                     "\"bytes\"",   "\"calls\":",
                                     "\"methods\"", "\"samples\":[",
                                     "1e-320",      "\"allreduce:native\"",
                                     "+0x"};

#define SPREAD "\"ranks_seconds_per_call\":{\"mean\":1,\"most\":2,\"least\":0.5,\"calls\":3},"
#define FIRST  REPORT_CONTEXT("8", "allreduce:ring", "2", SPREAD)
#define SECOND REPORT_CONTEXT("16", "allreduce:native", "3", "")
#define THIRD  REPORT_REQUEST("points", "1", "\"remembered_functions\":2,\"remembered_function\":\"jump\",")
static const char begin[] = REPORT_OF(FIRST "," SECOND, THIRD);

/* What a browser takes for the report, which ends where the first script does. */
static void expect_on_page(const json_t *report, const char *page)
{
    const char *begin_mark = "id=\"report\">", *at = strstr(page, begin_mark) + strlen(begin_mark);
    char *text = json_dumps(report, JSON_REAL_PRECISION(9)); /* as exact as pages are */
    json_t *wanted = json_loads(text, 0, NULL);
    json_t *shown = json_loadb(at, (size_t)(strstr(at, "</script>") - at), 0, NULL);
    assert_true(wanted != NULL && json_equal(shown, wanted));
    json_decref(wanted);
    json_decref(shown);
    free(text);
}

static void use(json_t *report)
{
    struct star_why why;
    struct star_rows rows;
    struct star_text page = {0};
    assert_int_equal(star_report_explain(report, &why), 0);
    assert_int_equal(star_rows_of(report, STAR_ROWS_BY_METHOD | STAR_ROWS_BY_PLACE, &rows, &why), 0);
    assert_true((size_t)rows.count <= json_array_size(json_object_get(report, "contexts")));
    star_rows_free(&rows);
    star_report_page(report, &page);
    assert_false(page.failed);
    expect_on_page(report, page.bytes);
    star_text_free(&page);
}

static int read_report(const char *text, size_t length, struct star_why *why)
{
    json_t *report;
    int error = star_report_parse(text, length, "fuzz", &report, why);
    if (error)
        assert_null(report);
    else
        use(report);
    json_decref(report);
    return error;
}

static void a_report_is_read_or_refused(void **state)
{
    (void)state;
    assert_true(fuzz_read(read_report, begin, sizeof begin - 1));
    fuzz(read_report, begin, sizeof begin - 1, pieces, sizeof pieces / sizeof *pieces, rounds, 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_report_is_read_or_refused)};
    rounds = fuzz_rounds(4000);
    return cmocka_run_group_tests(tests, NULL, NULL);
}

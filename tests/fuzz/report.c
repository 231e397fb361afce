/* SPDX-License-Identifier: BSD-3-Clause
 * Reports: accepted ones are explained, grouped and made a page. */
#include "expect.h"
#include "report/explain.h"
#include "report/page.h"
#include "report/read.h"
#include "report/rows.h"
#include "targets.h"
#include "util/text.h"
#include "util/why.h"

#include <stdlib.h>

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

int fuzz_report(const char *text, size_t length, struct star_why *why)
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

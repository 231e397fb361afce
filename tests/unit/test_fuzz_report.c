/* SPDX-License-Identifier: BSD-3-Clause
 * Mutated reports: each is refused with a reason, or accepted, and then explained, grouped and made a page.
 * STARTUNE_FUZZ: rounds (4000); STARTUNE_FUZZ_SEED: where the numbers start. */
#include "mutate.h"
#include "report/report.h"
#include "reports.h"

#include <stdio.h>

enum { FILE_MOST = 8192 };
static uint64_t seed = 1;
static long rounds = 4000;

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
static const char begin[] = REPORT(FIRST "," SECOND);

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
    assert_null(strstr(strstr(page.bytes, "id=\"report\">"), "</script></script>"));
    star_text_free(&page);
}

/* Reads LENGTH bytes in room of their very size, so that a sanitizer sees each read beyond them. */
static bool try(const char *text, size_t length)
{
    json_t *report;
    struct star_why why = {{0}};
    char *exact = malloc(length ? length : 1);
    assert_non_null(exact);
    memcpy(exact, text, length);
    int error = star_report_parse(exact, length, "fuzz", &report, &why);
    free(exact);
    if (error) {
        assert_int_equal(error, STAR_EINPUT);
        assert_null(report);
        expect_one_line(why.text);
        assert_int_equal(strncmp(why.text, "fuzz:", 5), 0);
        return false;
    }
    use(report);
    json_decref(report);
    return true;
}

static void a_report_is_read_or_refused(void **state)
{
    (void)state;
    static char text[FILE_MOST];
    long good = 0;
    assert_true(try(begin, sizeof begin - 1));
    for (long i = 0; i < rounds; i++) {
        memcpy(text, begin, sizeof begin - 1);
        size_t changed =
            mutate(&seed, text, sizeof begin - 1, FILE_MOST, pieces, sizeof pieces / sizeof *pieces);
        good += try(text, changed);
        try(text, random_below(&seed, changed + 1)); /* and cut off somewhere */
    }
    assert_true(rounds < 100 || (good > rounds / 20 && good < rounds)); /* some of both kinds */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_report_is_read_or_refused)};
    if (getenv("STARTUNE_FUZZ") != NULL)
        rounds = strtol(getenv("STARTUNE_FUZZ"), NULL, 10);
    if (getenv("STARTUNE_FUZZ_SEED") != NULL)
        seed = strtoull(getenv("STARTUNE_FUZZ_SEED"), NULL, 10) | 1;
    print_message("seed %llu, %ld rounds\n", (unsigned long long)seed, rounds);
    return cmocka_run_group_tests(tests, NULL, NULL);
}

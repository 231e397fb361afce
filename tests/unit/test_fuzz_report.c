/* SPDX-License-Identifier: BSD-3-Clause
 * Mutated reports: each is refused with a reason, or accepted, and then explained, grouped and made a page
 * (tests/fuzz/report.c). fuzz.h says how. */
#include "../fuzz/targets.h"
#include "fuzz.h"
#include "reports.h"

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

static void a_report_is_read_or_refused(void **state)
{
    (void)state;
    assert_true(fuzz_read(fuzz_report, begin, sizeof begin - 1));
    fuzz(fuzz_report, begin, sizeof begin - 1, pieces, sizeof pieces / sizeof *pieces, rounds, 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_report_is_read_or_refused)};
    rounds = fuzz_rounds(4000);
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause
 * What a long command says where standard error is no terminal. */
#include "common/progress.h"
#include "util/clock.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

static const int64_t second = 1000000000;

static void a_line_comes_every_ten_seconds(void **state)
{
    (void)state;
    char text[400] = "";
    FILE *kept = tmpfile();
    assert_non_null(kept);
    int before = dup(STDERR_FILENO);
    dup2(fileno(kept), STDERR_FILENO);
    cli_progress("", 0.1, star_now() - 9 * second); /* too early */
    cli_progress("streams", 0.25, star_now() - 20 * second);
    cli_progress("streams", 0.26, star_now() - 20 * second); /* too soon after that */
    cli_progress_end();
    dup2(before, STDERR_FILENO);
    close(before);
    rewind(kept);
    size_t length = fread(text, 1, sizeof text - 1, kept);
    fclose(kept);
    assert_int_equal(length, strlen(text));
    assert_string_equal(text, "startune: streams: 25 % done, about 60 s left\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_line_comes_every_ten_seconds)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

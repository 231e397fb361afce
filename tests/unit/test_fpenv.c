/* SPDX-License-Identifier: BSD-3-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "support/environment.h"
#include "util/fpenv.h"
#include "util/seconds.h"

#include <fenv.h>
#include <float.h>
#include <math.h>

static const char *const environments[] = {"", "invalid,divide,overflow,underflow,inexact", "up",
                                           "down,flush", "invalid,zero,flush"};
enum { ENVIRONMENTS = sizeof environments / sizeof *environments };

/* What no compiler works out beforehand. */
static volatile double one = 1, three = 3, nothing = 0, least = DBL_MIN;

static void expect_default(void)
{
    const struct environment usual = {0, FE_TONEAREST, false};
    assert_true(environment_is(&usual));
}

/* All exceptions that there are; the result is rounded to nearest. */
static double calculate(int depth)
{
    STAR_FPENV_DEFAULT;
    expect_default();
    if (depth > 0) {
        double inner = calculate(depth - 1);
        expect_default();
        return inner;
    }
    volatile double sink = one / nothing;
    sink = sqrt(-one);
    sink = DBL_MAX * three;
    sink = least * least;
    (void)sink;
    return one / three;
}

static void the_program_finds_its_environment_again(void **state)
{
    (void)state;
    double third = one / three;
    for (int i = 0; i < ENVIRONMENTS; i++)
        for (int depth = 0; depth < 3; depth++)
            for (int pending = 0; pending < 2; pending++) {
                struct environment own = environment_of(environments[i]);
                environment_set(&own);
                int flags = pending && own.traps == 0 ? FE_DIVBYZERO | FE_INEXACT : 0;
                feraiseexcept(flags);
                double result = calculate(depth);
                bool same = environment_is(&own);
                int found = fetestexcept(FE_ALL_EXCEPT);
                fesetenv(FE_DFL_ENV);
                assert_true(same);
                assert_int_equal(found, flags);
                assert_true(result == third);
            }
}

/* As after a division by zero of long doubles, before the program lets such a thing trap. It does in the next
 * calculation with long doubles, which startune has none of. */
static void what_is_about_to_trap_does_not_trap_here(void **state)
{
    (void)state;
    volatile long double extended = 1, by = 0;
    extended = extended / by;
    feenableexcept(FE_DIVBYZERO);
    double seconds = star_seconds(1000000000);
    bool same = fetestexcept(FE_DIVBYZERO) != 0;
    fesetenv(FE_DFL_ENV);
    assert_true(same && seconds == 1);
}

static void times_are_the_same_however_the_program_rounds(void **state)
{
    (void)state;
    double usual = star_seconds(123456789);
    for (int i = 0; i < ENVIRONMENTS; i++) {
        struct environment own = environment_of(environments[i]);
        environment_set(&own);
        double seconds = star_seconds(123456789);
        fesetenv(FE_DFL_ENV);
        assert_true(seconds == usual);
    }
}

static void an_unknown_time_is_less_than_none(void **state)
{
    (void)state;
    assert_false(star_is_known(STAR_UNKNOWN_SECONDS));
    assert_true(star_is_known(0) && star_is_known(1e-9) && star_is_known(INFINITY));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_program_finds_its_environment_again),
                                       cmocka_unit_test(what_is_about_to_trap_does_not_trap_here),
                                       cmocka_unit_test(times_are_the_same_however_the_program_rounds),
                                       cmocka_unit_test(an_unknown_time_is_less_than_none)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

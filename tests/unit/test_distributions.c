/* SPDX-License-Identifier: BSD-3-Clause
 * Against the tables that textbooks print. */
#include "util/distributions.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static void close_to(double found, double expected, double off)
{
    if (!(fabs(found - expected) <= off))
        print_message("%.9g instead of %.9g\n", found, expected);
    assert_true(fabs(found - expected) <= off);
}

static void test_normal(void **state)
{
    (void)state;
    close_to(star_normal_above(0), 0.5, 1e-15);
    close_to(star_normal_above(1.959964), 0.025, 1e-8);
    close_to(star_normal_above(-1.644854), 0.95, 1e-7);
    close_to(star_normal_above(6), 9.865876e-10, 1e-15);
}

static void test_student(void **state)
{
    static const struct {
        double freedom, p, t;
    } table[] = {{1, 0.95, 6.314},   {1, 0.975, 12.706}, {2, 0.975, 4.303},   {3, 0.995, 5.841},
                 {5, 0.975, 2.571},  {10, 0.95, 1.812},  {10, 0.975, 2.228},  {30, 0.975, 2.042},
                 {30, 0.999, 3.385}, {60, 0.975, 2.000}, {120, 0.975, 1.980}, {1e9, 0.975, 1.960}};
    (void)state;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        close_to(star_student_quantile(table[i].p, table[i].freedom), table[i].t, 6e-4);
        close_to(star_student_below(table[i].t, table[i].freedom), table[i].p, 5e-5);
        close_to(star_student_below(-table[i].t, table[i].freedom), 1 - table[i].p, 5e-5);
    }
    close_to(star_student_below(1, 1), 0.75, 1e-14);                          /* Cauchy's */
    close_to(star_student_below(1.5, 2), 0.5 + 0.75 / sqrt(2 + 2.25), 1e-14); /* in closed form */
    close_to(star_student_below(0, 3.7), 0.5, 1e-15);
    close_to(star_student_below(INFINITY, 3), 1, 0);
}

/* Between whole degrees of freedom: the density, added up. */
static void test_student_of_parts(void **state)
{
    enum { STEPS = 200000 };
    static const double freedom[] = {1.5, 2.5, 7.25, 40.1}, t = 1.3;
    (void)state;
    for (size_t i = 0; i < sizeof freedom / sizeof *freedom; i++) {
        double v = freedom[i], sum = 0, front = exp(lgamma((v + 1) / 2) - lgamma(v / 2)) / sqrt(v * acos(-1));
        for (int k = 0; k < STEPS; k++) {
            double x = t * (k + 0.5) / STEPS;
            sum += front * pow(1 + x * x / v, -(v + 1) / 2) * t / STEPS;
        }
        close_to(star_student_below(t, v), 0.5 + sum, 1e-9);
    }
}

static void test_coins(void **state)
{
    (void)state;
    close_to(star_coins(2, 10), 45 / 1024.0, 1e-14);
    close_to(star_coins(0, 6), 1 / 64.0, 1e-15);
    double at_most = 0;
    for (int k = 0; k <= 39; k++)
        at_most += star_coins(k, 100);
    close_to(at_most, 0.0176001, 1e-7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_normal), cmocka_unit_test(test_student),
                                       cmocka_unit_test(test_student_of_parts), cmocka_unit_test(test_coins)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

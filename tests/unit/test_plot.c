/* SPDX-License-Identifier: BSD-3-Clause
 * Scales, colours and tables. */
#include "expect.h"
#include "plot/scale.h"
#include "plot/svg.h"
#include "plot/table.h"

#include <math.h>
#include <string.h>

static void expect_ticks(const struct star_scale *scale, const char *expected)
{
    struct star_text text = {0};
    for (int i = 0; i < scale->ticks; i++) {
        char label[32];
        star_text_add(&text, "%s%s", i ? " | " : "", star_scale_label(scale, i, label, sizeof label));
    }
    assert_string_equal(text.bytes, expected);
    star_text_free(&text);
}

static void ticks_stand_at_round_numbers(void **state)
{
    (void)state;
    static const struct {
        enum star_scaling scaling;
        enum star_unit unit;
        double least, most;
        const char *ticks;
    } cases[] = {{STAR_EVEN, STAR_PLAIN, 0, 93, "0 | 20 | 40 | 60 | 80 | 100"},
                 {STAR_EVEN, STAR_PLAIN, 0, 0, "0 | 0.2 | 0.4 | 0.6 | 0.8 | 1"},
                 {STAR_EVEN, STAR_IN_SECONDS, 0, 0.0123, "0 ms | 5 ms | 10 ms | 15 ms"}, /* one unit */
                 {STAR_DECADES, STAR_PLAIN, 0.1, 3000, "0.1 | 1 | 10 | 100 | 1000"},
                 {STAR_DECADES, STAR_PLAIN, 10, 5000000, "10 | 100 | 1000 | 10000 | 100k | 1M"},
                 {STAR_DECADES, STAR_IN_SECONDS, 3e-6, 4e-5, "2 us | 5 us | 10 us | 20 us | 50 us"},
                 {STAR_OCTAVES, STAR_IN_BYTES, 1, 1 << 20,
                  "1 | 4 | 16 | 64 | 256 | 1 KB | 4 KB | 16 KB | 64 KB | 256 KB | 1 MB"},
                 {STAR_OCTAVES, STAR_PLAIN, 2, 12, "2 | 4 | 8 | 16"},
                 {STAR_OCTAVES, STAR_IN_BYTES, 1, 2e9, "1 | 32 | 1 KB | 32 KB | 1 MB | 32 MB | 1 GB"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct star_scale scale =
            star_scale_make(cases[i].scaling, cases[i].unit, cases[i].least, cases[i].most, 0, 600);
        expect_ticks(&scale, cases[i].ticks);
    }
}

static void logarithmic_scales_are_that(void **state)
{
    (void)state;
    struct star_scale scale = star_scale_make(STAR_DECADES, STAR_PLAIN, 1, 1000, 0, 300);
    assert_float_equal(star_scale_at(&scale, 1), 0, 1e-9);
    assert_float_equal(star_scale_at(&scale, 10), 100, 1e-9);
    assert_float_equal(star_scale_at(&scale, 1000), 300, 1e-9);
    assert_float_equal(star_scale_at(&scale, 0), 0, 1e-9); /* nothing stands outside */
    assert_float_equal(star_scale_at(&scale, 1e9), 300, 1e-9);
    assert_float_equal(star_scale_at(&scale, NAN), 0, 1e-9);
}

static void native_is_grey_and_colours_differ(void **state)
{
    (void)state;
    const char *grey = star_colour(0);
    assert_true(grey[1] == 'a' && grey[3] == 'a' && grey[5] == 'a');
    for (int i = 0; i <= 24; i++)
        for (int j = 0; j < i; j++)
            assert_string_not_equal(star_colour(i), star_colour(j));
}

static void fill(struct star_table *table)
{
    static const double times[] = {0.00123, 0.0456, NAN, 2};
    for (int i = 0; i < 4; i++) {
        star_table_words(table, "%s", i == 1 ? "a\nµ" : "b");
        star_table_numbers(table, times[i]);
    }
    star_table_mark(table, '*');
}

static void times_of_a_column_have_one_unit(void **state)
{
    (void)state;
    static const struct star_column columns[] = {{"name", "name", STAR_AS_WORDS},
                                                 {"time", "time", STAR_AS_TIMES}};
    struct star_table table = STAR_TABLE_OF(columns);
    struct star_text text = {0};
    star_table_write(&table, &text);
    assert_int_equal(text.length, 0); /* it has no rows */
    fill(&table);
    star_table_write(&table, &text);
    assert_string_equal(text.bytes, "name      time\n"
                                    "            ms\n"
                                    "b         1.23\n"
                                    "a?µ      45.60\n"
                                    "b            ?\n"
                                    "b     2000.00*\n");
    text.length = 0;
    fill(&table);
    star_table_html(&table, "times", "row", NULL, &text);
    assert_non_null(strstr(text.bytes, "<th scope=\"col\" class=\"number\">time, ms</th>"));
    assert_non_null(strstr(text.bytes, "<tr data-row=\"3\"><td data-key=\"name\">b</td>"));
    assert_non_null(strstr(text.bytes, "data-value=\"0.00123\">1.23</td>"));
    star_text_free(&text);
}

/* Signed ones, and what stands behind them, have a unit of their own; of too small numbers no sign is left.
 */
static void columns_of_times_side_by_side_have_one_unit(void **state)
{
    (void)state;
    static const struct star_column columns[] = {
        {"mean", "mean", STAR_AS_TIMES},          {"least", "least", STAR_AS_TIMES},
        {"saved", "saved", STAR_AS_SIGNED_TIMES}, {"error", "±", STAR_AS_TIMES},
        {"share", "share", STAR_AS_SHARES},       {"fine", "fine", STAR_AS_FINE_SHARES},
        {"ratio", "ratio", STAR_AS_RATIOS}};
    struct star_table table = STAR_TABLE_OF(columns);
    struct star_text text = {0};
    static const double row[] = {0.002, 5e-5, 3, -0.25, -0.0001, 0.0123, 1.5};
    for (int i = 0; i < 7; i++)
        star_table_numbers(&table, row[i]);
    star_table_write(&table, &text);
    assert_string_equal(text.bytes, "  mean  least  saved     ±  share    fine  ratio\n"
                                    "    us     us     ms    ms\n"
                                    "2000.0   50.0  +3000  -250  0.0 %  1.23 %   1.50\n");
    star_text_free(&text);
}

static void words_are_escaped(void **state)
{
    (void)state;
    struct star_text text = {0};
    star_text_escaped(&text, "<a href=\"x\">&");
    assert_string_equal(text.bytes, "&lt;a href=&quot;x&quot;&gt;&amp;");
    star_text_free(&text);
    /* XML has no control characters, and is UTF-8 */
    star_text_escaped(&text, "\033[1m\177 \303\244\344\t\342\202");
    assert_string_equal(text.bytes,
                        "\357\277\275[1m\357\277\275 \303\244\357\277\275\t\357\277\275\357\277\275");
    star_text_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(ticks_stand_at_round_numbers),
                                       cmocka_unit_test(logarithmic_scales_are_that),
                                       cmocka_unit_test(native_is_grey_and_colours_differ),
                                       cmocka_unit_test(times_of_a_column_have_one_unit),
                                       cmocka_unit_test(columns_of_times_side_by_side_have_one_unit),
                                       cmocka_unit_test(words_are_escaped)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

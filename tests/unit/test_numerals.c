/* SPDX-License-Identifier: BSD-3-Clause
 * The program around the library may have chosen a language with a decimal comma. Skipped where there is
 * none. */
#include "expect.h"
#include "util/parse.h"
#include "util/settings.h"
#include "util/text.h"

#include <locale.h>
#include <stdio.h>

static void the_language_has_a_comma(void **state)
{
    (void)state;
    char number[16];
    snprintf(number, sizeof number, "%.1f", 0.5);
    assert_string_equal(number, "0,5");
}

static void json_has_points(void **state)
{
    (void)state;
    struct star_text text = {0};
    star_json_open(&text, NULL, '{');
    star_json_number(&text, "seconds", 0.03125);
    star_json_close(&text, '}');
    assert_string_equal(text.bytes, "{\"seconds\": 0.03125}");
    star_text_free(&text);
    star_text_number(&text, 0.1);
    assert_string_equal(text.bytes, "0.1");
    star_text_free(&text);
    for (int i = 0; i < 400; i++) /* past the room that there is at first */
        star_text_add(&text, "%.1f", 0.5);
    assert_int_equal(text.length, 1200);
    assert_null(strchr(text.bytes, ','));
    star_text_free(&text);
}

static void times_and_settings_have_points(void **state)
{
    (void)state;
    char text[STAR_SETTING_TEXT];
    struct star_settings settings;
    star_settings_preset(&settings);
    assert_string_equal(star_format_seconds(1.25e-3, text, sizeof text), "1.25 ms");
    assert_int_equal(star_settings_set(&settings, "budget", "2.5%", NULL), 0);
    assert_string_equal(star_setting_format(&settings, star_setting_find("budget"), text, sizeof text),
                        "2.5%");
}

static void numbers_are_read_with_points(void **state)
{
    (void)state;
    double value = 0;
    assert_true(star_parse_number("0.25", &value));
    assert_true(value == 0.25);
    assert_false(star_parse_number("0,25", &value));
}

static void the_program_keeps_its_language(void **state)
{
    (void)state;
    char number[16];
    struct star_text text = {0};
    double value;
    star_text_number(&text, 0.5);
    star_text_add(&text, "%.1f", 0.5);
    star_text_free(&text);
    assert_true(star_parse_number("0.5", &value));
    snprintf(number, sizeof number, "%.1f", value);
    assert_string_equal(number, "0,5");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_language_has_a_comma),       cmocka_unit_test(json_has_points),
        cmocka_unit_test(times_and_settings_have_points), cmocka_unit_test(numbers_are_read_with_points),
        cmocka_unit_test(the_program_keeps_its_language),
    };
    if (setlocale(LC_ALL, "de_DE.UTF-8") == NULL) {
        puts("skipped: there is no language with a decimal comma");
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}

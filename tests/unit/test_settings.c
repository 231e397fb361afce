/* SPDX-License-Identifier: BSD-3-Clause
 * Settings: the table, its values, and one line for each mistake. */
#include "expect.h"
#include "util/settings.h"
#include "util/why.h"

#include <math.h>
#include <stdio.h>

static struct star_settings presets(void)
{
    struct star_settings settings;
    star_settings_preset(&settings);
    return settings;
}

static void every_preset_is_a_valid_value(void **state)
{
    (void)state;
    for (int i = 0; i < star_setting_count; i++) {
        struct star_settings settings = presets();
        struct star_why why = {{0}};
        if (star_settings_set(&settings, star_setting_table[i].name, star_setting_table[i].preset, &why))
            fail_msg("the preset of %s: %s", star_setting_table[i].name, why.text);
    }
}

static void setting_all_presets_changes_nothing(void **state)
{
    (void)state;
    struct star_settings settings = presets(), again = presets();
    for (int i = 0; i < star_setting_count; i++)
        star_settings_set(&again, star_setting_table[i].name, star_setting_table[i].preset, NULL);
    assert_memory_equal(&settings, &again, sizeof settings);
}

static void presets_are_the_documented_ones(void **state)
{
    (void)state;
    struct star_settings s = presets();
    assert_int_equal(s.on, 0);
    assert_int_equal(s.strategy, 2);  /* race */
    assert_int_equal(s.estimator, 2); /* auto */
    assert_true(fabs(s.budget - 0.05) < 1e-12);
    assert_int_equal(s.iter, 10);
    assert_int_equal(s.delta, 2);
    assert_true(fabs(s.epsilon - 0.1) < 1e-12);
    assert_int_equal(s.memory, 256 << 20);
    assert_string_equal(s.force, "");
    assert_string_equal(s.methods, "");
}

static void the_table_has_unique_names_and_help_for_each(void **state)
{
    (void)state;
    assert_true(star_setting_count <= STAR_SETTINGS_MAX);
    for (int i = 0; i < star_setting_count; i++) {
        const struct star_setting *row = &star_setting_table[i];
        assert_ptr_equal(star_setting_find(row->name), row);
        assert_true(row->help != NULL && row->help[0] != 0);
        assert_true(row->argument != NULL && row->argument[0] != 0);
        assert_int_equal(strspn(row->name, "abcdefghijklmnopqrstuvwxyz-"), strlen(row->name));
        if (row->kind == STAR_CHOICE)
            assert_non_null(row->choices);
    }
    assert_null(star_setting_find("no-such-setting"));
    assert_null(star_setting_find(""));
}

static void bad_values_are_refused_in_one_line(void **state)
{
    (void)state;
    static const struct {
        const char *name, *value;
    } bad[] = {
        {"on", "maybe"},       {"on", ""},
        {"on", "ON "},         {"sites", "2"},
        {"summary", "o"},      {"strategy", "best"},
        {"strategy", ""},      {"strategy", "exhaustive|grouped"},
        {"strategy", "group"}, {"estimator", "min"},
        {"iter", "0"},         {"iter", "-1"},
        {"iter", "ten"},       {"iter", ""},
        {"iter", "1.5"},       {"iter", "1000000000"},
        {"warmup", "-1"},      {"delta", "0"},
        {"delta-most", "0"},   {"epsilon", "-1%"},
        {"epsilon", "nan"},    {"epsilon", "inf"},
        {"epsilon", "much"},   {"sizes", "0"},
        {"memory", "-1"},      {"memory", "64Q"},
        {"memory", "lots"},    {"memory", "99999999999G"},
        {"tune-after", "-1"},  {"communicators", "-5"},
        {"tune-after", "aut"}, {"iter", "auto"},
        {"confidence", "0"},   {"effect", "101%"},
        {"mpi", "lam"},        {"mpi", ""},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct star_settings settings = presets(), before = settings;
        struct star_why why = {{0}};
        if (star_settings_set(&settings, bad[i].name, bad[i].value, &why) != STAR_EINPUT)
            fail_msg("%s = '%s' was taken", bad[i].name, bad[i].value);
        expect_reason(&why, bad[i].name);
        expect_reason(&why, bad[i].value);
        assert_memory_equal(&settings, &before, sizeof settings);
        assert_int_equal(star_settings_set(&settings, bad[i].name, bad[i].value, NULL), STAR_EINPUT);
    }
}

static void a_bad_choice_is_told_the_good_ones(void **state)
{
    (void)state;
    struct star_settings settings = presets();
    struct star_why why;
    star_settings_set(&settings, "strategy", "exhaustiv", &why);
    expect_reason(&why, "exhaustive");
    expect_reason(&why, "grouped");
}

static void a_value_with_a_line_break_still_gives_one_line(void **state)
{
    (void)state;
    struct star_settings settings = presets();
    struct star_why why;
    assert_int_equal(star_settings_set(&settings, "iter", "5\n6", &why), STAR_EINPUT);
    expect_reason(&why, "iter");
}

static void limits_themselves_are_good(void **state)
{
    (void)state;
    for (int i = 0; i < star_setting_count; i++) {
        const struct star_setting *row = &star_setting_table[i];
        if (row->kind != STAR_COUNT && row->kind != STAR_BYTES)
            continue;
        struct star_settings settings = presets();
        char least[40], most[40], under[40], over[40];
        snprintf(least, sizeof least, "%.0f", row->least);
        snprintf(most, sizeof most, "%.0f", row->most);
        snprintf(under, sizeof under, "%.0f", row->least - 1);
        snprintf(over, sizeof over, "%lld", (long long)row->most + 1000);
        assert_int_equal(star_settings_set(&settings, row->name, least, NULL), 0);
        assert_int_equal(star_settings_set(&settings, row->name, most, NULL), 0);
        assert_int_equal(star_settings_set(&settings, row->name, under, NULL), STAR_EINPUT);
        assert_int_equal(star_settings_set(&settings, row->name, over, NULL), STAR_EINPUT);
    }
}

static void an_unknown_name_is_told_the_nearest(void **state)
{
    (void)state;
    struct star_settings settings = presets();
    struct star_why why;
    assert_int_equal(star_settings_set(&settings, "strategie", "grouped", &why), STAR_EINPUT);
    expect_reason(&why, "strategie");
    expect_reason(&why, "'strategy'");
    assert_int_equal(star_settings_set(&settings, "delta_most", "4", &why), STAR_EINPUT);
    expect_reason(&why, "delta-most");
    assert_int_equal(star_settings_set(&settings, "qqqqqqqqqqqqqq", "4", &why), STAR_EINPUT);
    expect_reason(&why, "qqqqqqqqqqqqqq");
    assert_int_equal(star_settings_set(&settings, "", "4", &why), STAR_EINPUT);
    expect_one_line(why.text);
}

static void words_as_long_as_the_room_are_kept_and_longer_ones_refused(void **state)
{
    (void)state;
    struct star_settings settings = presets();
    struct star_why why;
    char value[STAR_SETTING_TEXT + 1];
    memset(value, 'm', sizeof value);
    value[STAR_SETTING_TEXT] = 0;
    assert_int_equal(star_settings_set(&settings, "methods", value, &why), STAR_EINPUT);
    expect_reason(&why, "methods");
    value[STAR_SETTING_TEXT - 1] = 0;
    assert_int_equal(star_settings_set(&settings, "methods", value, NULL), 0);
    assert_string_equal(settings.methods, value);
}

static void switches_have_many_words(void **state)
{
    (void)state;
    static const char *const on[] = {"on", "ON", "yes", "Yes", "true", "TRUE", "1"}, *const off[] = {
                                                                                         "off",   "Off",
                                                                                         "no",    "NO",
                                                                                         "false", "False",
                                                                                         "0"};
    for (size_t i = 0; i < sizeof on / sizeof *on; i++) {
        struct star_settings settings = presets();
        assert_int_equal(star_settings_set(&settings, "sites", on[i], NULL), 0);
        assert_int_equal(settings.sites, 1);
        assert_int_equal(star_settings_set(&settings, "wisdom", off[i], NULL), 0);
        assert_string_equal(settings.wisdom, "off");
        assert_int_equal(star_settings_set(&settings, "wisdom", on[i], NULL), 0);
        assert_string_equal(settings.wisdom, "on");
        assert_int_equal(star_settings_set(&settings, "sites", off[i], NULL), 0);
        assert_int_equal(settings.sites, 0);
        assert_int_equal(star_settings_set(&settings, "predict", off[i], NULL), 0);
        assert_int_equal(settings.predict, STAR_PREDICT_OFF);
        if (star_settings_set(&settings, "predict", on[i], NULL) == 0)
            fail_msg("predict has no value that %s could be", on[i]);
        assert_int_equal(star_settings_set(&settings, "map", on[i], NULL), 0);
        assert_string_equal(settings.map, on[i]); /* a file of that name */
    }
}

static void expect_reads_back(const char *name, const char *value)
{
    struct star_settings settings = presets(), again = presets();
    char text[STAR_SETTING_TEXT + 40];
    const struct star_setting *setting = star_setting_find(name);
    assert_int_equal(star_settings_set(&settings, name, value, NULL), 0);
    star_setting_format(&settings, setting, text, sizeof text);
    if (star_settings_set(&again, name, text, NULL) != 0)
        fail_msg("%s = '%s' is shown as '%s', which is refused", name, value, text);
    again.epsilon = fabs(again.epsilon - settings.epsilon) < 1e-9 ? settings.epsilon : again.epsilon;
    assert_memory_equal(&settings, &again, sizeof settings);
}

static void shown_values_read_back(void **state)
{
    (void)state;
    static const char *const values[][2] = {
        {"on", "on"},
        {"on", "off"},
        {"sites", "on"},
        {"summary", "off"},
        {"strategy", "exhaustive"},
        {"strategy", "grouped"},
        {"strategy", "hypothesis"},
        {"strategy", "factorial"},
        {"strategy", "halving"},
        {"confidence", "3"},
        {"estimator", "max-of-filtered-mean"},
        {"iter", "1"},
        {"iter", "100000"},
        {"delta-most", "1000000"},
        {"epsilon", "0"},
        {"epsilon", "33.3%"},
        {"epsilon", "0.123"},
        {"epsilon", "100"},
        {"epsilon", "1e-6"},
        {"memory", "0"},
        {"memory", "1000"},
        {"memory", "1G"},
        {"memory", "65537"},
        {"mpi", "openmpi"},
        {"mpi", "auto"},
        {"report", "/a b/c=d.json"},
        {"force", "alltoall:ring"},
        {"tune-after", "2147483647"},
        {"tune-after", "auto"},
    };
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        expect_reads_back(values[i][0], values[i][1]);
}

static void origins_are_replaced_and_freed(void **state)
{
    (void)state;
    struct star_origins origins = {{0}};
    star_origin_set(&origins, "iter", "environment");
    star_origin_set(&origins, "iter", "option");
    assert_string_equal(origins.of[star_setting_find("iter") - star_setting_table], "option");
    star_origins_free(&origins);
    assert_null(origins.of[star_setting_find("iter") - star_setting_table]);
    star_origins_free(&origins);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_preset_is_a_valid_value),
        cmocka_unit_test(setting_all_presets_changes_nothing),
        cmocka_unit_test(presets_are_the_documented_ones),
        cmocka_unit_test(the_table_has_unique_names_and_help_for_each),
        cmocka_unit_test(bad_values_are_refused_in_one_line),
        cmocka_unit_test(a_bad_choice_is_told_the_good_ones),
        cmocka_unit_test(a_value_with_a_line_break_still_gives_one_line),
        cmocka_unit_test(limits_themselves_are_good),
        cmocka_unit_test(an_unknown_name_is_told_the_nearest),
        cmocka_unit_test(words_as_long_as_the_room_are_kept_and_longer_ones_refused),
        cmocka_unit_test(switches_have_many_words),
        cmocka_unit_test(shown_values_read_back),
        cmocka_unit_test(origins_are_replaced_and_freed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

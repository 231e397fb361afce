/* SPDX-License-Identifier: BSD-3-Clause
 * Settings: one name, three places to give it, and one line for each mistake. */
#include "expect.h"
#include "util/settings.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

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

static void the_last_value_given_is_in_force(void **state)
{
    (void)state;
    struct star_settings settings = presets();
    static const char file[] = "iter = 4\ndelta = 8\nstrategy = exhaustive\n";
    char *environment[] = {"STARTUNE_ITER=5", "STARTUNE_STRATEGY=grouped", NULL};
    assert_int_equal(star_settings_read_text(&settings, "f", file, strlen(file), NULL, NULL), 0);
    assert_int_equal(settings.iter, 4);
    assert_int_equal(settings.strategy, 0);
    assert_int_equal(star_settings_read_environment(&settings, environment, NULL, NULL), 0);
    assert_int_equal(settings.iter, 5);
    assert_int_equal(settings.strategy, 1);
    assert_int_equal(star_settings_set(&settings, "iter", "6", NULL), 0);
    assert_int_equal(settings.iter, 6);
    assert_int_equal(settings.delta, 8);
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
    char *environment[] = {"STARTUNE_A\nB=1", NULL};
    assert_int_equal(star_settings_read_environment(&settings, environment, NULL, &why), STAR_EINPUT);
    expect_one_line(why.text);
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

static void files_hold_lines_comments_and_blanks(void **state)
{
    (void)state;
    struct star_settings settings = presets();
    struct star_why why = {{0}};
    static const char text[] = "# a comment\n"
                               "\n"
                               "   \t \n"
                               "iter=3\n"
                               "  delta  =  4   # four\n"
                               "epsilon = 25%\r\n"
                               "methods = alltoall:ring alltoall:pair,sync=light\n"
                               "memory = 64K"; /* no end of line */
    int error = star_settings_read_text(&settings, "f", text, strlen(text), NULL, &why);
    assert_string_equal(why.text, "");
    assert_int_equal(error, 0);
    assert_int_equal(settings.iter, 3);
    assert_int_equal(settings.delta, 4);
    assert_true(fabs(settings.epsilon - 0.25) < 1e-12);
    assert_string_equal(settings.methods, "alltoall:ring alltoall:pair,sync=light");
    assert_int_equal(settings.memory, 65536);
}

static void only_the_given_length_of_a_text_is_read(void **state)
{
    (void)state;
    struct star_settings settings = presets();
    static const char text[] = {'i', 't', 'e', 'r', '=', '3', '9'};
    assert_int_equal(star_settings_read_text(&settings, "f", text, 6, NULL, NULL), 0);
    assert_int_equal(settings.iter, 3);
    assert_int_equal(star_settings_read_text(&settings, "f", text, 0, NULL, NULL), 0);
}

static void mistakes_in_files_name_file_and_line(void **state)
{
    (void)state;
    static const struct {
        const char *text, *line, *word;
    } bad[] = {
        {"iter = 0\n", "tune.conf:1:", "iter"},
        {"# one\n\niter = 5\ndelta = x\n", "tune.conf:4:", "delta"},
        {"iter = 5\nstrategi = grouped", "tune.conf:2:", "'strategy'"},
        {"iter = 5\niter\n", "tune.conf:2:", "iter"},
        {"\n\n= 5\n", "tune.conf:3:", ""},
        {"iter = 5 6\n", "tune.conf:1:", "5 6"},
        {"\r\n\r\niter 5\r\n", "tune.conf:3:", "iter 5"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct star_settings settings = presets();
        struct star_why why = {{0}};
        int error =
            star_settings_read_text(&settings, "tune.conf", bad[i].text, strlen(bad[i].text), NULL, &why);
        assert_int_equal(error, STAR_EINPUT);
        expect_reason(&why, bad[i].line);
        expect_reason(&why, bad[i].word);
    }
}

static void binary_and_endless_lines_are_refused_with_their_line(void **state)
{
    (void)state;
    struct star_settings settings = presets();
    struct star_why why;
    assert_int_equal(star_settings_read_text(&settings, "f", "iter=3\nit\0er=4\n", 15, NULL, &why),
                     STAR_EINPUT);
    expect_reason(&why, "f:2:");
    static char endless[100000];
    memset(endless, 'x', sizeof endless);
    assert_int_equal(star_settings_read_text(&settings, "f", endless, sizeof endless, NULL, &why),
                     STAR_EINPUT);
    expect_reason(&why, "f:1:");
}

static void files_are_read_from_disk(void **state)
{
    (void)state;
    char path[] = "/tmp/startune-settings-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    static const char text[] = "iter = 7\nsites = on\n";
    assert_int_equal(write(file, text, strlen(text)), strlen(text));
    close(file);
    struct star_settings settings = presets();
    struct star_origins origins = {{0}};
    assert_int_equal(star_settings_read_file(&settings, path, &origins, NULL), 0);
    assert_int_equal(settings.iter, 7);
    assert_int_equal(settings.sites, 1);
    const char *origin = origins.of[star_setting_find("sites") - star_setting_table];
    assert_non_null(strstr(origin, path));
    assert_non_null(strstr(origin, ":2"));
    star_origins_free(&origins);
    unlink(path);
}

static void a_file_that_cannot_be_read_is_named(void **state)
{
    (void)state;
    struct star_settings settings = presets();
    struct star_why why;
    assert_int_equal(star_settings_read_file(&settings, "/nonexistent/startune", NULL, &why), STAR_ESYSTEM);
    expect_reason(&why, "/nonexistent/startune");
    assert_int_equal(star_settings_read_file(&settings, "/", NULL, &why), STAR_ESYSTEM);
    expect_one_line(why.text);
}

static void the_environment_is_read(void **state)
{
    (void)state;
    struct star_settings settings = presets();
    struct star_origins origins = {{0}};
    char *environment[] = {"HOME=/root",
                           "STARTUNED=1",
                           "MY_STARTUNE_ITER=9",
                           "STARTUNE=on",
                           "STARTUNE_DELTA_MOST=64",
                           "STARTUNE_FORCE=alltoall:ring,sync=light",
                           "STARTUNE_EPSILON=0.2",
                           "PATH=/bin",
                           NULL};
    assert_int_equal(star_settings_read_environment(&settings, environment, &origins, NULL), 0);
    assert_int_equal(settings.on, 1);
    assert_int_equal(settings.delta_most, 64);
    assert_string_equal(settings.force, "alltoall:ring,sync=light");
    assert_true(fabs(settings.epsilon - 0.2) < 1e-12);
    assert_string_equal(origins.of[star_setting_find("force") - star_setting_table], "environment");
    assert_null(origins.of[star_setting_find("iter") - star_setting_table]);
    star_origins_free(&origins);
}

static void startune_alone_turns_it_on_and_off(void **state)
{
    (void)state;
    struct star_settings settings = presets();
    assert_int_equal(star_settings_read_environment(&settings, (char *[]){"STARTUNE=on", NULL}, NULL, NULL),
                     0);
    assert_int_equal(settings.on, 1);
    assert_int_equal(star_settings_read_environment(&settings, (char *[]){"STARTUNE=off", NULL}, NULL, NULL),
                     0);
    assert_int_equal(settings.on, 0);
}

static void mistakes_in_the_environment_are_errors(void **state)
{
    (void)state;
    static char *const bad[][2] = {
        {"STARTUNE_X=1", "STARTUNE_X"},
        {"STARTUNE_STRATEGI=grouped", "STARTUNE_STRATEGY"},
        {"STARTUNE_ON=on", "STARTUNE_ON"},
        {"STARTUNE_=1", "STARTUNE_"},
        {"STARTUNE_ITER=none", "iter"},
        {"STARTUNE_iter=5", "STARTUNE_iter"},
        {"STARTUNE_DELTA-MOST=5", "STARTUNE_DELTA_MOST"},
        {"STARTUNE=perhaps", "perhaps"},
        {"STARTUNE_ITER=", "iter"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct star_settings settings = presets();
        struct star_why why = {{0}};
        char *environment[] = {"HOME=/root", bad[i][0], NULL};
        if (star_settings_read_environment(&settings, environment, NULL, &why) != STAR_EINPUT)
            fail_msg("%s was taken", bad[i][0]);
        expect_reason(&why, bad[i][1]);
    }
}

static void every_setting_has_its_own_variable(void **state)
{
    (void)state;
    char variable[64];
    assert_string_equal(star_setting_variable(star_setting_find("on"), variable, sizeof variable),
                        "STARTUNE");
    assert_string_equal(star_setting_variable(star_setting_find("delta-most"), variable, sizeof variable),
                        "STARTUNE_DELTA_MOST");
    for (int i = 0; i < star_setting_count; i++) {
        char entry[2000], value[STAR_SETTING_TEXT + 40];
        struct star_settings settings = presets(), before = settings;
        star_setting_format(&settings, &star_setting_table[i], value, sizeof value);
        snprintf(entry, sizeof entry, "%s=%s",
                 star_setting_variable(&star_setting_table[i], variable, sizeof variable), value);
        assert_int_equal(star_settings_read_environment(&settings, (char *[]){entry, NULL}, NULL, NULL), 0);
        assert_memory_equal(&settings, &before, sizeof settings);
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
        cmocka_unit_test(the_last_value_given_is_in_force),
        cmocka_unit_test(bad_values_are_refused_in_one_line),
        cmocka_unit_test(a_bad_choice_is_told_the_good_ones),
        cmocka_unit_test(a_value_with_a_line_break_still_gives_one_line),
        cmocka_unit_test(limits_themselves_are_good),
        cmocka_unit_test(an_unknown_name_is_told_the_nearest),
        cmocka_unit_test(words_as_long_as_the_room_are_kept_and_longer_ones_refused),
        cmocka_unit_test(files_hold_lines_comments_and_blanks),
        cmocka_unit_test(only_the_given_length_of_a_text_is_read),
        cmocka_unit_test(mistakes_in_files_name_file_and_line),
        cmocka_unit_test(binary_and_endless_lines_are_refused_with_their_line),
        cmocka_unit_test(files_are_read_from_disk),
        cmocka_unit_test(a_file_that_cannot_be_read_is_named),
        cmocka_unit_test(the_environment_is_read),
        cmocka_unit_test(startune_alone_turns_it_on_and_off),
        cmocka_unit_test(mistakes_in_the_environment_are_errors),
        cmocka_unit_test(every_setting_has_its_own_variable),
        cmocka_unit_test(shown_values_read_back),
        cmocka_unit_test(origins_are_replaced_and_freed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause
 * Settings: read from files and from the environment; what is no setting is left out. */
#include "expect.h"
#include "util/settings.h"
#include "util/settings_read.h"
#include "util/why.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

static struct star_settings presets(void)
{
    struct star_settings settings;
    star_settings_preset(&settings);
    return settings;
}

/* What reading LENGTH bytes of TEXT finds, of the file NAME. */
static struct star_settings_reader read_part(struct star_settings *settings, const char *name,
                                             const char *text, size_t length)
{
    struct star_settings_reader reader = {.settings = settings};
    star_settings_read_text(&reader, name, text, length);
    return reader;
}

static struct star_settings_reader read_all(struct star_settings *settings, const char *text)
{
    return read_part(settings, "tune.conf", text, strlen(text));
}

static struct star_settings_reader read_variables(struct star_settings *settings, char *const *environment)
{
    struct star_settings_reader reader = {.settings = settings};
    star_settings_read_environment(&reader, environment);
    return reader;
}

static void expect_no_doubt(struct star_settings_reader reader)
{
    if (reader.malformed > 0 || reader.unknown > 0)
        fail_msg("%s%s", reader.why.text, reader.list);
}

static void the_last_value_given_is_in_force(void **state)
{
    (void)state;
    struct star_settings settings = presets();
    static const char file[] = "iter = 4\ndelta = 8\nstrategy = exhaustive\n";
    char *environment[] = {"STARTUNE_ITER=5", "STARTUNE_STRATEGY=grouped", NULL};
    expect_no_doubt(read_all(&settings, file));
    assert_int_equal(settings.iter, 4);
    assert_int_equal(settings.strategy, 0);
    expect_no_doubt(read_variables(&settings, environment));
    assert_int_equal(settings.iter, 5);
    assert_int_equal(settings.strategy, 1);
    assert_int_equal(star_settings_set(&settings, "iter", "6", NULL), 0);
    assert_int_equal(settings.iter, 6);
    assert_int_equal(settings.delta, 8);
}

static void files_hold_lines_comments_and_blanks(void **state)
{
    (void)state;
    struct star_settings settings = presets();
    static const char text[] = "\xef\xbb\xbf# a comment behind the mark that some editors write\n"
                               "\n"
                               "   \t \n"
                               "iter=3\n"
                               "  delta  =  4   # four\n"
                               "epsilon = 25%\r\n"
                               "methods = alltoall:ring alltoall:pair,sync=light\n"
                               "memory = 64K"; /* no end of line */
    expect_no_doubt(read_all(&settings, text));
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
    expect_no_doubt(read_part(&settings, "f", text, 6));
    assert_int_equal(settings.iter, 3);
    expect_no_doubt(read_part(&settings, "f", text, 0));
}

static void mistakes_in_files_name_file_and_line(void **state)
{
    (void)state;
    static const struct {
        const char *text, *line, *word;
    } bad[] = {
        {"iter = 0\n", "tune.conf:1:", "iter"},
        {"# one\n\niter = 5\ndelta = x\n", "tune.conf:4:", "delta"},
        {"iter = 5\niter\n", "tune.conf:2:", "iter"},
        {"\n\n= 5\n", "tune.conf:3:", "name = value"},
        {"iter = 5 6\n", "tune.conf:1:", "5 6"},
        {"\r\n\r\niter 5\r\n", "tune.conf:3:", "iter 5"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct star_settings settings = presets();
        struct star_settings_reader reader = read_all(&settings, bad[i].text);
        assert_int_equal(reader.malformed, 1);
        assert_int_equal(reader.unknown, 0);
        expect_reason(&reader.why, bad[i].line);
        expect_reason(&reader.why, bad[i].word);
    }
}

static void binary_and_endless_lines_are_refused_with_their_line(void **state)
{
    (void)state;
    struct star_settings settings = presets();
    static const char binary[] = "iter=3\nit\0er=4\nitre=5\nfoo\n";
    struct star_settings_reader reader = read_part(&settings, "f", binary, sizeof binary - 1);
    expect_reason(&reader.why, "f:2:");
    assert_int_equal(reader.malformed + reader.unknown, 1); /* what follows is no text either */
    static char endless[100000];
    memset(endless, 'x', sizeof endless);
    reader = read_part(&settings, "f", endless, sizeof endless);
    expect_reason(&reader.why, "f:1:");
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
    struct star_settings_reader reader = {.settings = &settings, .origins = &origins};
    assert_int_equal(star_settings_read_file(&reader, path, NULL), 0);
    expect_no_doubt(reader);
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
    struct star_settings_reader reader = {.settings = &settings};
    struct star_why why;
    assert_int_equal(star_settings_read_file(&reader, "/nonexistent/startune", &why), STAR_ESYSTEM);
    expect_reason(&why, "/nonexistent/startune");
    assert_int_equal(star_settings_read_file(&reader, "/", &why), STAR_ESYSTEM);
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
    struct star_settings_reader reader = {.settings = &settings, .origins = &origins};
    star_settings_read_environment(&reader, environment);
    expect_no_doubt(reader);
    assert_int_equal(settings.on, 1);
    assert_int_equal(settings.delta_most, 64);
    assert_string_equal(settings.force, "alltoall:ring,sync=light");
    assert_true(fabs(settings.epsilon - 0.2) < 1e-12);
    assert_string_equal(origins.of[star_setting_find("force") - star_setting_table], "environment");
    assert_null(origins.of[star_setting_find("iter") - star_setting_table]);
    star_origins_free(&origins);
}

static void no_environment_at_all_sets_nothing(void **state)
{
    (void)state;
    struct star_settings settings = presets();
    expect_no_doubt(read_variables(&settings, NULL));
}

static void startune_alone_turns_it_on_and_off(void **state)
{
    (void)state;
    struct star_settings settings = presets();
    expect_no_doubt(read_variables(&settings, (char *[]){"STARTUNE=on", NULL}));
    assert_int_equal(settings.on, 1);
    expect_no_doubt(read_variables(&settings, (char *[]){"STARTUNE=off", NULL}));
    assert_int_equal(settings.on, 0);
}

static void malformed_variables_are_named_and_the_rest_is_read(void **state)
{
    (void)state;
    static char *const bad[][2] = {{"STARTUNE_ITER=none", "iter"},
                                   {"STARTUNE=perhaps", "perhaps"},
                                   {"STARTUNE_ITER=", "iter"},
                                   {"STARTUNE_SITES=2", "sites"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct star_settings settings = presets();
        struct star_settings_reader reader =
            read_variables(&settings, (char *[]){"HOME=/root", bad[i][0], "STARTUNE_DELTA=9", NULL});
        assert_int_equal(reader.malformed, 1);
        expect_reason(&reader.why, "environment: ");
        expect_reason(&reader.why, bad[i][1]);
        assert_int_equal(settings.delta, 9);
        assert_int_equal(settings.iter, 10);
    }
}

/* Module files set STARTUNE_ROOT, and the program did not run. */
static void unknown_names_are_listed_and_the_rest_is_read(void **state)
{
    (void)state;
    static char *const unknown[][2] = {
        {"STARTUNE_ROOT=/opt/startune", "STARTUNE_ROOT"},
        {"STARTUNE_X=1", "STARTUNE_X"},
        {"STARTUNE_STRATEGI=grouped", "STARTUNE_STRATEGI (did you mean STARTUNE_STRATEGY?)"},
        {"STARTUNE_A\nB=1", "STARTUNE_A?B"},
        {"STARTUNE_ON=on", "STARTUNE_ON"},
        {"STARTUNE_=1", "STARTUNE_"},
        {"STARTUNE_iter=5", "STARTUNE_iter"},
        {"STARTUNE_DELTA-MOST=5", "STARTUNE_DELTA-MOST (did you mean STARTUNE_DELTA_MOST?)"},
    };
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
        struct star_settings settings = presets();
        struct star_settings_reader reader =
            read_variables(&settings, (char *[]){unknown[i][0], "STARTUNE_DELTA=9", NULL});
        assert_int_equal(reader.malformed, 0);
        assert_int_equal(reader.unknown, 1);
        assert_int_equal(strncmp(reader.list, unknown[i][1], strlen(unknown[i][1])), 0);
        assert_int_equal(settings.delta, 9);
    }
    struct star_settings settings = presets();
    struct star_settings_reader reader = read_all(&settings, "itr = 5\nnodes=none\nfoo bar = 3\ndelta = 9\n");
    assert_string_equal(reader.list, "itr in tune.conf:1 (did you mean iter?), foo bar in tune.conf:3");
    assert_int_equal(reader.malformed, 0);
    assert_int_equal(settings.delta, 9);
}

static void a_long_list_of_unknown_names_ends_with_their_number(void **state)
{
    (void)state;
    struct star_settings settings = presets();
    struct star_settings_reader reader = {.settings = &settings};
    static const char text[] = "a = 1\nzzzzzzzzzzzzzzzzzzzz = 2\n";
    char list[sizeof reader.list + 32], end[40];
    for (int i = 0; i < 1000; i++)
        star_settings_read_text(&reader, "f", text, strlen(text));
    assert_int_equal(reader.unknown, 2000);
    star_settings_unknown(&reader, list, sizeof list);
    snprintf(end, sizeof end, ", and %d more", 2000 - reader.listed);
    assert_string_equal(list + strlen(list) - strlen(end), end);
    assert_true(reader.listed > 5);
}

static char told[400];

static void tell(const struct star_setting_doubt *doubt, void *context)
{
    assert_string_equal(context, "context");
    snprintf(told + strlen(told), sizeof told - strlen(told), "%d %s %s %s|", doubt->unknown, doubt->place,
             doubt->name, doubt->value);
    expect_one_line(doubt->reason);
    assert_int_equal(strncmp(doubt->reason, doubt->place, strlen(doubt->place)), 0);
}

static int refuse_methods(const char *name, const char *value, struct star_why *why)
{
    return strcmp(name, "methods") ? 0 : star_because(why, STAR_EINPUT, "no method is called %s", value);
}

static void each_doubt_is_told_and_further_checks_count(void **state)
{
    (void)state;
    struct star_settings settings = presets();
    struct star_settings_reader reader = {
        .settings = &settings, .check = refuse_methods, .doubt = tell, .context = "context"};
    static const char text[] = "methods = none\nitr = 5\nfoo\nforce = alltoall:ring\n";
    star_settings_read_text(&reader, "f", text, strlen(text));
    assert_string_equal(told, "0 f:1 methods none|1 f:2 itr 5|0 f:3 foo |");
    assert_string_equal(reader.why.text, "f:1: setting methods: no method is called none");
    assert_string_equal(settings.methods, "");
    assert_string_equal(settings.force, "alltoall:ring");
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
        expect_no_doubt(read_variables(&settings, (char *[]){entry, NULL}));
        assert_memory_equal(&settings, &before, sizeof settings);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_last_value_given_is_in_force),
        cmocka_unit_test(files_hold_lines_comments_and_blanks),
        cmocka_unit_test(only_the_given_length_of_a_text_is_read),
        cmocka_unit_test(mistakes_in_files_name_file_and_line),
        cmocka_unit_test(binary_and_endless_lines_are_refused_with_their_line),
        cmocka_unit_test(files_are_read_from_disk),
        cmocka_unit_test(a_file_that_cannot_be_read_is_named),
        cmocka_unit_test(the_environment_is_read),
        cmocka_unit_test(no_environment_at_all_sets_nothing),
        cmocka_unit_test(startune_alone_turns_it_on_and_off),
        cmocka_unit_test(malformed_variables_are_named_and_the_rest_is_read),
        cmocka_unit_test(unknown_names_are_listed_and_the_rest_is_read),
        cmocka_unit_test(a_long_list_of_unknown_names_ends_with_their_number),
        cmocka_unit_test(each_doubt_is_told_and_further_checks_count),
        cmocka_unit_test(every_setting_has_its_own_variable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

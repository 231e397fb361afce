/* SPDX-License-Identifier: BSD-3-Clause
 * Mutated input to all that reads what people write. fuzz.h says how, and how a failure is run again. */
#include "algorithms/methods.h"
#include "fuzz.h"
#include "util/parse.h"
#include "util/settings.h"

#include <math.h>
#include <stdio.h>

enum { TEXT_MOST = 400 };
static long rounds;

/* Spellings to begin with: some of our own, and, from the repository, one of each row. */
enum { METHODS_MOST = 400 };
static char spelt[METHODS_MOST][STAR_METHOD_TEXT];
static const char *methods[METHODS_MOST] = {"alltoall:ring",
                                            "alltoall:pair,sync=light,window=2",
                                            "alltoall:ring,sync=barriers:3",
                                            "alltoall:bruck,radix=8",
                                            "alltoall:native",
                                            "alltoall:ring,sync=none,window=2147483647"};
static size_t method_count = 6;

static const char *const lists[] = {"alltoall:ring alltoall:pair,sync=light", "alltoall:bruck",
                                    " alltoall:native  alltoall:simple alltoall:ring,window=5 "};
static const char *const files[] = {
    "iter = 5\n# comment\ndelta=8\n", "strategy = grouped\nestimator=min-of-mean\nepsilon = 10%\n",
    "methods = alltoall:ring alltoall:pair\nmemory = 64K\n\n\nmpi=auto\non=on\n",
    "report=a b c\r\nsites = off\r\n"};
static const char *const numbers[] = {"0",  "-7",   "9223372036854775807", "64K", "1.5e-3", "10%", "2MB",
                                      "1G", "1e308"};
static const char *const pieces[] = {
    ",",        "=",    ":",       "#",    "\n",       " ",  "sync", "barriers:",
    "segment=", "none", "radix=3", "%s%n", "\xff\xfe", "\t", ";",    "9999999999999999999",
    "alltoall", "K",    "%",       "-",    "'",        "e",  "."};

/* One of SEEDS, changed in a few places. TEXT ends in 0, and may hold others before. */
static size_t mutated(char *text, const char *const *seeds, size_t count)
{
    const char *begin = seeds[random_below(&fuzz_seed, count)];
    size_t length = strlen(begin);
    memcpy(text, begin, length);
    length = mutate(&fuzz_seed, text, length, TEXT_MOST - 1, pieces, sizeof pieces / sizeof *pieces);
    text[length] = 0;
    return length;
}

/* Of each row a method whose knobs all stand at the last of their values. */
static void spell_methods(void)
{
    for (int i = 0; i < star_repository_count && method_count < METHODS_MOST; i++) {
        struct star_method method = {.algorithm = star_repository[i]};
        for (int k = 0; k < STAR_KNOBS_MAX && method.algorithm->knobs[k].name; k++) {
            const struct star_values *values = &method.algorithm->knobs[k].values;
            method.knob[k] = values->at[values->count - 1];
        }
        methods[method_count] = star_method_format(&method, spelt[method_count], STAR_METHOD_TEXT);
        method_count++;
    }
}

#define MUTATED(text, seeds) mutated(text, seeds, sizeof(seeds) / sizeof *(seeds))

/* The text in room of its very size, so that a sanitizer sees each read beyond it. */
static char *fitted(const char *text, size_t length)
{
    char *exact = malloc(length + 1);
    memcpy(exact, text, length);
    exact[length] = 0;
    return exact;
}

static void expect_refusal(int error, const struct star_why *why)
{
    assert_int_equal(error, STAR_EINPUT);
    assert_true(memchr(why->text, 0, sizeof why->text) != NULL);
    expect_one_line(why->text);
}

static void methods_are_read_or_refused(void **state)
{
    (void)state;
    for (long i = 0; i < rounds; i++) {
        char text[TEXT_MOST], shown[STAR_METHOD_TEXT];
        struct star_method method, again;
        struct star_why why = {{0}};
        char *exact = fitted(text, mutated(text, methods, method_count));
        int error = star_method_parse(exact, &method, &why);
        if (error) {
            expect_refusal(error, &why);
        } else {
            assert_int_equal(
                star_method_parse(star_method_format(&method, shown, sizeof shown), &again, NULL), 0);
            assert_true(star_method_equal(&method, &again));
        }
        free(exact);
    }
}

static void lists_are_read_or_refused(void **state)
{
    (void)state;
    for (long i = 0; i < rounds; i++) {
        char text[TEXT_MOST];
        struct star_methods list;
        struct star_why why = {{0}};
        char *exact = fitted(text, MUTATED(text, lists));
        int error = star_methods_parse(exact, &list, &why);
        if (error)
            expect_refusal(error, &why);
        else
            star_methods_free(&list);
        free(exact);
    }
}

static void settings_are_read_or_refused(void **state)
{
    (void)state;
    for (long i = 0; i < rounds; i++) {
        char text[TEXT_MOST], shown[STAR_SETTING_TEXT + 64];
        struct star_settings settings;
        struct star_origins origins = {{0}};
        size_t length = MUTATED(text, files);
        char *exact = malloc(length ? length : 1); /* not even a 0 at the end */
        memcpy(exact, text, length);
        star_settings_preset(&settings);
        struct star_settings_reader reader = {.settings = &settings, .origins = &origins};
        star_settings_read_text(&reader, "fuzz.conf", exact, length);
        if (reader.malformed > 0)
            expect_reason(&reader.why, "fuzz.conf:");
        if (reader.unknown > 0)
            expect_one_line(reader.list);
        for (int s = 0; s < star_setting_count; s++)
            star_setting_format(&settings, &star_setting_table[s], shown, sizeof shown);
        star_origins_free(&origins);
        free(exact);
    }
}

static void numbers_are_read_or_refused(void **state)
{
    (void)state;
    for (long i = 0; i < rounds; i++) {
        char text[TEXT_MOST], shown[32];
        int64_t bytes, again, whole;
        double number;
        char *exact = fitted(text, MUTATED(text, numbers));
        if (star_parse_bytes(exact, &bytes)) {
            assert_true(bytes >= 0);
            assert_true(star_parse_bytes(star_format_bytes(bytes, shown, sizeof shown), &again));
            assert_true(again == bytes);
        }
        if (star_parse_number(exact, &number))
            assert_true(isfinite(number));
        if (star_parse_integer(exact, &whole)) {
            snprintf(shown, sizeof shown, "%lld", (long long)whole);
            assert_true(star_parse_integer(shown, &again) && again == whole);
        }
        free(exact);
    }
}

static void the_nearest_word_is_one_of_the_words(void **state)
{
    (void)state;
    for (long i = 0; i < rounds / 20; i++) {
        char text[TEXT_MOST];
        char *exact = fitted(text, mutated(text, methods, method_count));
        const char *nearest = star_nearest(exact, methods, method_count);
        bool known = nearest == NULL;
        for (size_t m = 0; m < method_count; m++)
            known = known || nearest == methods[m];
        assert_true(known);
        free(exact);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(methods_are_read_or_refused),          cmocka_unit_test(lists_are_read_or_refused),
        cmocka_unit_test(settings_are_read_or_refused),         cmocka_unit_test(numbers_are_read_or_refused),
        cmocka_unit_test(the_nearest_word_is_one_of_the_words),
    };
    spell_methods();
    rounds = fuzz_rounds(20000);
    return cmocka_run_group_tests(tests, NULL, NULL);
}

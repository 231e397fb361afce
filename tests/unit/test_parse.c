/* SPDX-License-Identifier: BSD-3-Clause
 * Numbers and sizes as people write them. */
#include "expect.h"
#include "util/parse.h"

#include <ctype.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <time.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

static void whole_numbers_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int64_t value;
    } good[] = {
        {"0", 0},
        {"7", 7},
        {"-7", -7},
        {"0012", 12},
        {"100000", 100000},
        {"9223372036854775807", INT64_MAX},
        {"-9223372036854775808", INT64_MIN},
    };
    for (size_t i = 0; i < COUNT_OF(good); i++) {
        int64_t value = 99;
        if (!star_parse_integer(good[i].text, &value) || value != good[i].value)
            fail_msg("'%s' gave %lld", good[i].text, (long long)value);
    }
}

static void what_is_no_whole_number_is_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "",
        " ",
        "-",
        "--1",
        "x",
        "1x",
        "1 ",
        " 1",
        "1 2",
        "1.0",
        "1e3",
        "0x10",
        "1,000",
        "9223372036854775808",
        "-9223372036854775809",
        "99999999999999999999999999999999999999",
        "ten",
    };
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        int64_t value;
        if (star_parse_integer(bad[i], &value))
            fail_msg("'%s' was taken for a whole number", bad[i]);
    }
}

static void numbers_and_percentages_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double value;
    } good[] = {
        {"0", 0},        {"0.1", 0.1},    {"10%", 0.1},   {"0%", 0},     {"100%", 1},
        {"2.5%", 0.025}, {"1e-3", 0.001}, {"-2.5", -2.5}, {"250%", 2.5}, {"3", 3},
    };
    for (size_t i = 0; i < COUNT_OF(good); i++) {
        double value = 99;
        if (!star_parse_number(good[i].text, &value) || fabs(value - good[i].value) > 1e-12)
            fail_msg("'%s' gave %.17g", good[i].text, value);
    }
}

static void what_is_no_finite_number_is_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {"",      "%",    "-",    "inf",    "-inf", "infinity", "nan", "nan%",
                                      "1e999", "10%%", "10%x", "0x10",   "1,5",  "ten",      "1 2", "1 ",
                                      " 1",    "10 %", "1e",   "1e999%", ".",    "0.1.2"};
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        double value;
        if (star_parse_number(bad[i], &value))
            fail_msg("'%s' was taken for the number %g", bad[i], value);
    }
}

static void bytes_are_read_with_their_units(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int64_t value;
    } good[] = {
        {"0", 0},
        {"64", 64},
        {"64B", 64},
        {"64b", 64},
        {"64K", 65536},
        {"64k", 65536},
        {"64KB", 65536},
        {"64kb", 65536},
        {"64Kb", 65536},
        {"2M", 2 << 20},
        {"2mB", 2 << 20},
        {"1G", 1 << 30},
        {"1gb", 1 << 30},
        {"0K", 0},
        {"9223372036854775807", INT64_MAX},
        {"9007199254740991K", INT64_MAX - 1023},
        {"8589934591G", INT64_MAX - (1 << 30) + 1},
    };
    for (size_t i = 0; i < COUNT_OF(good); i++) {
        int64_t value = 99;
        if (!star_parse_bytes(good[i].text, &value) || value != good[i].value)
            fail_msg("'%s' gave %lld", good[i].text, (long long)value);
    }
}

static void what_is_no_size_is_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {"",
                                      "B",
                                      "K",
                                      "KB",
                                      "-1",
                                      "-1K",
                                      "-0K1",
                                      "64Q",
                                      "64KK",
                                      "64BK",
                                      "64KBB",
                                      "64 K",
                                      " 64",
                                      "64 ",
                                      "0x4",
                                      "1.5K",
                                      "64K64",
                                      "9223372036854775808",
                                      "9007199254740992K",
                                      "8589934592G",
                                      "9223372036854775807G",
                                      "99999999999999999999M",
                                      "inf"};
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        int64_t value;
        if (star_parse_bytes(bad[i], &value))
            fail_msg("'%s' was taken for %lld bytes", bad[i], (long long)value);
    }
}

static void sizes_are_spelt_with_the_largest_exact_unit(void **state)
{
    (void)state;
    static const struct {
        int64_t bytes;
        const char *text;
    } known[] = {
        {0, "0"},        {1, "1"},        {100, "100"},    {1023, "1023"},
        {1024, "1K"},    {1025, "1025"},  {1536, "1536"},  {65536, "64K"},
        {1 << 20, "1M"}, {3 << 20, "3M"}, {1 << 30, "1G"}, {1073742848, "1048577K"},
    };
    for (size_t i = 0; i < COUNT_OF(known); i++) {
        char buffer[32];
        assert_string_equal(star_format_bytes(known[i].bytes, buffer, sizeof buffer), known[i].text);
    }
}

static void read_back(int64_t bytes)
{
    char buffer[32];
    int64_t value = -1;
    const char *text = star_format_bytes(bytes, buffer, sizeof buffer);
    if (!star_parse_bytes(text, &value) || value != bytes)
        fail_msg("%lld was spelt '%s', which reads as %lld", (long long)bytes, text, (long long)value);
}

static void every_size_reads_back(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (int shift = 0; shift < 63; shift++) {
        read_back(INT64_C(1) << shift);
        read_back((INT64_C(1) << shift) - 1);
        read_back((INT64_C(1) << shift) + 1);
        read_back((int64_t)(random_next(&seed) >> 1) >> shift << shift / 2);
    }
    read_back(INT64_MAX);
}

static void known_times_have_three_digits_and_a_unit(void **state)
{
    (void)state;
    char buffer[32];
    assert_string_equal(star_format_seconds(0.00123, buffer, sizeof buffer), "1.23 ms");
    assert_string_equal(star_format_seconds(0.0123, buffer, sizeof buffer), "12.3 ms");
    assert_string_equal(star_format_seconds(0.123, buffer, sizeof buffer), "123 ms");
    assert_string_equal(star_format_seconds(1.5, buffer, sizeof buffer), "1.50 s");
}

static double unit_of(const char *text)
{
    const char *unit = strchr(text, ' ');
    if (unit == NULL)
        return NAN;
    return unit[1] == 's' ? 1 : unit[1] == 'm' ? 1e-3 : unit[1] == 'n' ? 1e-9 : 1e-6;
}

static void every_time_has_three_digits(void **state)
{
    (void)state;
    for (int i = 0; i < 7400; i++) {
        double seconds = 1.01e-9 * pow(1.0037, i); /* up to 740 s */
        char buffer[32];
        const char *text = star_format_seconds(seconds, buffer, sizeof buffer);
        int digits = 0;
        for (const char *c = text; *c && *c != ' '; c++)
            digits += isdigit((unsigned char)*c) != 0;
        double value = strtod(text, NULL) * unit_of(text);
        if (digits != 3 || !(fabs(value / seconds - 1) < 0.0051))
            fail_msg("%.6g s was spelt '%s'", seconds, text);
    }
}

static void odd_times_do_no_harm(void **state)
{
    (void)state;
    static const double odd[] = {0, -1, NAN, INFINITY, -INFINITY, DBL_MAX, DBL_MIN, 1e300, -1e-300};
    for (size_t i = 0; i < COUNT_OF(odd); i++) {
        char buffer[24];
        const char *text = star_format_seconds(odd[i], buffer, sizeof buffer);
        assert_ptr_equal(text, buffer);
        assert_true(strlen(text) < sizeof buffer);
    }
}

static void a_misspelt_word_finds_its_nearest(void **state)
{
    (void)state;
    static const char *const words[] = {"ring", "pair", "simple", "strategy", "estimator"};
    assert_string_equal(star_nearest("strategi", words, 5), "strategy");
    assert_string_equal(star_nearest("rign", words, 5), "ring");
    assert_string_equal(star_nearest("simpel", words, 5), "simple");
    assert_string_equal(star_nearest("estimater", words, 5), "estimator");
    assert_string_equal(star_nearest("pair", words, 5), "pair");
    assert_string_equal(star_nearest("Ring", words, 5), "ring");
    assert_string_equal(star_nearest("STRATEGI", words, 5), "strategy");
}

static void a_far_word_finds_none(void **state)
{
    (void)state;
    static const char *const words[] = {"ring", "pair"};
    assert_null(star_nearest("quadtree-decision-map", words, 2));
    assert_null(star_nearest("zzzzzzzz", words, 2));
    assert_null(star_nearest("ring", words, 0));
    assert_null(star_nearest("version", (const char *const[]){"epsilon"}, 1));
    assert_null(star_nearest("roll", words, 2));
    assert_string_equal(star_hint("rin", words, 2).text, ": did you mean 'ring'?");
    assert_string_equal(star_hint("zzzzzzzz", words, 2).text, "");
}

static void a_word_of_any_length_does_no_harm(void **state)
{
    (void)state;
    static char endless[100001];
    memset(endless, 'r', sizeof endless - 1);
    const char *words[] = {"ring", endless, "pair"};
    assert_null(star_nearest(endless, (const char *const[]){"ring", "pair"}, 2));
    assert_string_equal(star_nearest("rign", words, 3), "ring");
}

/* Of a million of switches, whose names were all compared letter by letter: a quarter of a minute. */
static void a_million_of_long_words_takes_no_long_time(void **state)
{
    (void)state;
    enum { WORDS = 1000000, LETTERS = 63 };
    static char even[LETTERS + 1], odd[LETTERS + 1], asked[LETTERS + 1];
    static const char *words[WORDS];
    for (int i = 0; i < LETTERS; i++) {
        even[i] = i % 8 ? 'a' : 'b';
        odd[i] = i % 8 ? 'a' : 'c';
        asked[i] = i % 4 ? 'a' : 'd';
    }
    for (int i = 0; i < WORDS; i++)
        words[i] = i % 2 ? odd : even;
    clock_t began = clock();
    star_nearest(asked, words, WORDS);
    asked[LETTERS - 1] = 'x'; /* far from all, and no row says so early */
    star_nearest(asked, words, WORDS);
    assert_true(clock() - began < 5 * CLOCKS_PER_SEC);
    words[WORDS - 1] = "strategy"; /* and what is far by its length alone is no work */
    assert_string_equal(star_nearest("strategi", words, WORDS), "strategy");
}

static void of_equal_words_the_first_counts_and_the_same_word_most(void **state)
{
    (void)state;
    static const char *const words[] = {"sw1x", "sw10", "sw11", "sw1"};
    assert_string_equal(star_nearest("sw12", words, 3), "sw1x");
    assert_string_equal(star_nearest("sw1", words, 4), "sw1");
    assert_string_equal(star_nearest("sw11", words, 4), "sw11");
}

static void switches_are_read(void **state)
{
    (void)state;
    static const char *const no[] = {"",    "o",   "onn", "2", "01",   "-1",
                                     " on", "on ", "y",   "t", "auto", "enable"};
    bool on = false;
    assert_true(star_parse_switch("Yes", &on) && on);
    assert_true(star_parse_switch("FALSE", &on) && !on);
    for (size_t i = 0; i < sizeof no / sizeof *no; i++)
        if (star_parse_switch(no[i], &on))
            fail_msg("'%s' was read", no[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_numbers_are_read),
        cmocka_unit_test(what_is_no_whole_number_is_refused),
        cmocka_unit_test(numbers_and_percentages_are_read),
        cmocka_unit_test(what_is_no_finite_number_is_refused),
        cmocka_unit_test(bytes_are_read_with_their_units),
        cmocka_unit_test(what_is_no_size_is_refused),
        cmocka_unit_test(sizes_are_spelt_with_the_largest_exact_unit),
        cmocka_unit_test(every_size_reads_back),
        cmocka_unit_test(known_times_have_three_digits_and_a_unit),
        cmocka_unit_test(every_time_has_three_digits),
        cmocka_unit_test(odd_times_do_no_harm),
        cmocka_unit_test(a_misspelt_word_finds_its_nearest),
        cmocka_unit_test(a_million_of_long_words_takes_no_long_time),
        cmocka_unit_test(of_equal_words_the_first_counts_and_the_same_word_most),
        cmocka_unit_test(switches_are_read),
        cmocka_unit_test(a_far_word_finds_none),
        cmocka_unit_test(a_word_of_any_length_does_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

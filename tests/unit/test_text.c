/* SPDX-License-Identifier: BSD-3-Clause
 * The growing text, and JSON written into it. Layout is free: blanks outside strings are not compared. */
#include "expect.h"
#include "util/text.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>

/* TEXT without the blanks outside of strings. */
static char *squeeze(const char *text)
{
    char *dense = malloc(strlen(text) + 1), *to = dense;
    bool quoted = false;
    for (; *text; text++) {
        if (*text == '"')
            quoted = !quoted;
        if (quoted && *text == '\\')
            *to++ = *text++;
        if (quoted || !isspace((unsigned char)*text))
            *to++ = *text;
    }
    *to = 0;
    return dense;
}

static void expect_json(struct star_text *text, const char *expected)
{
    assert_false(text->failed);
    assert_non_null(text->bytes);
    assert_int_equal(strlen(text->bytes), text->length);
    char *dense = squeeze(text->bytes);
    assert_string_equal(dense, expected);
    free(dense);
    star_text_free(text);
}

static void text_grows_by_formats_and_bytes(void **state)
{
    (void)state;
    struct star_text text = {0};
    star_text_add(&text, "%d-%s", 42, "ring");
    star_text_append(&text, "pairXX", 4);
    star_text_add(&text, "%s", "");
    assert_string_equal(text.bytes, "42-ringpair");
    assert_int_equal(text.length, 11);
    star_text_free(&text);
}

static void text_grows_without_bound(void **state)
{
    (void)state;
    struct star_text text = {0};
    static char wide[70000];
    memset(wide, 'w', sizeof wide - 1);
    for (int i = 0; i < 10000; i++)
        star_text_add(&text, "%05d\n", i);
    star_text_add(&text, "%s", wide);
    assert_false(text.failed);
    assert_int_equal(text.length, 60000 + 69999);
    assert_int_equal(strlen(text.bytes), text.length);
    assert_memory_equal(&text.bytes[7404], "01234\n", 6);
    star_text_free(&text);
}

static void an_empty_text_may_be_freed(void **state)
{
    (void)state;
    struct star_text text = {0};
    star_text_free(&text);
}

static void a_failed_text_stays_failed(void **state)
{
    (void)state;
    struct star_text text = {0};
    star_text_add(&text, "before");
    text.failed = true;
    star_text_add(&text, "after");
    star_text_append(&text, "after", 5);
    star_json_string(&text, "key", "after");
    assert_true(text.failed);
    star_text_free(&text);
}

static void a_template_is_filled_in(void **state)
{
    (void)state;
    struct star_text text = {0};
    star_json_add(&text, "{a: %d, big: %jd, s: %s, yes: %i, no: %i, x: %g, nan: %g, list: [%d, %s", 1,
                  (intmax_t)1 << 40, "{\"", true, false, 0.5, (double)NAN, -2, "%d");
    star_json_add(&text, "], in_1: {b: %s}, none: [{}, []]}", "");
    expect_json(&text, "{\"a\":1,\"big\":1099511627776,\"s\":\"{\\\"\",\"yes\":true,\"no\":false,\"x\":0.5,"
                       "\"nan\":null,\"list\":[-2,\"%d\"],\"in_1\":{\"b\":\"\"},\"none\":[{},[]]}");
}

static void commas_stand_between_values_only(void **state)
{
    (void)state;
    struct star_text text = {0};
    star_json_open(&text, NULL, '{');
    star_json_integer(&text, "a", 1);
    star_json_bool(&text, "b", true);
    star_json_bool(&text, "c", false);
    star_json_string(&text, "d", "");
    star_json_close(&text, '}');
    expect_json(&text, "{\"a\":1,\"b\":true,\"c\":false,\"d\":\"\"}");
}

static void objects_and_arrays_nest(void **state)
{
    (void)state;
    struct star_text text = {0};
    star_json_open(&text, NULL, '{');
    star_json_open(&text, "empty", '[');
    star_json_close(&text, ']');
    star_json_open(&text, "none", '{');
    star_json_close(&text, '}');
    star_json_open(&text, "list", '[');
    star_json_integer(&text, NULL, 1);
    star_json_open(&text, NULL, '[');
    star_json_close(&text, ']');
    star_json_open(&text, NULL, '{');
    star_json_integer(&text, "x", 2);
    star_json_close(&text, '}');
    star_json_open(&text, NULL, '{');
    star_json_close(&text, '}');
    star_json_integer(&text, NULL, 3);
    star_json_close(&text, ']');
    star_json_integer(&text, "last", 4);
    star_json_close(&text, '}');
    expect_json(&text, "{\"empty\":[],\"none\":{},\"list\":[1,[],{\"x\":2},{},3],\"last\":4}");
}

static void a_value_that_ends_like_an_opening_is_followed_by_a_comma(void **state)
{
    (void)state;
    struct star_text text = {0};
    star_json_open(&text, NULL, '[');
    star_json_string(&text, NULL, "[");
    star_json_string(&text, NULL, "{");
    star_json_string(&text, NULL, ",");
    star_json_string(&text, NULL, ":");
    star_json_raw(&text, NULL, "[[]]", 4);
    star_json_integer(&text, NULL, 1);
    star_json_close(&text, ']');
    expect_json(&text, "[\"[\",\"{\",\",\",\":\",[[]],1]");
}

static void strings_and_keys_are_escaped(void **state)
{
    (void)state;
    struct star_text text = {0};
    star_json_open(&text, NULL, '{');
    star_json_string(&text, "quote", "say \"ring\"");
    star_json_string(&text, "path", "C:\\a\\");
    star_json_string(&text, "k\"ey\\", "v");
    star_json_close(&text, '}');
    expect_json(&text, "{\"quote\":\"say \\\"ring\\\"\",\"path\":\"C:\\\\a\\\\\",\"k\\\"ey\\\\\":\"v\"}");
}

/* What the JSON string of BYTE alone stands for, or −1. */
static int escaped_byte(const char *json)
{
    static const char letters[] = "b\bf\fn\nr\rt\t\"\"\\\\//";
    if (json[0] != '"')
        return -1;
    if (json[1] != '\\')
        return (unsigned char)json[1] < 0x20 || json[2] != '"' ? -1 : (unsigned char)json[1];
    if (json[2] == 'u')
        return json[7] == '"' ? (int)strtol(json + 3, NULL, 16) : -1;
    for (size_t i = 0; letters[i]; i += 2)
        if (letters[i] == json[2] && json[3] == '"')
            return (unsigned char)letters[i + 1];
    return -1;
}

static void every_control_character_is_escaped(void **state)
{
    (void)state;
    for (int c = 1; c < 128; c++) {
        struct star_text text = {0};
        star_json_string(&text, NULL, (char[]){(char)c, 0});
        const char *json = strchr(text.bytes, '"');
        assert_non_null(json);
        if (escaped_byte(json) != c)
            fail_msg("character %d was written as %s", c, json);
        star_text_free(&text);
    }
}

static void utf8_passes_unchanged(void **state)
{
    (void)state;
    struct star_text text = {0};
    star_json_open(&text, NULL, '[');
    star_json_string(&text, NULL,
                     "gr\xc3\xb6\xc3\x9f"
                     "er \xe2\x86\x92 \xf0\x9f\x8c\x9f");
    star_json_close(&text, ']');
    expect_json(&text, "[\"gr\xc3\xb6\xc3\x9f"
                       "er \xe2\x86\x92 \xf0\x9f\x8c\x9f\"]");
}

static void numbers_that_json_lacks_become_null(void **state)
{
    (void)state;
    struct star_text text = {0};
    star_json_open(&text, NULL, '[');
    star_json_number(&text, NULL, NAN);
    star_json_number(&text, NULL, INFINITY);
    star_json_number(&text, NULL, -INFINITY);
    star_json_integer(&text, NULL, INT64_MIN);
    star_json_integer(&text, NULL, INT64_MAX);
    star_json_close(&text, ']');
    expect_json(&text, "[null,null,null,-9223372036854775808,9223372036854775807]");
}

static void numbers_keep_nine_digits_or_more(void **state)
{
    (void)state;
    static const double values[] = {0,     1,     0.1,      -2.5, 1.234567891e-6, 3.14159265358979,
                                    1e300, 5e-10, 123456789};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        struct star_text text = {0};
        star_json_number(&text, NULL, values[i]);
        char *end, *dense = squeeze(text.bytes);
        double value = strtod(dense, &end);
        if (*end || !(fabs(value - values[i]) <= 5e-9 * fabs(values[i])) ||
            strpbrk(dense, "xXpPiIaA+") == dense)
            fail_msg("%.17g was written as %s", values[i], dense);
        free(dense);
        star_text_free(&text);
    }
}

static void raw_json_is_a_value_like_others(void **state)
{
    (void)state;
    struct star_text text = {0};
    star_json_open(&text, NULL, '{');
    star_json_raw(&text, "a", "{\"x\":1}garbage", 7);
    star_json_raw(&text, "b", "null", 4);
    star_json_close(&text, '}');
    expect_json(&text, "{\"a\":{\"x\":1},\"b\":null}");
}

static void bytes_that_are_no_utf_8_are_replaced(void **state)
{
    (void)state;
    struct star_text text = {0};
    /* Good: ä, €, 𝄞. Bad: a lone byte, one cut off, an overlong '/', a surrogate, beyond the last character.
     */
    star_json_string(&text, NULL, "\xc3\xa4\xe2\x82\xac\xf0\x9d\x84\x9e");
    star_json_string(&text, NULL,
                     "a\xff"
                     "b\xe2\x82");
    star_json_string(&text, NULL, "\xc0\xaf\xed\xa0\x80\xf4\x90\x80\x80");
#define NONE "\xef\xbf\xbd"
    expect_json(&text, "\"\xc3\xa4\xe2\x82\xac\xf0\x9d\x84\x9e\",\"a" NONE "b" NONE NONE
                       "\",\"" NONE NONE NONE NONE NONE NONE NONE NONE NONE "\"");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_template_is_filled_in),
        cmocka_unit_test(bytes_that_are_no_utf_8_are_replaced),
        cmocka_unit_test(text_grows_by_formats_and_bytes),
        cmocka_unit_test(text_grows_without_bound),
        cmocka_unit_test(an_empty_text_may_be_freed),
        cmocka_unit_test(a_failed_text_stays_failed),
        cmocka_unit_test(commas_stand_between_values_only),
        cmocka_unit_test(objects_and_arrays_nest),
        cmocka_unit_test(a_value_that_ends_like_an_opening_is_followed_by_a_comma),
        cmocka_unit_test(strings_and_keys_are_escaped),
        cmocka_unit_test(every_control_character_is_escaped),
        cmocka_unit_test(utf8_passes_unchanged),
        cmocka_unit_test(numbers_that_json_lacks_become_null),
        cmocka_unit_test(numbers_keep_nine_digits_or_more),
        cmocka_unit_test(raw_json_is_a_value_like_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

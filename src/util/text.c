/* SPDX-License-Identifier: BSD-3-Clause */
#include "util/text.h"
#include "util/numerals.h"
#include "util/seconds.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool make_room(struct star_text *text, size_t more)
{
    if (text->failed)
        return false;
    if (text->length + more + 1 <= text->room)
        return true;
    size_t room = text->room ? text->room : 256;
    while (room < text->length + more + 1)
        room *= 2;
    char *bytes = realloc(text->bytes, room);
    if (bytes == NULL) {
        text->failed = true;
        return false;
    }
    text->bytes = bytes;
    text->room = room;
    return true;
}

void star_text_append(struct star_text *text, const char *bytes, size_t length)
{
    if (!make_room(text, length))
        return;
    memcpy(text->bytes + text->length, bytes, length);
    text->length += length;
    text->bytes[text->length] = 0;
}

void star_text_extend(struct star_text *text, size_t length)
{
    if (!make_room(text, length))
        return;
    memset(text->bytes + text->length, 0, length + 1);
    text->length += length;
}

void star_text_add(struct star_text *text, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    size_t left = text->failed ? 0 : text->room - text->length; /* mostly, that is enough */
    locale_t own = star_numerals_plain();
    int length = vsnprintf(left ? text->bytes + text->length : NULL, left, format, args);
    va_end(args);
    if (length >= 0 && make_room(text, (size_t)length)) {
        if ((size_t)length >= left)
            vsnprintf(text->bytes + text->length, (size_t)length + 1, format, again);
        text->length += (size_t)length;
    }
    star_numerals_restore(own);
    va_end(again);
}

void star_text_number(struct star_text *text, double value)
{
    char number[40];
    locale_t own = star_numerals_plain();
    for (int digits = 6; digits <= 17; digits++) {
        snprintf(number, sizeof number, "%.*g", digits, value);
        if (strtod(number, NULL) == value)
            break;
    }
    star_numerals_restore(own);
    star_text_append(text, number, strlen(number));
}

void star_text_printed(struct star_text *text, const char *words)
{
    for (const char *c = words; *c; c++)
        star_text_append(text, iscntrl((unsigned char)*c) ? "?" : c, 1);
}

void star_text_free(struct star_text *text)
{
    free(text->bytes);
    *text = (struct star_text){0};
}

int star_letters(const char *words, size_t length)
{
    int letters = 0;
    for (size_t i = 0; i < length; i++)
        letters += (words[i] & 0xc0) != 0x80; /* of each the first byte */
    return letters;
}

size_t star_character_bytes(const char *c)
{
    const unsigned char first = (unsigned char)*c;
    size_t bytes = first < 0x80   ? 1
                   : first < 0xc2 ? 0
                   : first < 0xe0 ? 2
                   : first < 0xf0 ? 3
                   : first < 0xf5 ? 4
                                  : 0;
    for (size_t i = 1; i < bytes; i++)
        if (((unsigned char)c[i] & 0xc0) != 0x80)
            return 0;
    const unsigned char second = bytes > 2 ? (unsigned char)c[1] : 0;
    bool overlong = (first == 0xe0 && second < 0xa0) || (first == 0xf0 && second < 0x90);
    bool none = (first == 0xed && second > 0x9f) || (first == 0xf4 && second > 0x8f);
    return overlong || none ? 0 : bytes;
}

/* How many characters from C on stand for themselves in a string of JSON: mostly all. */
static size_t plain_bytes(const char *c)
{
    size_t count = 0;
    while ((unsigned char)c[count] >= 0x20 && (unsigned char)c[count] < 0x80 && c[count] != '"' &&
           c[count] != '\\')
        count++;
    return count;
}

/* Bytes that are no UTF-8, such as those of a file's name, become U+FFFD: else no reader takes the JSON. */
static void quote(struct star_text *text, const char *value)
{
    star_text_append(text, "\"", 1);
    size_t bytes;
    for (const char *c = value; *c; c += bytes ? bytes : 1) {
        bytes = plain_bytes(c);
        if (bytes > 0) {
            star_text_append(text, c, bytes);
            continue;
        }
        bytes = star_character_bytes(c);
        if (bytes != 1)
            star_text_append(text, bytes ? c : "\xef\xbf\xbd", bytes ? bytes : 3);
        else if (*c == '"' || *c == '\\')
            star_text_add(text, "\\%c", *c);
        else
            star_text_add(text, "\\u%04x", (unsigned)(unsigned char)*c);
    }
    star_text_append(text, "\"", 1);
}

static void begin_value(struct star_text *text, const char *key)
{
    char last = text->length ? text->bytes[text->length - 1] : 0;
    if (last != 0 && last != '[' && last != '{' && last != '\n')
        star_text_append(text, ", ", 2);
    if (key != NULL) {
        quote(text, key);
        star_text_append(text, ": ", 2);
    }
}

void star_json_open(struct star_text *text, const char *key, char bracket)
{
    begin_value(text, key);
    star_text_append(text, &bracket, 1);
}

void star_json_close(struct star_text *text, char bracket)
{
    star_text_append(text, &bracket, 1);
}

void star_json_string(struct star_text *text, const char *key, const char *value)
{
    begin_value(text, key);
    quote(text, value);
}

void star_json_integer(struct star_text *text, const char *key, int64_t value)
{
    begin_value(text, key);
    star_text_add(text, "%lld", (long long)value);
}

void star_json_number(struct star_text *text, const char *key, double value)
{
    begin_value(text, key);
    if (isfinite(value))
        star_text_add(text, "%.9g", value);
    else
        star_text_add(text, "null");
}

void star_json_seconds(struct star_text *text, const char *key, double seconds)
{
    if (star_is_known(seconds))
        star_json_number(text, key, seconds);
    else
        star_json_raw(text, key, "null", strlen("null"));
}

void star_json_bool(struct star_text *text, const char *key, bool value)
{
    begin_value(text, key);
    star_text_add(text, value ? "true" : "false");
}

void star_json_raw(struct star_text *text, const char *key, const char *json, size_t length)
{
    begin_value(text, key);
    star_text_append(text, json, length);
}

/* The value whose conversion is at C, behind its %; returns the end of that. */
static const char *add_value(struct star_text *text, const char *key, const char *c, va_list *args)
{
    if (*c == 's')
        star_json_string(text, key, va_arg(*args, const char *));
    else if (*c == 'd')
        star_json_integer(text, key, va_arg(*args, int));
    else if (*c == 'i')
        star_json_bool(text, key, va_arg(*args, int));
    else if (*c == 'g')
        star_json_number(text, key, va_arg(*args, double));
    else
        star_json_integer(text, key, va_arg(*args, intmax_t)), c++;
    return c + 1;
}

void star_json_add(struct star_text *text, const char *format, ...)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz_0123456789";
    char name[64];
    const char *key = NULL;
    va_list args;
    va_start(args, format);
    for (const char *c = format; *c;) {
        size_t length = strspn(c, letters);
        if (length > 0) {
            snprintf(name, sizeof name, "%.*s", (int)length, c);
            key = name;
            c += length;
        } else if (*c == '%') {
            c = add_value(text, key, c + 1, &args);
            key = NULL;
        } else {
            if (*c == '{' || *c == '[') {
                star_json_open(text, key, *c);
                key = NULL;
            } else if (*c == '}' || *c == ']') {
                star_json_close(text, *c);
            }
            c++;
        }
    }
    va_end(args);
}

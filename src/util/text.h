/* SPDX-License-Identifier: BSD-3-Clause
 * A growing text, and JSON written into it. A text that ran out of memory stays failed: check once, at the
 * end. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct star_text {
    char *bytes; /* always 0-terminated, or NULL while empty */
    size_t length, room;
    bool failed;
};

/* By LENGTH zeros, to be written over. */
void star_text_extend(struct star_text *text, size_t length);
void star_text_add(struct star_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void star_text_append(struct star_text *text, const char *bytes, size_t length);
/* The shortest spelling that reads back as the same number. */
void star_text_number(struct star_text *text, double value);
/* Words of others for a terminal: control characters, which would speak to it, become question marks. */
void star_text_printed(struct star_text *text, const char *words);
void star_text_free(struct star_text *text);

/* Characters, not bytes, of the first LENGTH bytes. */
int star_letters(const char *words, size_t length);
/* Of the UTF-8 character that begins at C; 0: none does. */
size_t star_character_bytes(const char *c);

/* JSON. A value is preceded by a comma where one is needed; KEY is NULL inside an array. */
void star_json_open(struct star_text *text, const char *key, char bracket);
void star_json_close(struct star_text *text, char bracket);
void star_json_string(struct star_text *text, const char *key, const char *value);
/* A template: "{name: %s, ranks: %d, bytes: %jd, mean: %g, wrong: %i, sizes: [". Brackets open and close; %s
 * is a string, %d and %jd are integers, the latter of 64 bits, %g is a number, %i is true or false. */
void star_json_add(struct star_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void star_json_integer(struct star_text *text, const char *key, int64_t value);
void star_json_number(struct star_text *text, const char *key, double value);
/* The same of a time; null: nothing is known of it (util/seconds.h). */
void star_json_seconds(struct star_text *text, const char *key, double seconds);
void star_json_bool(struct star_text *text, const char *key, bool value);
/* A value that is JSON text already. */
void star_json_raw(struct star_text *text, const char *key, const char *json, size_t length);

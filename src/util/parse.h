/* SPDX-License-Identifier: BSD-3-Clause
 * Numbers and sizes as people write them, and the nearest word to a misspelt one. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A whole decimal number; false when TEXT is anything else or does not fit. */
bool star_parse_integer(const char *text, int64_t *value);
/* A finite decimal number, or a percentage: "0.1", "10%". */
bool star_parse_number(const char *text, double *value);
/* Bytes: "64", "64K", "2M", "1G", "1T" (powers of 1024, case ignored, an optional B at the end). Never
 * negative. */
bool star_parse_bytes(const char *text, int64_t *value);

/* The index of VALUE among the choices "a|b|c", or −1. */
int star_choice_index(const char *choices, const char *value);
/* "on", "yes", "true", "1"; "off", "no", "false", "0"; in letters of either case. */
bool star_parse_switch(const char *text, bool *on);

/* "64K" or "100": the shortest exact spelling that star_parse_bytes reads. BUFFER of 32 bytes or more. */
const char *star_format_bytes(int64_t bytes, char *buffer, size_t room);
/* "1.23 ms": three significant digits with a unit. */
/* The unit that times of about SECONDS are written in: s, ms, us or ns. */
struct star_time_unit {
    double seconds;
    const char *name;
};
const struct star_time_unit *star_time_unit(double seconds);
const char *star_format_seconds(double seconds, char *buffer, size_t room);

/* 0.025 as "2.5%". */
void star_format_share(double share, char *buffer, size_t room);

/* The word of WORDS (COUNT of them) nearest to TEXT, or NULL when none is near. */
const char *star_nearest(const char *text, const char *const *words, size_t count);
/* The same for the end of a reason: ": did you mean 'WORD'?", or nothing. */
struct star_hint {
    char text[120];
};
struct star_hint star_hint(const char *text, const char *const *words, size_t count);

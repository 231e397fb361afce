/* SPDX-License-Identifier: BSD-3-Clause
 * Settings. Each has one name: an option of `startune run` (--iter 5), an environment variable
 * (STARTUNE_ITER=5) and a line of a file (iter = 5), in that order of precedence. A new one is a row of
 * settings.def, and whoever reads its field. */
#pragma once

#include "util/why.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { STAR_SETTING_TEXT = 1024, STAR_SETTINGS_MAX = 64 };

enum star_predict { STAR_PREDICT_AUTO, STAR_PREDICT_OFF, STAR_PREDICT_ORDER, STAR_PREDICT_PRUNE };

/* Nonblocking collectives. */
enum star_nonblocking {
    STAR_NONBLOCKING_AUTO,
    STAR_NONBLOCKING_SHARED,
    STAR_NONBLOCKING_NATIVE,
    STAR_NONBLOCKING_TURNS
};
enum star_reorder { STAR_REORDER_AUTO, STAR_REORDER_OFF, STAR_REORDER_ALWAYS };
enum star_crowded { STAR_CROWDED_AUTO, STAR_CROWDED_NO, STAR_CROWDED_YES };

enum star_summary { STAR_SUMMARY_OFF, STAR_SUMMARY_LINE, STAR_SUMMARY_FULL };

/* A field for each setting; of SWITCH and CHOICE the number of the word, of COUNT −1 where a word stands for
 * it. */
#define STAR_HOLDS_SWITCH(field) int64_t field
#define STAR_HOLDS_CHOICE(field) int64_t field
#define STAR_HOLDS_COUNT(field)  int64_t field
#define STAR_HOLDS_BYTES(field)  int64_t field
#define STAR_HOLDS_NUMBER(field) double field
#define STAR_HOLDS_WORDS(field)  char field[STAR_SETTING_TEXT]
#define STAR_HOLDS_PLACES(field) char field[STAR_SETTING_TEXT]
struct star_settings {
#define STAR_SETTING(name, kind, field, ...) STAR_HOLDS_##kind(field);
#include "util/settings.def"
#undef STAR_SETTING
};

enum star_setting_kind {
    STAR_SWITCH,
    STAR_CHOICE,
    STAR_COUNT,
    STAR_BYTES,
    STAR_NUMBER,
    STAR_WORDS,
    STAR_PLACES /* words that placement.h reads */
};

struct star_setting {
    const char *name;
    enum star_setting_kind kind;
    size_t offset; /* in struct star_settings */
    const char *preset;
    double least, most;
    /* Of STAR_CHOICE: "a|b"; of STAR_COUNT: the word that stands for −1; of STAR_WORDS: words that mean what
     * they say, and no file; or NULL. With on or off among them, yes, true, 1, no, false and 0 are, too. */
    const char *choices;
    const char *argument;
    const char *help;
};

extern const struct star_setting star_setting_table[];
extern const int star_setting_count;

/* Where the value in force came from: "default", "file PATH:LINE", "environment", "option". */
struct star_origins {
    char *of[STAR_SETTINGS_MAX]; /* by the table's order; owned; NULL: default */
};

void star_settings_preset(struct star_settings *settings);
/* STAR_EINPUT names the setting, the bad value and what would be good. */
int star_settings_set(struct star_settings *settings, const char *name, const char *value,
                      struct star_why *why);
/* The table's row, or NULL; the row whose name is nearest to a misspelt one, or NULL. */
/* Can it be turned off by that word? */
bool star_setting_has_off(const struct star_setting *setting);
const struct star_setting *star_setting_find(const char *name);
const struct star_setting *star_setting_nearest(const char *name);
const char *star_setting_format(const struct star_settings *settings, const struct star_setting *setting,
                                char *buffer, size_t room);
/* "STARTUNE_DELTA_MOST" for "delta-most"; "STARTUNE" for "on". */
const char *star_setting_variable(const struct star_setting *setting, char *buffer, size_t room);
bool star_setting_has_variable(const struct star_setting *setting, const char *name);

void star_origin_set(struct star_origins *origins, const char *name, const char *origin);
void star_origins_free(struct star_origins *origins);

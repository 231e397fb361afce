/* SPDX-License-Identifier: BSD-3-Clause
 * Settings. Each has one name: an option of `startune run` (--iter 5), an environment variable
 * (STARTUNE_ITER=5) and a line of a file (iter = 5), in that order of precedence. */
#ifndef STAR_UTIL_SETTINGS_H
#define STAR_UTIL_SETTINGS_H

#include "util/why.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { STAR_SETTING_TEXT = 1024, STAR_SETTINGS_MAX = 64 };

enum star_predict { STAR_PREDICT_AUTO, STAR_PREDICT_OFF, STAR_PREDICT_ORDER, STAR_PREDICT_PRUNE };

struct star_settings {
    int64_t on, named;
    char force[STAR_SETTING_TEXT], methods[STAR_SETTING_TEXT];
    int64_t strategy, estimator; /* enum star_strategy, enum star_estimator */
    int64_t iter, warmup, delta, delta_most;
    int64_t monitor; /* enum star_watching */
    double epsilon, budget, effect;
    int64_t confidence, apart;
    int64_t sample, confirm, sizes;
    int64_t tune_after; /* −1: auto */
    int64_t memory, communicators, watchdog;
    int64_t sites, verify, checked, summary;
    int64_t reproducible; /* runtime.h names its values */
    int64_t predict;      /* enum star_predict */
    double predict_most;
    char assume[STAR_SETTING_TEXT];
    char nodes[STAR_SETTING_TEXT], topology[STAR_SETTING_TEXT], map[STAR_SETTING_TEXT];
    char wisdom[STAR_SETTING_TEXT];
    int64_t wisdom_patience; /* seconds */
    int64_t force_machine;
    char report[STAR_SETTING_TEXT];
    int64_t reports; /* kept, of runs */
    int64_t log;     /* runtime.h names its values */
    char mpi[STAR_SETTING_TEXT];
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
     * they say, and no file; or NULL. Where on or off is among them, yes, true, 1, no, false and 0 are, too.
     */
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
const struct star_setting *star_setting_find(const char *name);
const struct star_setting *star_setting_nearest(const char *name);
const char *star_setting_format(const struct star_settings *settings, const struct star_setting *setting,
                                char *buffer, size_t room);
/* "STARTUNE_DELTA_MOST" for "delta-most"; "STARTUNE" for "on". */
const char *star_setting_variable(const struct star_setting *setting, char *buffer, size_t room);

/* A line of a file or a variable of the environment that is no setting. */
struct star_setting_doubt {
    bool unknown;             /* no setting has this name; else the value or the line is malformed */
    const char *place;        /* "environment", or "FILE:LINE" */
    const char *name, *value; /* as they are written; the value of a line without '=' is "" */
    const char *reason; /* one line, with the place: "f.conf:3: unknown setting 'itr': did you mean …" */
};

/* Reads settings from files and the environment, one after the other: the later value counts. Doubts are left
 * out and counted; who reads decides what they mean. */
struct star_settings_reader {
    struct star_settings *settings;
    struct star_origins *origins; /* or NULL */
    /* Says what is wrong with a value whose kind the table does not know, such as a method; or NULL. */
    int (*check)(const char *name, const char *value, struct star_why *why);
    void (*doubt)(const struct star_setting_doubt *doubt, void *context); /* is told of each; or NULL */
    void *context;
    /* What was found: */
    int malformed, unknown;
    struct star_why why; /* the first malformed one */
    char list[250];      /* of unknown ones: the first LISTED */
    int listed;
};
/* "STARTUNE_ROOT, itr in f.conf:3 (did you mean iter?), and 7 more": for one line of a warning. */
const char *star_settings_unknown(const struct star_settings_reader *reader, char *buffer, size_t room);

/* Variables whose names begin with STARTUNE and that are no settings: the file of settings; and set by
 * `startune run` once it has warned of unknown variables, so that the library does not as well. */
#define STAR_VARIABLE_SETTINGS "STARTUNE_SETTINGS"
#define STAR_VARIABLE_WARNED   "STARTUNE_WARNED"

/* Takes all STARTUNE_* variables of ENVIRONMENT. */
void star_settings_read_environment(struct star_settings_reader *reader, char *const *environment);
/* Takes the lines "name = value" of the file PATH; '#' starts a comment. STAR_ESYSTEM when it cannot be read,
 * STAR_EINPUT when it is too large. */
int star_settings_read_file(struct star_settings_reader *reader, const char *path, struct star_why *why);
/* Same, from memory; PATH is for messages. */
void star_settings_read_text(struct star_settings_reader *reader, const char *path, const char *text,
                             size_t length);
void star_origin_set(struct star_origins *origins, const char *name, const char *origin);
void star_origins_free(struct star_origins *origins);

#endif

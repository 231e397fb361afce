/* SPDX-License-Identifier: BSD-3-Clause
 * Reading settings from files and the environment. */
#pragma once

#include "util/settings.h"

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
#define STAR_VARIABLE_SPENT    "STARTUNE_SPENT"   /* nanoseconds that `startune run` took */
#define STAR_VARIABLE_OFF_JOB  "STARTUNE_OFF_JOB" /* in which startune is off on all ranks */

/* Takes all STARTUNE_* variables of ENVIRONMENT; NULL, as clearenv leaves it, has none. */
void star_settings_read_environment(struct star_settings_reader *reader, char *const *environment);
/* Takes the lines "name = value" of the file PATH; '#' starts a comment. STAR_ESYSTEM when it cannot be read,
 * STAR_EINPUT when it is too large. */
int star_settings_read_file(struct star_settings_reader *reader, const char *path, struct star_why *why);
/* Same, from memory; PATH is for messages. */
void star_settings_read_text(struct star_settings_reader *reader, const char *path, const char *text,
                             size_t length);

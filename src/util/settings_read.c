/* SPDX-License-Identifier: BSD-3-Clause
 * Settings from files and from the environment. */
#include "util/settings_read.h"
#include "util/parse.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char in_environment[] = "environment";

/* Adds a name that no setting has to the list, where it fits. */
static void list_unknown(struct star_settings_reader *reader, const struct star_setting_doubt *doubt,
                         const char *nearest)
{
    struct star_why entry; /* one line, whatever the name is */
    size_t length = strlen(reader->list), more;
    bool in_file = strcmp(doubt->place, in_environment) != 0;
    star_because(&entry, 0, "%s%.60s%s%.100s%s%s%s", length ? ", " : "", doubt->name, in_file ? " in " : "",
                 in_file ? doubt->place : "", nearest ? " (did you mean " : "", nearest ? nearest : "",
                 nearest ? "?)" : "");
    more = strlen(entry.text);
    if (length + more < sizeof reader->list && reader->listed == reader->unknown) {
        memcpy(reader->list + length, entry.text, more + 1);
        reader->listed++;
    }
    reader->unknown++;
}

const char *star_settings_unknown(const struct star_settings_reader *reader, char *buffer, size_t room)
{
    int more = reader->unknown - reader->listed;
    int length = snprintf(buffer, room, "%s", reader->list);
    if (more > 0 && length >= 0 && (size_t)length < room)
        snprintf(buffer + length, room - (size_t)length, ", and %d more", more);
    return buffer;
}

static void count_malformed(struct star_settings_reader *reader, const char *reason)
{
    if (reader->malformed++ == 0)
        star_because(&reader->why, STAR_EINPUT, "%s", reason);
}

/* NEAREST: the known name that is nearest to an unknown one, or NULL. */
static void tell(struct star_settings_reader *reader, const struct star_setting_doubt *doubt,
                 const char *nearest)
{
    if (doubt->unknown)
        list_unknown(reader, doubt, nearest);
    else
        count_malformed(reader, doubt->reason);
    if (reader->doubt != NULL)
        reader->doubt(doubt, reader->context);
}

static int check(const struct star_settings_reader *reader, const char *name, const char *value,
                 struct star_why *why)
{
    struct star_why detail;
    int error = reader->check ? reader->check(name, value, &detail) : 0;
    return error ? star_because(why, STAR_EINPUT, "setting %s: %s", name, detail.text) : 0;
}

/* Sets SETTING, which PLACE calls NAME; a value that is not good is left out. */
static void take(struct star_settings_reader *reader, const struct star_setting *setting, const char *place,
                 const char *name, const char *value)
{
    struct star_why detail, reason;
    int error = check(reader, setting->name, value, &detail);
    if (!error)
        error = star_settings_set(reader->settings, setting->name, value, &detail);
    if (error) {
        star_because(&reason, error, "%.150s: %.240s", place, detail.text);
        tell(reader, &(struct star_setting_doubt){false, place, name, value, reason.text}, NULL);
        return;
    }
    char origin[200];
    bool in_file = strcmp(place, in_environment) != 0;
    snprintf(origin, sizeof origin, "%s%s", in_file ? "file " : "", place);
    star_origin_set(reader->origins, setting->name, origin);
}

/* The setting whose variable is NAME, or NULL. */
static const struct star_setting *setting_of_variable(const char *name)
{
    for (int i = 0; i < star_setting_count; i++)
        if (star_setting_has_variable(&star_setting_table[i], name))
            return &star_setting_table[i];
    return NULL;
}

static void tell_unknown_variable(struct star_settings_reader *reader, const char *name, const char *value)
{
    enum { COMMON = sizeof "STARTUNE" - 1 }; /* what all variables begin with makes none of them likely */
    char variables[STAR_SETTINGS_MAX][64];
    const char *names[STAR_SETTINGS_MAX];
    struct star_why reason;
    for (int i = 0; i < star_setting_count; i++)
        names[i] = COMMON + star_setting_variable(&star_setting_table[i], variables[i], sizeof variables[i]);
    const char *nearest = star_nearest(name + COMMON, names, (size_t)star_setting_count);
    nearest = nearest ? nearest - COMMON : NULL;
    star_because(&reason, STAR_EINPUT, "%s: unknown variable '%.80s'%s%s%s", in_environment, name,
                 nearest ? ": did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
    tell(reader, &(struct star_setting_doubt){true, in_environment, name, value, reason.text}, nearest);
}

/* Variables of ours that are no settings. */
static bool is_apart(const char *name)
{
    static const char *const names[] = {STAR_VARIABLE_SETTINGS, STAR_VARIABLE_WARNED, STAR_VARIABLE_SPENT,
                                        STAR_VARIABLE_OFF_JOB};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

void star_settings_read_environment(struct star_settings_reader *reader, char *const *environment)
{
    for (; environment != NULL && *environment != NULL; environment++) {
        const char *entry = *environment, *value = strchr(entry, '=');
        char name[128]; /* more than the longest of ours */
        if (value == NULL || strncmp(entry, "STARTUNE", 8) != 0 || (entry[8] != '=' && entry[8] != '_'))
            continue;
        int length = value - entry < (long)sizeof name ? (int)(value - entry) : (int)sizeof name - 1;
        snprintf(name, sizeof name, "%.*s", length, entry);
        const struct star_setting *setting = setting_of_variable(name);
        if (setting != NULL)
            take(reader, setting, in_environment, name, value + 1);
        else if (!is_apart(name))
            tell_unknown_variable(reader, name, value + 1);
    }
}

static char *trim(char *text)
{
    while (isspace((unsigned char)*text))
        text++;
    size_t length = strlen(text);
    while (length > 0 && isspace((unsigned char)text[length - 1]))
        text[--length] = 0;
    return text;
}

static void tell_malformed_line(struct star_settings_reader *reader, const char *place, const char *line,
                                const char *what)
{
    struct star_why reason;
    star_because(&reason, STAR_EINPUT, "%.150s: %s", place, what);
    tell(reader, &(struct star_setting_doubt){false, place, line, "", reason.text}, NULL);
}

static void tell_unknown_name(struct star_settings_reader *reader, const char *place, const char *name,
                              const char *value)
{
    struct star_why detail, reason;
    const struct star_setting *nearest = star_setting_nearest(name);
    int error = star_settings_set(reader->settings, name, value, &detail);
    star_because(&reason, error, "%.150s: %.200s", place, detail.text);
    tell(reader, &(struct star_setting_doubt){true, place, name, value, reason.text},
         nearest ? nearest->name : NULL);
}

static void read_line(struct star_settings_reader *reader, const char *place, char *line)
{
    char what[140];
    line[strcspn(line, "#")] = 0;
    char *name = trim(line), *equals = strchr(name, '=');
    if (*name == 0)
        return;
    if (equals == NULL || equals == name) {
        snprintf(what, sizeof what, "'%.80s' is not of the form name = value", name);
        tell_malformed_line(reader, place, name, what);
        return;
    }
    *equals = 0;
    name = trim(name);
    char *value = trim(equals + 1);
    const struct star_setting *setting = star_setting_find(name);
    if (setting != NULL)
        take(reader, setting, place, name, value);
    else
        tell_unknown_name(reader, place, name, value);
}

/* Where some editors put a byte order mark, the first line begins behind it. */
static size_t skip_mark(const char *text, size_t length)
{
    static const char mark[] = "\xef\xbb\xbf";
    return length >= strlen(mark) && memcmp(text, mark, strlen(mark)) == 0 ? strlen(mark) : 0;
}

void star_settings_read_text(struct star_settings_reader *reader, const char *path, const char *text,
                             size_t length)
{
    int number = 1;
    for (size_t at = skip_mark(text, length); at < length; number++) {
        const char *end = memchr(text + at, '\n', length - at);
        size_t size = end ? (size_t)(end - text) - at : length - at;
        char line[2 * STAR_SETTING_TEXT], place[200];
        snprintf(place, sizeof place, "%.150s:%d", path, number);
        bool is_text = memchr(text + at, 0, size) == NULL;
        if (is_text && size < sizeof line) {
            memcpy(line, text + at, size);
            line[size] = 0;
            read_line(reader, place, line);
        } else {
            tell_malformed_line(reader, place, "", "not a line of settings");
        }
        if (!is_text) /* nor is what follows */
            return;
        at += size + 1;
    }
}

int star_settings_read_file(struct star_settings_reader *reader, const char *path, struct star_why *why)
{
    enum { FILE_MOST = 1 << 20 };
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return star_because(why, STAR_ESYSTEM, "%.150s: %s", path, strerror(errno));
    char *text = malloc(FILE_MOST);
    size_t length = text ? fread(text, 1, FILE_MOST, file) : 0;
    int error = 0;
    if (text == NULL || ferror(file))
        error = star_because(why, STAR_ESYSTEM, "%.150s: %s", path, strerror(errno));
    else if (length == FILE_MOST)
        error = star_because(why, STAR_EINPUT, "%.150s: larger than a file of settings can be", path);
    else
        star_settings_read_text(reader, path, text, length);
    free(text);
    fclose(file);
    return error;
}

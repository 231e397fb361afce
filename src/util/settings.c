/* SPDX-License-Identifier: BSD-3-Clause */
#include "util/settings.h"
#include "util/parse.h"
#include "util/placement.h"
#include "util/version.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define AT(field) offsetof(struct star_settings, field)
#define MANY      2147483647.0

/* "|exhaustive|grouped|…" */
#define STAR_STRATEGY(word, name, does) "|" #name
static const char strategies[] =
#include "util/strategies.def"
    ;
#undef STAR_STRATEGY

#define STAR_SETTING(name, kind, field, ...) {name, STAR_##kind, AT(field), __VA_ARGS__},
const struct star_setting star_setting_table[] = {
#include "util/settings.def"
};
#undef STAR_SETTING
const int star_setting_count = sizeof star_setting_table / sizeof *star_setting_table;
_Static_assert(sizeof star_setting_table / sizeof *star_setting_table <= STAR_SETTINGS_MAX, "origins");

static void *field(struct star_settings *settings, const struct star_setting *setting)
{
    return (char *)settings + setting->offset;
}

void star_settings_preset(struct star_settings *settings)
{
    memset(settings, 0, sizeof *settings);
    for (int i = 0; i < star_setting_count; i++)
        star_settings_set(settings, star_setting_table[i].name, star_setting_table[i].preset, NULL);
}

const struct star_setting *star_setting_find(const char *name)
{
    for (int i = 0; i < star_setting_count; i++)
        if (strcmp(name, star_setting_table[i].name) == 0)
            return &star_setting_table[i];
    return NULL;
}

const struct star_setting *star_setting_nearest(const char *name)
{
    const char *names[STAR_SETTINGS_MAX];
    for (int i = 0; i < star_setting_count; i++)
        names[i] = star_setting_table[i].name;
    const char *nearest = star_nearest(name, names, (size_t)star_setting_count);
    return nearest ? star_setting_find(nearest) : NULL;
}

static int unknown_setting(const char *name, struct star_why *why)
{
    const struct star_setting *setting = star_setting_nearest(name);
    const char *nearest = setting ? setting->name : NULL;
    if (nearest)
        return star_because(why, STAR_EINPUT, "unknown setting '%.80s': did you mean '%s'?", name, nearest);
    return star_because(why, STAR_EINPUT, "unknown setting '%.80s'; `startune settings` lists them", name);
}

static int bad_value(const struct star_setting *setting, const char *value, const char *good,
                     struct star_why *why)
{
    return star_because(why, STAR_EINPUT, "setting %s: '%.80s' is not %s", setting->name, value, good);
}

/* As star_choice_index; where on or off is among them, other words for it are, too. */
static int choice_index(const char *choices, const char *value)
{
    bool on;
    int index = star_choice_index(choices, value);
    if (index < 0 && star_parse_switch(value, &on))
        index = star_choice_index(choices, on ? "on" : "off");
    return index;
}

static int set_number(struct star_settings *settings, const struct star_setting *setting, const char *value,
                      struct star_why *why)
{
    char good[120];
    int64_t whole = 0;
    double number = 0;
    if (setting->choices != NULL && strcmp(value, setting->choices) == 0) {
        *(int64_t *)field(settings, setting) = -1;
        return 0;
    }
    bool parsed = setting->kind == STAR_COUNT   ? star_parse_integer(value, &whole)
                  : setting->kind == STAR_BYTES ? star_parse_bytes(value, &whole)
                                                : star_parse_number(value, &number);
    if (setting->kind != STAR_NUMBER)
        number = (double)whole;
    if (!parsed || number < setting->least || number > setting->most) {
        const char *kind = setting->kind == STAR_COUNT   ? "a whole number"
                           : setting->kind == STAR_BYTES ? "a number of bytes, such as 64K,"
                                                         : "a number or percentage";
        const char *word = setting->choices != NULL ? setting->choices : "";
        snprintf(good, sizeof good, "%s%s%s from %.15g to %.15g", word, word[0] ? " or " : "", kind,
                 setting->least, setting->most);
        return bad_value(setting, value, good, why);
    }
    if (setting->kind == STAR_NUMBER)
        *(double *)field(settings, setting) = number;
    else
        *(int64_t *)field(settings, setting) = whole;
    return 0;
}

static int set_choice(struct star_settings *settings, const struct star_setting *setting, const char *value,
                      struct star_why *why)
{
    bool is_switch = setting->kind == STAR_SWITCH;
    int index = choice_index(is_switch ? "off|on" : setting->choices, value);
    if (index < 0) {
        char good[120];
        snprintf(good, sizeof good, "one of %s", is_switch ? "on|off" : setting->choices);
        return bad_value(setting, value, good, why);
    }
    *(int64_t *)field(settings, setting) = index;
    return 0;
}

static int set_words(struct star_settings *settings, const struct star_setting *setting, const char *value,
                     struct star_why *why)
{
    struct star_placement placement;
    struct star_why detail;
    bool on;
    if (setting->choices != NULL && choice_index(setting->choices, value) >= 0 &&
        star_parse_switch(value, &on))
        value = on ? "on" : "off";
    if (strlen(value) >= STAR_SETTING_TEXT)
        return star_because(why, STAR_EINPUT, "setting %s: a value of %zu characters; %d at most",
                            setting->name, strlen(value), STAR_SETTING_TEXT - 1);
    if (setting->kind == STAR_PLACES && star_placement_parse(value, &placement, &detail))
        return star_because(why, STAR_EINPUT, "setting %s: %.300s", setting->name, detail.text);
    memset(field(settings, setting), 0, STAR_SETTING_TEXT); /* settings are compared byte by byte */
    memcpy(field(settings, setting), value, strlen(value));
    return 0;
}

bool star_setting_has_off(const struct star_setting *setting)
{
    return setting->kind == STAR_SWITCH ||
           (setting->choices != NULL && choice_index(setting->choices, "off") >= 0);
}

int star_settings_set(struct star_settings *settings, const char *name, const char *value,
                      struct star_why *why)
{
    const struct star_setting *setting = star_setting_find(name);
    if (setting == NULL)
        return unknown_setting(name, why);
    if (setting->kind == STAR_SWITCH || setting->kind == STAR_CHOICE)
        return set_choice(settings, setting, value, why);
    if (setting->kind == STAR_WORDS || setting->kind == STAR_PLACES)
        return set_words(settings, setting, value, why);
    return set_number(settings, setting, value, why);
}

const char *star_setting_format(const struct star_settings *settings, const struct star_setting *setting,
                                char *buffer, size_t room)
{
    const void *value = (const char *)settings + setting->offset;
    char number[32];
    if (setting->kind == STAR_SWITCH)
        snprintf(buffer, room, "%s", *(const int64_t *)value ? "on" : "off");
    else if (setting->kind == STAR_COUNT && setting->choices != NULL && *(const int64_t *)value < 0)
        snprintf(buffer, room, "%s", setting->choices);
    else if (setting->kind == STAR_COUNT)
        snprintf(buffer, room, "%lld", (long long)*(const int64_t *)value);
    else if (setting->kind == STAR_BYTES)
        snprintf(buffer, room, "%s", star_format_bytes(*(const int64_t *)value, number, sizeof number));
    else if (setting->kind == STAR_NUMBER)
        star_format_share(*(const double *)value, buffer, room);
    else if (setting->kind == STAR_WORDS || setting->kind == STAR_PLACES)
        snprintf(buffer, room, "%s", (const char *)value);
    else {
        const char *choice = setting->choices;
        for (int64_t i = *(const int64_t *)value; i > 0; i--)
            choice += strcspn(choice, "|") + 1;
        snprintf(buffer, room, "%.*s", (int)strcspn(choice, "|"), choice);
    }
    return buffer;
}

static char in_variable(char c)
{
    return c == '-' ? '_' : (char)toupper((unsigned char)c);
}

bool star_setting_has_variable(const struct star_setting *setting, const char *name)
{
    static const char common[] = "STARTUNE_";
    const char *own = setting->name, *rest = name + sizeof common - 1;
    if (setting->offset == AT(on))
        return strcmp(name, "STARTUNE") == 0;
    if (strncmp(name, common, sizeof common - 1) != 0)
        return false;
    while (*own != 0 && in_variable(*own) == *rest) {
        own++;
        rest++;
    }
    return *own == 0 && *rest == 0;
}

const char *star_setting_variable(const struct star_setting *setting, char *buffer, size_t room)
{
    if (setting->offset == AT(on)) {
        snprintf(buffer, room, "STARTUNE");
        return buffer;
    }
    snprintf(buffer, room, "STARTUNE_%s", setting->name);
    for (char *c = buffer; *c; c++)
        *c = in_variable(*c);
    return buffer;
}

void star_origin_set(struct star_origins *origins, const char *name, const char *origin)
{
    if (origins == NULL)
        return;
    long which = star_setting_find(name) - star_setting_table;
    free(origins->of[which]);
    origins->of[which] = strdup(origin);
}

void star_origins_free(struct star_origins *origins)
{
    for (int i = 0; i < star_setting_count; i++)
        free(origins->of[i]), origins->of[i] = NULL;
}

/* SPDX-License-Identifier: BSD-3-Clause
 * startune settings: each with its value, where that comes from, and what it means. */
#include "cli/common/settings.h"
#include "cli/common/check_value.h"
#include "cli/common/messages.h"
#include "cli/common/options.h"
#include "cli/common/take.h"
#include "util/settings.h"
#include "util/settings_read.h"
#include "util/text.h"
#include "util/why.h"

#include <stdio.h>
#include <string.h>

static bool as_json;
static const char *strictly; /* the file to check */

/* What files and the environment say that is no setting, as it will be printed. */
static struct star_text doubts;

/* The meaning of a doubt is its reason. */
static void keep_json(const struct star_setting_doubt *doubt, void *context)
{
    (void)context;
    star_text_add(&doubts, ",\n");
    star_json_add(&doubts,
                  "{name: %s, value: %s, origin: %s, default: %s, variable: %s, meaning: %s, taken: %i}",
                  doubt->name, doubt->value, doubt->place, "", "", doubt->reason, false);
}

static void keep_text(const struct star_setting_doubt *doubt, void *context)
{
    (void)context;
    star_text_add(&doubts, "%s: %s = %s\n    from: %s\n", doubt->unknown ? "unknown" : "malformed",
                  doubt->name, doubt->value, doubt->reason);
}

static void refuse(const struct star_setting_doubt *doubt, void *context)
{
    (void)context;
    cli_error("%s", doubt->reason);
}

/* Reads the file alone, and refuses what no setting takes, a line each. */
static int check(const char *path)
{
    struct star_settings settings;
    struct star_why why;
    struct star_settings_reader reader = {.settings = &settings, .check = cli_check_value, .doubt = refuse};
    star_settings_preset(&settings);
    if (star_settings_read_file(&reader, path, &why))
        return cli_error("%s", why.text);
    return reader.malformed + reader.unknown > 0 ? CLI_USAGE : CLI_OK;
}

static void print_json(void)
{
    struct star_text text = {0};
    star_json_open(&text, NULL, '[');
    for (int i = 0; i < star_setting_count; i++) {
        const struct star_setting *setting = &star_setting_table[i];
        char value[STAR_SETTING_TEXT], variable[64];
        star_text_add(&text, i ? ",\n" : "\n");
        star_json_add(&text,
                      "{name: %s, value: %s, origin: %s, default: %s, variable: %s, meaning: %s, taken: %i}",
                      setting->name, star_setting_format(&cli_settings_now, setting, value, sizeof value),
                      cli_settings_origins.of[i] ? cli_settings_origins.of[i] : "default", setting->preset,
                      star_setting_variable(setting, variable, sizeof variable), setting->help, true);
    }
    star_text_append(&text, doubts.bytes, doubts.length);
    star_json_close(&text, ']');
    puts(text.bytes);
    star_text_free(&text);
}

static void print_text(void)
{
    for (int i = 0; i < star_setting_count; i++) {
        const struct star_setting *setting = &star_setting_table[i];
        char value[STAR_SETTING_TEXT], variable[64];
        star_setting_format(&cli_settings_now, setting, value, sizeof value);
        printf("%s = %s\n    %s%s%s\n", setting->name, value, setting->help, setting->choices ? "; " : "",
               setting->choices ? setting->choices : "");
        printf("    from: %s; variable %s\n",
               cli_settings_origins.of[i] ? cli_settings_origins.of[i] : "default",
               star_setting_variable(setting, variable, sizeof variable));
    }
    fputs(doubts.bytes ? doubts.bytes : "", stdout);
}

static int run(const struct cli_command *command, int argc, char **argv)
{
    int first = cli_options(command, argc, argv);
    if (first >= 0 && first == argc && strictly != NULL)
        return check(strictly);
    cli_settings_doubt = as_json ? keep_json : keep_text;
    first = first < 0 ? first : cli_load_with_options(command, argc, argv);
    if (first < 0)
        return CLI_USAGE;
    if (first < argc)
        return cli_error("unexpected argument '%s'", argv[first]);
    (as_json ? print_json : print_text)();
    star_text_free(&doubts);
    return CLI_OK;
}

static const struct cli_option options[] = {
    {"json", NULL, "print JSON", cli_take_switch, .at = &as_json, .group = "What is printed"},
    {"check", "FILE",
     "only check FILE: exit status 2, and a line each, where a name is unknown or a value is not good",
     cli_take_text, .at = &strictly},
    {"settings", "FILE", "read settings from FILE, lines of the form name = value", cli_take_file,
     .at = NULL},
    {.name = NULL},
};
static const struct cli_line examples[] = {
    {"startune settings", "what holds here, and from where"},
    {"STARTUNE_ITER=5 startune settings --strategy exhaustive", "what would hold with these"},
    {"startune settings --check mine.conf", "is each of its lines a setting"},
    {.name = NULL},
};

const struct cli_command cli_settings = {
    .name = "settings",
    .synopsis = "startune settings [OPTIONS]",
    .summary = "list the settings with value, origin and meaning",
    .description =
        "Prints each setting with its value, where the value comes from (default, a file, the environment, "
        "an option), its environment variable, and its meaning. Give options of startune run to see what "
        "they change. Lines of files and STARTUNE_ variables that are no settings come last.\n\n"
        "For switches, on, yes, true and 1 are the same, and so are off, no, false and 0.\n\n"
        "An unknown name is a warning in files and in the environment, and an error on the command line. A "
        "bad value is an error everywhere, but a warning where startune is off. --check refuses both, with "
        "file and line.",
    .options = options,
    .takes_settings = true,
    .examples = examples,
    .uses = "settings",
    .run = run,
};

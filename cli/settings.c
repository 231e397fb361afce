/* SPDX-License-Identifier: BSD-3-Clause
 * startune settings: each with its value, where that comes from, and what it means. */
#include "command.h"
#include "util/text.h"

#include <stdio.h>

static bool as_json;

static bool take(const struct cli_option *option, const char *value, struct star_why *why)
{
    (void)why;
    return option->argument ? cli_take_file(value) : (as_json = true);
}

static void print_json(void)
{
    struct star_text text = {0};
    star_json_open(&text, NULL, '[');
    for (int i = 0; i < star_setting_count; i++) {
        const struct star_setting *setting = &star_setting_table[i];
        char value[STAR_SETTING_TEXT], variable[64];
        star_text_add(&text, i ? ",\n" : "\n");
        star_json_open(&text, NULL, '{');
        star_json_string(&text, "name", setting->name);
        star_json_string(&text, "value",
                         star_setting_format(&cli_settings_now, setting, value, sizeof value));
        star_json_string(&text, "origin",
                         cli_settings_origins.of[i] ? cli_settings_origins.of[i] : "default");
        star_json_string(&text, "default", setting->preset);
        star_json_string(&text, "variable", star_setting_variable(setting, variable, sizeof variable));
        star_json_string(&text, "meaning", setting->help);
        star_json_close(&text, '}');
    }
    star_json_close(&text, ']');
    puts(text.bytes);
    star_text_free(&text);
}

static int run(int argc, char **argv)
{
    int first = cli_load_with_options(&cli_settings, argc, argv);
    if (first < 0)
        return CLI_USAGE;
    if (first < argc)
        return cli_error(&cli_settings, "unexpected argument '%s'", argv[first]);
    if (as_json) {
        print_json();
        return CLI_OK;
    }
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
    return CLI_OK;
}

static const struct cli_option options[] = {
    {"json", NULL, "print JSON"},
    {"settings", "FILE", "read settings from FILE, lines of the form name = value"},
    {NULL, NULL, NULL},
};
static const struct cli_example examples[] = {
    {"startune settings", "what holds here, and from where"},
    {"STARTUNE_ITER=5 startune settings --strategy exhaustive", "what would hold with these"},
    {NULL, NULL},
};

const struct cli_command cli_settings = {
    .name = "settings",
    .synopsis = "startune settings [OPTIONS]",
    .summary = "list the settings with value, origin and meaning",
    .description =
        "Prints every setting: its value, where the value comes from (default, a file, the environment, an\n"
        "option), its environment variable, and what it means. Every option of startune run may be given,\n"
        "to see its effect.",
    .options = options,
    .takes_settings = true,
    .examples = examples,
    .run = run,
    .take = take,
};

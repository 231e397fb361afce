/* SPDX-License-Identifier: BSD-3-Clause
 * Options of the command line, and where settings come from. */
#include "command.h"
#include "algorithms/methods.h"
#include "patterns/forced.h"
#include "plan/cost.h"
#include "util/parse.h"
#include "util/settings_read.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct star_settings cli_settings_now;
struct star_origins cli_settings_origins;
void (*cli_settings_doubt)(const struct star_setting_doubt *doubt, void *context);

const char *cli_setting_origin(const char *name)
{
    return cli_settings_origins.of[star_setting_find(name) - star_setting_table];
}

/* Of `force` some words may name functions of function-sets. */
static int check_methods(const char *setting, const char *text, struct star_why *why)
{
    struct star_methods methods;
    char others[STAR_SETTING_TEXT];
    bool forces = strcmp(setting, "force") == 0;
    int error = forces ? star_forced_split(text, others, sizeof others, why) : 0;
    if (!error)
        error = star_methods_parse(forces ? others : text, &methods, why);
    if (!error)
        star_methods_free(&methods);
    return error;
}

int cli_check_value(const char *name, const char *value, struct star_why *why)
{
    struct star_cost_parameters parameters = star_cost_presets;
    if (strcmp(name, "force") == 0 || strcmp(name, "methods") == 0)
        return check_methods(name, value, why);
    return strcmp(name, "assume") != 0 || value[0] == 0 ? 0 : star_cost_parse(value, &parameters, why);
}

/* What the files and the environment say. */
static struct star_settings_reader reading;
static bool file_is_option, file_is_missing; /* the command line names it; it cannot be read */

static void read_file(const char *path)
{
    struct star_why why;
    file_is_missing = star_settings_read_file(&reading, path, &why) != 0;
    if (file_is_missing && reading.malformed++ == 0)
        reading.why = why;
}

static void read_if_there(const char *path)
{
    if (access(path, F_OK) == 0)
        read_file(path);
}

static void read_own_file(void)
{
    const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
    char path[4096];
    if (config != NULL && *config)
        snprintf(path, sizeof path, "%s/startune.conf", config);
    else if (home != NULL && *home)
        snprintf(path, sizeof path, "%s/.config/startune.conf", home);
    else
        return;
    read_if_there(path);
}

static void read_all(void)
{
    const char *named = getenv(STAR_VARIABLE_SETTINGS);
    star_settings_preset(&cli_settings_now);
    star_origins_free(&cli_settings_origins);
    reading = (struct star_settings_reader){.settings = &cli_settings_now,
                                            .origins = &cli_settings_origins,
                                            .check = cli_check_value,
                                            .doubt = cli_settings_doubt};
    if (named != NULL && *named) {
        read_file(named);
    } else {
        read_if_there("/etc/startune.conf");
        read_own_file();
    }
    star_settings_read_environment(&reading, environ);
}

/* Unknown names deserve a warning, as module files set STARTUNE_ROOT and the like, and files may be of a
 * newer startune; malformed values are errors, unless startune is off. */
static bool judge(void)
{
    char list[sizeof reading.list + 32];
    bool off = cli_setting_origin("on") != NULL && !cli_settings_now.on;
    if (reading.malformed > 0 && (!off || (file_is_option && file_is_missing))) {
        cli_error(NULL, "%s", reading.why.text);
        return false;
    }
    if (reading.unknown > 0)
        cli_warn("unknown settings are ignored: %s; `startune settings` lists the known ones",
                 star_settings_unknown(&reading, list, sizeof list));
    if (reading.malformed > 0)
        cli_warn("%s; this is no error, as startune is off", reading.why.text);
    return true;
}

bool cli_load_settings(void)
{
    read_all();
    return judge();
}

int cli_load_with_options(const struct cli_command *command, int argc, char **argv)
{
    if (cli_options(command, argc, argv) < 0)
        return -1;
    read_all();
    int first = cli_options(command, argc, argv);
    return first < 0 || !judge() ? -1 : first;
}

bool cli_take_file(const char *path)
{
    file_is_option = true;
    return setenv(STAR_VARIABLE_SETTINGS, path, 1) == 0;
}

void cli_export_settings(void)
{
    for (int i = 0; i < star_setting_count; i++) {
        char variable[64], value[STAR_SETTING_TEXT];
        const struct star_setting *setting = &star_setting_table[i];
        star_setting_format(&cli_settings_now, setting, value, sizeof value);
        setenv(star_setting_variable(setting, variable, sizeof variable), value, 1);
    }
    setenv(STAR_VARIABLE_WARNED, "yes", 1);
}

static bool set_setting(const struct cli_command *command, const char *name, const char *value)
{
    struct star_why why;
    int error = star_settings_set(&cli_settings_now, name, value, &why);
    if (!error)
        error = cli_check_value(name, value, &why);
    if (error) {
        cli_error(command, "--%s: %s", name, why.text);
        return false;
    }
    star_origin_set(&cli_settings_origins, name, "option");
    return true;
}

/* What the word at ARGV[*AT] asks for. */
struct request {
    char name[64];
    const char *value; /* after '=', or NULL */
    char **argv;
    int argc, *at;
};

/* As it is written in front of NAME. */
static const char *dashes(const char *name)
{
    return strlen(name) > 1 ? "--" : "-";
}

static const char *argument_of(const struct cli_command *command, const struct request *request)
{
    if (request->value != NULL)
        return request->value;
    if (*request->at + 1 < request->argc)
        return request->argv[++*request->at];
    cli_error(command, "option %s%s needs a value", dashes(request->name), request->name);
    return NULL;
}

/* Options of the one command that runs, each once. */
enum { GIVEN_MOST = 64 };
static const struct cli_option *given[GIVEN_MOST];
static int givens;

bool cli_was_given(const struct cli_option *option)
{
    for (int i = 0; i < givens; i++)
        if (given[i] == option)
            return true;
    return false;
}

static int take_own(const struct cli_command *command, const struct request *request)
{
    struct star_why why;
    for (const struct cli_option *option = command->options; option && option->name; option++) {
        if (strcmp(option->name, request->name))
            continue;
        if (option->argument == NULL && request->value != NULL) {
            cli_error(command, "option %s%s takes no value", dashes(request->name), request->name);
            return -1;
        }
        const char *value = option->argument ? argument_of(command, request) : "";
        if (value == NULL)
            return -1;
        if (!cli_was_given(option) && givens < GIVEN_MOST)
            given[givens++] = option;
        if (command->take(option, value, &why))
            return 1;
        cli_error(command, "option %s%s: %s", dashes(request->name), request->name, why.text);
        return -1;
    }
    return 0;
}

static int take_setting(const struct cli_command *command, const struct request *request)
{
    const char *name = request->name;
    if (!command->takes_settings)
        return 0;
    if (strcmp(name, "off") == 0 && request->value == NULL)
        return set_setting(command, "on", "off") ? 1 : -1;
    bool no = strncmp(name, "no-", 3) == 0;
    const struct star_setting *setting = star_setting_find(no ? name + 3 : name);
    if (setting == NULL || strcmp(setting->name, "on") == 0 || (no && setting->kind != STAR_SWITCH))
        return 0;
    const char *value = no ? "off" : "on";
    if (setting->kind != STAR_SWITCH)
        value = argument_of(command, request);
    else if (request->value != NULL)
        value = request->value;
    return value != NULL && set_setting(command, setting->name, value) ? 1 : -1;
}

static void say_unknown(const struct cli_command *command, const char *name)
{
    const char *names[64] = {"help"};
    size_t count = 1;
    for (const struct cli_option *option = command->options; option && option->name; option++)
        names[count++] = option->name;
    for (int i = 0; command->takes_settings && i < star_setting_count; i++)
        names[count++] = strcmp(star_setting_table[i].name, "on") ? star_setting_table[i].name : "off";
    const char *nearest = star_nearest(name, names, count);
    cli_error(command, "unknown option '%s%s'%s%s%s; startune %s --help lists them", dashes(name), name,
              nearest ? ": did you mean --" : "", nearest ? nearest : "", nearest ? "?" : "", command->name);
}

/* As cli_options. *ENDED becomes true where `--` says that no more options follow. */
static int take_options(const struct cli_command *command, int argc, char **argv, bool *ended)
{
    int at = 0;
    for (; at < argc && argv[at][0] == '-' && argv[at][1]; at++) {
        if (strcmp(argv[at], "--") == 0) {
            *ended = true;
            return at + 1;
        }
        const char *word = argv[at] + (argv[at][1] == '-' ? 2 : 1);
        struct request request = {.argv = argv, .argc = argc, .at = &at};
        size_t length = strcspn(word, "=");
        snprintf(request.name, sizeof request.name, "%.*s", (int)(length < 60 ? length : 60), word);
        request.value = word[length] ? word + length + 1 : NULL;
        if (strcmp(request.name, "help") == 0 || strcmp(request.name, "h") == 0) {
            cli_print_help(command);
            exit(cli_end(CLI_OK));
        }
        int taken = take_own(command, &request);
        if (taken == 0)
            taken = take_setting(command, &request);
        if (taken == 0)
            say_unknown(command, request.name);
        if (taken <= 0)
            return -1;
    }
    return at;
}

int cli_options(const struct cli_command *command, int argc, char **argv)
{
    bool ended;
    return take_options(command, argc, argv, &ended);
}

int cli_operands(const struct cli_command *command, int argc, char **argv)
{
    int count = 0;
    bool ended = false;
    for (int at = 0;; argv[count++] = argv[at++]) {
        int taken = ended ? 0 : take_options(command, argc - at, argv + at, &ended);
        if (taken < 0)
            return -1;
        at += taken;
        if (at == argc)
            return count;
    }
}

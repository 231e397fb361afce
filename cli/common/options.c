/* SPDX-License-Identifier: BSD-3-Clause */
#include "options.h"
#include "help.h"
#include "messages.h"
#include "settings.h"
#include "util/parse.h"
#include "util/settings.h"
#include "util/why.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static const char *argument_of(const struct request *request)
{
    if (request->value != NULL)
        return request->value;
    if (*request->at + 1 < request->argc)
        return request->argv[++*request->at];
    cli_error("option %s%s needs a value", dashes(request->name), request->name);
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
            cli_error("option %s%s takes no value", dashes(request->name), request->name);
            return -1;
        }
        const char *value = option->argument ? argument_of(request) : "";
        if (value == NULL)
            return -1;
        if (!cli_was_given(option) && givens < GIVEN_MOST)
            given[givens++] = option;
        if (option->take(option, value, &why))
            return 1;
        cli_error("option %s%s: %s", dashes(request->name), request->name, why.text);
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
        return cli_set_setting("on", "off") ? 1 : -1;
    bool no = strncmp(name, "no-", 3) == 0;
    const struct star_setting *setting = star_setting_find(no ? name + 3 : name);
    if (setting == NULL || strcmp(setting->name, "on") == 0 || (no && !star_setting_has_off(setting)))
        return 0;
    const char *value = no ? "off" : "on";
    if (setting->kind != STAR_SWITCH && !no)
        value = argument_of(request);
    else if (request->value != NULL)
        value = request->value;
    return value != NULL && cli_set_setting(setting->name, value) ? 1 : -1;
}

/* WRITTEN stands in front of NAME, one dash or two. */
static void say_unknown(const struct cli_command *command, const char *written, const char *name)
{
    const char *names[64] = {"help"};
    size_t count = 1;
    for (const struct cli_option *option = command->options; option && option->name; option++)
        names[count++] = option->name;
    for (int i = 0; command->takes_settings && i < star_setting_count; i++)
        names[count++] = strcmp(star_setting_table[i].name, "on") ? star_setting_table[i].name : "off";
    const char *nearest = star_nearest(name, names, count);
    cli_error("unknown option '%s%s'%s%s%s%s; startune %s --help lists them", written, name,
              nearest ? ": did you mean " : "", nearest ? dashes(nearest) : "", nearest ? nearest : "",
              nearest ? "?" : "", command->name);
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
            say_unknown(command, argv[at][1] == '-' ? "--" : "-", request.name);
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

int cli_load_with_options(const struct cli_command *command, int argc, char **argv)
{
    if (cli_options(command, argc, argv) < 0)
        return -1;
    cli_read_settings();
    int first = cli_options(command, argc, argv);
    return first < 0 || !cli_judge_settings() ? -1 : first;
}

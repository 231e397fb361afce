/* SPDX-License-Identifier: BSD-3-Clause */
#include "listing.h"
#include "setting_groups.h"
#include "util/settings.h"

#include <stdio.h>
#include <string.h>

bool cli_is_for(const struct cli_option *option, const struct cli_action *action)
{
    char name[64];
    snprintf(name, sizeof name, " %s ", option->name);
    return strstr(action->options, name) != NULL;
}

/* "of show, draw: ", where it is not for all actions. */
static void list_actions(const struct cli_command *command, const struct cli_option *option, char *text,
                         size_t room)
{
    size_t length = 0;
    bool all = true;
    text[0] = 0;
    for (const struct cli_action *action = command->actions; action && action->name; action++)
        if (!cli_is_for(option, action))
            all = false;
        else if (length < room)
            length +=
                (size_t)snprintf(text + length, room - length, "%s%s", length ? ", " : "of ", action->name);
    if (all)
        text[0] = 0;
    else if (length < room)
        snprintf(text + length, room - length, ": ");
}

/* SWITCHES that are on are shown by how they are turned off, and so is `on` itself. */
static struct cli_shown show_setting(const struct star_setting *setting, const char *group)
{
    bool is_switch = setting->kind == STAR_SWITCH, is_on = is_switch && strcmp(setting->preset, "on") == 0;
    struct cli_shown shown = {.group = group,
                              .dashes = is_on ? "--no-" : "--",
                              .name = setting->name,
                              .argument = is_switch ? NULL : setting->argument,
                              .before = is_on ? "do not " : "",
                              .help = setting->help,
                              .preset = is_switch || !setting->preset[0] ? NULL : setting->preset};
    if (strcmp(setting->name, "on") == 0) {
        shown.name = "off";
        shown.help = "leave the program's calls to the MPI library";
    }
    if (setting->kind == STAR_CHOICE)
        shown.argument = setting->choices;
    const struct cli_choice *choice = cli_choice_of(setting);
    if (choice != NULL) {
        shown.argument = setting->argument;
        shown.help = choice->help;
        shown.words = choice->words;
    }
    return shown;
}

void cli_each_setting(cli_visit *visit, void *context)
{
    for (int g = 0; g < cli_setting_group_count; g++) {
        const char *title = cli_setting_groups[g].title;
        for (int i = 0; i < star_setting_count; i++) {
            if (cli_setting_group_of(&star_setting_table[i]) != g)
                continue;
            struct cli_shown shown = show_setting(&star_setting_table[i], title);
            visit(&shown, context);
            title = NULL;
        }
    }
}

void cli_each_option(const struct cli_command *command, cli_visit *visit, void *context)
{
    char before[200];
    const struct cli_shown help = {NULL, "--", "help", NULL, "", "print this", NULL, NULL};
    if (command->takes_settings)
        cli_each_setting(visit, context);
    for (const struct cli_option *o = command->options; o->name; o++) {
        const struct cli_shown shown = {
            o->group, o->name[1] ? "--" : "-", o->name, o->argument, before, o->help, NULL, o->words};
        list_actions(command, o, before, sizeof before);
        visit(&shown, context);
    }
    visit(&help, context);
}

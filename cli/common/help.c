/* SPDX-License-Identifier: BSD-3-Clause */
#include "help.h"
#include "util/settings.h"

#include <stdio.h>
#include <string.h>

const char cli_overview[] =
    "startune makes MPI programs tune their communication while they run: it knows many algorithms for each\n"
    "operation, measures them, uses the fastest, and keeps watching.";

const struct cli_example cli_first_steps[] = {
    {"mpirun -n 16 startune run ./app", "run a program, tuned"},
    {"mpirun -n 8 startune bench alltoall --sizes 2K,64K", "compare all methods with the MPI library's own"},
    {"startune plan alltoall:ring,sync=light -n 8", "see who sends what to whom in which round"},
    {NULL, NULL},
};

void cli_each_option(const struct cli_command *command, cli_visit_option *visit)
{
    for (const struct cli_option *o = command->options; o && o->name; o++)
        visit(o->name[1] ? "--" : "-", o->name, o->argument, o->help, NULL);
    for (int i = 0; command->takes_settings && i < star_setting_count; i++) {
        const struct star_setting *s = &star_setting_table[i];
        if (strcmp(s->name, "on") == 0)
            visit("--", "off", NULL, "leave the program's calls to the MPI library", NULL);
        else if (s->kind == STAR_SWITCH && strcmp(s->preset, "on") == 0)
            visit("--no-", s->name, NULL, s->help, NULL);
        else
            visit("--", s->name, s->kind == STAR_SWITCH ? NULL : s->argument, s->help,
                  s->preset[0] && s->kind != STAR_SWITCH ? s->preset : NULL);
    }
    visit("--", "help", NULL, "say this", NULL);
}

static void help_option(const char *dashes, const char *name, const char *argument, const char *help,
                        const char *preset)
{
    char left[80];
    snprintf(left, sizeof left, "%s%s%s%s", dashes, name, argument ? " " : "", argument ? argument : "");
    printf("  %-24s %s%s%s%s\n", left, help, preset ? " [" : "", preset ? preset : "", preset ? "]" : "");
}

static void help_examples(const struct cli_example *examples)
{
    printf("\nExamples:\n");
    for (; examples && examples->line; examples++)
        printf("  %s\n      %s\n", examples->line, examples->says);
}

void cli_print_help(const struct cli_command *command)
{
    printf("usage: %s\n\n%s\n\nOptions:\n", command->synopsis, command->description);
    cli_each_option(command, help_option);
    help_examples(command->examples);
}

void cli_print_overview(const struct cli_command *const *commands)
{
    printf("usage: startune COMMAND [ARGUMENTS]\n\n%s\n\nCommands:\n", cli_overview);
    for (int i = 0; commands[i]; i++)
        printf("  %-10s %s\n", commands[i]->name, commands[i]->summary);
    printf("  %-10s %s\n", "help", "startune help COMMAND, or startune COMMAND --help: more about a command");
    help_examples(cli_first_steps);
}

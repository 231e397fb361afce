/* SPDX-License-Identifier: BSD-3-Clause */
#include "help.h"
#include "listing.h"
#include "util/text.h"

#include <stdio.h>
#include <string.h>

enum { WIDTH = 80, COLUMN = 26 };

const char cli_overview[] =
    "startune makes MPI programs tune their communication while they run: it knows many algorithms for each "
    "operation, measures them, uses the fastest, and keeps watching.";

const struct cli_line cli_first_steps[] = {
    {"mpirun -n 16 startune run ./app", "run a program, tuned"},
    {"mpirun -n 8 startune bench alltoall --sizes 2K,64K", "compare all methods with the MPI library's own"},
    {"startune plan alltoall:ring,sync=light -n 8", "see who sends what to whom in which round"},
    {.name = NULL},
};

/* Prints the words of TEXT in lines of WIDTH that are indented by MARGIN; the first begins at column AT.
 * Empty lines stay. */
static void wrap(const char *text, int margin, int at)
{
    bool begins = true;
    for (size_t length; *text; text += length) {
        if (strncmp(text, "\n\n", 2) == 0) {
            printf("\n\n%*s", margin, "");
            at = margin;
            begins = true;
        }
        text += strspn(text, " \n");
        length = strcspn(text, " \n");
        int width = star_letters(text, length);
        if (!begins && at + 1 + width > WIDTH) {
            printf("\n%*s", margin, "");
            at = margin;
        } else if (!begins && length > 0) {
            at += printf(" ");
        }
        printf("%.*s", (int)length, text);
        at += width;
        begins = begins && length == 0;
    }
    printf("\n");
}

/* LEFT, and TEXT in the column beside it. */
static void put_row(const char *left, const char *text)
{
    int width = star_letters(left, strlen(left));
    printf("%s", left);
    if (width > COLUMN - 2)
        printf("\n%*s", COLUMN, "");
    else
        printf("%*s", COLUMN - width, "");
    wrap(text, COLUMN, COLUMN);
}

static void put_lines(const char *title, const char *margin, const struct cli_line *line)
{
    char left[100];
    printf("%s", title);
    for (; line && line->name; line++) {
        snprintf(left, sizeof left, "%s%s", margin, line->name);
        put_row(left, line->says);
    }
}

static void put_option(const struct cli_shown *shown, void *context)
{
    char left[200], text[800];
    (void)context;
    if (shown->group != NULL)
        printf("\n%s:\n", shown->group);
    snprintf(left, sizeof left, "  %s%s%s%s", shown->dashes, shown->name, shown->argument ? " " : "",
             shown->argument ? shown->argument : "");
    snprintf(text, sizeof text, "%s%s%s%s%s%s", shown->before, shown->help, shown->preset ? " [" : "",
             shown->preset ? shown->preset : "", shown->preset ? "]" : "", shown->words ? ":" : "");
    put_row(left, text);
    put_lines("", "      ", shown->words);
}

static void put_examples(const struct cli_line *example)
{
    printf("\nExamples:\n");
    for (; example && example->name; example++) {
        printf("  %s\n      ", example->name);
        wrap(example->says, 6, 6);
    }
}

static void put_actions(const struct cli_action *action)
{
    char left[100];
    if (action != NULL)
        printf("\nActions:\n");
    for (; action && action->name; action++) {
        snprintf(left, sizeof left, "  %s %s", action->name, action->words);
        put_row(left, action->says);
    }
}

void cli_print_help(const struct cli_command *command)
{
    printf("usage: %s\n\n", command->synopsis);
    wrap(command->description, 0, 0);
    put_actions(command->actions);
    printf("\nOptions:\n");
    cli_each_option(command, put_option, NULL);
    put_examples(command->examples);
}

void cli_print_overview(const struct cli_command *const *commands)
{
    printf("usage: startune COMMAND [ARGUMENTS]\n\n");
    wrap(cli_overview, 0, 0);
    printf("\nCommands:\n");
    for (; *commands; commands++)
        printf("  %-10s %s\n", (*commands)->name, (*commands)->summary);
    printf("  %-10s %s\n", "help", "startune help COMMAND, or startune COMMAND --help: more about a command");
    put_examples(cli_first_steps);
}

/* SPDX-License-Identifier: BSD-3-Clause
 * --help, the manual pages and the completion, all from the tables of options. */
#include "command.h"
#include "util/version.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static const char overview[] =
    "startune makes MPI programs tune their communication while they run: it knows many algorithms for each\n"
    "operation, measures them, uses the fastest, and keeps watching.";

static const struct cli_example first_steps[] = {
    {"mpirun -n 16 startune run ./app", "run a program, tuned"},
    {"mpirun -n 8 startune bench alltoall --sizes 2K,64K", "compare all methods with the MPI library's own"},
    {"startune plan alltoall:ring,sync=light -n 8", "see who sends what to whom in which round"},
    {NULL, NULL},
};

typedef void visit_option(const char *dashes, const char *name, const char *argument, const char *help,
                          const char *preset);

static void each_option(const struct cli_command *command, visit_option *visit)
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
    each_option(command, help_option);
    help_examples(command->examples);
}

void cli_print_overview(void)
{
    printf("usage: startune COMMAND [ARGUMENTS]\n\n%s\n\nCommands:\n", overview);
    for (int i = 0; cli_commands[i]; i++)
        printf("  %-10s %s\n", cli_commands[i]->name, cli_commands[i]->summary);
    printf("  %-10s %s\n", "help", "startune help COMMAND, or startune COMMAND --help: more about a command");
    help_examples(first_steps);
}

/* Text for a manual page: no line may begin with a control character, and '-' is a minus. */
static void roff(const char *text)
{
    bool begins = true;
    for (; *text; text++) {
        if (text[0] == '\n' && text[1] == '\n') {
            printf("\n.PP\n");
            text++;
            begins = true;
            continue;
        }
        if (begins && (*text == '.' || *text == '\''))
            printf("\\&");
        if (*text == '-' || *text == '\\')
            printf(*text == '-' ? "\\-" : "\\e");
        else
            putchar(*text);
        begins = *text == '\n';
    }
}

static void roff_option(const char *dashes, const char *name, const char *argument, const char *help,
                        const char *preset)
{
    printf(".TP\n\\fB");
    roff(dashes);
    roff(name);
    printf("\\fR");
    if (argument)
        printf(" \\fI%s\\fR", argument);
    printf("\n");
    roff(help);
    if (preset) {
        printf(" (default: ");
        roff(preset);
        printf(")");
    }
    printf("\n");
}

static void roff_examples(const struct cli_example *examples)
{
    printf(".SH EXAMPLES\n");
    for (; examples && examples->line; examples++) {
        printf(".TP\n\\fB");
        roff(examples->line);
        printf("\\fR\n");
        roff(examples->says);
        printf("\n");
    }
}

static void roff_head(const char *page, const char *summary, const char *synopsis)
{
    printf(".TH ");
    for (const char *c = page; *c; c++)
        putchar(toupper((unsigned char)*c));
    printf(" 1 \"\" \"startune %s\" \"startune\"\n.SH NAME\n", STAR_VERSION);
    roff(page);
    printf(" \\- ");
    roff(summary);
    printf("\n.SH SYNOPSIS\n");
    roff(synopsis);
    printf("\n.SH DESCRIPTION\n");
}

static void roff_overview(void)
{
    roff_head("startune", "MPI communication that tunes itself", "startune COMMAND [ARGUMENTS]");
    roff(overview);
    printf("\n.SH COMMANDS\n");
    for (int i = 0; cli_commands[i]; i++) {
        printf(".TP\n\\fB%s\\fR\n", cli_commands[i]->name);
        roff(cli_commands[i]->summary);
        printf(". See \\fBstartune\\-%s\\fR(1).\n", cli_commands[i]->name);
    }
    roff_examples(first_steps);
}

static void roff_command(const char *page, const struct cli_command *command)
{
    roff_head(page, command->summary, command->synopsis);
    roff(command->description);
    printf("\n.SH OPTIONS\n");
    each_option(command, roff_option);
    printf(".SH EXIT STATUS\n0 when all went well, 2 when the command line or a setting is wrong, 1 on any "
           "other "
           "failure.\n");
    if (command == &cli_run)
        printf("Once the program runs, the status is the program's; 127: it was not found, 126: it cannot be "
               "run.\n");
    roff_examples(command->examples);
    printf(".SH SEE ALSO\n\\fBstartune\\fR(1), \\fBstartune\\-settings\\fR(1)\n");
}

int cli_print_manual(const char *page)
{
    static const char prefix[] = "startune-";
    if (strcmp(page, "startune") == 0) {
        roff_overview();
        return CLI_OK;
    }
    for (int i = 0; cli_commands[i]; i++)
        if (strncmp(page, prefix, strlen(prefix)) == 0 &&
            strcmp(page + strlen(prefix), cli_commands[i]->name) == 0) {
            roff_command(page, cli_commands[i]);
            return CLI_OK;
        }
    return cli_error(NULL, "no manual page '%s'", page);
}

static void complete_option(const char *dashes, const char *name, const char *argument, const char *help,
                            const char *preset)
{
    (void)argument, (void)help, (void)preset;
    printf(" %s%s", dashes, name);
}

void cli_print_completion(void)
{
    printf("# bash completion for startune\n_startune() {\n"
           "    local word=${COMP_WORDS[COMP_CWORD]} words=\n"
           "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n        words=\"");
    for (int i = 0; cli_commands[i]; i++)
        printf("%s ", cli_commands[i]->name);
    printf("help --help --version\"\n    else\n        case ${COMP_WORDS[1]} in\n");
    for (int i = 0; cli_commands[i]; i++) {
        printf("        %s) words=\"", cli_commands[i]->name);
        each_option(cli_commands[i], complete_option);
        printf("\" ;;\n");
    }
    printf("        esac\n    fi\n"
           "    COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
           "    if [ \"${COMP_WORDS[1]}\" = run ] && [ \"${word#-}\" = \"$word\" ]; then\n"
           "        COMPREPLY+=($(compgen -c -- \"$word\") $(compgen -f -- \"$word\"))\n    fi\n}\n"
           "complete -F _startune startune\n");
}

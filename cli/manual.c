/* SPDX-License-Identifier: BSD-3-Clause */
#include "manual.h"
#include "cli/common/help.h"
#include "cli/common/messages.h"
#include "util/version.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

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

static void roff_overview(const struct cli_command *const *commands)
{
    roff_head("startune", "MPI communication that tunes itself", "startune COMMAND [ARGUMENTS]");
    roff(cli_overview);
    printf("\n.SH COMMANDS\n");
    for (int i = 0; commands[i]; i++) {
        printf(".TP\n\\fB%s\\fR\n", commands[i]->name);
        roff(commands[i]->summary);
        printf(". See \\fBstartune\\-%s\\fR(1).\n", commands[i]->name);
    }
    roff_examples(cli_first_steps);
}

static void roff_command(const char *page, const struct cli_command *command)
{
    roff_head(page, command->summary, command->synopsis);
    roff(command->description);
    printf("\n.SH OPTIONS\n");
    cli_each_option(command, roff_option);
    printf(".SH EXIT STATUS\n0 when all went well, 2 when the command line or a setting is wrong, 1 on any "
           "other "
           "failure.\n");
    if (strcmp(command->name, "run") == 0)
        printf("Once the program runs, the status is the program's; 127: it was not found, 126: it cannot be "
               "run.\n");
    roff_examples(command->examples);
    printf(".SH SEE ALSO\n\\fBstartune\\fR(1), \\fBstartune\\-settings\\fR(1)\n");
}

int cli_print_manual(const struct cli_command *const *commands, const char *page)
{
    static const char prefix[] = "startune-";
    if (strcmp(page, "startune") == 0) {
        roff_overview(commands);
        return CLI_OK;
    }
    for (int i = 0; commands[i]; i++)
        if (strncmp(page, prefix, strlen(prefix)) == 0 &&
            strcmp(page + strlen(prefix), commands[i]->name) == 0) {
            roff_command(page, commands[i]);
            return CLI_OK;
        }
    return cli_error("no manual page '%s'", page);
}

static void complete_option(const char *dashes, const char *name, const char *argument, const char *help,
                            const char *preset)
{
    (void)argument, (void)help, (void)preset;
    printf(" %s%s", dashes, name);
}

void cli_print_completion(const struct cli_command *const *commands)
{
    printf("# bash completion for startune\n_startune() {\n"
           "    local word=${COMP_WORDS[COMP_CWORD]} words=\n"
           "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n        words=\"");
    for (int i = 0; commands[i]; i++)
        printf("%s ", commands[i]->name);
    printf("help --help --version\"\n    else\n        case ${COMP_WORDS[1]} in\n");
    for (int i = 0; commands[i]; i++) {
        printf("        %s) words=\"", commands[i]->name);
        cli_each_option(commands[i], complete_option);
        printf("\" ;;\n");
    }
    printf("        esac\n    fi\n"
           "    COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
           "    if [ \"${COMP_WORDS[1]}\" = run ] && [ \"${word#-}\" = \"$word\" ]; then\n"
           "        COMPREPLY+=($(compgen -c -- \"$word\") $(compgen -f -- \"$word\"))\n    fi\n}\n"
           "complete -F _startune startune\n");
}

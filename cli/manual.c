/* SPDX-License-Identifier: BSD-3-Clause */
#include "manual.h"
#include "cli/common/help.h"
#include "cli/common/listing.h"
#include "cli/common/messages.h"
#include "util/settings.h"
#include "util/version.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

/* Text for a manual page: no line may begin with a control character, '-' is a minus, and single line feeds
 * are spaces. */
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

/* The head of a list's entry; its text follows. */
static void roff_term(const char *name)
{
    printf(".TP\n\\fB");
    roff(name);
    printf("\\fR\n");
}

static void roff_lines(const char *section, const struct cli_line *line)
{
    if (section != NULL)
        printf(".SH %s\n", section);
    for (; line->name; line++) {
        roff_term(line->name);
        roff(line->says);
        printf("\n");
    }
}

static void roff_words(const struct cli_line *words)
{
    printf(".RS\n");
    roff_lines(NULL, words);
    printf(".RE\n");
}

static void roff_group(const struct cli_shown *shown)
{
    if (shown->group == NULL)
        return;
    printf(".SS ");
    roff(shown->group);
    printf("\n");
}

/* The head of an option or setting, between what is bold in it and what is not. */
static void roff_head_of(const char *dashes, const char *name, const char *between, const char *argument)
{
    printf(".TP\n\\fB");
    roff(dashes);
    roff(name);
    printf("\\fR%s\\fI", between);
    roff(argument);
    printf("\\fR\n");
}

static void roff_option(const struct cli_shown *shown, void *context)
{
    (void)context;
    roff_group(shown);
    roff_head_of(shown->dashes, shown->name, shown->argument ? " " : "",
                 shown->argument ? shown->argument : "");
    roff(shown->before);
    roff(shown->help);
    if (shown->preset) {
        printf(" (default: ");
        roff(shown->preset);
        printf(")");
    }
    printf("\n");
    if (shown->words)
        roff_words(shown->words);
}

static void roff_head(const char *page, int section, const char *summary, const char *synopsis)
{
    printf(".TH ");
    for (const char *c = page; *c; c++)
        putchar(toupper((unsigned char)*c));
    printf(" %d \"\" \"startune %s\" \"startune\"\n.SH NAME\n", section, STAR_VERSION);
    roff(page);
    printf(" \\- ");
    roff(summary);
    printf("\n.SH SYNOPSIS\n");
    roff(synopsis);
    printf("\n.SH DESCRIPTION\n");
}

/* What pages tell of files and the environment, by the words of a command's USES. */
struct use {
    const char *word, *name, *says;
};
static const struct use files[] = {
    {"settings", STAR_ETC "/startune.conf", "settings of all users; see \\fBstartune.conf\\fR(5)"},
    {"settings", "~/.config/startune.conf", "the user's settings, which count more"},
    {"topology", "~/.config/startune/topology",
     "the switches between the machines, which `topo discover --keep` "
     "writes"},
    {"topology", STAR_ETC "/startune/topology", "the same for all users"},
    {"topology", "/etc/slurm/topology.conf", "the same as Slurm has it"},
    {"wisdom", "~/.local/share/startune/wisdom.db", "what earlier runs learned"},
    {"wisdom", STAR_ETC "/startune/wisdom.db", "the same for all users, who only read it"},
    {"reports", "~/.local/state/startune/reports", "the reports of the last runs"},
    {NULL, NULL, NULL},
};
static const struct use variables[] = {
    {"settings", "STARTUNE_NAME", "the setting NAME, such as STARTUNE_ITER=5 for iter = 5"},
    {"settings", "STARTUNE_SETTINGS", "a file of settings that is read instead of the two usual ones"},
    {"settings", "XDG_CONFIG_HOME", "instead of ~/.config"},
    {"wisdom", "XDG_DATA_HOME", "instead of ~/.local/share"},
    {"reports", "XDG_STATE_HOME", "instead of ~/.local/state"},
    {"colours", "NO_COLOR", "the terminal gets no colours where this is set, or TERM is dumb"},
    {NULL, NULL, NULL},
};

static void roff_uses(const char *section, const struct use *use, const char *uses)
{
    bool any = false;
    for (; use->word; use++) {
        if (strstr(uses, use->word) == NULL)
            continue;
        if (!any)
            printf(".SH %s\n", section);
        any = true;
        roff_term(use->name);
        printf("%s\n", use->says);
    }
}

static void roff_status(void)
{
    printf(".SH EXIT STATUS\n0 when all went well, 2 when the command line or a setting is wrong, 1 on any "
           "other failure.\n");
}

static void roff_overview(const struct cli_command *const *commands)
{
    roff_head("startune", 1, "MPI communication that tunes itself", "startune COMMAND [ARGUMENTS]");
    roff(cli_overview);
    printf("\n.SH COMMANDS\n");
    for (; *commands; commands++) {
        roff_term((*commands)->name);
        roff((*commands)->summary);
        printf(". See \\fBstartune\\-%s\\fR(1).\n", (*commands)->name);
    }
    roff_status();
    roff_uses("FILES", files, "settings topology wisdom reports");
    roff_uses("ENVIRONMENT", variables, "settings wisdom reports colours");
    roff_lines("EXAMPLES", cli_first_steps);
    printf(".SH SEE ALSO\n\\fBstartune.conf\\fR(5), \\fBstartune\\fR(3)\n");
}

static void roff_actions(const struct cli_action *action)
{
    printf(".SH ACTIONS\n");
    for (; action->name; action++) {
        roff_head_of("", action->name, " ", action->words);
        roff(action->says);
        printf("\n");
    }
}

static void roff_command(const char *page, const struct cli_command *command)
{
    const char *uses = command->uses ? command->uses : "";
    roff_head(page, 1, command->summary, command->synopsis);
    roff(command->description);
    printf("\n");
    if (command->actions)
        roff_actions(command->actions);
    printf(".SH OPTIONS\n");
    cli_each_option(command, roff_option, NULL);
    roff_status();
    if (strcmp(command->name, "run") == 0)
        printf("Once the program runs, the status is the program's; 127: it was not found, 126: it cannot be "
               "run.\n");
    roff_uses("FILES", files, uses);
    roff_uses("ENVIRONMENT", variables, uses);
    roff_lines("EXAMPLES", command->examples);
    printf(".SH SEE ALSO\n\\fBstartune\\fR(1), \\fBstartune\\-settings\\fR(1), \\fBstartune.conf\\fR(5)\n");
}

static void roff_setting(const struct cli_shown *shown, void *context)
{
    char variable[64];
    (void)context;
    const struct star_setting *setting = star_setting_find(strcmp(shown->name, "off") ? shown->name : "on");
    roff_group(shown);
    roff_head_of("", setting->name, " = ",
                 setting->kind == STAR_CHOICE ? setting->choices : setting->argument);
    roff(strcmp(shown->name, "off") ? shown->help : setting->help);
    printf(". Default: ");
    roff(setting->preset[0] ? setting->preset : "none");
    printf(". Variable: %s.\n", star_setting_variable(setting, variable, sizeof variable));
    if (shown->words)
        roff_words(shown->words);
}

static void roff_settings(const char *page)
{
    roff_head(page, 5, "settings of startune", STAR_ETC "/startune.conf, ~/.config/startune.conf");
    roff("Lines of the form name = value; # begins a comment. The user's file counts more than the site's, "
         "variables of the environment count more than both, and options of startune run most.\n\n"
         "For switches, on, yes, true and 1 are the same, and so are off, no, false and 0. "
         "`startune settings --check FILE` says what is wrong with a file.");
    printf("\n.SH SETTINGS\n");
    cli_each_setting(roff_setting, NULL);
    roff_uses("FILES", files, "settings");
    roff_uses("ENVIRONMENT", variables, "settings");
    printf(".SH EXAMPLES\n.nf\n# for all programs\nbudget = 2%%\ntopology = " STAR_ETC
           "/startune/topology\n.fi\n"
           ".SH SEE ALSO\n\\fBstartune\\-run\\fR(1), \\fBstartune\\-settings\\fR(1)\n");
}

int cli_print_manual(const struct cli_command *const *commands, const char *page)
{
    static const char prefix[] = "startune-";
    bool is_command = strncmp(page, prefix, strlen(prefix)) == 0;
    for (int i = 0; is_command && commands[i]; i++)
        if (strcmp(page + strlen(prefix), commands[i]->name) == 0)
            return roff_command(page, commands[i]), CLI_OK;
    if (strcmp(page, "startune") == 0)
        return roff_overview(commands), CLI_OK;
    if (strcmp(page, "startune.conf") == 0)
        return roff_settings(page), CLI_OK;
    return cli_error("no manual page '%s'", page);
}

static int write_page(const struct cli_command *const *commands, const char *folder, const char *page,
                      int section)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/man%d/%s.%d", folder, section, page, section);
    if (freopen(path, "w", stdout) == NULL)
        return cli_error("%s: %s", path, strerror(errno));
    return cli_end(cli_print_manual(commands, page));
}

int cli_write_manuals(const struct cli_command *const *commands, const char *folder)
{
    char page[80];
    int status = write_page(commands, folder, "startune", 1);
    if (status == CLI_OK)
        status = write_page(commands, folder, "startune.conf", 5);
    for (int i = 0; status == CLI_OK && commands[i]; i++) {
        snprintf(page, sizeof page, "startune-%s", commands[i]->name);
        status = write_page(commands, folder, page, 1);
    }
    return status;
}

/* SPDX-License-Identifier: BSD-3-Clause
 * The startune command: a table of subcommands. */
#include "cli/common/action.h"
#include "cli/common/check_value.h"
#include "cli/common/help.h"
#include "cli/common/messages.h"
#include "cli/common/settings.h"
#include "completion.h"
#include "manual.h"
#include "util/parse.h"
#include "util/settings.h"
#include "util/version.h"

#include <stdio.h>
#include <string.h>

/* In the order of help. Each is defined in its own file, as cli_NAME. */
#define SUBCOMMANDS(ONE)                                                                                     \
    ONE(run)                                                                                                 \
    ONE(tune)                                                                                                \
    ONE(bench)                                                                                               \
    ONE(list)                                                                                                \
    ONE(plan)                                                                                                \
    ONE(check)                                                                                               \
    ONE(topo)                                                                                                \
    ONE(place)                                                                                               \
    ONE(map)                                                                                                 \
    ONE(export)                                                                                              \
    ONE(wisdom)                                                                                              \
    ONE(report)                                                                                              \
    ONE(replay)                                                                                              \
    ONE(settings)
#define DECLARE(name)  extern const struct cli_command cli_##name;
#define POINT_TO(name) &cli_##name,
SUBCOMMANDS(DECLARE)
static const struct cli_command *const commands[] = {SUBCOMMANDS(POINT_TO) NULL};
enum { COMMANDS = sizeof commands / sizeof *commands - 1 };

static const struct cli_command *find(const char *name)
{
    for (int i = 0; i < COMMANDS; i++)
        if (strcmp(name, commands[i]->name) == 0)
            return commands[i];
    return NULL;
}

static int refuse(const char *word)
{
    const char *names[COMMANDS];
    for (int i = 0; i < COMMANDS; i++)
        names[i] = commands[i]->name;
    return cli_error("unknown command '%s'%s; startune --help lists them", word,
                     star_hint(word, names, COMMANDS).text);
}

static bool is_help(const char *word)
{
    return strcmp(word, "help") == 0 || strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

static int help(const char *word)
{
    if (word != NULL && is_help(word))
        word = NULL;
    const struct cli_command *command = word ? find(word) : NULL;
    if (command != NULL)
        cli_print_help(command);
    else if (word == NULL)
        cli_print_overview(commands);
    return command || word == NULL ? CLI_OK : refuse(word);
}

static int run_command(const struct cli_command *command, int argc, char **argv)
{
    cli_speak_for(command->name);
    cli_settings_check = cli_check_value;
    int status = command->actions ? cli_act(command, argc, argv) : command->run(command, argc, argv);
    star_origins_free(&cli_settings_origins);
    return status;
}

static int run(int argc, char **argv)
{
    const char *word = argc > 1 ? argv[1] : "", *next = argc > 2 ? argv[2] : NULL;
    const struct cli_command *command = find(word);
    if (command != NULL)
        return run_command(command, argc - 2, argv + 2);
    if (argc < 2)
        return help(NULL), CLI_USAGE;
    if (is_help(word))
        return help(next);
    if (strcmp(word, "--version") == 0 || strcmp(word, "version") == 0)
        return printf("startune %s (%s)\n", STAR_VERSION, STARTUNE_BUILT), CLI_OK;
    if (strcmp(word, "manual") == 0 && argc > 3 && strcmp(next, "--into") == 0)
        return cli_write_manuals(commands, argv[3]);
    if (strcmp(word, "manual") == 0)
        return cli_print_manual(commands, next ? next : "startune");
    if (strcmp(word, "completion") == 0)
        return cli_print_completion(next ? next : "bash");
    if (strcmp(word, "complete") == 0 && argc > 2)
        return cli_complete(commands, argc - 2, argv + 2), CLI_OK;
    return refuse(word);
}

int main(int argc, char **argv)
{
    return cli_end(run(argc, argv));
}

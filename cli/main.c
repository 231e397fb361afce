/* SPDX-License-Identifier: BSD-3-Clause */
#include "command.h"
#include "util/launcher.h"
#include "util/parse.h"
#include "util/version.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const struct cli_command *const cli_commands[] = {
    &cli_run, &cli_tune,   &cli_bench,  &cli_list,   &cli_plan,   &cli_check,    &cli_topo,
    &cli_map, &cli_export, &cli_wisdom, &cli_report, &cli_replay, &cli_settings, NULL};

enum { LINE_MOST = 600 };

/* What the user typed must not make it several lines. */
static void write_line(char *line, const char *format, va_list args)
{
    vsnprintf(line, LINE_MOST, format, args);
    for (char *c = line; *c; c++)
        if (iscntrl((unsigned char)*c))
            *c = '?';
}

void cli_warn(const char *format, ...)
{
    char line[LINE_MOST];
    const char *rank = star_launched_rank();
    va_list args;
    va_start(args, format);
    write_line(line, format, args);
    va_end(args);
    if (rank == NULL || strcmp(rank, "0") == 0)
        fprintf(stderr, "startune: warning: %s\n", line);
}

int cli_error(const struct cli_command *command, const char *format, ...)
{
    char line[LINE_MOST];
    va_list args;
    va_start(args, format);
    write_line(line, format, args);
    va_end(args);
    if (cli_is_said(line))
        return CLI_USAGE;
    fprintf(stderr, "startune%s%s: error: %s\n", command ? " " : "", command ? command->name : "", line);
    cli_let_others_come();
    return CLI_USAGE;
}

int cli_end(int status)
{
    errno = 0;
    if ((fflush(stdout) == 0 && !ferror(stdout)) || status != CLI_OK)
        return status;
    cli_error(NULL, "standard output: %s", errno ? strerror(errno) : "not all of it was written");
    return CLI_FAILED;
}

static const struct cli_command *find(const char *name)
{
    for (int i = 0; cli_commands[i]; i++)
        if (strcmp(name, cli_commands[i]->name) == 0)
            return cli_commands[i];
    return NULL;
}

static int unknown(const char *word)
{
    const char *names[16];
    size_t count = 0;
    for (; cli_commands[count]; count++)
        names[count] = cli_commands[count]->name;
    const char *nearest = star_nearest(word, names, count);
    if (nearest)
        return cli_error(NULL, "unknown command '%s': did you mean '%s'? startune --help lists them", word,
                         nearest);
    return cli_error(NULL, "unknown command '%s'; startune --help lists them", word);
}

static int help(int argc, char **argv)
{
    if (argc == 0) {
        cli_print_overview();
        return CLI_OK;
    }
    const struct cli_command *command = find(argv[0]);
    if (command == NULL)
        return unknown(argv[0]);
    cli_print_help(command);
    return CLI_OK;
}

static int run(int argc, char **argv)
{
    const char *word = argc > 1 ? argv[1] : NULL;
    if (word == NULL) {
        cli_print_overview();
        return CLI_USAGE;
    }
    if (strcmp(word, "help") == 0 || strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)
        return help(argc - 2, argv + 2);
    if (strcmp(word, "--version") == 0 || strcmp(word, "version") == 0) {
        printf("startune %s (%s)\n", STAR_VERSION, STARTUNE_BUILT);
        return CLI_OK;
    }
    if (strcmp(word, "manual") == 0)
        return cli_print_manual(argc > 2 ? argv[2] : "startune");
    if (strcmp(word, "completion") == 0) {
        cli_print_completion();
        return CLI_OK;
    }
    const struct cli_command *command = find(word);
    if (command == NULL)
        return unknown(word);
    int status = command->run(argc - 2, argv + 2);
    star_origins_free(&cli_settings_origins);
    return status;
}

int main(int argc, char **argv)
{
    return cli_end(run(argc, argv));
}

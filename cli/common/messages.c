/* SPDX-License-Identifier: BSD-3-Clause */
#include "messages.h"
#include "once.h"
#include "dialect/launcher.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { LINE_MOST = 600 };

static const char *speaker = "";

void cli_speak_for(const char *subcommand)
{
    speaker = subcommand;
}

/* Control characters of the user's words must not make several lines of one. */
static void write_line(char *line, const char *format, va_list args)
{
    vsnprintf(line, LINE_MOST, format, args);
    for (char *c = line; *c; c++)
        if (iscntrl((unsigned char)*c))
            *c = '?';
}

int cli_error(const char *format, ...)
{
    char line[LINE_MOST];
    va_list args;
    va_start(args, format);
    write_line(line, format, args);
    va_end(args);
    if (cli_is_said(line))
        return CLI_USAGE;
    fprintf(stderr, "startune%s%s: error: %s\n", speaker[0] ? " " : "", speaker, line);
    cli_let_others_come();
    return CLI_USAGE;
}

int cli_refuse(int error, const struct star_why *why)
{
    cli_error("%s", why->text);
    return error == STAR_EINPUT || error == STAR_ENEEDS || error == STAR_ESYSTEM ? CLI_USAGE : CLI_FAILED;
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

int cli_end(int status)
{
    errno = 0;
    if ((fflush(stdout) == 0 && !ferror(stdout)) || status != CLI_OK)
        return status;
    cli_error("standard output: %s", errno ? strerror(errno) : "not all of it was written");
    return CLI_FAILED;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "progress.h"
#include "terminal.h"
#include "util/clock.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

void cli_progress_line(const char *who, int64_t begin, const char *format, ...)
{
    static const int64_t between = 10000000000; /* lines, where standard error is no terminal */
    static int64_t said;
    int64_t now = star_now();
    bool terminal = cli_obeys(STDERR_FILENO);
    va_list args;
    if (!terminal && now - (said > begin ? said : begin) < between)
        return;
    said = now;
    fprintf(stderr, "%s%s", terminal ? "\r\033[K" : who, terminal ? "" : ": ");
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputs(terminal ? "" : "\n", stderr);
}

void cli_progress(const char *phase, double part, int64_t begin)
{
    double spent = (double)(star_now() - begin) * 1e-9;
    cli_progress_line("startune", begin, "%s%s%.0f %% done, about %.0f s left", phase, phase[0] ? ": " : "",
                      100 * part, part > 0 ? spent / part - spent : 0);
}

void cli_progress_end(void)
{
    if (cli_obeys(STDERR_FILENO))
        fprintf(stderr, "\r\033[K");
}

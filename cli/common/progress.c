/* SPDX-License-Identifier: BSD-3-Clause */
#include "progress.h"
#include "util/clock.h"

#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

/* Where standard error is no terminal, as under mpirun: whole lines, not more often than this. */
static const int64_t between = 10000000000;

void cli_progress(const char *phase, double part, int64_t begin)
{
    static int64_t said;
    int64_t now = star_now();
    bool terminal = isatty(STDERR_FILENO);
    if (!terminal && now - (said > begin ? said : begin) < between)
        return;
    said = now;
    double spent = (double)(now - begin) * 1e-9;
    fprintf(stderr, "%s%s%s%.0f %% done, about %.0f s left%s", terminal ? "\r\033[K" : "startune: ", phase,
            phase[0] ? ": " : "", 100 * part, part > 0 ? spent / part - spent : 0, terminal ? "" : "\n");
}

void cli_progress_end(void)
{
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "\r\033[K");
}

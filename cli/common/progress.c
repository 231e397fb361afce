/* SPDX-License-Identifier: BSD-3-Clause */
#include "progress.h"
#include "util/clock.h"

#include <stdio.h>
#include <unistd.h>

void cli_progress(const char *phase, double part, int64_t begin)
{
    double spent = (double)(star_now() - begin) * 1e-9;
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "\r\033[K%s%s%.0f %% done, about %.0f s left", phase, phase[0] ? ": " : "",
                100 * part, part > 0 ? spent / part - spent : 0);
}

void cli_progress_end(void)
{
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "\r\033[K");
}

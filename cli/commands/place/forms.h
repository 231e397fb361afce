/* SPDX-License-Identifier: BSD-3-Clause
 * How launchers are told which rank runs where. */
#pragma once

#include "cli/common/command.h"
#include "util/text.h"

/* Of the option --for. */
extern const struct cli_line cli_place_forms[];
/* Where the ranks are to run: of each its host, and that one's core. */
struct cli_places {
    const char **host;
    int *core;
    int ranks;
};

/* Appends the file of FORM, one of these. */
void cli_place_write(const char *form, const struct cli_places *places, struct star_text *text);
/* Appends the words for the launcher that read it from PATH. */
void cli_place_options(const char *form, const char *path, int ranks, struct star_text *text);

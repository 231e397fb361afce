/* SPDX-License-Identifier: BSD-3-Clause
 * How launchers are told which rank runs where. */
#ifndef STAR_CLI_PLACE_FORMS_H
#define STAR_CLI_PLACE_FORMS_H

#include "cli/common/command.h"
#include "util/text.h"

/* Of the option --for. */
extern const struct cli_line cli_place_forms[];
/* Appends the file of FORM, one of these: HOST[r] is rank r's. */
void cli_place_write(const char *form, const char *const *host, int ranks, struct star_text *text);
/* Appends the words for the launcher that read it from PATH. */
void cli_place_options(const char *form, const char *path, int ranks, struct star_text *text);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 * How help and manual pages show the settings: in groups, and choices word by word. */
#pragma once

#include "command.h"
#include "util/settings.h"

struct cli_setting_group {
    const char *title, *names; /* each between spaces */
};
extern const struct cli_setting_group cli_setting_groups[];
extern const int cli_setting_group_count;
/* The number of SETTING's group. */
int cli_setting_group_of(const struct star_setting *setting);

/* The words that a setting chooses from. */
struct cli_choice {
    const char *setting, *help; /* HELP: what is chosen */
    const struct cli_line *words;
};
/* NULL: its words explain themselves. */
const struct cli_choice *cli_choice_of(const struct star_setting *setting);

/* SPDX-License-Identifier: BSD-3-Clause
 * The settings of this call of the command: from files, then the environment, then options. */
#pragma once

#include "command.h"
#include "util/settings.h"
#include "util/settings_read.h"

extern struct star_settings cli_settings_now;
extern struct star_origins cli_settings_origins;
/* Checks values of `force`, `methods` and `assume`, of which the table of settings knows no more than that
 * they are words. Who reads settings says first who checks: cli_check_value, or who leaves it to others. */
extern int (*cli_settings_check)(const char *name, const char *value, struct star_why *why);
/* Is told of what files and the environment say that is no setting, when the settings are loaded; or NULL. */
extern void (*cli_settings_doubt)(const struct star_setting_doubt *doubt, void *context);

/* Where the setting NAME has its value from; NULL: it is the preset one. */
const char *cli_setting_origin(const char *name);
/* For tables of options: takes the MPI library; where OPTION has a place for it, there too. */
bool cli_take_mpi(const struct cli_option *option, const char *value, struct star_why *why);
/* Sets what the option --NAME VALUE says; false after saying what is wrong. */
bool cli_set_setting(const char *name, const char *value);

/* Reads the files of settings and the environment. */
void cli_read_settings(void);
/* Says what was wrong there; false where the command cannot go on. Unknown names are a warning, and so is
 * everything where startune is off. */
bool cli_judge_settings(void);
/* Both. */
bool cli_load_settings(void);
/* For tables of options: names the file that is read instead of the usual ones. */
bool cli_take_file(const struct cli_option *option, const char *value, struct star_why *why);
/* Gives the settings to the programs that are started, as environment variables. */
void cli_export_settings(void);

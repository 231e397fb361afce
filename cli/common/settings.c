/* SPDX-License-Identifier: BSD-3-Clause */
#include "settings.h"
#include "messages.h"
#include "util/home.h"
#include "util/version.h"
#include "util/why.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct star_settings cli_settings_now;
struct star_origins cli_settings_origins;
int (*cli_settings_check)(const char *name, const char *value, struct star_why *why);
void (*cli_settings_doubt)(const struct star_setting_doubt *doubt, void *context);

const char *cli_setting_origin(const char *name)
{
    return cli_settings_origins.of[star_setting_find(name) - star_setting_table];
}

/* Of the settings whose kind the table does not know. Empty values name nothing. */
static int check_value(const char *name, const char *value, struct star_why *why)
{
    bool named = strcmp(name, "force") == 0 || strcmp(name, "methods") == 0 || strcmp(name, "assume") == 0;
    return named && value[0] != 0 ? cli_settings_check(name, value, why) : 0;
}

/* What the files and the environment say. */
static struct star_settings_reader reading;
static bool file_is_option, file_is_missing; /* the command line names it; it cannot be read */

static void read_file(const char *path)
{
    struct star_why why;
    file_is_missing = star_settings_read_file(&reading, path, &why) != 0;
    if (file_is_missing && reading.malformed++ == 0)
        reading.why = why;
}

/* Nobody has named it, so nobody waits for who writes a pipe. */
static void read_if_there(const char *path)
{
    struct stat status;
    if (stat(path, &status) == 0 && (S_ISREG(status.st_mode) || S_ISDIR(status.st_mode)))
        read_file(path);
}

static void read_own_file(void)
{
    char path[4096];
    if (star_home_path(path, sizeof path, "XDG_CONFIG_HOME", ".config", "startune.conf", NULL) == 0)
        read_if_there(path);
}

void cli_read_settings(void)
{
    const char *named = getenv(STAR_VARIABLE_SETTINGS);
    star_settings_preset(&cli_settings_now);
    star_origins_free(&cli_settings_origins);
    reading = (struct star_settings_reader){.settings = &cli_settings_now,
                                            .origins = &cli_settings_origins,
                                            .check = check_value,
                                            .doubt = cli_settings_doubt};
    if (named != NULL && *named) {
        read_file(named);
    } else {
        read_if_there(STAR_ETC "/startune.conf");
        read_own_file();
    }
    star_settings_read_environment(&reading, environ);
}

/* Module files set STARTUNE_ROOT and the like, and files may be of a newer startune: so unknown names are a
 * warning. */
bool cli_judge_settings(void)
{
    char list[sizeof reading.list + 32];
    bool off = cli_setting_origin("on") != NULL && !cli_settings_now.on;
    if (reading.malformed > 0 && (!off || (file_is_option && file_is_missing))) {
        cli_error("%s", reading.why.text);
        return false;
    }
    if (reading.unknown > 0)
        cli_warn("unknown settings are ignored: %s; `startune settings` lists the known ones",
                 star_settings_unknown(&reading, list, sizeof list));
    if (reading.malformed > 0)
        cli_warn("%s; this is no error, as startune is off", reading.why.text);
    return true;
}

bool cli_load_settings(void)
{
    cli_read_settings();
    return cli_judge_settings();
}

bool cli_take_file(const struct cli_option *option, const char *value, struct star_why *why)
{
    (void)option, (void)why;
    file_is_option = true;
    return setenv(STAR_VARIABLE_SETTINGS, value, 1) == 0;
}

void cli_export_settings(void)
{
    for (int i = 0; i < star_setting_count; i++) {
        char variable[64], value[STAR_SETTING_TEXT];
        const struct star_setting *setting = &star_setting_table[i];
        star_setting_format(&cli_settings_now, setting, value, sizeof value);
        setenv(star_setting_variable(setting, variable, sizeof variable), value, 1);
    }
    setenv(STAR_VARIABLE_WARNED, "yes", 1);
}

bool cli_set_setting(const char *name, const char *value)
{
    struct star_why why;
    int error = star_settings_set(&cli_settings_now, name, value, &why);
    if (!error)
        error = check_value(name, value, &why);
    if (error) {
        cli_error("--%s: %s", name, why.text);
        return false;
    }
    star_origin_set(&cli_settings_origins, name, "option");
    return true;
}

bool cli_take_mpi(const struct cli_option *option, const char *value, struct star_why *why)
{
    if (option->at != NULL)
        *(const char **)option->at = value;
    return star_settings_set(&cli_settings_now, "mpi", value, why) == 0;
}

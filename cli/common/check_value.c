/* SPDX-License-Identifier: BSD-3-Clause */
#include "check_value.h"
#include "algorithms/methods.h"
#include "functions/forced.h"
#include "plan/cost.h"
#include "util/settings.h"

#include <string.h>

/* Of `force` some words may name functions of function-sets. */
static int check_methods(const char *setting, const char *text, struct star_why *why)
{
    struct star_methods methods;
    char others[STAR_SETTING_TEXT];
    bool forces = strcmp(setting, "force") == 0;
    int error = forces ? star_forced_split(text, others, sizeof others, why) : 0;
    if (!error)
        error = forces ? star_methods_parse_forced(others, &methods, why)
                       : star_methods_parse(text, &methods, why);
    if (!error)
        star_methods_free(&methods);
    return error;
}

int cli_check_value(const char *name, const char *value, struct star_why *why)
{
    struct star_cost_parameters parameters = star_cost_presets;
    if (strcmp(name, "force") == 0 || strcmp(name, "methods") == 0)
        return check_methods(name, value, why);
    return strcmp(name, "assume") != 0 || value[0] == 0 ? 0 : star_cost_parse(value, &parameters, why);
}

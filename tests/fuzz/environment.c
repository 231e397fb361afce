/* SPDX-License-Identifier: BSD-3-Clause
 * Settings in the environment: each line of the text is a variable. */
#include "expect.h"
#include "targets.h"
#include "util/settings.h"
#include "util/settings_read.h"
#include "util/why.h"

#include <stdlib.h>

enum { VARIABLES_MOST = 64 };

int fuzz_environment(const char *text, size_t length, struct star_why *why)
{
    struct star_settings settings;
    struct star_settings_reader reader = {.settings = &settings};
    char *copy = strndup(text, length), *rest = copy, *variable[VARIABLES_MOST + 1];
    int count = 0;
    assert_non_null(copy);
    while (count < VARIABLES_MOST && rest != NULL)
        variable[count++] = strsep(&rest, "\n");
    variable[count] = NULL;
    star_settings_preset(&settings);
    star_settings_read_environment(&reader, variable);
    assert_true(reader.malformed + reader.unknown <= count && reader.listed <= reader.unknown);
    free(copy);
    return reader.malformed > 0 ? star_because(why, STAR_EINPUT, "fuzz: %.300s", reader.why.text) : 0;
}

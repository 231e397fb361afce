/* SPDX-License-Identifier: BSD-3-Clause */
#include "take.h"
#include "util/parse.h"
#include "util/why.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

bool cli_take_switch(const struct cli_option *option, const char *value, struct star_why *why)
{
    (void)value, (void)why;
    return *(bool *)option->at = true;
}

bool cli_take_text(const struct cli_option *option, const char *value, struct star_why *why)
{
    (void)why;
    *(const char **)option->at = value;
    return true;
}

bool cli_take_word(const struct cli_option *option, const char *value, struct star_why *why)
{
    enum { MOST = 32 };
    char all[200] = "";
    const char *names[MOST];
    size_t count = 0, length = 0;
    *(const char **)option->at = value;
    for (const struct cli_line *word = option->words; word && word->name && count < MOST; word++) {
        names[count++] = word->name;
        if (length < sizeof all)
            length +=
                (size_t)snprintf(all + length, sizeof all - length, "%s%s", length ? "|" : "", word->name);
    }
    const char *words = option->words ? all : option->argument;
    if (star_choice_index(words, value) >= 0)
        return true;
    star_because(why, STAR_EINPUT, "'%.80s' is not one of %s%s", value, words,
                 star_hint(value, names, count).text);
    return false;
}

bool cli_take_integer(const struct cli_option *option, const char *value, struct star_why *why)
{
    int64_t *number = option->at;
    if (star_parse_integer(value, number) && (double)*number >= option->least &&
        (double)*number <= option->most)
        return true;
    star_because(why, STAR_EINPUT, "'%.60s': a whole number from %.0f to %.0f is good", value, option->least,
                 option->most);
    return false;
}

bool cli_take_bytes(const struct cli_option *option, const char *value, struct star_why *why)
{
    char least[32], most[32];
    int64_t *number = option->at;
    if (star_parse_bytes(value, number) && (double)*number >= option->least &&
        (double)*number <= option->most)
        return true;
    star_because(why, STAR_EINPUT, "'%.60s': bytes from %s to %s are good, such as 64K", value,
                 star_format_bytes((int64_t)option->least, least, sizeof least),
                 star_format_bytes((int64_t)option->most, most, sizeof most));
    return false;
}

bool cli_take_number(const struct cli_option *option, const char *value, struct star_why *why)
{
    double *number = option->at;
    if (star_parse_number(value, number) && *number >= option->least && *number <= option->most)
        return true;
    star_because(why, STAR_EINPUT, "'%.60s': a number from %g to %g is good, such as 0.5 or 50%%", value,
                 option->least, option->most);
    return false;
}

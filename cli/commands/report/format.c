/* SPDX-License-Identifier: BSD-3-Clause */
#include "format.h"
#include "util/parse.h"

#include <math.h>
#include <stdio.h>

long long cli_count_of(const json_t *object, const char *key)
{
    return (long long)json_integer_value(json_object_get(object, key));
}

const char *cli_signed_seconds(double seconds, char *buffer, size_t room)
{
    char size[32];
    star_format_seconds(seconds < 0 ? -seconds : seconds, size, sizeof size);
    if (isnan(seconds))
        snprintf(buffer, room, "?");
    else
        snprintf(buffer, room, "%c%s", seconds < 0 ? '-' : '+', size);
    return buffer;
}

const char *cli_bytes_of(int64_t bytes, char *buffer, size_t room)
{
    if (bytes < 0)
        snprintf(buffer, room, "varies");
    else
        star_format_bytes(bytes, buffer, room);
    return buffer;
}

const char *cli_seconds_of(double seconds, char *buffer, size_t room)
{
    if (isnan(seconds))
        snprintf(buffer, room, "?");
    else
        star_format_seconds(seconds, buffer, room);
    return buffer;
}

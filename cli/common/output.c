/* SPDX-License-Identifier: BSD-3-Clause */
#include "output.h"
#include "messages.h"
#include "util/file_write.h"
#include "util/why.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

int cli_put(const char *path, struct star_text *text)
{
    struct star_why why = {{0}};
    const char *bytes = text->bytes ? text->bytes : "";
    int error = text->failed ? star_because(&why, STAR_EMEMORY, "out of memory") : 0;
    if (!error && path != NULL && strcmp(path, "-") != 0)
        error = star_file_write(path, bytes, text->length, &why);
    else if (!error && (fwrite(bytes, 1, text->length, stdout) != text->length || fflush(stdout) != 0))
        error = star_because(&why, STAR_ESYSTEM, "standard output: %s", strerror(errno));
    if (error)
        cli_error("%s", why.text);
    star_text_free(text);
    return error ? CLI_FAILED : CLI_OK;
}

void cli_end_line(struct star_text *text, size_t begin)
{
    for (size_t i = begin; i < text->length; i++)
        if (iscntrl((unsigned char)text->bytes[i]))
            text->bytes[i] = '?';
    star_text_add(text, "\n");
}

int cli_check_output(const char *path)
{
    struct star_why why;
    int error = strcmp(path, "-") != 0 ? star_file_check(path, &why) : 0;
    if (error)
        cli_error("%s", why.text);
    return error == 0 ? CLI_OK : error == STAR_EINPUT ? CLI_USAGE : CLI_FAILED;
}

const char *cli_format_day(int64_t date, char *buffer, size_t room)
{
    struct tm day;
    time_t seconds = (time_t)date;
    if (gmtime_r(&seconds, &day) == NULL || strftime(buffer, room, "%Y-%m-%d", &day) == 0)
        snprintf(buffer, room, "?");
    return buffer;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "util/file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

const char *star_file_name(const char *path)
{
    return strcmp(path, "-") == 0 ? "standard input" : path;
}

static int too_long(const char *name, struct star_why *why)
{
    return star_because(why, STAR_EINPUT, "%.200s: more than %d MiB", name, STAR_FILE_BYTES_MOST >> 20);
}

static int read_stream(FILE *stream, const char *name, struct star_text *text, struct star_why *why)
{
    char piece[1 << 16];
    size_t length;
    while ((length = fread(piece, 1, sizeof piece, stream)) > 0) {
        star_text_append(text, piece, length);
        if (text->failed)
            return star_because(why, STAR_EMEMORY, "out of memory for %.300s", name);
        if (text->length > STAR_FILE_BYTES_MOST)
            return too_long(name, why);
    }
    return ferror(stream) ? star_because(why, STAR_ESYSTEM, "%.200s: %s", name, strerror(errno)) : 0;
}

int star_file_read(const char *path, struct star_text *text, struct star_why *why)
{
    bool standard = strcmp(path, "-") == 0;
    FILE *stream = standard ? stdin : fopen(path, "r");
    if (stream == NULL)
        return star_because(why, STAR_ESYSTEM, "%.300s: %s", path, strerror(errno));
    int error = read_stream(stream, star_file_name(path), text, why);
    if (!standard)
        fclose(stream);
    return error;
}

int star_file_is_text(const char *bytes, size_t length, const char *name, struct star_why *why)
{
    if (length > STAR_FILE_BYTES_MOST)
        return too_long(name, why);
    const char *zero = length ? memchr(bytes, 0, length) : NULL;
    int line = 1;
    for (const char *c = bytes; zero && c < zero; c++)
        line += *c == '\n';
    return zero ? star_because(why, STAR_EINPUT, "%.200s:%d: a 0 byte: this is no text", name, line) : 0;
}

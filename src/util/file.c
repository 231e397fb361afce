/* SPDX-License-Identifier: BSD-3-Clause */
#include "util/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

/* Standard output or error, where FILE is one of them under a name such as /dev/stdout: opened by that name,
 * a file would lose what stands there already. Else -1. */
static int standard_stream(const struct stat *file)
{
    for (int stream = STDOUT_FILENO; stream <= STDERR_FILENO; stream++) {
        struct stat status;
        if (fstat(stream, &status) == 0 && status.st_dev == file->st_dev && status.st_ino == file->st_ino)
            return stream;
    }
    return -1;
}

/* Is PATH written to itself, and not another file that takes its place? */
static bool is_direct(const struct stat *file)
{
    return !S_ISREG(file->st_mode) || standard_stream(file) >= 0;
}

static FILE *open_directly(const char *path, const struct stat *file)
{
    int stream = standard_stream(file), copy = stream < 0 ? -1 : dup(stream);
    FILE *opened = stream < 0 ? fopen(path, "w") : copy < 0 ? NULL : fdopen(copy, "w");
    if (opened == NULL && copy >= 0)
        close(copy);
    return opened;
}

static bool write_and_close(FILE *file, const char *bytes, size_t length)
{
    if (file == NULL)
        return false;
    bool good = fwrite(bytes, 1, length, file) == length;
    return fclose(file) == 0 && good;
}

static bool name_beside(const char *path, struct star_text *beside)
{
    star_text_add(beside, "%s.%ld.new", path, (long)getpid());
    return !beside->failed;
}

/* What is written where PATH is: itself, or the file that a link leads to. A link to nothing is taken for a
 * file of its own. To be freed; NULL with errno. */
static char *target_of(const char *path)
{
    struct stat link, file;
    bool leads = lstat(path, &link) == 0 && S_ISLNK(link.st_mode) && stat(path, &file) == 0;
    return leads ? realpath(path, NULL) : strdup(path);
}

/* A new file, that may be read and written by those who may read and write OLD; NULL: there is none. */
static FILE *open_new(const char *path, const struct stat *old)
{
    mode_t mode = old ? old->st_mode & 0777 : 0666;
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode);
    if (file >= 0 && old != NULL && fchmod(file, mode) != 0)
        errno = 0; /* some file systems have no such permissions: then it has fewer of them */
    FILE *opened = file < 0 ? NULL : fdopen(file, "w");
    if (opened == NULL && file >= 0)
        close(file);
    return opened;
}

/* Writes a new file, which then takes the place of OLD; NULL: there is none. */
static bool replace(const char *path, const struct stat *old, const char *bytes, size_t length)
{
    struct star_text beside = {0};
    char *target = target_of(path);
    bool good = target != NULL && name_beside(target, &beside) &&
                write_and_close(open_new(beside.bytes, old), bytes, length) &&
                rename(beside.bytes, target) == 0;
    int error = errno;
    if (!good && beside.bytes != NULL)
        remove(beside.bytes);
    star_text_free(&beside);
    free(target);
    errno = error;
    return good;
}

int star_file_write(const char *path, const char *bytes, size_t length, struct star_why *why)
{
    struct stat status;
    bool there = stat(path, &status) == 0;
    bool good = there && is_direct(&status) ? write_and_close(open_directly(path, &status), bytes, length)
                                            : replace(path, there ? &status : NULL, bytes, length);
    return good ? 0 : star_because(why, STAR_ESYSTEM, "%.300s: %s", path, strerror(errno));
}

bool star_file_is_replaced(const char *path)
{
    struct stat status;
    return stat(path, &status) != 0 || !is_direct(&status);
}

static bool is_writable(const char *path, const struct stat *file)
{
    if (!S_ISDIR(file->st_mode))
        return standard_stream(file) >= 0 || access(path, W_OK) == 0;
    errno = EISDIR;
    return false;
}

/* Can a file be made beside TARGET? */
static bool has_room_beside(const char *target)
{
    struct stat status;
    struct star_text folder = {0}, beside = {0};
    const char *slash = strrchr(target, '/');
    star_text_append(&folder, slash ? target : ".", slash ? (size_t)(slash - target) + 1 : 1);
    errno = ENOMEM;
    bool good = name_beside(target, &beside) && !folder.failed && access(folder.bytes, W_OK | X_OK) == 0 &&
                (lstat(beside.bytes, &status) == 0 || errno == ENOENT); /* else its name is too long */
    int error = errno;
    star_text_free(&folder);
    star_text_free(&beside);
    errno = error;
    return good;
}

static bool is_replaceable(const char *path)
{
    char *target = target_of(path);
    bool good = target != NULL && has_room_beside(target);
    int error = errno;
    free(target);
    errno = error;
    return good;
}

int star_file_check(const char *path, struct star_why *why)
{
    struct stat status;
    if (path[0] == 0)
        return star_because(why, STAR_EINPUT, "a file's name is empty");
    bool direct = stat(path, &status) == 0 && is_direct(&status);
    if (direct ? is_writable(path, &status) : is_replaceable(path))
        return 0;
    return star_because(why, STAR_ESYSTEM, "%.300s: %s", path, strerror(errno));
}

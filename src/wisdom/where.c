/* SPDX-License-Identifier: BSD-3-Clause */
#include "wisdom/where.h"
#include "util/home.h"
#include "util/version.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char star_wisdom_site[] = STAR_ETC "/startune/wisdom.db";

int star_wisdom_path(char *path, size_t room, struct star_why *why)
{
    return star_home_path(path, room, "XDG_DATA_HOME", ".local/share", "startune/wisdom.db", why);
}

static bool is_own(const struct stat *file)
{
    return S_ISREG(file->st_mode) && file->st_uid == geteuid();
}

bool star_wisdom_is_own(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && is_own(&status);
}

bool star_wisdom_is_private(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && is_own(&status) && (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

/* SQLite counts transactions there, in the file's header. */
static bool read_counter(int file, uint8_t counter[4])
{
    enum { PLACE = 24 };
    memset(counter, 0, 4);
    return pread(file, counter, 4, PLACE) >= 0; /* an empty file has none */
}

/* The counter alone would do, were the file never another one; the date, were clocks finer. */
bool star_wisdom_state(const char *path, struct star_text *word)
{
    struct stat status;
    uint8_t counter[4];
    int file = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (file < 0 && errno == ENOENT)
        star_text_add(word, "none");
    if (file < 0)
        return errno == ENOENT;
    bool good = fstat(file, &status) == 0 && S_ISREG(status.st_mode) && read_counter(file, counter);
    close(file);
    if (good)
        star_text_add(word, "%ju-%jd-%jd.%09ld-%02x%02x%02x%02x", (uintmax_t)status.st_ino,
                      (intmax_t)status.st_size, (intmax_t)status.st_mtim.tv_sec, status.st_mtim.tv_nsec,
                      counter[0], counter[1], counter[2], counter[3]);
    return good;
}

/* Until the end of the file, or LENGTH bytes, which must be all. */
static bool read_all(int file, size_t length, struct star_text *text)
{
    char bytes[1 << 14];
    ssize_t more;
    size_t before = text->length;
    while ((more = read(file, bytes, sizeof bytes)) > 0 && text->length - before <= length)
        star_text_append(text, bytes, (size_t)more);
    return more == 0 && text->length - before == length && !text->failed;
}

/* Runs may add to the file meanwhile: what is behind LENGTH counts the next time. */
static bool read_upto(int file, size_t length, struct star_text *text)
{
    char bytes[1 << 14];
    while (length > 0) {
        ssize_t more = read(file, bytes, length < sizeof bytes ? length : sizeof bytes);
        if (more <= 0)
            return more == 0 && !text->failed;
        star_text_append(text, bytes, (size_t)more);
        length -= (size_t)more;
    }
    return !text->failed;
}

bool star_wisdom_read_own(const char *path, size_t bytes_most, struct star_text *text)
{
    struct stat status;
    int file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (file < 0)
        return false;
    bool good = fstat(file, &status) == 0 && is_own(&status) && (uintmax_t)status.st_size <= bytes_most &&
                read_all(file, (size_t)status.st_size, text);
    close(file);
    return good;
}

int star_wisdom_read_anyones(const char *path, size_t bytes_most, struct star_text *text,
                             struct star_why *why)
{
    struct stat status;
    int file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (file < 0)
        return star_because(why, STAR_ESYSTEM, "%.300s: %s", path,
                            errno == ELOOP ? "a link, which is not followed" : strerror(errno));
    bool good = fstat(file, &status) == 0 && S_ISREG(status.st_mode),
         fits = (uintmax_t)status.st_size <= bytes_most;
    bool whole = good && fits && read_upto(file, (size_t)status.st_size, text);
    close(file);
    return whole   ? 0
           : !good ? star_because(why, STAR_EINPUT, "%.300s: no regular file", path)
           : !fits ? star_because(why, STAR_EINPUT, "%.300s: longer than such a file may be", path)
                   : star_because(why, STAR_ESYSTEM, "%.300s: cannot be read", path);
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "store/place.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_MOST = 4096 };

int star_place_check(const char *path, struct star_why *why)
{
    static const char *const ends[] = {"", "-journal"}, *const what[] = {"store", "journal"};
    char name[PATH_MOST];
    struct stat status;
    for (int i = 0; i < 2; i++) {
        snprintf(name, sizeof name, "%s%s", path, ends[i]);
        if (stat(name, &status) == 0 && !S_ISREG(status.st_mode))
            return star_because(why, STAR_EINPUT, "%.300s is a %s, no %s", name,
                                S_ISDIR(status.st_mode) ? "folder" : "device or pipe", what[i]);
    }
    return 0;
}

bool star_place_has_locks(const char *path, bool make)
{
    struct flock any = {.l_type = F_RDLCK, .l_whence = SEEK_SET, .l_len = 1};
    int file = open(path, O_RDONLY | O_CLOEXEC | (make ? O_CREAT : 0), 0644);
    if (file < 0)
        return true; /* opening says why */
    bool works = fcntl(file, F_GETLK, &any) == 0;
    close(file);
    return works;
}

/* As SQLite's "unix-dotfile" names it. */
static const char *lock_of(const char *path, char *folder, size_t room)
{
    snprintf(folder, room, "%s.lock", path);
    return folder;
}

bool star_place_take_lock(const char *path)
{
    char folder[PATH_MOST];
    return mkdir(lock_of(path, folder, sizeof folder), 0777) == 0;
}

void star_place_give_lock(const char *path)
{
    char folder[PATH_MOST];
    rmdir(lock_of(path, folder, sizeof folder));
}

void star_place_await_lock(const char *path)
{
    enum { TURNS = 100, TURN = 10000 };
    char folder[PATH_MOST];
    lock_of(path, folder, sizeof folder);
    for (int i = 0; i < TURNS && access(folder, F_OK) == 0; i++)
        usleep(TURN);
}

bool star_place_has_journal(const char *path)
{
    char journal[PATH_MOST];
    snprintf(journal, sizeof journal, "%s-journal", path);
    return access(journal, F_OK) == 0;
}

/* By the clock of who keeps the files, which dates what is made now: a node's may be minutes ahead. */
static bool is_old(const char *folder)
{
    enum { OLD = 120 };
    char other[PATH_MOST + 8];
    struct stat it, now;
    snprintf(other, sizeof other, "%s-XXXXXX", folder);
    if (stat(folder, &it) != 0 || !S_ISDIR(it.st_mode) || mkdtemp(other) == NULL)
        return false;
    bool known = stat(other, &now) == 0;
    rmdir(other);
    return known && now.st_mtime - it.st_mtime > OLD;
}

void star_place_break_lock(const char *path)
{
    char folder[PATH_MOST];
    if (is_old(lock_of(path, folder, sizeof folder)))
        rmdir(folder);
}

/* Never onto a file that is there; where the file system does not know that, nobody else makes such names
 * meanwhile. */
static int move(const char *from, const char *to)
{
    if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0)
        return 0;
    return errno == EINVAL || errno == ENOSYS ? rename(from, to) : -1;
}

static int move_aside(const char *path, char *aside, size_t room, struct star_why *why)
{
    char journal[PATH_MOST], other[PATH_MOST];
    int taken = 0;
    do {
        snprintf(aside, room, "%s.damaged-%d", path, ++taken);
        snprintf(other, sizeof other, "%s-journal", aside);
    } while (access(aside, F_OK) == 0 || access(other, F_OK) == 0);
    /* The journal first: it would be taken for that of the new file. */
    snprintf(journal, sizeof journal, "%s-journal", path);
    if (move(journal, other) != 0 && errno != ENOENT)
        return star_because(why, STAR_ESYSTEM, "%.300s: %s", journal, strerror(errno));
    if (move(path, aside) != 0)
        return star_because(why, STAR_ESYSTEM, "%.300s: %s", path, strerror(errno));
    return 0;
}

/* Waits for who has it: setting aside takes no time. */
static bool take_folder(const char *folder)
{
    enum { TURNS = 500, TURN = 10000 };
    if (is_old(folder))
        rmdir(folder);
    for (int i = 0; i < TURNS; i++) {
        if (mkdir(folder, 0777) == 0)
            return true;
        if (errno != EEXIST)
            return false;
        usleep(TURN);
    }
    errno = EEXIST;
    return false;
}

int star_place_set_aside(const char *path, dev_t device, ino_t number, char *aside, size_t room,
                         struct star_why *why)
{
    char folder[PATH_MOST];
    struct stat status;
    int error = 0;
    aside[0] = 0;
    snprintf(folder, sizeof folder, "%s.aside", path);
    if (!take_folder(folder))
        return star_because(why, STAR_ESYSTEM, "%.300s: %s", folder, strerror(errno));
    if (stat(path, &status) == 0 && status.st_dev == device && status.st_ino == number)
        error = move_aside(path, aside, room, why); /* else another process has done it */
    rmdir(folder);
    return error;
}

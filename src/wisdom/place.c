/* SPDX-License-Identifier: BSD-3-Clause
 * Where a store lies: its path, locks, and a damaged one's new name. */
#include "util/home.h"
#include "wisdom/inside.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { PATH_MOST = 4096 };

const char star_wisdom_site[] = "/etc/startune/wisdom.db";

int star_wisdom_path(char *path, size_t room, struct star_why *why)
{
    return star_home_path(path, room, "XDG_DATA_HOME", ".local/share", "startune/wisdom.db", why);
}

bool star_place_has_locks(const char *path)
{
    struct flock any = {.l_type = F_RDLCK, .l_whence = SEEK_SET, .l_len = 1};
    int file = open(path, O_RDONLY | O_CLOEXEC);
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

bool star_place_has_journal(const char *path)
{
    char journal[PATH_MOST];
    snprintf(journal, sizeof journal, "%s-journal", path);
    return access(journal, F_OK) == 0;
}

void star_place_break_lock(const char *path)
{
    enum { OLD = 120 };
    char folder[PATH_MOST];
    struct stat status;
    lock_of(path, folder, sizeof folder);
    if (stat(folder, &status) == 0 && S_ISDIR(status.st_mode) && time(NULL) - status.st_mtime > OLD)
        rmdir(folder);
}

int star_place_set_aside(const char *path, dev_t device, ino_t number, char *aside, size_t room,
                         struct star_why *why)
{
    char journal[PATH_MOST], other[PATH_MOST];
    struct stat status;
    aside[0] = 0;
    if (stat(path, &status) != 0 || status.st_dev != device || status.st_ino != number)
        return 0; /* another process has done it */
    int taken = 0;
    do
        snprintf(aside, room, "%s.damaged-%d", path, ++taken);
    while (access(aside, F_OK) == 0);
    /* The journal first: it would be taken for that of the new file. */
    snprintf(journal, sizeof journal, "%s-journal", path);
    snprintf(other, sizeof other, "%s-journal", aside);
    if (rename(journal, other) != 0 && errno != ENOENT)
        return star_because(why, STAR_ESYSTEM, "%.300s: %s", journal, strerror(errno));
    if (rename(path, aside) != 0)
        return star_because(why, STAR_ESYSTEM, "%.300s: %s", path, strerror(errno));
    return 0;
}

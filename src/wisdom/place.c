/* SPDX-License-Identifier: BSD-3-Clause
 * Where a store lies: folders, locks, and a damaged one's new name. */
#include "wisdom/inside.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { PATH_MOST = 4096 };

const char star_wisdom_site[] = "/etc/startune/wisdom.db";

int star_wisdom_path(char *path, size_t room, struct star_why *why)
{
    const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
    int length;
    if (data != NULL && data[0] == '/') /* the standard: others are to be ignored */
        length = snprintf(path, room, "%s/startune/wisdom.db", data);
    else if (home != NULL && home[0] == '/')
        length = snprintf(path, room, "%s/.local/share/startune/wisdom.db", home);
    else
        return star_because(why, STAR_ENEEDS, "no home: neither XDG_DATA_HOME nor HOME is a path");
    if (length < 0 || (size_t)length >= room)
        return star_because(why, STAR_EINPUT, "the home's path is too long");
    return 0;
}

int star_place_make(const char *path, struct star_why *why)
{
    char folder[PATH_MOST];
    if ((size_t)snprintf(folder, sizeof folder, "%s", path) >= sizeof folder)
        return star_because(why, STAR_EINPUT, "%.200s: too long a path", path);
    for (char *slash = strchr(folder + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        if (mkdir(folder, 0700) != 0 && errno != EEXIST)
            return star_because(why, STAR_ESYSTEM, "%.300s: %s", folder, strerror(errno));
        *slash = '/';
    }
    return 0;
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

void star_place_break_lock(const char *path)
{
    enum { OLD = 120 };
    char folder[PATH_MOST];
    struct stat status;
    snprintf(folder, sizeof folder, "%s.lock", path);
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

/* SPDX-License-Identifier: BSD-3-Clause */
#include "util/home.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int star_home_path(char *path, size_t room, const char *variable, const char *usual, const char *file,
                   struct star_why *why)
{
    const char *named = getenv(variable), *home = getenv("HOME");
    int length;
    if (named != NULL && named[0] == '/') /* the standard: others are to be ignored */
        length = snprintf(path, room, "%s/%s", named, file);
    else if (home != NULL && home[0] == '/')
        length = snprintf(path, room, "%s/%s/%s", home, usual, file);
    else
        return star_because(why, STAR_ENEEDS, "no home: neither %s nor HOME is a path", variable);
    if (length < 0 || (size_t)length >= room)
        return star_because(why, STAR_EINPUT, "the home's path is too long");
    return 0;
}

int star_home_make(const char *path, struct star_why *why)
{
    enum { PATH_MOST = 4096 };
    char folder[PATH_MOST];
    if ((size_t)snprintf(folder, sizeof folder, "%s", path) >= sizeof folder)
        return star_because(why, STAR_EINPUT, "%.200s: too long a path", path);
    for (char *slash = strchr(folder + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        if (mkdir(folder, 0700) == 0)
            chmod(folder, 0700); /* whatever mask the program has: other programs use some of these folders */
        else if (errno != EEXIST)
            return star_because(why, STAR_ESYSTEM, "%.300s: %s", folder, strerror(errno));
        *slash = '/';
    }
    return 0;
}

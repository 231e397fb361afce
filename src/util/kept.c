/* SPDX-License-Identifier: BSD-3-Clause */
#include "util/kept.h"
#include "util/file_write.h"
#include "util/home.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { PATH_MOST = 4096 };

int star_kept_folder(char *path, size_t room, struct star_why *why)
{
    return star_home_path(path, room, "XDG_STATE_HOME", ".local/state", "startune/reports", why);
}

enum { DAY = 86400 };

/* Behind AHEAD come those of a clock that was ahead: nobody knows how old they are, and they go first. */
static int by_age(const void *a, const void *b, void *ahead)
{
    bool a_ahead = strcmp(a, ahead) > 0, b_ahead = strcmp(b, ahead) > 0;
    return a_ahead != b_ahead ? (b_ahead ? 1 : -1) : strcmp(a, b);
}

static void name_date(time_t seconds, char *name, size_t room)
{
    struct tm parts;
    strftime(name, room, "%Y-%m-%dT%H.%M.%S", gmtime_r(&seconds, &parts));
}

static bool ends_in(const char *name, const char *end)
{
    size_t length = strlen(name);
    return length >= strlen(end) && strcmp(name + length - strlen(end), end) == 0;
}

static int add_name(struct star_kept *kept, const char *name, struct star_why *why)
{
    if (!isdigit((unsigned char)name[0]) || !ends_in(name, ".json") || strlen(name) >= STAR_KEPT_NAME)
        return 0;
    void *names = realloc(kept->name, ((size_t)kept->count + 1) * sizeof *kept->name);
    if (names == NULL)
        return star_because(why, STAR_EMEMORY, "out of memory");
    kept->name = names;
    snprintf(kept->name[kept->count++], STAR_KEPT_NAME, "%s", name);
    return 0;
}

int star_kept_list(const char *folder, struct star_kept *kept, struct star_why *why)
{
    int error = 0;
    char ahead[STAR_KEPT_NAME];
    name_date(time(NULL) + DAY, ahead, sizeof ahead);
    *kept = (struct star_kept){0};
    DIR *files = opendir(folder);
    if (files == NULL && errno != ENOENT)
        return star_because(why, STAR_ESYSTEM, "%.300s: %s", folder, strerror(errno));
    for (struct dirent *file = files ? readdir(files) : NULL; !error && file; file = readdir(files))
        error = add_name(kept, file->d_name, why);
    if (files != NULL)
        closedir(files);
    if (kept->count > 0)
        qsort_r(kept->name, (size_t)kept->count, sizeof *kept->name, by_age, ahead);
    if (error)
        star_kept_free(kept);
    return error;
}

void star_kept_free(struct star_kept *kept)
{
    free(kept->name);
    *kept = (struct star_kept){0};
}

static void remove_oldest(const char *folder, int most)
{
    struct star_kept kept;
    char path[PATH_MOST + 256];
    star_file_remove_halves(folder);
    if (star_kept_list(folder, &kept, NULL))
        return;
    for (int i = 0; i < kept.count - most; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, kept.name[i]);
        remove(path);
    }
    star_kept_free(&kept);
}

int star_kept_add(const char *folder, const char *bytes, size_t length, int most, struct star_why *why)
{
    char path[PATH_MOST], date[32];
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    name_date(now.tv_sec, date, sizeof date);
    int written =
        snprintf(path, sizeof path, "%s/%s.%06ld-%ld.json", folder, date, now.tv_nsec / 1000, (long)getpid());
    if (written < 0 || (size_t)written >= sizeof path)
        return star_because(why, STAR_ENEEDS, "%.200s: too long a path", folder);
    if (star_home_make(path, why))
        return STAR_ENEEDS;
    int error = star_file_write_soon(path, bytes, length, why); /* all ranks wait for it */
    remove_oldest(folder, most);
    return error;
}

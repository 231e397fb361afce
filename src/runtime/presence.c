/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/presence.h"
#include "dialect/launcher.h"
#include "util/clock.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Of the ranks of one job on this node. */
struct roll {
    atomic_int here, gone; /* so many have come, and are done with it */
    atomic_int closed;     /* so many had come when somebody gave up waiting; 0: nobody has */
    atomic_int off;        /* of those that have come */
};
static struct roll *roll;
static char name[192];

/* The parent of process NUMBER, and what that is called. 0: there is none. */
static long parent_of(long number, char *command, size_t room)
{
    char path[64], line[512] = "";
    long parent = 0;
    snprintf(path, sizeof path, "/proc/%ld/stat", number);
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return 0;
    char *read = fgets(line, sizeof line, file), *open = strchr(line, '('), *close = strrchr(line, ')');
    fclose(file);
    if (read == NULL || open == NULL || close == NULL || sscanf(close + 1, " %*c %ld", &parent) != 1)
        return 0;
    snprintf(command, room, "%.*s", (int)(close - open - 1), open + 1);
    return parent;
}

/* The launcher's process PROXY above this one, whatever scripts stand between. 0: there is none. */
static long number_of(const char *proxy)
{
    char command[64];
    long number = getpid();
    for (int levels = 0; number > 1 && levels < 64; levels++) {
        long parent = parent_of(number, command, sizeof command);
        if (strncmp(command, proxy, strlen(proxy)) == 0)
            return number;
        number = parent;
    }
    return 0;
}

/* What tells the job from others of this user on this node, where LAUNCHER started it. */
static bool identify(const struct star_launcher *launcher, char *job, size_t room)
{
    const char *told = launcher->job ? getenv(launcher->job) : NULL;
    if (told != NULL && strlen(told) < room && strchr(told, '/') == NULL) {
        snprintf(job, room, "%s", told);
        return true;
    }
    long proxy = launcher->proxy && getenv(launcher->rank) != NULL ? number_of(launcher->proxy) : 0;
    snprintf(job, room, "proxy.%ld", proxy);
    return proxy > 0;
}

static bool name_job(void)
{
    const struct star_launcher *launcher;
    char host[64] = "", job[64];
    gethostname(host, sizeof host - 1); /* nodes may be containers of one machine, which share its memory */
    for (size_t i = 0; (launcher = star_launcher_at(i)) != NULL; i++)
        if (identify(launcher, job, sizeof job)) {
            snprintf(name, sizeof name, "/startune.%ld.%s.%s", (long)getuid(), host, job);
            return true;
        }
    return false;
}

/* Somebody else's file of that name is none of ours. */
static bool is_ours(int file)
{
    struct stat status;
    return fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == getuid();
}

bool star_presence_begin(bool off)
{
    if (roll != NULL || star_launched_here() < 2 || !name_job())
        return false;
    int file = shm_open(name, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file < 0)
        return false;
    void *bytes = is_ours(file) && ftruncate(file, sizeof *roll) == 0
                      ? mmap(NULL, sizeof *roll, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
                      : MAP_FAILED;
    close(file);
    if (bytes == MAP_FAILED)
        return false;
    roll = bytes;
    atomic_fetch_add(&roll->off, off);
    atomic_fetch_add(&roll->here, 1);
    return true;
}

/* Until all have come, or it takes so long that they will not; whoever gives up does so for all. */
static bool await_all(int all)
{
    const int64_t most = INT64_C(3000000000);
    const struct timespec pause = {.tv_nsec = 1000000};
    int64_t begin = star_now();
    while (atomic_load(&roll->here) < all && atomic_load(&roll->closed) == 0) {
        int none = 0;
        if (star_since(begin) > most)
            atomic_compare_exchange_strong(&roll->closed, &none, atomic_load(&roll->here));
        else
            nanosleep(&pause, NULL);
    }
    return atomic_load(&roll->closed) == 0;
}

struct star_presence star_presence_find(void)
{
    struct star_presence found = {.complete = true, .all = star_launched_here()};
    if (roll == NULL)
        return found; /* nobody can tell */
    found.complete = await_all(found.all);
    int here = atomic_load(&roll->here), expected = found.complete ? found.all : here;
    found.missing = found.complete ? 0 : found.all - here;
    found.off = atomic_load(&roll->off);
    int before = atomic_fetch_add(&roll->gone, 1);
    found.first = before == 0;
    if (before + 1 >= expected)
        shm_unlink(name);
    munmap(roll, sizeof *roll);
    roll = NULL;
    return found;
}

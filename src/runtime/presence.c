/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/presence.h"
#include "dialect/launcher.h"
#include "util/clock.h"
#include "util/quiet.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
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
static int locked; /* its file, while this rank is counted in it */
static char name[256];
static size_t begins; /* with so much the names of all jobs of this user on this node */

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
            begins = (size_t)snprintf(name, sizeof name, "/startune.%ld.%s.", (long)getuid(), host);
            snprintf(name + begins, sizeof name - begins, "%s", job);
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

/* Files of jobs that were killed in MPI_Init. What a living rank has counted itself in is locked. */
static void sweep(void)
{
    const char *own = name + 1;
    DIR *folder = opendir("/dev/shm");
    struct dirent *entry;
    while (folder != NULL && (entry = readdir(folder)) != NULL) {
        if (strncmp(entry->d_name, own, begins - 1) != 0 || strcmp(entry->d_name, own) == 0)
            continue;
        int file = openat(dirfd(folder), entry->d_name, O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
        if (file < 0)
            continue;
        if (is_ours(file) && flock(file, LOCK_EX | LOCK_NB) == 0)
            unlinkat(dirfd(folder), entry->d_name, 0);
        close(file);
    }
    if (folder != NULL)
        closedir(folder);
}

/* Is there one of this name still? Its last rank may have removed it meanwhile. */
static bool is_linked(int file)
{
    struct stat status;
    return fstat(file, &status) == 0 && status.st_nlink > 0;
}

/* With its memory, which a full file system does not have: who touches it then is killed. What another rank
 * has lengthened serves one that could not. */
static bool lengthen(int file)
{
    struct stat status;
    if (fstat(file, &status) == 0 && status.st_size >= (off_t)sizeof *roll)
        return true;
    if (fallocate(file, 0, 0, sizeof *roll) == 0)
        return true;
    return (errno == EOPNOTSUPP || errno == ENOSYS) && ftruncate(file, sizeof *roll) == 0;
}

/* Numbers of jobs come again. A file that nobody has locked is one of an earlier job, whose counts are none
 * of ours: they are removed before anybody counts, as who removes them has the lock alone. */
static bool take_lock(int file, bool *first)
{
    *first = flock(file, LOCK_EX | LOCK_NB) == 0;
    if (*first)
        fchmod(file, 0600); /* the program's mask is for its own files */
    if (*first && ftruncate(file, 0) != 0)
        return false;
    return flock(file, LOCK_SH) == 0 && lengthen(file);
}

/* One that could not be lengthened is not left behind, unless another rank could meanwhile. */
static void drop(int file)
{
    if (file >= 0 && is_ours(file) && flock(file, LOCK_EX | LOCK_NB) == 0 && is_linked(file))
        shm_unlink(name);
    if (file >= 0)
        close(file);
}

/* A sandbox may refuse locks; then nobody would know when the file is of no more use. */
static bool can_lock(void)
{
    int folder = open("/dev/shm", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool can = folder < 0 || flock(folder, LOCK_UN) == 0;
    if (folder >= 0)
        close(folder);
    return can;
}

static int open_roll(void)
{
    if (!can_lock())
        return -1;
    for (int attempt = 0; attempt < 16; attempt++) {
        bool first;
        int file = shm_open(name, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
        if (file >= 0 && is_ours(file) && take_lock(file, &first) && is_linked(file)) {
            if (first)
                sweep();
            return file;
        }
        drop(file);
    }
    return -1;
}

/* A limit of the length of files holds for this one, too, and sends a signal; others would interrupt. */
static int open_roll_quietly(void)
{
    struct star_quiet quiet;
    star_quiet_begin(&quiet, true);
    int file = open_roll();
    star_quiet_end(&quiet);
    return file;
}

bool star_presence_begin(bool off)
{
    if (roll != NULL || star_launched_here() < 2 || !name_job())
        return false;
    locked = open_roll_quietly();
    if (locked < 0)
        return false;
    void *bytes = mmap(NULL, sizeof *roll, PROT_READ | PROT_WRITE, MAP_SHARED, locked, 0);
    if (bytes == MAP_FAILED) {
        drop(locked);
        return false;
    }
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

/* Of the file there is no more to be seen than that somebody of this user has made it. */
static bool is_made(void)
{
    char path[sizeof name + 16];
    struct stat status;
    snprintf(path, sizeof path, "/dev/shm%s", name);
    return lstat(path, &status) == 0 && status.st_uid == getuid() && status.st_size > 0;
}

/* Has another rank counted itself where this one cannot? One that is alive has it locked. Of an earlier job's
 * file nothing is left for whoever comes meanwhile. */
static bool is_counted(void)
{
    int here = 0, file = shm_open(name, O_RDWR | O_NOFOLLOW | O_CLOEXEC, 0);
    if (file < 0)
        return errno != ENOENT && is_made();
    bool counted =
        is_ours(file) && pread(file, &here, sizeof here, offsetof(struct roll, here)) > 0 && here > 0;
    if (counted && flock(file, LOCK_EX | LOCK_NB) == 0)
        counted = ftruncate(file, 0) != 0;
    close(file);
    return counted;
}

/* Such a rank waits for this one, which must not go on as if nobody could tell. Others that only look have it
 * locked for a moment. */
static bool is_awaited(void)
{
    enum { LOOKS = 16 };
    const struct timespec pause = {.tv_nsec = 1000000};
    int look = 0;
    while (name[0] != 0 && look < LOOKS && is_counted()) {
        nanosleep(&pause, NULL);
        look++;
    }
    return look == LOOKS;
}

struct star_presence star_presence_find(void)
{
    struct star_presence found = {.complete = true, .all = star_launched_here()};
    if (roll == NULL) { /* nobody can tell, or the others say so */
        found.complete = !is_awaited();
        return found;
    }
    found.complete = await_all(found.all);
    int here = atomic_load(&roll->here), expected = found.complete ? found.all : here;
    found.missing = found.complete ? 0 : found.all - here;
    found.off = atomic_load(&roll->off);
    int before = atomic_fetch_add(&roll->gone, 1);
    found.first = before == 0;
    if (before + 1 >= expected)
        shm_unlink(name);
    munmap(roll, sizeof *roll);
    close(locked);
    roll = NULL;
    return found;
}

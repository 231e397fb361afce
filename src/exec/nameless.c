/* SPDX-License-Identifier: BSD-3-Clause */
#include "exec/nameless.h"
#include "util/quiet.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Which numbers processes have here; 0: not known. */
static uint64_t space_of_numbers(void)
{
    struct stat space;
    return stat("/proc/self/ns/pid", &space) == 0 ? (uint64_t)space.st_ino : 0;
}

/* A limit of the length of files holds for this one, too, and sends a signal. */
static bool lengthen(int file, size_t bytes)
{
    struct star_quiet quiet;
    star_quiet_begin(&quiet, false);
    bool long_enough = ftruncate(file, (off_t)bytes) == 0;
    star_quiet_end(&quiet);
    return long_enough;
}

static int make_file(size_t bytes, struct star_nameless_key *key)
{
    struct timespec now;
    int file = memfd_create("startune", MFD_CLOEXEC);
    clock_gettime(CLOCK_MONOTONIC, &now);
    *key = (struct star_nameless_key){.process = getpid(),
                                      .file = file,
                                      .space = space_of_numbers(),
                                      .token = now.tv_nsec ^ (int64_t)getpid() << 32};
    key->made = file >= 0 && key->space != 0 && lengthen(file, bytes);
    return file;
}

/* By way of its maker, where processes have the same numbers for both, and the one may look at the other.
 * What is not a file of that length is another process's: a device, say. */
static int open_file(const struct star_nameless_key *key, size_t bytes)
{
    char path[64];
    struct stat file;
    snprintf(path, sizeof path, "/proc/%lld/fd/%d", (long long)key->process, key->file);
    bool there = key->made && key->space == space_of_numbers() && stat(path, &file) == 0;
    return there && S_ISREG(file.st_mode) && file.st_size == (off_t)bytes ? open(path, O_RDWR | O_CLOEXEC)
                                                                          : -1;
}

/* Bytes of all such memory of this process. */
static atomic_size_t mapped;

/* Does this leave nearly all of a limited address space to the program? */
static bool has_addresses(size_t bytes)
{
    enum { SHARE = 32 };
    struct rlimit limit;
    return getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ||
           atomic_load(&mapped) + bytes <= limit.rlim_cur / SHARE;
}

/* Where the program locks all memory that it will have (mlockall), the system takes all pages of what can be
 * read at once. So this cannot be read before it is unlocked. */
static char *map(int file, size_t bytes)
{
    if (file < 0 || !has_addresses(bytes))
        return NULL;
    char *memory = mmap(NULL, bytes, PROT_NONE, MAP_SHARED | MAP_NORESERVE, file, 0);
    if (memory == MAP_FAILED)
        return NULL;
    atomic_fetch_add(&mapped, bytes);
    munlock(memory, bytes);
    if (mprotect(memory, bytes, PROT_READ | PROT_WRITE) == 0)
        return memory;
    star_nameless_free(memory, bytes);
    return NULL;
}

static volatile int64_t *token_of(char *memory)
{
    return (volatile int64_t *)(void *)memory;
}

char *star_nameless_make(size_t bytes, struct star_nameless_key *key, int *file)
{
    *file = make_file(bytes, key);
    char *memory = key->made ? map(*file, bytes) : NULL;
    key->made = memory != NULL;
    if (memory != NULL)
        *token_of(memory) = key->token; /* before anybody is told of it */
    return memory;
}

char *star_nameless_open(size_t bytes, const struct star_nameless_key *key)
{
    int file = open_file(key, bytes);
    char *memory = map(file, bytes);
    if (file >= 0)
        close(file);
    if (memory == NULL || *token_of(memory) == key->token)
        return memory;
    star_nameless_free(memory, bytes);
    return NULL;
}

void star_nameless_free(char *memory, size_t bytes)
{
    munmap(memory, bytes);
    atomic_fetch_sub(&mapped, bytes);
}

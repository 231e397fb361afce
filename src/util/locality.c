/* SPDX-License-Identifier: BSD-3-Clause */
#include "util/locality.h"

#include <ctype.h>
#include <fcntl.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

/* A list as "0-3,8": 0, or the least processor and 1, where all of MASK are in it. */
static uint64_t least_of(const char *list, const cpu_set_t *mask)
{
    cpu_set_t rest = *mask;
    long least = CPU_SETSIZE;
    while (isdigit((unsigned char)*list)) {
        char *end;
        long first = strtol(list, &end, 10), last = *end == '-' ? strtol(end + 1, &end, 10) : first;
        for (long i = first; i <= last && i < CPU_SETSIZE; i++)
            CPU_CLR((size_t)i, &rest);
        least = first < least ? first : least;
        list = *end == ',' ? end + 1 : end;
    }
    return CPU_COUNT(&rest) == 0 && least < CPU_SETSIZE ? (uint64_t)least + 1 : 0;
}

static uint64_t read_least(const char *folder, const char *name, unsigned number, const cpu_set_t *mask)
{
    char path[256], of[64], list[4096];
    snprintf(of, sizeof of, name, number);
    int length = snprintf(path, sizeof path, "%s/%s", folder, of);
    int file = length < (int)sizeof path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    ssize_t got = file >= 0 ? read(file, list, sizeof list - 1) : -1;
    if (file >= 0)
        close(file);
    list[got > 0 ? got : 0] = 0;
    return least_of(list, mask);
}

uint64_t star_locality(const char *folder)
{
    cpu_set_t mask;
    unsigned processor, node;
    if (sched_getaffinity(0, sizeof mask, &mask) != 0 || syscall(SYS_getcpu, &processor, &node, NULL) != 0)
        return 0;
    uint64_t package = read_least(folder, "cpu/cpu%u/topology/core_siblings_list", processor, &mask);
    uint64_t numa = read_least(folder, "node/node%u/cpulist", node, &mask);
    uint64_t cache = read_least(folder, "cpu/cpu%u/cache/index3/shared_cpu_list", processor, &mask);
    return package << 16 * STAR_PACKAGE | numa << 16 * STAR_NUMA_NODE | cache << 16 * STAR_L3_CACHE;
}

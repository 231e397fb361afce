/* SPDX-License-Identifier: BSD-3-Clause
 * Call sites by (module, offset): addresses differ from rank to rank, because they are randomised. */
#include "runtime/site.h"
#include "dialect/dialect.h"
#include "util/hash.h"
#include "util/module.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What the module's own tables call the address, as debug information does. */
static const char *module_of(const void *address, uintptr_t *offset, const struct link_map **map)
{
    *offset = 0;
    *map = star_module_of(address);
    if (*map == NULL || (*map)->l_name == NULL)
        return "unknown";
    *offset = (uintptr_t)address - (uintptr_t)(*map)->l_addr;
    return basename((*map)->l_name[0] ? (*map)->l_name : program_invocation_name); /* of the program none */
}

/* What is known of an address: a hash of its module and offset, never 0; INTERNAL is its lowest bit: MPI-IO
 * and one-sided communication call collective operations by their PMPI names. */
enum { INTERNAL = 1 };

static uint64_t find(const void *address)
{
    uintptr_t offset;
    const struct link_map *map;
    const char *module = module_of(address, &offset, &map);
    uint64_t hash = star_hash_text(star_hash_empty, module);
    for (size_t i = 0; i < sizeof offset; i++)
        hash = star_hash_add(hash, offset >> 8 * i & 0xff);
    uint64_t internal = star_dialect_is_inner(module) ? INTERNAL : 0;
    return ((hash | INTERNAL << 1) & ~(uint64_t)INTERNAL) | internal;
}

/* What was found lately, of all threads, as finding takes longer than a short call: sets of a few addresses.
 * There is no lock. Of a place that two threads write at once the address does not fit what is known, and it
 * is found again. */
enum { SETS = 256, WAYS = 4 };
static struct known {
    _Atomic uint64_t known, address; /* this one with the other's bits turned over */
} lately[SETS][WAYS];

static struct known *set_of(const void *address)
{
    return lately[(uint64_t)(uintptr_t)address * UINT64_C(0x9e3779b97f4a7c15) >> 56];
}

static uint64_t look_up(const void *address)
{
    static atomic_uint turn;
    struct known *set = set_of(address);
    for (int i = 0; i < WAYS; i++) {
        uint64_t found = atomic_load_explicit(&set[i].known, memory_order_relaxed);
        if ((atomic_load_explicit(&set[i].address, memory_order_relaxed) ^ found) == (uintptr_t)address)
            return found;
    }
    uint64_t found = find(address);
    struct known *place = &set[atomic_fetch_add_explicit(&turn, 1, memory_order_relaxed) % WAYS];
    atomic_store_explicit(&place->known, found, memory_order_relaxed);
    atomic_store_explicit(&place->address, (uintptr_t)address ^ found, memory_order_relaxed);
    return found;
}

bool star_is_internal(const void *address)
{
    return look_up(address) & INTERNAL;
}

uint64_t star_site_of(const void *address)
{
    return look_up(address) & ~(uint64_t)INTERNAL;
}

void star_site_name(const void *address, char *buffer, size_t room)
{
    uintptr_t offset;
    const struct link_map *map;
    const char *module = module_of(address, &offset, &map);
    snprintf(buffer, room, "%.50s+0x%llx", module, (unsigned long long)offset);
}

/* The path of a module that the loader knows by NAME; the program itself has none. */
static char *path_of(const char *name)
{
    return realpath(*name ? name : "/proc/self/exe", NULL);
}

const char *star_site_module(const void *address)
{
    static struct known {
        char *name, *path;
        struct known *next;
    } * known; /* never freed: as many as there are modules that call */
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    uintptr_t offset;
    const struct link_map *map;
    module_of(address, &offset, &map);
    if (map == NULL)
        return NULL;
    pthread_mutex_lock(&lock);
    struct known *module = known;
    while (module != NULL && strcmp(module->name, map->l_name) != 0)
        module = module->next;
    if (module == NULL && (module = calloc(1, sizeof *module)) != NULL) {
        module->name = strdup(map->l_name);
        module->path = path_of(map->l_name);
        module->next = known;
        if (module->name == NULL) {
            free(module->path);
            free(module);
            module = NULL;
        } else
            known = module;
    }
    pthread_mutex_unlock(&lock);
    return module != NULL ? module->path : NULL;
}

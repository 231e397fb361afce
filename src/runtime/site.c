/* SPDX-License-Identifier: BSD-3-Clause
 * Call sites by (module, offset): addresses differ from rank to rank, because they are randomised. */
#include "runtime/runtime.h"
#include "util/hash.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What the module's own tables call the address, as debug information does. */
static const char *module_of(const void *address, uintptr_t *offset, const struct link_map **map)
{
    Dl_info info;
    *offset = 0;
    *map = NULL;
    if (dladdr1(address, &info, (void **)map, RTLD_DL_LINKMAP) == 0 || info.dli_fname == NULL || *map == NULL)
        return "unknown";
    *offset = (uintptr_t)address - (uintptr_t)(*map)->l_addr;
    const char *slash = strrchr(info.dli_fname, '/');
    return slash ? slash + 1 : info.dli_fname;
}

static uint64_t hash_site(const void *address)
{
    uintptr_t offset;
    const struct link_map *map;
    uint64_t hash = star_hash_text(star_hash_empty, module_of(address, &offset, &map));
    for (size_t i = 0; i < sizeof offset; i++)
        hash = star_hash_add(hash, offset >> 8 * i & 0xff);
    return hash ? hash : 1; /* 0 means: sites are off */
}

/* MPI-IO and one-sided communication call collective operations by their PMPI names. Fortran bindings do so
 * as well, but stand for the program. */
static bool find_internal(const void *address)
{
    static const char *const libraries[] = {"libmpi.so", "libmpich.so", "mca_", "libopen-rte.so",
                                            "libopen-pal.so"};
    uintptr_t offset;
    const struct link_map *map;
    const char *module = module_of(address, &offset, &map);
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++)
        if (strncmp(module, libraries[i], strlen(libraries[i])) == 0)
            return true;
    return false;
}

bool star_is_internal(const void *address)
{
    enum { REMEMBERED = 64 };
    static _Thread_local struct {
        const void *address;
        bool internal;
    } known[REMEMBERED] __attribute__((tls_model("initial-exec")));
    size_t slot = ((uintptr_t)address >> 2) % REMEMBERED;
    if (known[slot].address != address) {
        known[slot].internal = find_internal(address);
        known[slot].address = address;
    }
    return known[slot].internal;
}

uint64_t star_site_of(const void *address)
{
    enum { REMEMBERED = 64 };
    static _Thread_local struct {
        const void *address;
        uint64_t hash;
    } known[REMEMBERED];
    size_t slot = ((uintptr_t)address >> 2) % REMEMBERED;
    if (known[slot].address != address) {
        known[slot].hash = hash_site(address);
        known[slot].address = address;
    }
    return known[slot].hash;
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

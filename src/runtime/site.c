/* SPDX-License-Identifier: BSD-3-Clause
 * Call sites by (module, offset): addresses differ from rank to rank, because they are randomised. */
#include "runtime/runtime.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <string.h>

static const char *module_of(const void *address, uintptr_t *offset)
{
    Dl_info info;
    struct link_map *map = NULL;
    if (dladdr1(address, &info, (void **)&map, RTLD_DL_LINKMAP) == 0 || info.dli_fname == NULL) {
        *offset = 0;
        return "unknown";
    }
    *offset = (uintptr_t)address - (uintptr_t)info.dli_fbase;
    const char *slash = strrchr(info.dli_fname, '/');
    return slash ? slash + 1 : info.dli_fname;
}

static uint64_t hash_site(const void *address)
{
    uintptr_t offset;
    uint64_t hash = 14695981039346656037u; /* FNV-1a */
    for (const char *c = module_of(address, &offset); *c; c++)
        hash = (hash ^ (unsigned char)*c) * 1099511628211u;
    for (size_t i = 0; i < sizeof offset; i++)
        hash = (hash ^ (offset >> 8 * i & 0xff)) * 1099511628211u;
    return hash ? hash : 1; /* 0 means: sites are off */
}

/* MPI-IO and one-sided communication call collective operations by their PMPI names. Fortran bindings do so
 * as well, but stand for the program. */
static bool find_internal(const void *address)
{
    static const char *const libraries[] = {"libmpi.so", "libmpich.so", "mca_", "libopen-rte.so",
                                            "libopen-pal.so"};
    uintptr_t offset;
    const char *module = module_of(address, &offset);
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
    const char *module = module_of(address, &offset);
    snprintf(buffer, room, "%s+0x%llx", module, (unsigned long long)offset);
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "util/module.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

const struct link_map *star_module_of(const void *address)
{
#if __GLIBC_PREREQ(2, 35)
    struct dl_find_object found;
    return _dl_find_object((void *)(uintptr_t)address, &found) == 0 ? found.dlfo_link_map : NULL;
#else
    Dl_info info;
    void *map = NULL;
    return dladdr1(address, &info, &map, RTLD_DL_LINKMAP) != 0 ? map : NULL;
#endif
}

/* The loader has put addresses in place of offsets, where a machine's dynamic sections can be written. */
const char *star_module_soname(const struct link_map *module)
{
    uintptr_t names = 0, at = 0;
    bool has = false;
    for (const ElfW(Dyn) *entry = module->l_ld; entry->d_tag != DT_NULL; entry++) {
        if (entry->d_tag == DT_STRTAB)
            names = entry->d_un.d_ptr;
        if (entry->d_tag == DT_SONAME) {
            at = entry->d_un.d_val;
            has = true;
        }
    }
    if (names < module->l_addr)
        names += module->l_addr;
    return has ? (const char *)names + at : NULL;
}

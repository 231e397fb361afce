/* SPDX-License-Identifier: BSD-3-Clause */
#include "util/module.h"

#include <dlfcn.h>
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

/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose/tool.h"
#include "exec/native.h"

#include <dlfcn.h>
#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct star_native_table star_tool;

/* Where a loaded module lies. dladdr would tell, but reads through all names that the module has. */
struct module {
    const char *address; /* that is looked for */
    uintptr_t begin, end;
};

static bool lies_in(const struct module *module, const void *address)
{
    return module->begin <= (uintptr_t)address && (uintptr_t)address < module->end;
}

static int look_into(struct dl_phdr_info *info, size_t size, void *looked_for)
{
    struct module *module = looked_for, here = {.begin = UINTPTR_MAX};
    (void)size;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        uintptr_t begin = info->dlpi_addr + part->p_vaddr, end = begin + part->p_memsz;
        if (part->p_type != PT_LOAD)
            continue;
        here.begin = begin < here.begin ? begin : here.begin;
        here.end = end > here.end ? end : here.end;
    }
    if (!lies_in(&here, module->address))
        return 0;
    module->begin = here.begin;
    module->end = here.end;
    return 1;
}

/* MODULE is one that was found before: most functions lie in the MPI library. */
static bool share_module(struct module *module, const void *one, const void *other)
{
    if (one == NULL || other == NULL)
        return false;
    module->address = one;
    return (lies_in(module, one) || dl_iterate_phdr(look_into, module) == 1) && lies_in(module, other);
}

/* Does the module of FUNCTION define NAME, too? */
static bool defines(struct module *module, const void *function, const char *name)
{
    Dl_info info;
    if (dladdr(function, &info) == 0)
        return true; /* nothing is known of it: it is left alone */
    void *opened = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
    if (opened == NULL)
        return true;
    /* What the module depends on is searched behind it. */
    bool found = share_module(module, function, dlsym(opened, name));
    dlclose(opened);
    return found;
}

/* The MPI library has both names in one module, and so do libraries that stand for it. A tool has MPI_X
 * alone. */
static void find(struct module *module, const char *name, const char *other_name, void **function)
{
    void *found = dlsym(RTLD_NEXT, name);
    bool tool = found != NULL && !share_module(module, found, dlsym(RTLD_NEXT, other_name)) &&
                !defines(module, found, other_name);
    *function = tool ? found : NULL;
}

__attribute__((constructor)) static void find_all(void)
{
    struct module module = {0};
#define STAR_FIND(name)          find(&module, "MPI_" #name, "PMPI_" #name, (void **)(void *)&star_tool.name);
#define STAR_FUNCTION(name, ...) STAR_FIND(name)
#include "plan/functions.def"
    STAR_NATIVE_OTHERS(STAR_FIND)
#undef STAR_FUNCTION
#undef STAR_FIND
}

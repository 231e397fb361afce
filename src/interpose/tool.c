/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose/tool.h"
#include "exec/native.h"
#include "util/module.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>

struct star_native_table star_tool;

static bool share_module(const void *one, const void *other)
{
    const struct link_map *module = one != NULL && other != NULL ? star_module_of(one) : NULL;
    return module != NULL && module == star_module_of(other);
}

/* Does the module of FUNCTION define NAME, too? */
static bool defines(const void *function, const char *name)
{
    const struct link_map *module = star_module_of(function);
    void *opened = module != NULL ? dlopen(module->l_name, RTLD_LAZY | RTLD_NOLOAD) : NULL;
    if (opened == NULL)
        return true; /* nothing is known of it: it is left alone */
    /* What the module depends on is searched behind it. */
    bool found = share_module(function, dlsym(opened, name));
    dlclose(opened);
    return found;
}

/* The MPI library has both names in one module, and so do libraries that stand for it. A tool has MPI_X
 * alone. */
static void find(const char *name, const char *other_name, void **function)
{
    void *found = dlsym(RTLD_NEXT, name);
    bool tool =
        found != NULL && !share_module(found, dlsym(RTLD_NEXT, other_name)) && !defines(found, other_name);
    *function = tool ? found : NULL;
}

__attribute__((constructor)) static void find_all(void)
{
#define STAR_FIND(name)          find("MPI_" #name, "PMPI_" #name, (void **)(void *)&star_tool.name);
#define STAR_FUNCTION(name, ...) STAR_FIND(name)
#include "plan/functions.def"
    STAR_NATIVE_OTHERS(STAR_FIND)
#undef STAR_FUNCTION
#undef STAR_FIND
}

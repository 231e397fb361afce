/* SPDX-License-Identifier: BSD-3-Clause */
#include "util/behind.h"
#include "util/module.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>

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

void *star_tool_behind(const char *name, const char *other_name)
{
    void *found = dlsym(RTLD_NEXT, name);
    bool tool =
        found != NULL && !share_module(found, dlsym(RTLD_NEXT, other_name)) && !defines(found, other_name);
    return tool ? found : NULL;
}

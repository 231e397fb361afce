/* SPDX-License-Identifier: BSD-3-Clause */
#include "exec/native.h"
#include "util/voice.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

struct star_native_table star_native;

static void find(const char *name, void **function)
{
    *function = dlsym(RTLD_NEXT, name);
    if (*function == NULL) {
        fprintf(star_voice(), "startune: error: the MPI library's %s is not found behind startune: %s\n",
                name, "the program must be linked with startune before its MPI library");
        abort();
    }
}

__attribute__((constructor)) void star_native_find(void)
{
    if (star_native.Init != NULL)
        return;
    star_voice_keep();
#define STAR_FIND(name)          find("PMPI_" #name, (void **)(void *)&star_native.name);
#define STAR_FUNCTION(name, ...) STAR_FIND(name)
#include "plan/functions.def"
    STAR_NATIVE_OTHERS(STAR_FIND)
#undef STAR_FUNCTION
#undef STAR_FIND
}

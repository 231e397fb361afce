/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose/tool.h"
#include "util/behind.h"

struct star_native_table star_tool;

__attribute__((constructor)) void star_tool_find(void)
{
#define STAR_FIND(name)          *(void **)(void *)&star_tool.name = star_tool_behind("MPI_" #name, "PMPI_" #name);
#define STAR_FUNCTION(name, ...) STAR_FIND(name)
#include "plan/functions.def"
    STAR_NATIVE_OTHERS(STAR_FIND)
#undef STAR_FUNCTION
#undef STAR_FIND
}

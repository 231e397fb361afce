/* SPDX-License-Identifier: BSD-3-Clause */
#include "exec/native.h"
#include "interpose/serve.h"
#include "runtime/info.h"
#include "runtime/session.h"
#include "runtime/start.h"
#include "startune.h"
#include "util/export.h"
#include "util/version.h"

#define STAR_FUNCTION(name, parameters, arguments, which, ...)                                               \
    STAR_EXPORT int STAR_##name parameters STAR_SERVE(star_active_by_name || star_start_by_name(), true,     \
                                                      name, arguments, which, __VA_ARGS__)
#include "plan/functions.def"
#undef STAR_FUNCTION

STAR_EXPORT const char *STAR_Get_version(void)
{
    return STAR_VERSION;
}

STAR_EXPORT int STAR_Is_active(void)
{
    return star_active;
}

STAR_EXPORT int STAR_Info_get(MPI_Info *info)
{
    return star_info_get(info);
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "startune.h"
#include "runtime/runtime.h"
#include "util/version.h"

#define EXPORT __attribute__((visibility("default")))

EXPORT const char *STAR_Get_version(void)
{
    return STAR_VERSION;
}

EXPORT int STAR_Is_active(void)
{
    return star_active;
}

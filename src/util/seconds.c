/* SPDX-License-Identifier: BSD-3-Clause */
#include "util/seconds.h"
#include "util/fpenv.h"

double star_seconds(int64_t nanoseconds)
{
    STAR_FPENV_DEFAULT;
    return (double)nanoseconds * 1e-9;
}

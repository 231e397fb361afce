/* SPDX-License-Identifier: BSD-3-Clause
 * What startune itself sends beside plans: agreements, and what sets memory up. */
#pragma once

#include "exec/native.h"

#include <stdbool.h>
#include <stddef.h>

/* NULL where nobody counts who talks to whom (src/matrix). */
typedef void star_own_leaves_out(bool own);
extern star_own_leaves_out *star_own_leave_out;
/* Between the two calls this thread sends what is startune's own, which is not counted. */
static inline void star_own(bool own)
{
    if (star_own_leave_out != NULL)
        star_own_leave_out(own);
}

/* Nonblocking operations, as startune begins them; a simulator has them otherwise. */
#ifndef STAR_SIMULATED
#define STAR_BEGIN_ALLREDUCE star_native.Iallreduce
#define STAR_BEGIN_REDUCE    star_native.Ireduce
#define STAR_BEGIN_BCAST     star_native.Ibcast
#define STAR_BEGIN_ALLGATHER star_native.Iallgather
#endif
#define STAR_BEGIN_ALLTOALL star_native.Ialltoall

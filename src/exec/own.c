/* SPDX-License-Identifier: BSD-3-Clause */
#include "exec/own.h"

star_own_leaves_out *star_own_leave_out;

/* SPDX-License-Identifier: BSD-3-Clause
 * A method that bench compares. */
#pragma once

#include "cli/helpers/measure/calls.h"

struct contender {
    struct star_method method;
    struct star_shared_runner *runner; /* NULL: native */
    double *samples;                   /* mean over ranks, seconds */
    bool wrong;
};

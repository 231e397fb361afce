/* SPDX-License-Identifier: BSD-3-Clause
 * What the options of startune topo ask for. */
#pragma once

#include "cli/common/placed.h"

#include <stdint.h>

struct cli_topo_ask {
    bool json, svg;
    const char *output; /* NULL: standard output */
    /* Of bound: */
    struct cli_placed on;
    int64_t ranks, root; /* −1: not given */
    bool framing;
    /* Of discover, and mpi of calibrate too; NULL: not given. */
    int64_t trips;
    const char *confirm, *together, *mpi;
    bool keep; /* where runs of this user look */
};
extern struct cli_topo_ask cli_topo_ask;

/* SPDX-License-Identifier: BSD-3-Clause */
#include "ask.h"

struct cli_topo_ask cli_topo_ask = {
    .ranks = -1, .root = -1, .trips = 100, .confirm = "on", .together = "auto"};

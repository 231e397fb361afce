/* SPDX-License-Identifier: BSD-3-Clause
 * startune plan --format phases of a schedule from the tree of switches. */
#pragma once

#include "algorithms/method.h"
#include "topology/network.h"

/* Adds the lines "PHASE SRC DST" of the messages that RANK sends, or, where it is negative, all; in the order
 * of phases. And, where METHOD asks for them,
 * "sync SRC P DST Q": SRC tells DST after phase P, which waits for that before it sends in phase Q.
 * STAR_EMEMORY. */
int cli_schedule_add(const struct star_method *method, const struct star_network *network, int rank,
                     struct star_text *text, struct star_why *why);

/* SPDX-License-Identifier: BSD-3-Clause
 * Slurm tells each task where its node is in the network, in SLURM_TOPOLOGY_ADDR: the switches from the top
 * down, then the node, with dots between ("core.leaf3.n17"); and in SLURM_TOPOLOGY_ADDR_PATTERN what each of
 * them is ("switch.switch.node"). */
#pragma once

#include "util/text.h"

#include <stdbool.h>

/* Longer ones are not taken. */
enum { STAR_ADDRESS_MOST = 1024 };

/* Does the address name a switch or more, and then a node, each by one good name? Either may be NULL: it does
 * not. */
bool star_address_is_usable(const char *address, const char *pattern);
/* The node's name, its last part. */
const char *star_address_node(const char *address);
/* Addresses, one a line, to the tree that they say, in our text format: empty lines are skipped. What is no
 * tree is found by who reads it. */
void star_addresses_write(const char *lines, size_t length, struct star_text *text);

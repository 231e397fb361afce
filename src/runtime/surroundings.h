/* SPDX-License-Identifier: BSD-3-Clause
 * What ranks find around them when they begin: which of them share a node, the network, the map, and what
 * earlier runs learned. Rank 0 reads the files, most of them before ranks first speak to each other, so that
 * where there is nothing to hand out nothing more is said. */
#pragma once

#include "runtime/agree.h"

/* What this rank finds by itself, for the greeting. READS: rank 0 reads files. Local; false when out of
 * memory. */
bool star_surroundings_begin(struct star_greeting *greeting, bool reads);
/* The rest, together, by the GREETING of all. Collective over MPI_COMM_WORLD where there is any; false,
 * on all ranks, when one is out of memory, or the program is left alone. */
bool star_surroundings_find(struct star_greeting *greeting);
/* Is it, as far as the greeting says, or what was found behind it? The same on all ranks. */
bool star_surroundings_leave(const struct star_greeting *greeting);
void star_surroundings_forget(void);

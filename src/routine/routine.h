/* SPDX-License-Identifier: BSD-3-Clause
 * The customised routine: what stands between a call of it and the methods of a decision map. It goes, with
 * what it needs of the other rooms, into the file that `startune export --format routine` writes. */
#pragma once

#include "runtime/call.h"
#include "topology/network.h"
#include "topology/topology.h"

/* The map's method for that place; one without an algorithm is the MPI library's own. */
typedef const struct star_method *star_choice(int ranks, long long bytes);

/* Serves CALL. TOPOLOGY has the switches; NULL: they are not known. MPI error code, raised already. */
int star_routine_call(const struct star_call *call, star_choice *choose,
                      const struct star_topology *topology);

/* The switches between SIZE ranks: HOST has the ROOM bytes of each rank's host name. 0 where they are known
 * or, *NETWORK being NULL, not known to any rank; STAR_EMEMORY. */
int star_routine_network(const struct star_topology *topology, const char *host, int room, int size,
                         struct star_network **network);

/* SPDX-License-Identifier: BSD-3-Clause
 * Places: which machine of the topology each rank runs on. */
#pragma once

#include "topology/network.h"
#include "util/text.h"

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

/* On rank 0: the topology in our text format, or where it is asked for; empty when there is none. */
void star_places_read(struct star_text *text);
/* Which machine of the topology each rank runs on, of which rank 0 has read TEXT of LENGTH, on all ranks;
 * it is freed. Collective over MPI_COMM_WORLD where there is one; false when out of memory. */
bool star_places_find(struct star_text *text, int64_t length);
/* Nobody has said which machines there are, nor that it does not matter. */
bool star_places_are_wanted(void);
/* Is the topology known, on all ranks alike; and are those of COMM on several of its machines? Both allocate
 * nothing. */
bool star_places_are_known(void);
bool star_places_differ(MPI_Comm comm, int size);
/* The machine in *FOUND, the topology, of each rank of COMM, to be freed; NULL: out of memory, or it is not
 * known. */
int *star_places_of(MPI_Comm comm, int size, const struct star_topology **found);
/* The switches between the ranks of COMM; NULL when they are not known, on all ranks alike. *FAILED: out of
 * memory. */
struct star_network *star_network_for(MPI_Comm comm, int size, bool *failed);
void star_places_forget(void);

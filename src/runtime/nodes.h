/* SPDX-License-Identifier: BSD-3-Clause
 * Nodes: which ranks share memory. */
#pragma once

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

/* What this rank knows by itself, as the settings say: a hash of its HOST, and whether which ranks share a
 * node is KNOWN. Local; false when out of memory. */
bool star_nodes_begin(uint64_t *host, bool *known);
/* Which ranks share a node, where it is not known, nor all are TOGETHER on one: they tell each other their
 * hosts. Then collective over MPI_COMM_WORLD; false when out of memory. */
bool star_nodes_find(uint64_t host, bool together);
/* The node of each rank of COMM, by first appearance; NULL when all are on one, or it is not known, on all
 * ranks alike. *FAILED: out of memory. */
int *star_nodes_of(MPI_Comm comm, int size, bool *failed);
/* Is it known, on all ranks alike, that those of COMM run on several? Allocates nothing. */
bool star_nodes_differ(MPI_Comm comm, int size);
/* Is it known, as the ranks really run, which of them share a node? */
bool star_nodes_are_known(void);
/* Is each process on one of its own, and are they several? The same on all ranks. */
bool star_nodes_are_apart(void);
/* Is it known, and are all processes on one? */
bool star_nodes_are_one(void);
/* How many there are in such a list of SIZE ranks. */
int star_nodes_count(const int *node, int size);
void star_nodes_forget(void);

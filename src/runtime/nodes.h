/* SPDX-License-Identifier: BSD-3-Clause
 * Nodes: which ranks share memory. */
#ifndef STAR_RUNTIME_NODES_H
#define STAR_RUNTIME_NODES_H

#include <mpi.h>
#include <stdbool.h>

/* Which ranks share a node. Collective over MPI_COMM_WORLD; false when out of memory. */
bool star_nodes_find(void);
/* The node of each rank of COMM, by first appearance; NULL when all are on one, or it is not known, on all
 * ranks alike. *FAILED: out of memory. */
int *star_nodes_of(MPI_Comm comm, int size, bool *failed);
/* How many there are in such a list of SIZE ranks. */
int star_nodes_count(const int *node, int size);
void star_nodes_forget(void);

#endif

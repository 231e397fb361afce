/* SPDX-License-Identifier: BSD-3-Clause
 * The functions of MPI that make a communicator with a topology, whose ranks may be reordered; with their
 * arguments, and what they return. */
#pragma once

#include <mpi.h>

int star_cart_create(MPI_Comm comm, int ndims, const int dims[], const int periods[], int reorder,
                     MPI_Comm *made);
int star_graph_create(MPI_Comm comm, int nodes, const int index[], const int edges[], int reorder,
                      MPI_Comm *made);
int star_dist_graph_create(MPI_Comm comm, int n, const int sources[], const int degrees[],
                           const int destinations[], const int weights[], MPI_Info info, int reorder,
                           MPI_Comm *made);
int star_dist_graph_create_adjacent(MPI_Comm comm, int indegree, const int sources[], const int in_weights[],
                                    int outdegree, const int destinations[], const int out_weights[],
                                    MPI_Info info, int reorder, MPI_Comm *made);

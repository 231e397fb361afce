/* SPDX-License-Identifier: BSD-3-Clause
 * The MPI library makes the topology in any case, of the processes in another order where there is one. What
 * a topology says of rank i holds for whichever process becomes rank i: that is what may be reordered. */
#include "runtime/topologies.h"
#include "exec/native.h"
#include "runtime/reorder.h"

#include <stdlib.h>

/* ERROR is what the MPI library has returned. */
static int finish(int error, MPI_Comm comm, MPI_Comm *permuted)
{
    star_permute_end(comm);
    int freed = star_native.Comm_free(permuted);
    return error != MPI_SUCCESS ? error : freed;
}

static int take_no_part(MPI_Comm comm, MPI_Comm *made)
{
    star_permute_end(comm);
    *made = MPI_COMM_NULL;
    return MPI_SUCCESS;
}

int star_cart_create(MPI_Comm comm, int ndims, const int dims[], const int periods[], int reorder,
                     MPI_Comm *made)
{
    MPI_Comm permuted;
    if (!reorder || made == NULL || !star_reorder_grid(comm, ndims, dims, periods, &permuted))
        return star_native.Cart_create(comm, ndims, dims, periods, reorder, made);
    if (permuted == MPI_COMM_NULL)
        return take_no_part(comm, made);
    return finish(star_native.Cart_create(permuted, ndims, dims, periods, 0, made), comm, &permuted);
}

int star_graph_create(MPI_Comm comm, int nodes, const int index[], const int edges[], int reorder,
                      MPI_Comm *made)
{
    MPI_Comm permuted;
    if (!reorder || made == NULL || !star_reorder_graph(comm, nodes, index, edges, &permuted))
        return star_native.Graph_create(comm, nodes, index, edges, reorder, made);
    if (permuted == MPI_COMM_NULL)
        return take_no_part(comm, made);
    return finish(star_native.Graph_create(permuted, nodes, index, edges, 0, made), comm, &permuted);
}

/* Its edges are between ranks, whoever tells of them. */
int star_dist_graph_create(MPI_Comm comm, int n, const int sources[], const int degrees[],
                           const int destinations[], const int weights[], MPI_Info info, int reorder,
                           MPI_Comm *made)
{
    const struct star_sources mine = {n, sources, degrees, destinations, weights};
    MPI_Comm permuted;
    if (!reorder || made == NULL || !star_reorder_sources(comm, &mine, &permuted))
        return star_native.Dist_graph_create(comm, n, sources, degrees, destinations, weights, info, reorder,
                                             made);
    int error =
        star_native.Dist_graph_create(permuted, n, sources, degrees, destinations, weights, info, 0, made);
    return finish(error, comm, &permuted);
}

/* What a process tells of is its rank's in COMM, and goes to whichever process becomes that rank. */
int star_dist_graph_create_adjacent(MPI_Comm comm, int indegree, const int sources[], const int in_weights[],
                                    int outdegree, const int destinations[], const int out_weights[],
                                    MPI_Info info, int reorder, MPI_Comm *made)
{
    const struct star_adjacent mine = {indegree, outdegree, sources, in_weights, destinations, out_weights};
    struct star_adjacent theirs;
    int *memory;
    MPI_Comm permuted;
    if (!reorder || made == NULL || !star_reorder_adjacent(comm, &mine, &permuted, &theirs, &memory))
        return star_native.Dist_graph_create_adjacent(comm, indegree, sources, in_weights, outdegree,
                                                      destinations, out_weights, info, reorder, made);
    int error = star_native.Dist_graph_create_adjacent(
        permuted, theirs.sources, theirs.source, theirs.source_weight, theirs.destinations,
        theirs.destination, theirs.destination_weight, info, 0, made);
    free(memory);
    return finish(error, comm, &permuted);
}

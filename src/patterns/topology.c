/* SPDX-License-Identifier: BSD-3-Clause
 * Topologies: who is whose neighbour. */
#include "functions/object.h"
#include "halo/halo.h"
#include "patterns/patterns.h"
#include "patterns/refuse.h"
#include "util/export.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void destroy_topology(struct star_object *object)
{
    struct star_process_topology *topology = (struct star_process_topology *)object;
    free(topology->left);
    free(topology->right);
    free(topology->flip);
    free(topology->coords);
}

/* With room for its neighbours, who are nobody. NULL: refused, and *ERROR. */
static struct star_process_topology *new_topology(MPI_Comm comm, int ndims, int pairs, int *error,
                                                  const char *call)
{
    struct star_process_topology *made = star_object_new(STAR_KIND_TOPOLOGY, sizeof *made, destroy_topology);
    *error = STAR_ERR_MEMORY;
    if (made != NULL) {
        made->comm = comm;
        made->ndims = ndims;
        made->pairs = pairs;
        made->direction = STAR_DIRECTION_BOTH;
        size_t room = (size_t)pairs + 1;
        made->left = calloc(room, sizeof(int));
        made->right = calloc(room, sizeof(int));
        made->flip = calloc(room, sizeof(int));
        made->coords = calloc((size_t)ndims + 1, sizeof(int));
        if (made->left && made->right && made->flip && made->coords) {
            *error = STAR_SUCCESS;
            PMPI_Comm_rank(comm, &made->rank);
            PMPI_Comm_size(comm, &made->size);
            return made;
        }
    }
    star_object_release(made);
    star_refuse_memory(call);
    return NULL;
}

static int check_comm(MPI_Comm comm, const char *call)
{
    int inter, error = star_refuse_without_mpi(call);
    if (error)
        return error;
    if (comm == MPI_COMM_NULL)
        return star_refuse(STAR_ERR_COMM, call, "comm is MPI_COMM_NULL");
    if (PMPI_Comm_test_inter(comm, &inter) != MPI_SUCCESS)
        return star_refuse(STAR_ERR_COMM, call, "comm is no communicator");
    if (inter)
        return star_refuse(STAR_ERR_COMM, call, "comm is an inter-communicator, which has no neighbours");
    return STAR_SUCCESS;
}

static bool is_cartesian(MPI_Comm comm)
{
    int kind;
    return PMPI_Topo_test(comm, &kind) == MPI_SUCCESS && kind == MPI_CART;
}

/* The grid of a Cartesian communicator, and the own place in it. False: it has no or too many dimensions. */
static bool read_grid(MPI_Comm cart, struct star_grid *grid, int *coords)
{
    int periods[STAR_HALO_DIMENSIONS];
    if (PMPI_Cartdim_get(cart, &grid->dimensions) || grid->dimensions < 1 ||
        grid->dimensions > STAR_HALO_DIMENSIONS)
        return false;
    PMPI_Cart_get(cart, grid->dimensions, grid->size, periods, coords);
    for (int i = 0; i < grid->dimensions; i++)
        grid->periodic[i] = periods[i] != 0;
    return true;
}

/* FLIP as ADCL has it: the parity of a coordinate. That along the pair's dimension; of a diagonal pair along
 * the last dimension that it crosses, but in two dimensions along the first. */
static int flip_of(const signed char *left, int dimensions, int pair, const int *coords)
{
    if (pair < dimensions)
        return coords[pair] & 1;
    int last = dimensions - 1;
    while (last > 0 && left[last] == 0)
        last--;
    return coords[dimensions == 2 ? 0 : last] & 1;
}

static int find_neighbors(MPI_Comm cart, int pairs, int *left, int *right, int *flip, int *coords,
                          const char *call)
{
    struct star_grid grid;
    int rank;
    if (!read_grid(cart, &grid, coords))
        return star_refuse(STAR_ERR_TOPOLOGY, call, "the communicator has no dimensions, or more than %d",
                           STAR_HALO_DIMENSIONS);
    PMPI_Comm_rank(cart, &rank);
    signed char(*at)[STAR_HALO_DIMENSIONS] = calloc((size_t)pairs, sizeof *at);
    if (at == NULL || star_grid_neighbors(&grid, rank, pairs, left, right)) {
        free(at);
        return star_refuse_memory(call);
    }
    star_halo_lefts(grid.dimensions, pairs, at);
    for (int p = 0; p < pairs; p++) {
        left[p] = left[p] < 0 ? MPI_PROC_NULL : left[p];
        right[p] = right[p] < 0 ? MPI_PROC_NULL : right[p];
        flip[p] = flip_of(at[p], grid.dimensions, p, coords);
    }
    free(at);
    return STAR_SUCCESS;
}

static int create(MPI_Comm comm, bool extended, STAR_Topology *topology, const char *call)
{
    int ndims = 0, error = check_comm(comm, call);
    if (error != STAR_SUCCESS)
        return error;
    if (topology == NULL)
        return star_refuse(STAR_ERR_ARG, call, "topology is NULL");
    if (is_cartesian(comm))
        PMPI_Cartdim_get(comm, &ndims);
    else if (extended)
        return star_refuse(STAR_ERR_COMM, call, "cart is not Cartesian: it has no diagonal neighbours");
    if (ndims > STAR_HALO_DIMENSIONS)
        return star_refuse(STAR_ERR_TOPOLOGY, call, "comm has %d dimensions, more than %d", ndims,
                           STAR_HALO_DIMENSIONS);
    struct star_process_topology *made =
        new_topology(comm, ndims, ndims > 0 ? star_halo_pairs(ndims, extended) : 0, &error, call);
    if (made == NULL)
        return error;
    if (ndims > 0)
        error = find_neighbors(comm, made->pairs, made->left, made->right, made->flip, made->coords, call);
    if (error == STAR_SUCCESS)
        return star_object_publish(made, topology, call);
    star_object_release(made);
    return error;
}

STAR_EXPORT int STAR_Topology_create(MPI_Comm comm, STAR_Topology *topology)
{
    return create(comm, false, topology, __func__);
}

STAR_EXPORT int STAR_Topology_create_extended(MPI_Comm cart, STAR_Topology *topology)
{
    return create(cart, true, topology, __func__);
}

static bool is_neighbor(int rank, int size)
{
    return rank == MPI_PROC_NULL || (rank >= 0 && rank < size);
}

/* What may be wrong with neighbours as they are listed. */
static int check_list(int ndims, int pairs, const int *left, const int *right, int direction, int size,
                      const char *call)
{
    if (direction < STAR_DIRECTION_BOTH || direction > STAR_DIRECTION_RIGHT_TO_LEFT)
        return star_refuse(STAR_ERR_DIRECTION, call, "direction is %d: it is 1 (both), 2 or 3", direction);
    if (ndims < 0 || ndims > STAR_HALO_DIMENSIONS)
        return star_refuse(STAR_ERR_NDIMS, call, "ndims is %d: a topology has 0 to %d dimensions", ndims,
                           STAR_HALO_DIMENSIONS);
    if (ndims == 0)
        return STAR_SUCCESS;
    int most = star_halo_pairs(ndims, true);
    if (pairs < 1 || pairs > most)
        return star_refuse(STAR_ERR_ARG, call, "pairs is %d: %d dimensions have 1 to %d pairs of neighbours",
                           pairs, ndims, most);
    if (left == NULL || right == NULL)
        return star_refuse(STAR_ERR_ARG, call, "%s is NULL", left ? "right" : "left");
    for (int p = 0; p < pairs; p++)
        if (!is_neighbor(left[p], size) || !is_neighbor(right[p], size))
            return star_refuse(STAR_ERR_ARG, call, "%s[%d] is no rank of the %d",
                               is_neighbor(left[p], size) ? "right" : "left", p, size);
    return STAR_SUCCESS;
}

STAR_EXPORT int STAR_Topology_create_generic(int ndims, int pairs, const int left[], const int right[],
                                             const int flip[], const int coords[], int direction,
                                             MPI_Comm comm, STAR_Topology *topology)
{
    int size, error = check_comm(comm, __func__);
    if (error != STAR_SUCCESS)
        return error;
    if (topology == NULL)
        return star_refuse(STAR_ERR_ARG, __func__, "topology is NULL");
    PMPI_Comm_size(comm, &size);
    error = check_list(ndims, pairs, left, right, direction, size, __func__);
    if (error != STAR_SUCCESS)
        return error;
    if (ndims == 0)
        pairs = 0;
    struct star_process_topology *made = new_topology(comm, ndims, pairs, &error, __func__);
    if (made == NULL)
        return error;
    made->direction = direction;
    for (int p = 0; p < pairs; p++) {
        made->left[p] = left[p];
        made->right[p] = right[p];
        made->flip[p] = flip ? flip[p] : 0;
    }
    if (coords != NULL && ndims > 0)
        memcpy(made->coords, coords, (size_t)ndims * sizeof *coords);
    return star_object_publish(made, topology, __func__);
}

STAR_EXPORT int STAR_Topology_free(STAR_Topology *topology)
{
    return star_object_free(STAR_KIND_TOPOLOGY, topology, __func__, "topology");
}

STAR_EXPORT int STAR_Topology_dump(STAR_Topology topology)
{
    const struct star_process_topology *t =
        star_object_of(STAR_KIND_TOPOLOGY, topology, __func__, "topology");
    if (t == NULL)
        return STAR_ERR_TOPOLOGY;
    printf("topology: rank %d of %d, %d dimensions\n", t->rank, t->size, t->ndims);
    for (int i = 0; i < t->ndims; i++)
        printf("  coordinate %d: %d\n", i, t->coords[i]);
    for (int p = 0; p < t->pairs; p++)
        printf("  pair %d: left %d, right %d, flip %d\n", p, t->left[p], t->right[p], t->flip[p]);
    return STAR_SUCCESS;
}

STAR_EXPORT int STAR_Topology_get_cart_number_neighbors(int ndims, int extended, int *pairs)
{
    if (ndims < 1 || ndims > STAR_HALO_DIMENSIONS)
        return star_refuse(STAR_ERR_NDIMS, __func__, "ndims is %d: it is 1 to %d", ndims,
                           STAR_HALO_DIMENSIONS);
    if (pairs == NULL)
        return star_refuse(STAR_ERR_ARG, __func__, "pairs is NULL");
    *pairs = star_halo_pairs(ndims, extended != 0);
    return STAR_SUCCESS;
}

STAR_EXPORT int STAR_Topology_get_cart_neighbors(int pairs, int left[], int right[], int flip[],
                                                 MPI_Comm cart)
{
    int ndims, coords[STAR_HALO_DIMENSIONS], error = check_comm(cart, __func__);
    if (error != STAR_SUCCESS)
        return error;
    if (left == NULL || right == NULL || flip == NULL)
        return star_refuse(STAR_ERR_ARG, __func__, "left, right or flip is NULL");
    if (!is_cartesian(cart))
        return star_refuse(STAR_ERR_COMM, __func__, "cart is not Cartesian");
    PMPI_Cartdim_get(cart, &ndims);
    if (ndims < 1 || ndims > STAR_HALO_DIMENSIONS || pairs < 1 || pairs > star_halo_pairs(ndims, true))
        return star_refuse(STAR_ERR_ARG, __func__, "pairs is %d: %d dimensions have not so many", pairs,
                           ndims);
    return find_neighbors(cart, pairs, left, right, flip, coords, __func__);
}

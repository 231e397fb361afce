/* SPDX-License-Identifier: BSD-3-Clause
 * Programs in the manner of ADCL's own tests of vectors of one to three dimensions, in one: adcl_grids NAME.
 * All inner points of a rank hold its number; after an exchange each point of the halo holds that of the rank
 * which the grid has there, or stays as it was. Each prints "right: NAME" on rank 0. */
#include "adcl_program.h"

#include <stdlib.h>

#define NIT     90
#define OUTSIDE (-1.0)

struct exchange {
    int ndims, hwidth, nc, extended, allocated;
    int dims[3], points;
    double *data; /* the first element; all others lie behind it */
    MPI_Comm cart;
    ADCL_Vmap vmap;
    ADCL_Vector vec;
    ADCL_Topology topo;
    ADCL_Request request;
};

/* Memory of ADCL's, of as many levels as there are dimensions, or the program's own. */
static void make_vector(struct exchange *e)
{
    int err, levels = e->ndims + (e->nc > 0);
    if (e->allocated) {
        void *pointers;
        err = ADCL_Vector_allocate_generic(e->ndims, e->dims, e->nc, e->vmap, MPI_DOUBLE, &pointers, &e->vec);
        for (int i = 1; i < levels; i++)
            pointers = *(void **)pointers;
        e->data = pointers;
    } else {
        e->data = malloc((size_t)(e->points * (e->nc > 0 ? e->nc : 1)) * sizeof *e->data);
        err = ADCL_Vector_register_generic(e->ndims, e->dims, e->nc, e->vmap, MPI_DOUBLE, e->data, &e->vec);
    }
    check(err == ADCL_SUCCESS, "vector");
}

static void open_exchange(struct exchange *e, int ndims, int hwidth, int nc, int extended, int allocated)
{
    int cdims[3] = {0}, periods[] = {1, 0, 1};
    *e = (struct exchange){.ndims = ndims,
                           .hwidth = hwidth,
                           .nc = nc,
                           .extended = extended,
                           .allocated = allocated,
                           .points = 1};
    for (int d = 0; d < ndims; d++) {
        e->dims[d] = 3 + d + 2 * hwidth;
        e->points *= e->dims[d];
    }
    MPI_Dims_create(size, ndims, cdims);
    MPI_Cart_create(MPI_COMM_WORLD, ndims, cdims, periods, 0, &e->cart);
    check((extended ? ADCL_Topology_create_extended(e->cart, &e->topo)
                    : ADCL_Topology_create(e->cart, &e->topo)) == ADCL_SUCCESS,
          "topology");
    check(ADCL_Vmap_halo_allocate(hwidth, &e->vmap) == ADCL_SUCCESS, "vmap");
    make_vector(e);
    check(ADCL_Request_create(e->vec, e->topo, ADCL_FNCTSET_NEIGHBORHOOD, &e->request) == ADCL_SUCCESS,
          "request");
}

static void close_exchange(struct exchange *e)
{
    ADCL_Request_free(&e->request);
    if (e->allocated)
        ADCL_Vector_free(&e->vec);
    else {
        ADCL_Vector_deregister(&e->vec);
        free(e->data);
    }
    ADCL_Vmap_free(&e->vmap);
    ADCL_Topology_free(&e->topo);
    MPI_Comm_free(&e->cart);
    check(e->request == ADCL_REQUEST_NULL && e->vec == ADCL_VECTOR_NULL && e->vmap == ADCL_VMAP_NULL,
          "null handles");
}

/* On which side of the block point number POINT lies in each dimension: -1, 0 (inside) or 1. Returns in how
 * many it lies outside. */
static int sides_of(const struct exchange *e, int point, int *side)
{
    int outside = 0;
    for (int d = e->ndims - 1; d >= 0; point /= e->dims[d], d--) {
        int at = point % e->dims[d];
        side[d] = at < e->hwidth ? -1 : at >= e->dims[d] - e->hwidth ? 1 : 0;
        outside += side[d] != 0;
    }
    return outside;
}

/* The rank of the grid that lies on these sides; OUTSIDE where there is none. */
static double rank_at(const struct exchange *e, const int *side)
{
    int cdims[3], periods[3], coords[3], there;
    MPI_Cart_get(e->cart, e->ndims, cdims, periods, coords);
    for (int d = 0; d < e->ndims; d++) {
        coords[d] += side[d];
        if (!periods[d] && (coords[d] < 0 || coords[d] >= cdims[d]))
            return OUTSIDE;
    }
    MPI_Cart_rank(e->cart, coords, &there);
    return there;
}

static void start_and_check(struct exchange *e)
{
    int side[3], values = e->nc > 0 ? e->nc : 1, wrong = 0;
    for (int i = 0; i < e->points * values; i++)
        e->data[i] = sides_of(e, i / values, side) == 0 ? rank : OUTSIDE;
    check(ADCL_Request_start(e->request) == ADCL_SUCCESS, "start");
    for (int i = 0; i < e->points * values; i++) {
        int outside = sides_of(e, i / values, side);
        double should = outside <= 1 || e->extended ? rank_at(e, side) : OUTSIDE;
        wrong += e->data[i] != should;
    }
    check(wrong == 0, "halo");
}

static void try_grid(int ndims, int hwidth, int nc, int extended, int allocated)
{
    struct exchange exchange;
    open_exchange(&exchange, ndims, hwidth, nc, extended, allocated);
    for (int i = 0; i < NIT; i++)
        start_and_check(&exchange);
    close_exchange(&exchange);
}

static void one_dim(void)
{
    for (int hwidth = 1; hwidth <= 3; hwidth++)
        for (int nc = 0; nc <= 2; nc++)
            try_grid(1, hwidth, nc, 0, nc != 1);
}

static void three_dim(void)
{
    try_grid(3, 1, 0, 0, 1);
    try_grid(3, 2, 0, 0, 0);
    try_grid(3, 2, 4, 0, 1);
}

static void extended(void)
{
    try_grid(2, 1, 0, 1, 1);
    try_grid(2, 2, 3, 1, 0);
    try_grid(3, 1, 0, 1, 1);
    try_grid(3, 2, 2, 1, 0);
}

/* Requests of different grids take turns. */
static void two_grids(void)
{
    struct exchange body, plate;
    open_exchange(&body, 3, 1, 0, 0, 1);
    open_exchange(&plate, 2, 2, 0, 0, 1);
    for (int i = 0; i < NIT; i++) {
        start_and_check(&body);
        start_and_check(&plate);
    }
    close_exchange(&plate);
    close_exchange(&body);
}

int main(int argc, char **argv)
{
    static const struct program programs[] = {{"one-dim", one_dim},
                                              {"three-dim", three_dim},
                                              {"extended", extended},
                                              {"two-grids", two_grids},
                                              {NULL, NULL}};
    return run_program(argc, argv, programs);
}

/* SPDX-License-Identifier: BSD-3-Clause
 * The neighborhood exchange as a function-set: its functions are the rows of neighborhood.h; those that
 * do not work here, on so few ranks or with this MPI library, are left out when they are to run first. */
#include "patterns/ready_made.h"
#include "algorithms/method.h"
#include "functions/history.h"
#include "halo/halo.h"
#include "halo/neighborhood.h"
#include "halo/problem.h"
#include "patterns/agrees.h"
#include "patterns/blindly.h"
#include "patterns/border.h"
#include "patterns/choice.h"
#include "patterns/exchange.h"
#include "patterns/fill.h"
#include "patterns/patterns.h"
#include "patterns/refuse.h"
#include "patterns/transfer.h"
#include "patterns/vmap.h"
#include "util/why.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What a window may be made of. */
enum memory { PROGRAMS, ALLOCATED, MEMORIES };

struct neighborhood {
    struct star_halo *halo;
    struct star_border *border;
    struct star_exchange **exchanges; /* of each function; NULL until it first runs */
    bool no_window[MEMORIES];         /* some rank could make none */
};

static STAR_Attribute knob_attribute(const struct star_knob *knob)
{
    enum { MOST = 32 };
    int values[MOST], words = 0;
    char *names[MOST];
    for (; words < MOST && knob->words[words] != NULL; words++) {
        values[words] = words;
        names[words] = (char *)(uintptr_t)knob->words[words];
    }
    STAR_Attribute made = STAR_ATTRIBUTE_NULL;
    STAR_Attribute_create(words, values, names, knob->name, &made);
    return made;
}

static bool fill(struct star_fnctset *fnctset)
{
    STAR_Attribute attributes[STAR_NEIGHBORHOOD_KNOBS];
    for (int i = 0; i < STAR_NEIGHBORHOOD_KNOBS; i++)
        attributes[i] = knob_attribute(&star_neighborhood_knobs[i]);
    fnctset->attrset = star_predefined_attrset(STAR_NEIGHBORHOOD_KNOBS, attributes);
    for (int i = 0; fnctset->attrset != NULL && i < star_neighborhoods_count; i++) {
        char name[STAR_METHOD_TEXT];
        star_neighborhood_format(&star_neighborhoods[i], name, sizeof name);
        if (star_predefined_function(fnctset, name, star_neighborhoods[i].value, true) == NULL)
            return false;
    }
    return fnctset->attrset != NULL;
}

/* By what the transfer saves. */
static int group(const struct star_function *function, int number)
{
    (void)function;
    int transfer = star_neighborhoods[number].value[STAR_BY_TRANSFER], first = 0;
    while (strcmp(star_transfers[first].optimises, star_transfers[transfer].optimises) != 0)
        first++;
    return first;
}

static struct star_block block_of(const struct star_vector *vector)
{
    struct star_block block = {.dimensions = vector->ndims,
                               .width = vector->vmap->width,
                               .values = vector->values > 0 ? vector->values : 1,
                               .fortran = vector->fortran};
    for (int i = 0; i < vector->ndims; i++)
        block.size[i] = vector->dims[i];
    return block;
}

static int check_vector(const struct star_request *request, const struct star_vector *vector,
                        const char *argument, const char *call)
{
    if (vector == NULL)
        return star_refuse(STAR_ERR_VECTOR, call,
                           "%s is STAR_VECTOR_NULL: function-set neighborhood needs one", argument);
    if (vector->vmap->map != STAR_MAP_HALO)
        return star_refuse(STAR_ERR_VMAP, call,
                           "%s has a vector map %s: function-set neighborhood needs halo", argument,
                           star_map_names[vector->vmap->map]);
    if (vector->ndims != request->topology->ndims)
        return star_refuse(STAR_ERR_DIMS, call, "%s has %d dimensions, the topology has %d", argument,
                           vector->ndims, request->topology->ndims);
    return STAR_SUCCESS;
}

static bool is_same_shape(const struct star_vector *a, const struct star_vector *b)
{
    return memcmp(a->dims, b->dims, sizeof a->dims) == 0 && a->elements == b->elements &&
           a->vmap->width == b->vmap->width && star_vector_is_of_same(a, b) && a->fortran == b->fortran;
}

static int check(const struct star_request *request, const char *call)
{
    if (request->topology == NULL)
        return star_refuse(STAR_ERR_TOPOLOGY, call,
                           "topology is STAR_TOPOLOGY_NULL: function-set neighborhood needs one");
    if (request->topology->ndims == 0)
        return star_refuse(STAR_ERR_COMM, call,
                           "the topology has no neighbours: its communicator is not Cartesian");
    int error = check_vector(request, request->send, "send", call);
    if (error == STAR_SUCCESS)
        error = check_vector(request, request->receive, "receive", call);
    if (error == STAR_SUCCESS && !is_same_shape(request->send, request->receive))
        error =
            star_refuse(STAR_ERR_DIMS, call, "send and receive have other dimensions, halos or datatypes");
    return error;
}

static int code_of(int error)
{
    return error == STAR_EMEMORY ? STAR_ERR_MEMORY : error == STAR_EINPUT ? STAR_ERR_ARG : STAR_ERR_INTERN;
}

static int make_state(struct star_request *request, struct neighborhood *state, struct star_why *why)
{
    struct star_process_topology *topology = request->topology;
    struct star_block block = block_of(request->send);
    struct star_neighbors neighbors = {.rank = topology->rank,
                                       .ranks = topology->size,
                                       .pairs = topology->pairs,
                                       .left = topology->left,
                                       .right = topology->right,
                                       .ways = (enum star_ways)topology->direction};
    int error = star_halo_make(&block, &neighbors, &state->halo, why);
    if (error)
        return error;
    state->exchanges = calloc((size_t)request->fnctset->count, sizeof(struct star_exchange *));
    return state->exchanges ? 0 : star_because(why, STAR_EMEMORY, "out of memory");
}

static int make(struct star_request *request, const char *call)
{
    struct star_why why = {""};
    struct neighborhood *state = calloc(1, sizeof *state);
    int error = state ? make_state(request, state, &why) : star_because(&why, STAR_EMEMORY, "out of memory");
    request->state = state;
    if (!star_request_agrees(request, error == 0))
        return error ? star_refuse(code_of(error), call, "%s", why.text) : STAR_ERR_USER;
    struct star_vectors vectors = {.halo = state->halo,
                                   .type = request->send->datatype,
                                   .from = request->send->data,
                                   .into = request->receive->data,
                                   .comm = request->comm,
                                   .tag = 0};
    error = star_border_make(&vectors, &state->border, &why);
    return error ? star_refuse(code_of(error), call, "%s", why.text) : STAR_SUCCESS;
}

/* MEMORIES: the function needs no window. Whether the program has one vector or two does not matter: ranks
 * may differ in that, and all make windows together. */
static enum memory memory_of(int function)
{
    const int *value = star_neighborhoods[function].value;
    int transfer = value[STAR_BY_TRANSFER];
    if (!star_transfers[transfer].one_sided)
        return MEMORIES;
    return value[STAR_BY_DATA] == STAR_PACK ? ALLOCATED : PROGRAMS;
}

/* To find out that the MPI library makes no window here takes as long as an exchange or two: where one could
 * not be made, no other is tried. */
static int prepare(struct star_request *request, int function)
{
    struct neighborhood *state = request->state;
    enum memory memory = memory_of(function);
    struct star_why why;
    if (state->exchanges[function] != NULL)
        return STAR_SUCCESS;
    if (memory < MEMORIES && state->no_window[memory])
        return STAR_ERR_INTERN;
    int error =
        star_exchange_make(state->border, &star_neighborhoods[function], &state->exchanges[function], &why);
    if (memory < MEMORIES && error)
        state->no_window[memory] = true;
    return error ? code_of(error) : STAR_SUCCESS;
}

static int result_of(const struct star_request *request, int function, int error, const char *call)
{
    struct star_why why;
    if (error == MPI_SUCCESS)
        return STAR_SUCCESS;
    star_border_failed(error, request->fnctset->functions[function]->name, &why);
    return star_refuse(STAR_ERR_INTERN, call, "%s", why.text);
}

static struct star_exchange *exchange_of(const struct star_request *request, int function)
{
    const struct neighborhood *state = request->state;
    return state->exchanges[function];
}

static int init(struct star_request *request, int function, const char *call)
{
    return result_of(request, function, star_exchange_init(exchange_of(request, function)), call);
}

/* Whatever MPI tells the end of is never waited for here: the others may wait for this rank elsewhere. */
static int progress(struct star_request *request, int function, bool *done)
{
    struct star_exchange *exchange = exchange_of(request, function);
    int error = star_exchange_progress(exchange);
    *done = star_exchange_is_over(exchange);
    if (!error && star_exchange_is_untold(exchange))
        error = star_request_ask_blindly(request, done);
    return error ? STAR_ERR_INTERN : STAR_SUCCESS;
}

static int wait_for(struct star_request *request, int function, const char *call)
{
    return result_of(request, function, star_exchange_wait(exchange_of(request, function)), call);
}

static void free_state(struct star_request *request)
{
    struct neighborhood *state = request->state;
    if (state == NULL)
        return;
    for (int i = 0; state->exchanges != NULL && i < request->fnctset->count; i++)
        star_exchange_free(state->exchanges[i]);
    star_border_free(state->border);
    free(state->exchanges);
    free(state->halo);
    free(state);
}

static int64_t bytes(const struct star_request *request)
{
    const struct neighborhood *state = request->state;
    int64_t elements = 0;
    for (int side = 0; side < state->halo->sides; side++)
        if (state->halo->side[side].to != STAR_NOBODY)
            elements += star_halo_elements(state->halo, side);
    return elements * request->send->element_bytes;
}

/* In C's order, whatever the vector's. Neighbours that are listed have no known grid. */
static bool problem(const struct star_request *request, char *word, size_t room)
{
    const struct star_process_topology *topology = request->topology;
    const struct star_vector *vector = request->send;
    int kind, dimensions, grid[STAR_HALO_DIMENSIONS], periods[STAR_HALO_DIMENSIONS],
        coords[STAR_HALO_DIMENSIONS], last = vector->ndims - 1;
    if (PMPI_Topo_test(topology->comm, &kind) || kind != MPI_CART ||
        PMPI_Cartdim_get(topology->comm, &dimensions) || dimensions != vector->ndims ||
        PMPI_Cart_get(topology->comm, dimensions, grid, periods, coords))
        return false;
    struct star_problem about = {.dimensions = dimensions,
                                 .width = vector->vmap->width,
                                 .point_bytes =
                                     vector->element_bytes * (vector->values > 0 ? vector->values : 1),
                                 .pairs = topology->pairs,
                                 .ways = (enum star_ways)topology->direction};
    for (int d = 0; d <= last; d++) {
        about.points[d] = vector->dims[vector->fortran ? last - d : d];
        about.grid[d] = grid[vector->fortran ? last - d : d];
    }
    return star_problem_format(&about, word, room);
}

/* What is too far, or no problem of this version's, is not asked. */
static bool weigh(const char *problem, const struct star_past *past, struct star_similar *similar,
                  const void *context)
{
    struct star_problem here, there;
    (void)context;
    if (star_problem_parse(problem, &here, NULL) != 0)
        return false;
    for (int p = 0; p < past->problems; p++) {
        bool read = star_problem_parse(past->problem[p].word, &there, NULL) == 0;
        similar[p].distance = read ? star_problem_distance(&there, &here) : INFINITY;
        similar[p].growth = read ? star_problem_growth(&here, &there) : 1;
    }
    return true;
}

const struct star_pattern star_pattern_neighborhood = {.fill = fill,
                                                       .check = check,
                                                       .make = make,
                                                       .group = group,
                                                       .prepare = prepare,
                                                       .init = init,
                                                       .progress = progress,
                                                       .wait = wait_for,
                                                       .free = free_state,
                                                       .bytes = bytes,
                                                       .problem = problem,
                                                       .weigh = weigh};

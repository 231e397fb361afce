/* SPDX-License-Identifier: BSD-3-Clause */
#include "patterns/pattern_own.h"
#include "functions/object.h"
#include "functions/own_problem.h"
#include "halo/halo.h"
#include "patterns/agrees.h"
#include "patterns/attribute.h"
#include "patterns/blindly.h"
#include "patterns/choice.h"
#include "patterns/patterns.h"
#include "patterns/predefined.h"
#include "patterns/refuse.h"
#include "patterns/vmap.h"
#include "patterns/work.h"
#include "runtime/operators.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Functions with the same value of the first attribute. */
static int group(const struct star_function *function, int number)
{
    (void)number;
    return function->attrset ? star_attribute_place(function->attrset->attributes[0], function->values[0])
                             : 0;
}

static int call_work(struct star_request *request, const struct star_function *function, star_any_work *half,
                     const char *call)
{
    request->inside = true;
    int result = star_work_run(&function->work, half, request->handle);
    request->inside = false;
    if (result == 0)
        return STAR_SUCCESS;
    return star_refuse(STAR_ERR_USER, call, "function %s of function-set %s returned %d", function->name,
                       request->fnctset->name, result);
}

static int init(struct star_request *request, int number, const char *call)
{
    const struct star_function *function = request->fnctset->functions[number];
    return call_work(request, function, function->work.init, call);
}

/* How far the program's function is, nobody tells. */
static int progress(struct star_request *request, int number, bool *done)
{
    *done = !request->fnctset->functions[number]->overlaps;
    return *done || !star_request_ask_blindly(request, done) ? STAR_SUCCESS : STAR_ERR_INTERN;
}

static int wait_for(struct star_request *request, int number, const char *call)
{
    const struct star_function *function = request->fnctset->functions[number];
    return call_work(request, function, function->work.wait, call);
}

/* What a request is about: a grid, with a vector; not one with counts of each rank or in place, nor with an
 * operator of the program's. */
static bool describe(const struct star_request *request, struct star_own_problem *about)
{
    const struct star_process_topology *topology = request->topology;
    const struct star_vector *vector = request->send;
    int kind = MPI_UNDEFINED, coords[STAR_HALO_DIMENSIONS];
    memset(about, 0, sizeof *about);
    if (topology == NULL || vector == NULL || vector->vmap->map == STAR_MAP_LIST ||
        vector->vmap->map == STAR_MAP_IN_PLACE || PMPI_Topo_test(topology->comm, &kind) || kind != MPI_CART ||
        PMPI_Cartdim_get(topology->comm, &about->dimensions) || about->dimensions < 1 ||
        about->dimensions > STAR_HALO_DIMENSIONS ||
        PMPI_Cart_get(topology->comm, about->dimensions, about->grid, about->periods, coords))
        return false;
    const struct star_vmap *map = vector->vmap;
    star_name_copy(about->name, request->fnctset->name, NULL, 0);
    snprintf(about->map, sizeof about->map, "%s", star_map_names[map->map]);
    about->ranks = topology->size;
    about->vector_dimensions = vector->ndims;
    memcpy(about->points, vector->dims, sizeof about->points);
    about->values = vector->values;
    about->element_bytes = vector->element_bytes;
    if (map->map == STAR_MAP_HALO)
        about->number[0] = map->width;
    if (map->map == STAR_MAP_ALLTOALL) {
        about->number[0] = map->sendcount;
        about->number[1] = map->recvcount;
    }
    return map->map != STAR_MAP_REDUCE || star_operator_name(map->op, &about->number[0]) != NULL;
}

static bool problem(const struct star_request *request, char *word, size_t room)
{
    struct star_own_problem about;
    return request->fnctset->history != NULL && describe(request, &about) &&
           star_own_problem_format(&about, word, room) && star_own_problem_parse(word, &about, NULL) == 0;
}

const struct star_pattern star_pattern_own = {
    .group = group, .init = init, .progress = progress, .wait = wait_for, .problem = problem};

int star_own_remember(STAR_Fnctset fnctset, const void *history, size_t bytes, bool tells, const char *call)
{
    struct star_fnctset *set = star_fnctset_of(fnctset, call, "fnctset");
    if (set == NULL)
        return STAR_ERR_FNCTSET;
    int error = STAR_SUCCESS;
    if (history == NULL)
        error = star_refuse(STAR_ERR_ARG, call, "hist_functions is NULL");
    else if (set->pattern != &star_pattern_own)
        error =
            star_refuse(STAR_ERR_FNCTSET, call,
                        "function-set %s is predefined: what is remembered of it is startune's", set->name);
    else if (set->history == NULL && (set->history = malloc(bytes)) == NULL)
        error = star_refuse_memory(call);
    else {
        memcpy(set->history, history, bytes);
        set->untold = !tells;
    }
    star_object_release(set);
    return error;
}

const void *star_own_history(const struct star_request *request)
{
    return request->fnctset->history;
}

/* Is it once, and has the program said all? Its history may be newer than the request. */
static bool asks(const struct star_request *request)
{
    struct star_choice *choice = request->choice;
    if (choice->subject.calls > 0 || choice->subject.recalled > 0)
        return false;
    if (choice->problem[0] == 0 && !problem(request, choice->problem, sizeof choice->problem))
        choice->problem[0] = 0;
    return star_choice_has_past(choice);
}

void star_own_recall(struct star_request *request, bool able, star_weigher *weigh, const void *context)
{
    if (star_request_agrees(request, able && asks(request)))
        star_choice_recall(request->choice, weigh, context);
}

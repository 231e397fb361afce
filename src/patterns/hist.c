/* SPDX-License-Identifier: BSD-3-Clause */
#include "patterns/hist.h"
#include "patterns/attribute.h"
#include "patterns/choice.h"
#include "halo/halo.h"
#include "functions/history.h"
#include "functions/own_problem.h"
#include "patterns/patterns.h"
#include "patterns/vmap.h"
#include "runtime/operators.h"
#include "util/fpenv.h"

#include <string.h>

/* A grid, with a vector; not one with counts of each rank or in place, nor with an operator of the program's.
 */
bool star_hist_problem(const struct star_request *request, struct star_own_problem *about)
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

/* Of ADCL's numbers one for each of star_map_names. */
static const int types[] = {
    [STAR_MAP_HALO] = ADCL_VECTOR_HALO,     [STAR_MAP_LIST] = ADCL_VECTOR_LIST,
    [STAR_MAP_REDUCE] = ADCL_VECTOR_REDUCE, [STAR_MAP_ALLTOALL] = ADCL_VECTOR_ALLTOALL,
    [STAR_MAP_ALL] = ADCL_VECTOR_ALL,       [STAR_MAP_IN_PLACE] = ADCL_VECTOR_INPLACE};

static enum star_map map_of(const char *name)
{
    int map = STAR_MAP_IN_PLACE;
    while (map > STAR_MAP_HALO && strcmp(star_map_names[map], name) != 0)
        map--;
    return (enum star_map)map;
}

/* A copy of COUNT numbers; of zeros, where FROM is NULL. */
static int *copy(const int *from, int count)
{
    int *made = calloc((size_t)count + 1, sizeof *made);
    if (made != NULL && from != NULL)
        memcpy(made, from, (size_t)count * sizeof *made);
    return made;
}

ADCL_Hist star_hist_new(const struct star_own_problem *about)
{
    ADCL_Hist made = calloc(1, sizeof *made);
    if (made == NULL)
        return NULL;
    enum star_map map = map_of(about->map);
    made->h_refcnt = 1;
    made->h_np = about->ranks;
    made->h_tndims = about->dimensions;
    made->h_tperiods = copy(about->periods, about->dimensions);
    made->h_vndims = about->vector_dimensions;
    made->h_vdims = copy(about->points, about->vector_dimensions);
    made->h_nc = about->values;
    made->h_vectype = types[map];
    made->h_hwidth = map == STAR_MAP_HALO ? about->number[0] : 0;
    made->h_rcnts = copy(NULL, about->ranks);
    made->h_displ = copy(NULL, about->ranks);
    made->h_op = map == STAR_MAP_REDUCE ? star_operator_at(about->number[0]) : MPI_OP_NULL;
    made->h_fsname = strdup(about->name);
    made->h_wfnum = -1;
    made->h_dmax = -1;
    if (made->h_tperiods && made->h_vdims && made->h_rcnts && made->h_displ && made->h_fsname)
        return made;
    star_hist_free(made);
    return NULL;
}

static void forget_solution(ADCL_Hist hist)
{
    free(hist->h_attrvals);
    free(hist->h_fsname);
    free(hist->h_wfname);
    free(hist->h_perf);
    free(hist->h_class);
    hist->h_attrvals = hist->h_class = NULL;
    hist->h_fsname = hist->h_wfname = NULL;
    hist->h_perf = NULL;
}

/* The times of all functions, as far as they are known, and which of them are as good as the best. */
static void fill_times(ADCL_Hist hist, const struct star_past *past, int problem, double best)
{
    STAR_FPENV_DEFAULT;
    for (int i = 0; i < past->count; i++) {
        const struct star_experience *e = &past->known[i];
        if (e->problem != problem)
            continue;
        hist->h_perf[e->function] = e->mean;
        hist->h_class[e->function] =
            e->mean <= best * (1 + hist->h_perf_win / 100.0) ? ADCL_BEST_CLASS : ADCL_WORST_CLASS;
    }
}

bool star_hist_solve(ADCL_Hist hist, const struct star_choice *choice, const struct star_past *past,
                     int problem)
{
    enum { WINDOW = 10 /* percent */ };
    const struct star_fnctset *set = choice->fnctset;
    double best = 0;
    int winner = star_history_winner(past, problem, &best);
    if (winner < 0)
        return false;
    const struct star_function *function = set->functions[winner];
    forget_solution(hist);
    hist->h_asmaxnum = function->attrset ? function->attrset->count : 0;
    hist->h_attrvals = copy(function->values, hist->h_asmaxnum);
    hist->h_fsname = strdup(set->name);
    hist->h_wfname = strdup(function->name);
    hist->h_wfnum = winner;
    hist->h_fsnum = set->count;
    hist->h_perf = calloc((size_t)set->count, sizeof *hist->h_perf);
    hist->h_class = copy(NULL, set->count);
    hist->h_perf_win = WINDOW;
    bool made = hist->h_attrvals && hist->h_fsname && hist->h_wfname && hist->h_perf && hist->h_class;
    if (made)
        fill_times(hist, past, problem, best);
    return made;
}

void star_hist_free(ADCL_Hist hist)
{
    if (hist == NULL)
        return;
    forget_solution(hist);
    free(hist->h_tperiods);
    free(hist->h_vdims);
    free(hist->h_rcnts);
    free(hist->h_displ);
    free(hist->h_distances);
    free(hist->h_relations);
    free(hist->h_mean);
    free(hist->h_variance);
    free(hist);
}

/* Topologies that are no grid have no history in ADCL either. */
bool star_hist_word(const struct star_request *request, char *word, size_t room)
{
    struct star_own_problem about;
    return request->fnctset->history != NULL && star_hist_problem(request, &about) &&
           star_own_problem_format(&about, word, room) && star_own_problem_parse(word, &about, NULL) == 0;
}

bool star_hist_tells(const struct star_fnctset *set)
{
    return set->history == NULL || set->history->hf_writer != NULL;
}

/* SPDX-License-Identifier: BSD-3-Clause
 * ADCL's functions write entries into a file and read them from there. Here the wisdom holds the entries: one
 * that is looked at goes through the program's writer and reader once, in memory, and then has the figures
 * that are remembered of it. All that they point at is of malloc, as their fields may be the program's
 * reader's. */
#include "adcl.h"
#include "patterns/above.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ------ Entries */

/* The words of own_problem.h for maps. */
static const struct {
    const char *word;
    int type;
} maps[] = {{"halo", ADCL_VECTOR_HALO},         {"list", ADCL_VECTOR_LIST}, {"reduce", ADCL_VECTOR_REDUCE},
            {"alltoall", ADCL_VECTOR_ALLTOALL}, {"all", ADCL_VECTOR_ALL},   {"inplace", ADCL_VECTOR_INPLACE}};

static int type_of(const char *map)
{
    for (size_t i = 1; i < sizeof maps / sizeof *maps; i++)
        if (strcmp(maps[i].word, map) == 0)
            return maps[i].type;
    return maps[0].type;
}

/* A copy of COUNT numbers; of zeros, where FROM is NULL. */
static int *copy(const int *from, int count)
{
    int *made = calloc((size_t)count + 1, sizeof *made);
    if (made != NULL && from != NULL)
        memcpy(made, from, (size_t)count * sizeof *made);
    return made;
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

static void free_entry(ADCL_Hist hist)
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

/* An entry without a solution; NULL without memory. */
static ADCL_Hist new_entry(const struct star_own_problem *about)
{
    ADCL_Hist made = calloc(1, sizeof *made);
    if (made == NULL)
        return NULL;
    made->h_refcnt = 1;
    made->h_np = about->ranks;
    made->h_tndims = about->dimensions;
    made->h_tperiods = copy(about->periods, about->dimensions);
    made->h_vndims = about->vector_dimensions;
    made->h_vdims = copy(about->points, about->vector_dimensions);
    made->h_nc = about->values;
    made->h_vectype = type_of(about->map);
    made->h_hwidth = made->h_vectype == ADCL_VECTOR_HALO ? about->number[0] : 0;
    made->h_rcnts = copy(NULL, about->ranks);
    made->h_displ = copy(NULL, about->ranks);
    made->h_op = made->h_vectype == ADCL_VECTOR_REDUCE ? star_operator_at(about->number[0]) : MPI_OP_NULL;
    made->h_fsname = strdup(about->name);
    made->h_wfnum = -1;
    made->h_dmax = -1;
    if (made->h_tperiods && made->h_vdims && made->h_rcnts && made->h_displ && made->h_fsname)
        return made;
    free_entry(made);
    return NULL;
}

/* The times of all functions, as far as they are known, and which of them are as good as the best. */
static void fill_times(ADCL_Hist hist, const struct star_past *past, int problem, double best)
{
    for (int i = 0; i < past->count; i++) {
        const struct star_experience *e = &past->known[i];
        if (e->problem != problem)
            continue;
        hist->h_perf[e->function] = e->mean;
        hist->h_class[e->function] = star_history_is_good(e->mean, best) ? ADCL_BEST_CLASS : ADCL_WORST_CLASS;
    }
}

/* What PAST knows of a problem, in the functions of REQUEST, takes the place of what HIST has. False:
 * nothing, or there is no memory. */
static bool solve(ADCL_Hist hist, ADCL_Request request, const struct star_past *past, int problem)
{
    char set[STAR_MAX_NAME], name[STAR_MAX_NAME], attribute[STAR_MAX_NAME];
    double best = 0;
    int winner = star_history_winner(past, problem, &best);
    if (winner < 0)
        return false;
    forget_solution(hist);
    STAR_Request_get_fnctset_name(request, set);
    STAR_Request_get_functions(request, &hist->h_fsnum, NULL);
    STAR_Request_get_function(request, winner, name, &hist->h_asmaxnum);
    hist->h_attrvals = copy(NULL, hist->h_asmaxnum);
    for (int a = 0; hist->h_attrvals != NULL && a < hist->h_asmaxnum; a++)
        STAR_Request_get_attribute(request, winner, a, attribute, &hist->h_attrvals[a], NULL);
    hist->h_fsname = strdup(set);
    hist->h_wfname = strdup(name);
    hist->h_wfnum = winner;
    hist->h_perf = calloc((size_t)hist->h_fsnum, sizeof *hist->h_perf);
    hist->h_class = copy(NULL, hist->h_fsnum);
    hist->h_perf_win = STAR_HISTORY_WINDOW;
    bool made = hist->h_attrvals && hist->h_fsname && hist->h_wfname && hist->h_perf && hist->h_class;
    if (made)
        fill_times(hist, past, problem, best);
    return made;
}

/* ------ How near the past is */

struct entry {
    ADCL_Hist hist; /* NULL: the program's filter has left it out */
    struct star_own_problem about;
};

struct lookup {
    ADCL_Request request;
    const struct star_past *past;
    const struct ADCL_hist_functions_s *functions;
    struct entry *entry; /* of each problem */
};

/* HIST as the program reads what it writes of it; NULL without memory. */
static ADCL_Hist pass_on(const struct ADCL_hist_functions_s *functions, ADCL_Hist hist)
{
    char *bytes = NULL;
    size_t length = 0;
    ADCL_Hist read = calloc(1, sizeof *read);
    FILE *file = open_memstream(&bytes, &length);
    if (file != NULL) {
        functions->hf_writer(file, hist);
        fclose(file);
    }
    file = bytes != NULL && length > 0 ? fmemopen(bytes, length, "r") : NULL;
    if (file != NULL && read != NULL) {
        read->h_refcnt = 1;
        read->h_dmax = -1;
        read->h_op = MPI_OP_NULL;
        functions->hf_reader(file, read);
    } else {
        free(read);
        read = NULL;
    }
    if (file != NULL)
        fclose(file);
    free(bytes);
    return read;
}

static void look_at(const struct lookup *lookup, int problem, const char *word, void *criteria)
{
    const struct ADCL_hist_functions_s *functions = lookup->functions;
    struct entry *entry = &lookup->entry[problem];
    if (star_own_problem_parse(word, &entry->about, NULL) != 0)
        return;
    ADCL_Hist hist = new_entry(&entry->about);
    bool solved = hist != NULL && solve(hist, lookup->request, lookup->past, problem);
    if (solved && functions->hf_writer != NULL) {
        ADCL_Hist read = pass_on(functions, hist);
        free_entry(hist);
        hist = read;
        solved = hist != NULL && solve(hist, lookup->request, lookup->past, problem);
    }
    if (solved && functions->hf_filter(hist, criteria) != 0)
        entry->hist = hist;
    else
        free_entry(hist);
}

/* Of problem P from all that the filter has let through. */
static void measure(const struct lookup *lookup, int p, double *distance)
{
    for (int q = 0; q < lookup->past->problems; q++)
        distance[q] = lookup->entry[q].hist != NULL
                          ? lookup->functions->hf_distance(lookup->entry[p].hist, lookup->entry[q].hist)
                          : INFINITY;
}

/* For one of each problem. */
struct room {
    double *distance;
    struct star_winner *winner;
    bool *wins;
};

static void compare(const struct lookup *lookup, const char *word, const struct entry *here,
                    const struct room *room, struct star_similar *similar)
{
    for (int p = 0; p < lookup->past->problems; p++)
        room->winner[p].function = star_history_winner(lookup->past, p, &room->winner[p].mean);
    for (int p = 0; p < lookup->past->problems; p++) {
        const struct entry *there = &lookup->entry[p];
        similar[p] = (struct star_similar){INFINITY, 1};
        if (there->hist == NULL)
            continue;
        measure(lookup, p, room->distance);
        double reach = star_history_reach(lookup->past, room->winner, p, room->distance, room->wins),
               within = star_history_within(lookup->functions->hf_distance(here->hist, there->hist), reach);
        bool same = strcmp(lookup->past->problem[p].word, word) == 0;
        similar[p].distance = same ? within : fmax(within, DBL_MIN); /* the same problem comes first */
        similar[p].growth = star_own_problem_growth(&here->about, &there->about);
    }
}

/* What is asked, and by which criteria. */
struct asking {
    ADCL_Request request;
    const struct ADCL_hist_functions_s *functions;
    void *criteria;
};

static bool weigh(const char *problem, const struct star_past *past, struct star_similar *similar,
                  const void *context)
{
    const struct asking *asking = context;
    struct lookup lookup = {.request = asking->request, .past = past, .functions = asking->functions};
    struct entry here = {.hist = NULL};
    size_t problems = (size_t)past->problems;
    struct room room = {calloc(problems, sizeof *room.distance), calloc(problems, sizeof *room.winner),
                        calloc(problems, sizeof *room.wins)};
    lookup.entry = calloc(problems, sizeof *lookup.entry);
    if (star_own_problem_parse(problem, &here.about, NULL) == 0)
        here.hist = new_entry(&here.about);
    bool able = here.hist != NULL && room.distance && room.winner && room.wins && lookup.entry;
    for (int p = 0; able && p < past->problems; p++)
        look_at(&lookup, p, past->problem[p].word, asking->criteria);
    if (able)
        compare(&lookup, problem, &here, &room, similar);
    for (size_t p = 0; lookup.entry != NULL && p < problems; p++)
        free_entry(lookup.entry[p].hist);
    free_entry(here.hist);
    free(lookup.entry);
    free(room.distance);
    free(room.winner);
    free(room.wins);
    return able;
}

/* ------ The public functions */

STAR_EXPORT int ADCL_Fnctset_reg_hist_fnct(ADCL_Hist_functions hist_functions, ADCL_Fnctset fnctset)
{
    bool writes = hist_functions != NULL && hist_functions->hf_writer != NULL;
    return star_own_remember(fnctset, hist_functions, sizeof *hist_functions, writes, __func__);
}

STAR_EXPORT int ADCL_Request_reg_hist_criteria(ADCL_Request req, ADCL_Hist_criteria hist_criteria)
{
    struct star_request *request = star_object_of(STAR_KIND_REQUEST, req, __func__, "request");
    if (request == NULL)
        return ADCL_INVALID_REQUEST;
    bool given = hist_criteria != NULL;
    if (given && hist_criteria->hc_criteria_set == 0 && hist_criteria->hc_set_criteria != NULL &&
        hist_criteria->hc_filter_criteria != NULL) {
        hist_criteria->hc_set_criteria(req, hist_criteria->hc_filter_criteria);
        hist_criteria->hc_criteria_set = 1;
    }
    bool all = star_request_agrees(request, given);
    if (!given)
        return star_refuse(ADCL_INVALID_ARG, __func__, "hist_criteria is NULL");
    if (!all)
        return star_refuse_others(__func__);
    const struct ADCL_hist_functions_s *functions = star_own_history(request);
    bool able = functions != NULL && functions->hf_reader != NULL && functions->hf_filter != NULL &&
                functions->hf_distance != NULL;
    struct asking asking = {req, functions, hist_criteria->hc_filter_criteria};
    star_own_recall(request, able, weigh, &asking);
    return ADCL_SUCCESS;
}

STAR_EXPORT void ADCL_neighborhood_set_criteria(ADCL_Request req, void *filter_criteria)
{
    ADCL_neighborhood_criteria_t *criteria = filter_criteria;
    if (ADCL_Request_get_fsname(req, &criteria->c_fsname) == ADCL_SUCCESS)
        ADCL_Request_get_tndims(req, &criteria->c_tndims);
}

/* SPDX-License-Identifier: BSD-3-Clause
 * ADCL's functions write entries into a file and read them from there. Here the wisdom holds the entries: one
 * that is looked at goes through the program's writer and reader once, in memory, and then has the figures
 * that are remembered of it. */
#include "adcl.h"
#include "functions/history.h"
#include "functions/object.h"
#include "functions/own_problem.h"
#include "patterns/agrees.h"
#include "patterns/choice.h"
#include "patterns/hist.h"
#include "patterns/pattern_own.h"
#include "patterns/patterns.h"
#include "patterns/predefined.h"
#include "patterns/refuse.h"
#include "util/export.h"
#include "util/fpenv.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ------ How near the past is */

struct entry {
    ADCL_Hist hist; /* NULL: the program's filter has left it out */
    struct star_own_problem about;
};

struct lookup {
    const struct star_choice *choice;
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
    ADCL_Hist hist = star_hist_new(&entry->about);
    bool solved = hist != NULL && star_hist_solve(hist, lookup->choice, lookup->past, problem);
    if (solved && functions->hf_writer != NULL) {
        ADCL_Hist read = pass_on(functions, hist);
        star_hist_free(hist);
        hist = read;
        solved = hist != NULL && star_hist_solve(hist, lookup->choice, lookup->past, problem);
    }
    if (solved && functions->hf_filter(hist, criteria) != 0)
        entry->hist = hist;
    else
        star_hist_free(hist);
}

/* Of problem P from all that the filter has let through. */
static void measure(const struct lookup *lookup, int p, double *distance)
{
    for (int q = 0; q < lookup->past->problems; q++)
        distance[q] = lookup->entry[q].hist != NULL
                          ? lookup->functions->hf_distance(lookup->entry[p].hist, lookup->entry[q].hist)
                          : INFINITY;
}

static double bytes_of(const struct star_own_problem *about)
{
    double bytes = (double)about->element_bytes * fmax(1, about->values);
    for (int d = 0; d < about->vector_dimensions; d++)
        bytes *= fmax(1, about->points[d]);
    return bytes;
}

static double growth(const struct star_own_problem *here, const struct star_own_problem *there)
{
    STAR_FPENV_DEFAULT;
    return bytes_of(here) / bytes_of(there);
}

/* For one of each problem. */
struct room {
    double *distance;
    struct star_winner *winner;
    bool *wins;
};

static void compare(const struct lookup *lookup, const struct entry *here, const struct room *room,
                    struct star_similar *similar)
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
        bool same = strcmp(lookup->past->problem[p].word, lookup->choice->problem) == 0;
        similar[p].distance = same ? within : fmax(within, DBL_MIN); /* the same problem comes first */
        similar[p].growth = growth(&here->about, &there->about);
    }
}

/* What is asked, and by which criteria. */
struct asking {
    const struct star_choice *choice;
    void *criteria;
};

static bool weigh(const char *problem, const struct star_past *past, struct star_similar *similar,
                  const void *context)
{
    const struct asking *asking = context;
    struct lookup lookup = {
        .choice = asking->choice, .past = past, .functions = asking->choice->fnctset->history};
    struct entry here = {.hist = NULL};
    size_t problems = (size_t)past->problems;
    struct room room = {calloc(problems, sizeof *room.distance), calloc(problems, sizeof *room.winner),
                        calloc(problems, sizeof *room.wins)};
    lookup.entry = calloc(problems, sizeof *lookup.entry);
    if (star_own_problem_parse(problem, &here.about, NULL) == 0)
        here.hist = star_hist_new(&here.about);
    bool able = here.hist != NULL && room.distance && room.winner && room.wins && lookup.entry;
    for (int p = 0; able && p < past->problems; p++)
        look_at(&lookup, p, past->problem[p].word, asking->criteria);
    if (able)
        compare(&lookup, &here, &room, similar);
    for (size_t p = 0; lookup.entry != NULL && p < problems; p++)
        star_hist_free(lookup.entry[p].hist);
    star_hist_free(here.hist);
    free(lookup.entry);
    free(room.distance);
    free(room.winner);
    free(room.wins);
    return able;
}

/* ------ The public functions */

STAR_EXPORT int ADCL_Fnctset_reg_hist_fnct(ADCL_Hist_functions hist_functions, ADCL_Fnctset fnctset)
{
    struct star_fnctset *set = star_fnctset_of(fnctset, __func__, "fnctset");
    if (set == NULL)
        return ADCL_INVALID_FNCTSET;
    int error = ADCL_SUCCESS;
    if (hist_functions == NULL)
        error = star_refuse(ADCL_INVALID_ARG, __func__, "hist_functions is NULL");
    else if (set->pattern != &star_pattern_own)
        error =
            star_refuse(ADCL_INVALID_FNCTSET, __func__,
                        "function-set %s is predefined: what is remembered of it is startune's", set->name);
    else if (set->history == NULL && (set->history = malloc(sizeof *set->history)) == NULL)
        error = star_refuse_memory(__func__);
    else
        *set->history = *hist_functions;
    star_object_release(set);
    return error;
}

/* Once, before the first run of requests that learn together, and where the program has said all. */
static bool asks(const struct star_request *request)
{
    const struct ADCL_hist_functions_s *functions = request->fnctset->history;
    struct star_choice *choice = request->choice;
    if (functions == NULL || functions->hf_reader == NULL || functions->hf_filter == NULL ||
        functions->hf_distance == NULL || choice->subject.calls > 0 || choice->subject.recalled > 0)
        return false;
    if (choice->problem[0] == 0 && /* the functions were registered after the request was made */
        !star_hist_word(request, choice->problem, sizeof choice->problem))
        choice->problem[0] = 0;
    return star_choice_has_past(choice);
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
    struct asking asking = {request->choice, hist_criteria->hc_filter_criteria};
    if (star_request_agrees(request, asks(request)))
        star_choice_recall(request->choice, weigh, &asking);
    return ADCL_SUCCESS;
}

STAR_EXPORT void ADCL_neighborhood_set_criteria(ADCL_Request req, void *filter_criteria)
{
    ADCL_neighborhood_criteria_t *criteria = filter_criteria;
    if (ADCL_Request_get_fsname(req, &criteria->c_fsname) == ADCL_SUCCESS)
        ADCL_Request_get_tndims(req, &criteria->c_tndims);
}

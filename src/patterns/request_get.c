/* SPDX-License-Identifier: BSD-3-Clause
 * What a request tells about itself. */
#include "functions/object.h"
#include "patterns/agrees.h"
#include "patterns/attribute.h"
#include "patterns/choice.h"
#include "patterns/patterns.h"
#include "patterns/refuse.h"
#include "patterns/sharing.h"
#include "runtime/agree.h"
#include "subject/figures.h"
#include "tuner/sample.h"
#include "util/export.h"
#include "util/fpenv.h"
#include "util/quantile.h"

#include <math.h>
#include <string.h>

/* The request, where the place for the answer is one; else NULL and *ERROR. */
static struct star_request *request_for(STAR_Request handle, const void *answer, const char *argument,
                                        int *error, const char *call)
{
    struct star_request *request = star_object_of(STAR_KIND_REQUEST, handle, call, "request");
    *error = STAR_ERR_REQUEST;
    if (request != NULL && answer == NULL) {
        *error = star_refuse(STAR_ERR_ARG, call, "%s is NULL", argument);
        return NULL;
    }
    return request;
}

STAR_EXPORT int STAR_Request_get_comm(STAR_Request request, MPI_Comm *comm, int *rank, int *size)
{
    int error;
    const struct star_request *found = request_for(request, comm, "comm", &error, __func__);
    if (found == NULL)
        return error;
    if (found->topology == NULL)
        return star_refuse(STAR_ERR_TOPOLOGY, __func__, "the request (function-set %s) has no topology",
                           found->fnctset->name);
    *comm = found->topology->comm;
    if (rank != NULL)
        *rank = found->topology->rank;
    if (size != NULL)
        *size = found->topology->size;
    return STAR_SUCCESS;
}

STAR_EXPORT int STAR_Request_get_data(STAR_Request request, void **send, void **receive)
{
    int error;
    const struct star_request *found = request_for(request, send, "send", &error, __func__);
    if (found == NULL)
        return error;
    *send = found->send ? found->send->data : NULL;
    if (receive != NULL)
        *receive = found->receive ? found->receive->data : NULL;
    return STAR_SUCCESS;
}

/* The function that runs, or would run next. */
static int number_of(const struct star_request *request)
{
    return star_request_is_under_way(request) ? request->running : request->choice->subject.now;
}

STAR_EXPORT int STAR_Request_get_value(STAR_Request request, int attribute, int *value)
{
    int error;
    const struct star_request *found = request_for(request, value, "value", &error, __func__);
    if (found == NULL)
        return error;
    const struct star_function *function = found->fnctset->functions[number_of(found)];
    int count = function->attrset ? function->attrset->count : 0;
    if (attribute < 0 || attribute >= count)
        return star_refuse(STAR_ERR_ARG, __func__, "attribute is %d: function %s has %d", attribute,
                           function->name, count);
    *value = function->values[attribute];
    return STAR_SUCCESS;
}

STAR_EXPORT int STAR_Request_get_state(STAR_Request request, int *state)
{
    int error;
    const struct star_request *found = request_for(request, state, "state", &error, __func__);
    if (found == NULL)
        return error;
    *state = star_subject_is_open(&found->choice->subject);
    return STAR_SUCCESS;
}

STAR_EXPORT int STAR_Request_get_fnctset_name(STAR_Request request, char name[STAR_MAX_NAME])
{
    int error;
    const struct star_request *found = request_for(request, name, "name", &error, __func__);
    if (found == NULL)
        return error;
    memcpy(name, found->fnctset->name, STAR_MAX_NAME);
    return STAR_SUCCESS;
}

STAR_EXPORT int STAR_Request_get_ndims(STAR_Request request, int *ndims)
{
    int error;
    const struct star_request *found = request_for(request, ndims, "ndims", &error, __func__);
    if (found == NULL)
        return error;
    if (found->topology == NULL)
        return star_refuse(STAR_ERR_TOPOLOGY, __func__, "the request (function-set %s) has no topology",
                           found->fnctset->name);
    *ndims = found->topology->ndims;
    return STAR_SUCCESS;
}

STAR_EXPORT int STAR_Request_get_functions(STAR_Request request, int *count, int *current)
{
    int error;
    const struct star_request *found = request_for(request, count, "count", &error, __func__);
    if (found == NULL)
        return error;
    *count = found->fnctset->count;
    if (current != NULL)
        *current = number_of(found);
    return STAR_SUCCESS;
}

/* Function NUMBER of the request; else NULL and *ERROR. */
static const struct star_function *function_of(const struct star_request *request, int number, int *error,
                                               const char *call)
{
    const struct star_fnctset *set = request->fnctset;
    if (number >= 0 && number < set->count)
        return set->functions[number];
    *error = star_refuse(STAR_ERR_FUNCTION, call, "function is %d: function-set %s has %d", number, set->name,
                         set->count);
    return NULL;
}

STAR_EXPORT int STAR_Request_get_function(STAR_Request request, int function, char name[STAR_MAX_NAME],
                                          int *attributes)
{
    int error;
    const struct star_request *found = request_for(request, name, "name", &error, __func__);
    const struct star_function *of = found ? function_of(found, function, &error, __func__) : NULL;
    if (of == NULL)
        return error;
    memcpy(name, of->name, STAR_MAX_NAME);
    if (found->fnctset->pattern->describe != NULL)
        found->fnctset->pattern->describe(found, name);
    if (attributes != NULL)
        *attributes = of->attrset ? of->attrset->count : 0;
    return STAR_SUCCESS;
}

STAR_EXPORT int STAR_Request_get_attribute(STAR_Request request, int function, int attribute,
                                           char name[STAR_MAX_NAME], int *value,
                                           char value_name[STAR_MAX_NAME])
{
    int error;
    const struct star_request *found = request_for(request, name, "name", &error, __func__);
    const struct star_function *of = found ? function_of(found, function, &error, __func__) : NULL;
    if (of == NULL)
        return error;
    int count = of->attrset ? of->attrset->count : 0;
    if (attribute < 0 || attribute >= count)
        return star_refuse(STAR_ERR_ARG, __func__, "attribute is %d: function %s has %d", attribute, of->name,
                           count);
    const struct star_attribute *described = of->attrset->attributes[attribute];
    memcpy(name, described->name, STAR_MAX_NAME);
    if (value != NULL)
        *value = of->values[attribute];
    if (value_name != NULL)
        memcpy(value_name, described->value_names[star_attribute_place(described, of->values[attribute])],
               STAR_MAX_NAME);
    return STAR_SUCCESS;
}

STAR_EXPORT int STAR_Request_get_times(STAR_Request request, int function, double *filtered, double *mean,
                                       double *outliers)
{
    STAR_FPENV_DEFAULT;
    int error, count = 0;
    const struct star_request *found = request_for(request, filtered, "filtered", &error, __func__);
    if (found == NULL || function_of(found, function, &error, __func__) == NULL)
        return error;
    const double *samples = star_subject_samples(&found->choice->subject, function, &count);
    if (samples == NULL || count == 0)
        return STAR_ERR_UNDEFINED;
    double least = INFINITY, sum = 0;
    int far = 0;
    for (int i = 0; i < count; i++) {
        least = fmin(least, samples[i]);
        sum += samples[i];
    }
    for (int i = 0; i < count; i++)
        far += star_is_outlier(samples[i], least);
    *filtered = star_filtered_mean(samples, count);
    if (mean != NULL)
        *mean = sum / count;
    if (outliers != NULL)
        *outliers = 2 * far > count ? 0 : (double)far / count;
    return STAR_SUCCESS;
}

/* The first function, the best of those that were measured, and those that were not (0). */
static int16_t list_rest(int count, const double *filtered, int all, int16_t *list)
{
    STAR_FPENV_DEFAULT;
    int best = -1;
    int16_t length = 1;
    for (int i = 0; i < count; i++)
        if (filtered[i] > 0 && (best < 0 || filtered[i] < filtered[best]))
            best = i;
    list[0] = 0;
    for (int i = 1; i < all; i++)
        if (i == best || i >= count || !(filtered[i] > 0))
            list[length++] = (int16_t)i;
    return length;
}

static int check_restoring(const struct star_request *request, int count, const double *filtered,
                           const char *call)
{
    const struct star_fnctset *set = request->fnctset;
    if (filtered == NULL)
        return star_refuse(STAR_ERR_ARG, call, "filtered is NULL");
    if (request->ready >= 0)
        return star_refuse(STAR_ERR_REQUEST, call, "the request (function-set %s) has run already",
                           set->name);
    if (request->timer != NULL)
        return star_refuse(STAR_ERR_REQUEST, call,
                           "the request (function-set %s) has a timer, which may have measured already",
                           set->name);
    if (count < 1 || count > set->count)
        return star_refuse(STAR_ERR_ARG, call, "count is %d: function-set %s has %d functions", count,
                           set->name, set->count);
    return STAR_SUCCESS;
}

STAR_EXPORT int STAR_Request_restore(STAR_Request request, int count, const double filtered[])
{
    struct star_request *found = star_object_of(STAR_KIND_REQUEST, request, __func__, "request");
    if (found == NULL)
        return STAR_ERR_REQUEST;
    int error = check_restoring(found, count, filtered, __func__);
    if (!star_request_agrees(found, error == STAR_SUCCESS))
        return error != STAR_SUCCESS ? error : star_refuse_others(__func__);
    found->own_measure = star_measure_new(); /* it learns by itself */
    star_request_remeasure(found);
    error = found->measure == found->wanted ? STAR_SUCCESS : star_request_rejoin(found, __func__);
    if (error != STAR_SUCCESS)
        return error;
    struct star_forecast_list list = {0};
    list.count = list_rest(count, filtered, found->fnctset->count, list.at);
    if (!star_agree_forecast(found->comm, &list) || !star_choice_narrow(found->choice, list.at, list.count))
        return star_refuse(STAR_ERR_INTERN, __func__, "MPI failed");
    return STAR_SUCCESS;
}

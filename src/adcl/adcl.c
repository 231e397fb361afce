/* SPDX-License-Identifier: BSD-3-Clause
 * What of ADCL's interface is more than another name: see adcl.h. */
#include "adcl.h"
#include "patterns/above.h"

#include <string.h>

STAR_EXPORT int ADCL_Init(void)
{
    return ADCL_SUCCESS;
}

STAR_EXPORT int ADCL_Finalize(void)
{
    return ADCL_SUCCESS;
}

STAR_EXPORT int ADCL_Timer_commit(ADCL_Timer timer)
{
    return star_object_of(STAR_KIND_TIMER, timer, __func__, "timer") ? ADCL_SUCCESS : ADCL_INVALID_TIMER;
}

/* ADCL's functions return nothing. */
static int call_silent(star_any_work *work, STAR_Request request)
{
    ((ADCL_work_fnct_ptr *)work)(request);
    return 0;
}

static struct star_work silent(ADCL_work_fnct_ptr *init, ADCL_work_fnct_ptr *wait)
{
    return (struct star_work){call_silent, (star_any_work *)init, (star_any_work *)wait};
}

STAR_EXPORT int ADCL_Function_create(ADCL_work_fnct_ptr *work, ADCL_Attrset attrset, const int *values,
                                     const char *name, ADCL_Function *function)
{
    struct star_work all = silent(work, NULL);
    return star_function_make(&all, attrset, values, name, function, __func__);
}

STAR_EXPORT int ADCL_Function_create_async(ADCL_work_fnct_ptr *init, ADCL_work_fnct_ptr *wait,
                                           ADCL_Attrset attrset, const int *values, const char *name,
                                           ADCL_Function *function)
{
    struct star_work halves = silent(init, wait);
    return star_function_make(&halves, attrset, values, name, function, __func__);
}

STAR_EXPORT int ADCL_Fnctset_create_single(ADCL_work_fnct_ptr *init, ADCL_work_fnct_ptr *wait,
                                           ADCL_Attrset attrset, const char *name, int **without,
                                           int count_without, ADCL_Fnctset *fnctset)
{
    struct star_work work = silent(init, wait);
    const struct star_without left_out = {.count = count_without, .rows = without};
    return star_fnctset_make_single(&work, attrset, name, &left_out, fnctset, __func__);
}

STAR_EXPORT int ADCL_Request_start_overlap(ADCL_Request request, ADCL_work_fnct_ptr *middle,
                                           ADCL_work_fnct_ptr *end, ADCL_work_fnct_ptr *total)
{
    struct star_parts parts = {silent(middle, NULL), silent(end, NULL), silent(total, NULL)};
    return star_request_overlap(request, &parts, __func__);
}

STAR_EXPORT int ADCL_Request_progress(ADCL_Request request, int depth)
{
    (void)depth;
    return STAR_Request_progress(request);
}

static int with_halo(int (*make)(int, const int *, int, STAR_Vmap, MPI_Datatype, void *, STAR_Vector *),
                     int ndims, const int *dims, int values, int width, MPI_Datatype datatype, void *data,
                     ADCL_Vector *vector)
{
    STAR_Vmap halo;
    int error = STAR_Vmap_halo_allocate(width, &halo);
    if (error != ADCL_SUCCESS)
        return error;
    error = make(ndims, dims, values, halo, datatype, data, vector);
    STAR_Vmap_free(&halo);
    return error;
}

STAR_EXPORT int ADCL_Vector_register_values(int ndims, const int *dims, int values, int width,
                                            MPI_Datatype datatype, void *data, ADCL_Vector *vector)
{
    return with_halo(STAR_Vector_register_generic, ndims, dims, values, width, datatype, data, vector);
}

STAR_EXPORT int ADCL_Vector_allocate_values(int ndims, const int *dims, int values, int width,
                                            MPI_Datatype datatype, void *data, ADCL_Vector *vector)
{
    return with_halo(STAR_Vector_allocate_generic, ndims, dims, values, width, datatype, data, vector);
}

/* ------ What is asked of a request, in memory of the caller's */

STAR_EXPORT int ADCL_Request_get_fsname(ADCL_Request request, char **name)
{
    char text[STAR_MAX_NAME];
    if (name == NULL)
        return ADCL_INVALID_ARG;
    int error = STAR_Request_get_fnctset_name(request, text);
    if (error != ADCL_SUCCESS)
        return error;
    *name = strdup(text);
    return *name ? ADCL_SUCCESS : ADCL_NO_MEMORY;
}

/* The COUNT attributes of a function, as far as they are asked for. */
static int copy_attributes(ADCL_Request request, int function, int count, char **names, char **value_names,
                           int *values)
{
    for (int i = 0; i < count; i++) {
        char name[STAR_MAX_NAME], value_name[STAR_MAX_NAME];
        int value, error = STAR_Request_get_attribute(request, function, i, name, &value, value_name);
        if (error != ADCL_SUCCESS)
            return error;
        if (names != NULL)
            names[i] = strdup(name);
        if (value_names != NULL)
            value_names[i] = strdup(value_name);
        if (values != NULL)
            values[i] = value;
    }
    return ADCL_SUCCESS;
}

/* COUNT places for *LIST, where LIST is asked for. */
static bool room_for(void *list, int count, size_t bytes)
{
    void **room = list;
    if (room == NULL)
        return true;
    *room = calloc((size_t)count + 1, bytes);
    return *room != NULL;
}

STAR_EXPORT int ADCL_Request_get_curr_function(ADCL_Request request, char **function, char ***attributes,
                                               int *count, char ***value_names, int **values)
{
    char name[STAR_MAX_NAME];
    int functions, current, number;
    int error = STAR_Request_get_functions(request, &functions, &current);
    if (error == ADCL_SUCCESS)
        error = STAR_Request_get_function(request, current, name, &number);
    if (error != ADCL_SUCCESS)
        return error;
    if (count != NULL)
        *count = number;
    if (function != NULL)
        *function = strdup(name);
    if (!room_for(attributes, number, sizeof(char *)) || !room_for(value_names, number, sizeof(char *)) ||
        !room_for(values, number, sizeof(int)))
        return star_refuse_memory(__func__);
    return copy_attributes(request, current, number, attributes ? *attributes : NULL,
                           value_names ? *value_names : NULL, values ? *values : NULL);
}

STAR_EXPORT int ADCL_Request_get_winner_stat(ADCL_Request request, double *filtered, double *unfiltered,
                                             double *outliers)
{
    int functions, current, open, error = STAR_Request_get_state(request, &open);
    if (error == ADCL_SUCCESS)
        error = STAR_Request_get_functions(request, &functions, &current);
    if (error != ADCL_SUCCESS)
        return error;
    return open ? ADCL_UNDEFINED : STAR_Request_get_times(request, current, filtered, unfiltered, outliers);
}

static bool is_near(ADCL_Request request, int function, double filtered)
{
    STAR_FPENV_DEFAULT;
    double found;
    return STAR_Request_get_times(request, function, &found, NULL, NULL) == ADCL_SUCCESS &&
           found >= filtered && found < filtered + 0.01;
}

/* One line of what ADCL_Request_get_functions_with_average tells. */
static int copy_function(ADCL_Request request, int function, int number, int line, char **functions,
                         char ***value_names, int **values)
{
    char name[STAR_MAX_NAME];
    STAR_Request_get_function(request, function, name, NULL);
    if (functions != NULL)
        functions[line] = strdup(name);
    if (!room_for(value_names ? &value_names[line] : NULL, number, sizeof(char *)) ||
        !room_for(values ? &values[line] : NULL, number, sizeof(int)))
        return ADCL_NO_MEMORY;
    return copy_attributes(request, function, number, NULL, value_names ? value_names[line] : NULL,
                           values ? values[line] : NULL);
}

STAR_EXPORT int ADCL_Request_get_functions_with_average(ADCL_Request request, double filtered, int *count,
                                                        char ***functions, char ***attributes,
                                                        int *attributes_count, char ****value_names,
                                                        int ***values)
{
    char name[STAR_MAX_NAME];
    int all, number, found = 0, error = STAR_Request_get_functions(request, &all, NULL);
    if (error == ADCL_SUCCESS)
        error = STAR_Request_get_function(request, 0, name, &number);
    if (error != ADCL_SUCCESS || count == NULL)
        return error != ADCL_SUCCESS ? error : ADCL_INVALID_ARG;
    for (int i = 0; i < all; i++)
        found += is_near(request, i, filtered);
    *count = found;
    if (attributes_count != NULL)
        *attributes_count = number;
    if (found == 0)
        return ADCL_SUCCESS;
    if (!room_for(functions, found, sizeof(char *)) || !room_for(attributes, number, sizeof(char *)) ||
        !room_for(value_names, found, sizeof(char **)) || !room_for(values, found, sizeof(int *)))
        return star_refuse_memory(__func__);
    error = copy_attributes(request, 0, number, attributes ? *attributes : NULL, NULL, NULL);
    for (int i = 0, line = 0; i < all && error == ADCL_SUCCESS; i++)
        if (is_near(request, i, filtered))
            error = copy_function(request, i, number, line++, functions ? *functions : NULL,
                                  value_names ? *value_names : NULL, values ? *values : NULL);
    return error;
}

enum { FILTERED, UNFILTERED, OUTLIERS, FIGURES };

/* Rank 0's figures of all functions, on all ranks: the others add nothing to them. */
static void share_times(ADCL_Request request, const struct star_request *found, double *figures, int count)
{
    for (int i = 0; i < count; i++)
        STAR_Request_get_times(request, i, &figures[FILTERED * count + i], &figures[UNFILTERED * count + i],
                               &figures[OUTLIERS * count + i]);
    star_request_add_up(found, figures, (int64_t)FIGURES * count);
}

STAR_EXPORT int ADCL_Request_save_status(ADCL_Request request, int *tested, double **unfiltered,
                                         double **filtered, double **outliers, int *winner)
{
    const struct star_request *found = star_object_of(STAR_KIND_REQUEST, request, __func__, "request");
    if (found == NULL)
        return ADCL_INVALID_REQUEST;
    bool asked = tested != NULL && unfiltered != NULL && filtered != NULL && outliers != NULL;
    int count;
    STAR_Request_get_functions(request, &count, NULL);
    double *figures = asked ? calloc((size_t)count * FIGURES, sizeof *figures) : NULL;
    bool room = figures != NULL && room_for(unfiltered, count, sizeof(double)) &&
                room_for(filtered, count, sizeof(double)) && room_for(outliers, count, sizeof(double));
    if (!star_request_agrees(found, room)) {
        free(figures);
        if (!asked)
            return star_refuse(ADCL_INVALID_ARG, __func__,
                               "tested, unfiltered, filtered or outliers is NULL");
        return room ? star_refuse_others(__func__) : star_refuse_memory(__func__);
    }
    share_times(request, found, figures, count);
    memcpy(*filtered, figures + FILTERED * (size_t)count, (size_t)count * sizeof *figures);
    memcpy(*unfiltered, figures + UNFILTERED * (size_t)count, (size_t)count * sizeof *figures);
    memcpy(*outliers, figures + OUTLIERS * (size_t)count, (size_t)count * sizeof *figures);
    free(figures);
    *tested = 0;
    int best = -1;
    for (int i = 0; i < count; i++)
        if ((*filtered)[i] > 0) {
            *tested = i + 1;
            best = best < 0 || (*filtered)[i] < (*filtered)[best] ? i : best;
        }
    if (winner != NULL)
        *winner = best;
    return ADCL_SUCCESS;
}

STAR_EXPORT int ADCL_Request_restore_status(ADCL_Request request, int tested, const double *unfiltered,
                                            const double *filtered, const double *outliers)
{
    (void)unfiltered, (void)outliers;
    return STAR_Request_restore(request, tested, filtered);
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "patterns/function.h"
#include "functions/object.h"
#include "patterns/attribute.h"
#include "patterns/pattern_own.h"
#include "patterns/patterns.h"
#include "patterns/refuse.h"
#include "tuner/candidates.h"
#include "util/export.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void destroy_function(struct star_object *object)
{
    struct star_function *function = (struct star_function *)object;
    star_object_release(function->attrset);
    free(function->values);
}

/* VALUES are good. NULL when out of memory. */
static struct star_function *make_function(const struct star_work *work, struct star_attrset *attrset,
                                           const int *values, const char *name)
{
    struct star_function *made = star_object_new(STAR_KIND_FUNCTION, sizeof *made, destroy_function);
    if (made == NULL)
        return NULL;
    size_t count = attrset ? (size_t)attrset->count : 0;
    made->values = calloc(count + 1, sizeof *made->values);
    if (made->values == NULL) {
        star_object_release(made);
        return NULL;
    }
    if (attrset != NULL) {
        star_object_keep(attrset);
        memcpy(made->values, values, count * sizeof *values);
    }
    made->attrset = attrset;
    made->work = *work;
    made->overlaps = work->wait != NULL;
    star_name_copy(made->name, name, "function", 0);
    return made;
}

/* *FOUND is NULL for STAR_ATTRSET_NULL. */
static int find_attrset(STAR_Attrset handle, struct star_attrset **found, const char *call)
{
    *found = NULL;
    if (handle == STAR_ATTRSET_NULL)
        return STAR_SUCCESS;
    *found = star_object_of(STAR_KIND_ATTRSET, handle, call, "attrset");
    return *found ? STAR_SUCCESS : STAR_ERR_ATTRSET;
}

static int check_values(const struct star_attrset *attrset, const int *values, const char *name,
                        const char *call)
{
    if (attrset == NULL)
        return STAR_SUCCESS;
    if (values == NULL)
        return star_refuse(STAR_ERR_ARG, call, "values is NULL, but the attribute-set has %d attributes",
                           attrset->count);
    for (int i = 0; i < attrset->count; i++)
        if (star_attribute_place(attrset->attributes[i], values[i]) < 0)
            return star_refuse(STAR_ERR_ARG, call,
                               "values[%d] of function %s is %d: attribute %s has no such value", i,
                               name ? name : "without a name", values[i], attrset->attributes[i]->name);
    return STAR_SUCCESS;
}

int star_function_make(const struct star_work *work, STAR_Attrset attrset, const int *values,
                       const char *name, STAR_Function *function, const char *call)
{
    struct star_attrset *of;
    if (work->init == NULL)
        return star_refuse(STAR_ERR_WORK, call, "function %s has no function to call",
                           name ? name : "without a name");
    if (function == NULL)
        return star_refuse(STAR_ERR_ARG, call, "function is NULL");
    int error = find_attrset(attrset, &of, call);
    if (error == STAR_SUCCESS)
        error = check_values(of, values, name, call);
    if (error != STAR_SUCCESS)
        return error;
    struct star_function *made = make_function(work, of, values, name);
    return made ? star_object_publish(made, function, call) : star_refuse_memory(call);
}

STAR_EXPORT int STAR_Function_create(STAR_Work *work, STAR_Attrset attrset, const int values[],
                                     const char *name, STAR_Function *function)
{
    struct star_work all = {star_work_call, (star_any_work *)work, NULL};
    return star_function_make(&all, attrset, values, name, function, __func__);
}

STAR_EXPORT int STAR_Function_create_async(STAR_Work *init, STAR_Work *wait, STAR_Attrset attrset,
                                           const int values[], const char *name, STAR_Function *function)
{
    struct star_work halves = {star_work_call, (star_any_work *)init, (star_any_work *)wait};
    if (wait == NULL)
        return star_refuse(STAR_ERR_WORK, __func__, "function %s has no function to wait with",
                           name ? name : "without a name");
    return star_function_make(&halves, attrset, values, name, function, __func__);
}

STAR_EXPORT int STAR_Function_free(STAR_Function *function)
{
    return star_object_free(STAR_KIND_FUNCTION, function, __func__, "function");
}

static void destroy_fnctset(struct star_object *object)
{
    struct star_fnctset *fnctset = (struct star_fnctset *)object;
    for (int i = 0; i < fnctset->count; i++)
        star_object_release(fnctset->functions[i]);
    free(fnctset->functions);
    free(fnctset->history);
    star_object_release(fnctset->attrset);
}

/* Without functions yet, but with room for them. */
static struct star_fnctset *new_fnctset(int room, const char *name, struct star_attrset *attrset)
{
    struct star_fnctset *made = star_object_new(STAR_KIND_FNCTSET, sizeof *made, destroy_fnctset);
    if (made == NULL)
        return NULL;
    made->functions = calloc((size_t)room, sizeof(struct star_function *));
    if (made->functions == NULL) {
        star_object_release(made);
        return NULL;
    }
    star_name_copy(made->name, name, "function-set", 0);
    made->pattern = &star_pattern_own;
    made->attrset = attrset;
    if (attrset != NULL)
        star_object_keep(attrset);
    return made;
}

static int add_functions(struct star_fnctset *made, int count, const STAR_Function functions[],
                         const char *call)
{
    for (int i = 0; i < count; i++) {
        char argument[40];
        snprintf(argument, sizeof argument, "functions[%d]", i);
        struct star_function *function = star_object_of(STAR_KIND_FUNCTION, functions[i], call, argument);
        if (function == NULL)
            return STAR_ERR_FUNCTION;
        if (i == 0 && function->attrset != NULL) {
            made->attrset = function->attrset;
            star_object_keep(made->attrset);
        }
        if (function->attrset != made->attrset)
            return star_refuse(STAR_ERR_ATTRSET, call,
                               "functions[%d], %s, has another attribute-set than functions[0], %s", i,
                               function->name, made->functions[0]->name);
        star_object_keep(function);
        made->functions[made->count++] = function;
    }
    return STAR_SUCCESS;
}

static int refuse_count(long long count, const char *call)
{
    return star_refuse(STAR_ERR_ARG, call, "%lld functions: a function-set has 1 to %d", count,
                       STAR_CANDIDATES_MAX);
}

STAR_EXPORT int STAR_Fnctset_create(int count, const STAR_Function functions[], const char *name,
                                    STAR_Fnctset *fnctset)
{
    if (count < 1 || count > STAR_CANDIDATES_MAX)
        return refuse_count(count, __func__);
    if (functions == NULL || fnctset == NULL)
        return star_refuse(STAR_ERR_ARG, __func__, "%s is NULL", functions ? "fnctset" : "functions");
    struct star_fnctset *made = new_fnctset(count, name, NULL);
    if (made == NULL)
        return star_refuse_memory(__func__);
    int error = add_functions(made, count, functions, __func__);
    if (error == STAR_SUCCESS)
        return star_object_publish(made, fnctset, __func__);
    star_object_release(made);
    return error;
}

/* The next combination: PLACES count through the values of all attributes, the last one fastest. */
static bool next_places(const struct star_attrset *attrset, int *places)
{
    int i = attrset->count - 1;
    while (i >= 0 && ++places[i] == attrset->attributes[i]->count)
        places[i--] = 0;
    return i >= 0;
}

static bool is_without(const int *values, int attributes, const struct star_without *without)
{
    for (int i = 0; i < without->count; i++) {
        const int *left_out = without->rows ? without->rows[i] : without->piece + (ptrdiff_t)i * attributes;
        if (memcmp(values, left_out, (size_t)attributes * sizeof *values) == 0)
            return true;
    }
    return false;
}

/* "name value value …" */
static void name_combination(const char *name, const struct star_attrset *attrset, const int *places,
                             char text[STAR_MAX_NAME])
{
    size_t length = (size_t)snprintf(text, STAR_MAX_NAME, "%s", name ? name : "function");
    for (int i = 0; i < attrset->count && length < STAR_MAX_NAME; i++)
        length += (size_t)snprintf(text + length, STAR_MAX_NAME - length, " %s",
                                   attrset->attributes[i]->value_names[places[i]]);
}

static int add_combinations(struct star_fnctset *made, const struct star_work *work, const char *name,
                            const struct star_without *without, const char *call)
{
    struct star_attrset *attrset = made->attrset;
    int *places = calloc((size_t)attrset->count * 2, sizeof *places), *values = places + attrset->count;
    if (places == NULL)
        return star_refuse_memory(call);
    int error = STAR_SUCCESS;
    do {
        char text[STAR_MAX_NAME];
        for (int i = 0; i < attrset->count; i++)
            values[i] = attrset->attributes[i]->values[places[i]];
        if (is_without(values, attrset->count, without))
            continue;
        if (made->count == STAR_CANDIDATES_MAX) {
            error = refuse_count(made->count + 1LL, call);
            break;
        }
        name_combination(name, attrset, places, text);
        made->functions[made->count] = make_function(work, attrset, values, text);
        if (made->functions[made->count] == NULL)
            error = star_refuse_memory(call);
        else
            made->count++;
    } while (error == STAR_SUCCESS && next_places(attrset, places));
    free(places);
    return error == STAR_SUCCESS && made->count == 0 ? refuse_count(0, call) : error;
}

int star_fnctset_make_single(const struct star_work *work, STAR_Attrset attrset, const char *name,
                             const struct star_without *without, STAR_Fnctset *fnctset, const char *call)
{
    struct star_attrset *of = star_object_of(STAR_KIND_ATTRSET, attrset, call, "attrset");
    if (of == NULL)
        return STAR_ERR_ATTRSET;
    if (work->init == NULL)
        return star_refuse(STAR_ERR_WORK, call, "function-set %s has no function to call",
                           name ? name : "without a name");
    if (fnctset == NULL || (without->count > 0 && without->rows == NULL && without->piece == NULL))
        return star_refuse(STAR_ERR_ARG, call, "%s is NULL", fnctset ? "without" : "fnctset");
    struct star_fnctset *made = new_fnctset(STAR_CANDIDATES_MAX, name, of);
    if (made == NULL)
        return star_refuse_memory(call);
    int error = add_combinations(made, work, name, without, call);
    if (error == STAR_SUCCESS)
        return star_object_publish(made, fnctset, call);
    star_object_release(made);
    return error;
}

STAR_EXPORT int STAR_Fnctset_create_single(STAR_Work *init, STAR_Work *wait, STAR_Attrset attrset,
                                           const char *name, int *const without[], int count_without,
                                           STAR_Fnctset *fnctset)
{
    struct star_work work = {star_work_call, (star_any_work *)init, (star_any_work *)wait};
    const struct star_without left_out = {.count = count_without, .rows = without};
    return star_fnctset_make_single(&work, attrset, name, &left_out, fnctset, __func__);
}

STAR_EXPORT int STAR_Fnctset_free(STAR_Fnctset *fnctset)
{
    return star_object_free(STAR_KIND_FNCTSET, fnctset, __func__, "fnctset");
}

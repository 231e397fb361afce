/* SPDX-License-Identifier: BSD-3-Clause
 * The predefined function-sets. Those that have functions of their own get them when they are first used. */
#include "patterns/patterns.h"
#include "patterns/predefined.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* In the order of the handles' numbers, from 1. */
static const struct {
    const char *name;
    const struct star_pattern *pattern;
    enum star_operation operation; /* of collective operations */
    bool (*fill)(struct star_fnctset *fnctset);
} rows[] = {
    {"neighborhood", &star_pattern_neighborhood, STAR_OPERATIONS, star_neighborhood_fill},
    {"alltoall", &star_pattern_collective, STAR_ALLTOALL, star_collective_fill},
    {"alltoallv", &star_pattern_collective, STAR_ALLTOALLV, star_collective_fill},
    {"allgather", &star_pattern_collective, STAR_ALLGATHER, star_collective_fill},
    {"allgatherv", &star_pattern_collective, STAR_ALLGATHERV, star_collective_fill},
    {"allreduce", &star_pattern_collective, STAR_ALLREDUCE, star_collective_fill},
    {"bcast", &star_pattern_collective, STAR_BCAST, star_collective_fill},
    {"reduce", &star_pattern_collective, STAR_REDUCE, star_collective_fill},
    {"reduce_scatter_block", &star_pattern_collective, STAR_REDUCE_SCATTER_BLOCK, star_collective_fill},
    {"reduce_scatter", &star_pattern_collective, STAR_REDUCE_SCATTER, star_collective_fill},
    {"gather", &star_pattern_collective, STAR_GATHER, star_collective_fill},
    {"gatherv", &star_pattern_collective, STAR_GATHERV, star_collective_fill},
    {"scatter", &star_pattern_collective, STAR_SCATTER, star_collective_fill},
    {"scatterv", &star_pattern_collective, STAR_SCATTERV, star_collective_fill},
    {"scan", &star_pattern_collective, STAR_SCAN, star_collective_fill},
    {"exscan", &star_pattern_collective, STAR_EXSCAN, star_collective_fill},
    {"barrier", &star_pattern_collective, STAR_BARRIER, star_collective_fill},
    {"ibcast", &star_pattern_nonblocking, STAR_BCAST, star_nonblocking_fill},
    {"ialltoall", &star_pattern_nonblocking, STAR_ALLTOALL, star_nonblocking_fill},
    {"iallgather", &star_pattern_nonblocking, STAR_ALLGATHER, star_nonblocking_fill},
    {"ireduce", &star_pattern_nonblocking, STAR_REDUCE, star_nonblocking_fill},
};
enum { ROWS = sizeof rows / sizeof *rows };

static struct star_fnctset *sets[ROWS]; /* they stay until the program ends */

/* They are never destroyed: nobody gives the first reference back. */
static void stay(struct star_object *object)
{
    (void)object;
}

static struct star_fnctset *make(int row)
{
    struct star_fnctset *made = star_object_new(STAR_KIND_FNCTSET, sizeof *made, stay);
    if (made == NULL)
        return NULL;
    star_name_copy(made->name, rows[row].name, NULL, 0);
    made->pattern = rows[row].pattern;
    made->operation = rows[row].operation;
    if (rows[row].fill(made))
        return made;
    free(made);
    return NULL;
}

struct star_fnctset *star_fnctset_of(STAR_Fnctset handle, const char *call, const char *argument)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    int number = star_handle_predefined(STAR_KIND_FNCTSET, (intptr_t)handle);
    struct star_fnctset *found;
    if (number > ROWS) {
        star_refuse(STAR_ERR_FNCTSET, call, "%s is no function-set: it was never made", argument);
        return NULL;
    }
    if (number > 0) {
        pthread_mutex_lock(&lock);
        if (sets[number - 1] == NULL)
            sets[number - 1] = make(number - 1);
        found = sets[number - 1];
        pthread_mutex_unlock(&lock);
        if (found == NULL)
            star_refuse_memory(call);
    } else
        found = star_object_of(STAR_KIND_FNCTSET, handle, call, argument);
    if (found != NULL)
        star_object_keep(found);
    return found;
}

struct star_function *star_predefined_function(struct star_fnctset *fnctset, const char *name,
                                               const int *values, bool overlaps)
{
    struct star_function *made = star_object_new(STAR_KIND_FUNCTION, sizeof *made, stay);
    size_t count = fnctset->attrset ? (size_t)fnctset->attrset->count : 0;
    struct star_function **room =
        realloc(fnctset->functions, ((size_t)fnctset->count + 1) * sizeof(struct star_function *));
    if (room != NULL)
        fnctset->functions = room;
    if (made != NULL)
        made->values = calloc(count + 1, sizeof *values);
    if (room == NULL || made == NULL || made->values == NULL) {
        free(made);
        return NULL;
    }
    star_name_copy(made->name, name, NULL, 0);
    if (count > 0)
        memcpy(made->values, values, count * sizeof *values);
    made->attrset = fnctset->attrset;
    made->overlaps = overlaps;
    return room[fnctset->count++] = made;
}

struct star_attrset *star_predefined_attrset(int count, STAR_Attribute attributes[])
{
    STAR_Attrset attrset;
    if (STAR_Attrset_create(count, attributes, &attrset) != STAR_SUCCESS)
        return NULL;
    for (int i = 0; i < count; i++)
        STAR_Attribute_free(&attributes[i]);
    return (struct star_attrset *)star_handle_drop((intptr_t)attrset);
}

/* SPDX-License-Identifier: BSD-3-Clause
 * The predefined function-sets. Those that have functions of their own get them when they are first used. */
#include "patterns/predefined.h"
#include "algorithms/operations.h"
#include "functions/object.h"
#include "patterns/attribute.h"
#include "patterns/ready_made.h"
#include "patterns/refuse.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* In the order of the handles' numbers, from 1. */
static const struct {
    const char *name;
    const struct star_pattern *pattern;
    enum star_operation operation; /* of collective operations */
} rows[] = {
    {"neighborhood", &star_pattern_neighborhood, STAR_OPERATIONS},
    {"alltoall", &star_pattern_collective, STAR_ALLTOALL},
    {"alltoallv", &star_pattern_collective, STAR_ALLTOALLV},
    {"allgather", &star_pattern_collective, STAR_ALLGATHER},
    {"allgatherv", &star_pattern_collective, STAR_ALLGATHERV},
    {"allreduce", &star_pattern_collective, STAR_ALLREDUCE},
    {"bcast", &star_pattern_collective, STAR_BCAST},
    {"reduce", &star_pattern_collective, STAR_REDUCE},
    {"reduce_scatter_block", &star_pattern_collective, STAR_REDUCE_SCATTER_BLOCK},
    {"reduce_scatter", &star_pattern_collective, STAR_REDUCE_SCATTER},
    {"gather", &star_pattern_collective, STAR_GATHER},
    {"gatherv", &star_pattern_collective, STAR_GATHERV},
    {"scatter", &star_pattern_collective, STAR_SCATTER},
    {"scatterv", &star_pattern_collective, STAR_SCATTERV},
    {"scan", &star_pattern_collective, STAR_SCAN},
    {"exscan", &star_pattern_collective, STAR_EXSCAN},
    {"barrier", &star_pattern_collective, STAR_BARRIER},
    {"ibcast", &star_pattern_nonblocking, STAR_BCAST},
    {"ialltoall", &star_pattern_nonblocking, STAR_ALLTOALL},
    {"iallgather", &star_pattern_nonblocking, STAR_ALLGATHER},
    {"ireduce", &star_pattern_nonblocking, STAR_REDUCE},
};
enum { ROWS = sizeof rows / sizeof *rows };

static struct star_fnctset *sets[ROWS]; /* they stay until the program ends */

static struct star_fnctset *make(int row)
{
    /* Never destroyed: nobody gives the first reference back. */
    struct star_fnctset *made = star_object_new(STAR_KIND_FNCTSET, sizeof *made, NULL);
    if (made == NULL)
        return NULL;
    star_name_copy(made->name, rows[row].name, NULL, 0);
    made->pattern = rows[row].pattern;
    made->operation = rows[row].operation;
    if (made->pattern->fill(made))
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

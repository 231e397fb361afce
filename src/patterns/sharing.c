/* SPDX-License-Identifier: BSD-3-Clause
 * Requests that are alike share one choice, so that what one of them learns serves the others: those of one
 * function-set, on one communicator with the same neighbours, with vectors of the same shape, that are
 * measured in the same way. Each rank looks among its own choices; one is shared where all ranks have found
 * the same. Since they count runs together, all ranks begin and end the requests that share in one order, and
 * in no two threads at once: what MPI asks for of collective calls on one communicator, and not of calls on
 * several, nor of requests that each rank has by itself. */
#include "patterns/sharing.h"
#include "functions/forced.h"
#include "functions/object.h"
#include "patterns/attribute.h"
#include "patterns/choice.h"
#include "patterns/pattern_own.h"
#include "patterns/refuse.h"
#include "patterns/report.h"
#include "runtime/agree.h"
#include "runtime/call.h"
#include "runtime/session.h"
#include "tuner/candidates.h"
#include "util/hash.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

/* All that live. */
static struct star_choice *choices;
static pthread_mutex_t choices_lock = PTHREAD_MUTEX_INITIALIZER;

static void link_choice(struct star_choice *choice)
{
    pthread_mutex_lock(&choices_lock);
    choice->next = choices;
    if (choices != NULL)
        choices->previous = choice;
    choices = choice;
    pthread_mutex_unlock(&choices_lock);
}

static void unlink_choice(struct star_choice *choice)
{
    pthread_mutex_lock(&choices_lock);
    if (choice->next != NULL)
        choice->next->previous = choice->previous;
    if (choice->previous != NULL)
        choice->previous->next = choice->next;
    else if (choices == choice)
        choices = choice->next;
    pthread_mutex_unlock(&choices_lock);
}

static void tell(const struct star_choice *choice)
{
    star_report_choice(choice);
    star_choice_keep(choice);
}

/* At the end of the program: what is known of requests that live. */
static void retire(void)
{
    for (const struct star_choice *choice = choices; choice != NULL; choice = choice->next)
        tell(choice);
}

/* With the last request that uses it. */
static void destroy_choice(struct star_object *object)
{
    struct star_choice *choice = (struct star_choice *)object;
    unlink_choice(choice);
    if (choice->fnctset != NULL)
        tell(choice);
    star_object_release(choice->fnctset);
    star_choice_empty(choice);
}

/* ------ What is alike */

static uint64_t mix(uint64_t hash, int64_t number)
{
    return star_hash_add(hash, (uint64_t)number);
}

static uint64_t mix_list(uint64_t hash, const int *list, int count)
{
    for (int i = 0; list != NULL && i < count; i++)
        hash = mix(hash, list[i]);
    return hash;
}

uint64_t star_request_hash(const struct star_request *request)
{
    const struct star_fnctset *set = request->fnctset;
    uint64_t hash = star_hash_text(star_hash_empty, set->name);
    hash = mix(mix(mix(hash, set->count), request->root), star_active_by_name);
    for (int i = 0; i < set->count; i++) {
        const struct star_function *function = set->functions[i];
        hash = star_hash_text(hash, function->name);
        hash = mix_list(hash, function->values, function->attrset ? function->attrset->count : 0);
    }
    return hash;
}

static uint64_t mix_vector(uint64_t hash, const struct star_vector *vector)
{
    if (vector == NULL)
        return mix(hash, -1);
    const struct star_vmap *map = vector->vmap;
    hash = mix_list(mix(hash, vector->ndims), vector->dims, vector->ndims);
    hash = mix(mix(mix(hash, vector->values), vector->element_bytes), vector->fortran);
    hash = mix(mix(mix(mix(hash, (int)map->map), map->width), map->sendcount), map->recvcount);
    return mix_list(mix_list(hash, map->counts, map->size), map->displs, map->size);
}

static uint64_t mix_topology(uint64_t hash, const struct star_process_topology *topology)
{
    if (topology == NULL)
        return mix(hash, -1);
    hash = mix(mix(mix(hash, topology->ndims), topology->pairs), topology->direction);
    return mix_list(mix_list(hash, topology->left, topology->pairs), topology->right, topology->pairs);
}

/* On this rank alone: function-sets of the program may be equal in all that they say of themselves. */
static uint64_t likeness_of(const struct star_request *request)
{
    uint64_t hash = mix(star_request_hash(request), (int64_t)(intptr_t)request->fnctset);
    hash = mix_topology(hash, request->topology);
    return mix(mix_vector(mix_vector(hash, request->send), request->receive), request->measure);
}

static bool has_ranks_of(MPI_Comm one, MPI_Comm other)
{
    int relation;
    return PMPI_Comm_compare(one, other, &relation) == MPI_SUCCESS &&
           (relation == MPI_IDENT || relation == MPI_CONGRUENT);
}

/* The program may have freed the communicator, and another one got its handle. */
static struct star_choice *find(const struct star_request *request, uint64_t likeness)
{
    pthread_mutex_lock(&choices_lock);
    struct star_choice *at = choices;
    while (at != NULL && (at->likeness != likeness || at->comm != request->topology->comm ||
                          !has_ranks_of(at->private->comm, request->comm) || !star_object_keep_living(at)))
        at = at->next;
    pthread_mutex_unlock(&choices_lock);
    return at;
}

/* ------ Making one */

/* The values of all functions' attributes, numbered in their order; more attributes than the tuner looks at
 * are left out. NULL when out of memory. */
static int16_t *make_traits(const struct star_fnctset *set, int *attributes)
{
    int count = set->attrset ? set->attrset->count : 0;
    count = count > STAR_ATTRIBUTES_MAX ? STAR_ATTRIBUTES_MAX : count;
    int16_t *made = malloc(((size_t)set->count * (size_t)count + 1) * sizeof *made);
    for (int i = 0; made != NULL && i < set->count; i++)
        for (int a = 0; a < count; a++)
            made[i * count + a] =
                (int16_t)star_attribute_place(set->attrset->attributes[a], set->functions[i]->values[a]);
    *attributes = count;
    return made;
}

static struct star_choice *make(struct star_request *request, uint64_t likeness)
{
    struct star_fnctset *set = request->fnctset;
    int groups[STAR_CANDIDATES_MAX];
    struct star_traits traits;
    /* Function-sets of the program may have any name. */
    bool forces = star_active_by_name && set->pattern != &star_pattern_own;
    int forced = forces ? star_forced_function(star_runtime.settings.force, set->name) : -1;
    int16_t *values = make_traits(set, &traits.attributes);
    traits.value = values;
    for (int i = 0; i < set->count; i++)
        groups[i] = set->pattern->group ? set->pattern->group(set->functions[i], i) : 0;
    struct star_choice *made = values ? star_choice_make(request->private, &star_functions_told, groups,
                                                         &traits, set->count, forced, destroy_choice)
                                      : NULL;
    free(values);
    if (made == NULL)
        return NULL;
    star_object_keep(set);
    made->fnctset = set;
    made->likeness = likeness;
    made->comm = request->topology ? request->topology->comm : MPI_COMM_NULL;
    made->bytes = set->pattern->bytes ? set->pattern->bytes(request) : STAR_BYTES_UNKNOWN;
    if (set->pattern->problem == NULL || !set->pattern->problem(request, made->problem, sizeof made->problem))
        made->problem[0] = 0;
    made->timer = made->subject.each = request->timer != NULL; /* whose regions all ranks must count alike */
    made->plain = request->measure == STAR_MEASURE_OWN;
    link_choice(made);
    return made;
}

/* No rank proposes a number twice. */
static int64_t proposal(void)
{
    static atomic_int made;
    return (int64_t)star_runtime.world_rank << 32 | atomic_fetch_add(&made, 1);
}

/* A new choice, where all ranks are ABLE to have one. */
static struct star_choice *make_together(struct star_request *request, uint64_t likeness, bool able)
{
    struct star_choice *made = able ? make(request, likeness) : NULL;
    star_weigher *weigh = request->fnctset->pattern->weigh;
    int64_t numbers[] = {made != NULL, proposal(),
                         made != NULL && weigh != NULL && star_choice_has_past(made)};
    bool equal[3];
    if (star_agree_equal(request->comm, numbers, equal, 3) && numbers[0] != 0) {
        made->id = numbers[1];
        if (numbers[2] != 0)
            star_choice_recall(made, weigh, NULL);
        return made;
    }
    star_object_release(made);
    return NULL;
}

/* The one that all ranks found; NULL: at least one found none, or another one. */
static struct star_choice *find_together(const struct star_request *request, uint64_t likeness, bool able)
{
    bool same;
    struct star_choice *found = find(request, likeness);
    if (star_agree(request->comm, able && found != NULL, found ? (uint64_t)found->id : 0, &same) && same)
        return found;
    star_object_release(found);
    return NULL;
}

bool star_request_join(struct star_request *request, bool able)
{
    uint64_t likeness = likeness_of(request);
    bool shares = star_active_by_name && request->fnctset->count > 1 && request->topology != NULL;
    struct star_choice *choice = shares ? find_together(request, likeness, able) : NULL;
    if (choice == NULL)
        choice = make_together(request, likeness, able);
    if (choice == NULL)
        return false;
    choice->requests++;
    star_object_release(request->choice);
    request->choice = choice;
    star_before_end = retire;
    return true;
}

int64_t star_measure_new(void)
{
    static atomic_int measures;
    return STAR_MEASURE_OTHERS + atomic_fetch_add(&measures, 1);
}

void star_request_remeasure(struct star_request *request)
{
    request->wanted = request->timer       ? request->timer->measure
                      : request->told_once ? STAR_MEASURE_TOLD
                                           : request->own_measure;
}

int star_request_rejoin(struct star_request *request, const char *call)
{
    request->measure = request->wanted;
    return star_request_join(request, true) ? STAR_SUCCESS : star_refuse_memory(call);
}

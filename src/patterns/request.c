/* SPDX-License-Identifier: BSD-3-Clause
 * Requests: made, and freed. request_run.c runs them. */
#include "patterns/report.h"
#include "patterns/patterns.h"
#include "runtime/agree.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* All that live. */
static struct star_request *requests;
static pthread_mutex_t requests_lock = PTHREAD_MUTEX_INITIALIZER;

static void link_request(struct star_request *request)
{
    pthread_mutex_lock(&requests_lock);
    request->next = requests;
    if (requests != NULL)
        requests->previous = request;
    requests = request;
    pthread_mutex_unlock(&requests_lock);
}

static void unlink_request(struct star_request *request)
{
    pthread_mutex_lock(&requests_lock);
    if (request->next != NULL)
        request->next->previous = request->previous;
    if (request->previous != NULL)
        request->previous->next = request->next;
    else if (requests == request)
        requests = request->next;
    pthread_mutex_unlock(&requests_lock);
}

/* At the end of the program: what live requests have learnt goes into the report. */
static void retire(void)
{
    for (const struct star_request *request = requests; request != NULL; request = request->next)
        star_report_request(request);
}

bool star_request_agrees(const struct star_request *request, bool ok)
{
    bool same;
    return star_agree(request->comm, ok, 0, &same);
}

/* Collective: what STAR_Request_free, or a creation that failed, takes back. */
static void destroy_request(struct star_object *object)
{
    struct star_request *request = (struct star_request *)object;
    if (request->timer != NULL)
        star_timer_forget(request->timer, request);
    if (request->state != NULL)
        request->fnctset->pattern->free(request);
    star_choice_free(&request->choice);
    if (request->comm != MPI_COMM_NULL)
        PMPI_Comm_free(&request->comm);
    star_object_release(request->send);
    star_object_release(request->receive);
    star_object_release(request->topology);
    star_object_release(request->fnctset);
}

static uint64_t mix(uint64_t hash, int number)
{
    return (hash ^ (uint64_t)number) * 1099511628211u;
}

static uint64_t mix_text(uint64_t hash, const char *text)
{
    for (; *text != 0; text++)
        hash = mix(hash, *text);
    return hash;
}

/* The same on all ranks that may make the request together. */
static uint64_t hash_of(const struct star_request *request)
{
    const struct star_fnctset *set = request->fnctset;
    uint64_t hash = mix_text(14695981039346656037u, set->name);
    hash = mix(mix(mix(hash, set->count), request->root), star_active_by_name);
    for (int i = 0; i < set->count; i++) {
        const struct star_function *function = set->functions[i];
        hash = mix_text(hash, function->name);
        for (int a = 0; function->attrset != NULL && a < function->attrset->count; a++)
            hash = mix(hash, function->values[a]);
    }
    return hash;
}

/* The private communicator, where all ranks found their arguments good. ERROR: what this rank found. */
static int make_private(struct star_request *request, int error, const char *call)
{
    struct star_agreed agreed;
    if (request->topology == NULL) {
        if (error == STAR_SUCCESS && !star_agree_alone(&request->comm))
            error = star_refuse(STAR_ERR_INTERN, call, "MPI makes no communicator");
        return error;
    }
    uint64_t hash = error == STAR_SUCCESS ? hash_of(request) : 0;
    int failed = star_agree_private(request->topology->comm, error == STAR_SUCCESS, false, hash, &agreed,
                                    &request->comm);
    if (error != STAR_SUCCESS)
        return error;
    if (!agreed.able)
        return star_refuse_others(call);
    if (failed)
        return star_refuse(STAR_ERR_INTERN, call, "MPI makes no communicator");
    if (!agreed.same)
        return star_refuse(STAR_ERR_FNCTSET, call,
                           "function-set %s, its functions or root are not the same on all ranks",
                           request->fnctset->name);
    return STAR_SUCCESS;
}

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

static bool make_choice(struct star_request *request)
{
    const struct star_fnctset *set = request->fnctset;
    int groups[STAR_CANDIDATES_MAX];
    struct star_traits traits;
    int16_t *values = make_traits(set, &traits.attributes);
    traits.value = values;
    for (int i = 0; i < set->count; i++)
        groups[i] = set->pattern->group ? set->pattern->group(set->functions[i], i) : 0;
    bool made = values && star_choice_make(&request->choice, request->comm, groups, &traits, set->count);
    free(values);
    return made;
}

/* The last step, which all ranks take or none: a request that one rank alone does not have could be neither
 * run nor freed. */
static int finish(struct star_request *made, const char *call)
{
    intptr_t handle = make_choice(made) ? star_handle_new(&made->object) : 0;
    if (star_request_agrees(made, handle != 0)) {
        memcpy(&made->handle, &handle, sizeof handle);
        return STAR_SUCCESS;
    }
    if (handle != 0)
        star_handle_drop(handle);
    return star_refuse(STAR_ERR_MEMORY, call, "there is no memory, or no handle, for one more on %s",
                       handle != 0 ? "another rank" : "this rank");
}

/* Fills in what the handles stand for, each with a reference of its own. */
static int resolve(struct star_request *request, STAR_Vector send, STAR_Vector receive, STAR_Fnctset fnctset,
                   const char *call)
{
    int error = star_vector_of(send, &request->send, call, "send");
    if (error == STAR_SUCCESS && request->send != NULL)
        star_object_keep(request->send);
    if (error == STAR_SUCCESS)
        error = star_vector_of(receive, &request->receive, call, "receive");
    if (error == STAR_SUCCESS && request->receive == NULL)
        request->receive = request->send;
    if (error == STAR_SUCCESS && request->receive != NULL)
        star_object_keep(request->receive);
    if (error == STAR_SUCCESS && (request->fnctset = star_fnctset_of(fnctset, call, "fnctset")) == NULL)
        error = STAR_ERR_FNCTSET;
    int size = request->topology ? request->topology->size : 1;
    if (error == STAR_SUCCESS && (request->root < 0 || request->root >= size))
        error = star_refuse(STAR_ERR_ARG, call, "root is %d, which is no rank of %d", request->root, size);
    const struct star_pattern *pattern = error == STAR_SUCCESS ? request->fnctset->pattern : NULL;
    return pattern && pattern->check ? pattern->check(request, call) : error;
}

static int make_request(struct star_request *made, STAR_Vector send, STAR_Vector receive,
                        STAR_Fnctset fnctset, const char *call)
{
    int error = make_private(made, resolve(made, send, receive, fnctset, call), call);
    if (error == STAR_SUCCESS && made->fnctset->pattern->make != NULL)
        error = made->fnctset->pattern->make(made, call);
    return error == STAR_SUCCESS ? finish(made, call) : error;
}

/* This rank makes none. The others wait for its word. */
static int decline(struct star_process_topology *topology, int error)
{
    struct star_agreed agreed;
    MPI_Comm none;
    if (topology != NULL)
        star_agree_private(topology->comm, false, false, 0, &agreed, &none);
    star_object_release(topology);
    return error;
}

static int create(STAR_Vector send, STAR_Vector receive, STAR_Topology topology, STAR_Fnctset fnctset,
                  int root, STAR_Request *request, const char *call)
{
    struct star_process_topology *on = NULL;
    if (topology != STAR_TOPOLOGY_NULL) {
        on = star_object_of(STAR_KIND_TOPOLOGY, topology, call, "topology");
        if (on == NULL)
            return STAR_ERR_TOPOLOGY;
        star_object_keep(on);
    }
    if (!star_active_by_name)
        star_start_by_name();
    if (request == NULL)
        return decline(on, star_refuse(STAR_ERR_ARG, call, "request is NULL"));
    struct star_request *made = star_object_new(STAR_KIND_REQUEST, sizeof *made, destroy_request);
    if (made == NULL)
        return decline(on, star_refuse_memory(call));
    made->topology = on;
    made->comm = MPI_COMM_NULL;
    made->root = root;
    made->told = -1;
    int error = make_request(made, send, receive, fnctset, call);
    if (error != STAR_SUCCESS) {
        star_object_release(made);
        return error;
    }
    *request = made->handle;
    star_before_end = retire;
    link_request(made);
    return STAR_SUCCESS;
}

STAR_EXPORT int STAR_Request_create(STAR_Vector vector, STAR_Topology topology, STAR_Fnctset fnctset,
                                    STAR_Request *request)
{
    return create(vector, vector, topology, fnctset, 0, request, __func__);
}

STAR_EXPORT int STAR_Request_create_generic(STAR_Vector send, STAR_Vector receive, STAR_Topology topology,
                                            STAR_Fnctset fnctset, STAR_Request *request)
{
    return create(send, receive, topology, fnctset, 0, request, __func__);
}

STAR_EXPORT int STAR_Request_create_generic_rooted(STAR_Vector send, STAR_Vector receive,
                                                   STAR_Topology topology, STAR_Fnctset fnctset, int root,
                                                   STAR_Request *request)
{
    return create(send, receive, topology, fnctset, root, request, __func__);
}

STAR_EXPORT int STAR_Request_free(STAR_Request *request)
{
    if (request == NULL)
        return star_refuse(STAR_ERR_ARG, __func__, "request is NULL");
    struct star_request *found = star_object_of(STAR_KIND_REQUEST, *request, __func__, "request");
    if (found == NULL)
        return STAR_ERR_REQUEST;
    if (found->active || found->inside)
        return star_refuse(STAR_ERR_REQUEST, __func__, "request (function-set %s) is under way",
                           found->fnctset->name);
    unlink_request(found);
    star_report_request(found);
    return star_object_free(STAR_KIND_REQUEST, request, __func__, "request");
}

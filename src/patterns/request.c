/* SPDX-License-Identifier: BSD-3-Clause
 * Requests: made, and freed. request_run.c runs them. */
#include "patterns/request.h"
#include "functions/object.h"
#include "patterns/choice.h"
#include "patterns/predefined.h"
#include "patterns/refuse.h"
#include "patterns/sharing.h"
#include "patterns/timer.h"
#include "patterns/vector.h"
#include "runtime/agree.h"
#include "runtime/session.h"
#include "runtime/settle.h"
#include "runtime/start.h"
#include "util/export.h"

#include <stdlib.h>
#include <string.h>

/* Collective: what STAR_Request_free, or a creation that failed, takes back. */
static void destroy_request(struct star_object *object)
{
    struct star_request *request = (struct star_request *)object;
    if (request->timer != NULL)
        star_timer_forget(request->timer, request);
    if (request->state != NULL)
        request->fnctset->pattern->free(request);
    star_object_release(request->choice);
    star_object_release(request->private);
    star_object_release(request->send);
    star_object_release(request->receive);
    star_object_release(request->topology);
    star_object_release(request->fnctset);
}

static void destroy_private(struct star_object *object)
{
    struct star_private *private = (struct star_private *)object;
    if (private->comm != MPI_COMM_NULL)
        PMPI_Comm_free(&private->comm);
}

/* The private communicator, where all ranks found their arguments good. ERROR: what this rank found. */
static int make_private(struct star_request *request, int error, const char *call)
{
    struct star_agreed agreed;
    struct star_private *made = star_object_new(STAR_KIND_NONE, sizeof *made, destroy_private);
    request->private = made;
    if (error == STAR_SUCCESS && made == NULL)
        error = star_refuse_memory(call);
    if (made != NULL)
        made->comm = MPI_COMM_NULL;
    if (request->topology == NULL) {
        if (error == STAR_SUCCESS && !star_agree_alone(&made->comm))
            error = star_refuse(STAR_ERR_INTERN, call, "MPI makes no communicator");
        return error;
    }
    uint64_t hash = error == STAR_SUCCESS ? star_request_hash(request) : 0;
    star_settle_on(request->topology->comm);
    int failed = star_agree_private(request->topology->comm, error == STAR_SUCCESS, false, hash, &agreed,
                                    made ? &made->comm : &request->comm);
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

/* The last step, which all ranks take or none: a request that one rank alone does not have could be neither
 * run nor freed. */
static int finish(struct star_request *made, const char *call)
{
    intptr_t handle = star_handle_new(&made->object);
    if (star_request_join(made, handle != 0)) {
        memcpy(&made->handle, &handle, sizeof handle);
        return STAR_SUCCESS;
    }
    if (handle != 0)
        star_handle_drop(handle);
    return star_refuse(STAR_ERR_MEMORY, call, "a rank has no memory, or no handle, for one more");
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
    made->comm = made->private ? made->private->comm : MPI_COMM_NULL;
    if (error == STAR_SUCCESS && made->fnctset->pattern->make != NULL)
        error = made->fnctset->pattern->make(made, call);
    return error == STAR_SUCCESS ? finish(made, call) : error;
}

/* This rank makes none. The others wait for its word. */
static int decline(struct star_process_topology *topology, int error)
{
    struct star_agreed agreed;
    MPI_Comm none;
    if (topology != NULL) {
        star_settle_on(topology->comm);
        star_agree_private(topology->comm, false, false, 0, &agreed, &none);
    }
    star_object_release(topology);
    return error;
}

/* With a reference for the caller; NULL: refused. */
static struct star_process_topology *keep_topology(STAR_Topology topology, const char *call)
{
    struct star_process_topology *on = star_object_of(STAR_KIND_TOPOLOGY, topology, call, "topology");
    if (on != NULL)
        star_object_keep(on);
    return on;
}

int star_request_decline(STAR_Topology topology, int error, const char *call)
{
    if (!star_active_by_name)
        star_start_by_name();
    return decline(keep_topology(topology, call), error);
}

static int create(STAR_Vector send, STAR_Vector receive, STAR_Topology topology, STAR_Fnctset fnctset,
                  int root, STAR_Request *request, const char *call)
{
    struct star_process_topology *on = NULL;
    if (topology != STAR_TOPOLOGY_NULL && (on = keep_topology(topology, call)) == NULL)
        return STAR_ERR_TOPOLOGY;
    if (!star_active_by_name)
        star_start_by_name();
    if (request == NULL)
        return decline(on, star_refuse(STAR_ERR_ARG, call, "request is NULL"));
    struct star_request *made = star_object_new(STAR_KIND_REQUEST, sizeof *made, destroy_request);
    if (made == NULL)
        return decline(on, star_refuse_memory(call));
    made->topology = on;
    made->ready = -1;
    made->root = root;
    made->told = -1;
    int error = make_request(made, send, receive, fnctset, call);
    if (error != STAR_SUCCESS) {
        star_object_release(made);
        return error;
    }
    *request = made->handle;
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
    if (star_request_is_under_way(found))
        return star_refuse(STAR_ERR_REQUEST, __func__, "request (function-set %s) is under way",
                           found->fnctset->name);
    return star_object_free(STAR_KIND_REQUEST, request, __func__, "request");
}

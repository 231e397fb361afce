/* SPDX-License-Identifier: BSD-3-Clause
 * Collective operations that overlap computation. Three ways: the MPI library's nonblocking operation; a
 * method of startune's, whose plan goes on in pieces; or the tuned blocking operation. The first two are
 * begun by init, and go on in as many calls of STAR_Request_progress as the attribute `progress` says. The
 * third is done in init, all of it: that is the one call which all ranks make in one order, while progress is
 * called by some ranks more often than by others, or not at all. */
#include "algorithms/method.h"
#include "algorithms/operations.h"
#include "exec/execute.h"
#include "exec/own.h"
#include "exec/run.h"
#include "exec/runner.h"
#include "functions/overlap.h"
#include "patterns/agrees.h"
#include "patterns/attribute.h"
#include "patterns/collective.h"
#include "patterns/fill.h"
#include "patterns/patterns.h"
#include "patterns/refuse.h"
#include "plan/plan.h"
#include "runtime/call.h"
#include "runtime/operations.h"
#include "runtime/runners.h"
#include "runtime/session.h"
#include "runtime/state.h"

#include <stdlib.h>
#include <string.h>

enum { PLANS = STAR_OVERLAP_CALLS - STAR_FIRST_PLAN };

struct nonblocking {
    const struct star_overlap *functions;
    struct star_call call;
    MPI_Request request;
    struct star_buffers buffers;        /* of plans */
    struct star_runner *runners[PLANS]; /* NULL until they first run */
    struct star_run run;                /* of the plan that is under way */
};

static STAR_Attribute call_attribute(const struct star_overlap *functions, int count)
{
    int values[STAR_OVERLAP_CALLS];
    char words[STAR_OVERLAP_CALLS][STAR_MAX_NAME], *names[STAR_OVERLAP_CALLS];
    STAR_Attribute made = STAR_ATTRIBUTE_NULL;
    for (int i = 0; i < count; i++) {
        int call = functions[i].value[STAR_BY_CALL];
        values[call] = call;
        star_name_copy(words[call], functions[i].name, NULL, 0);
        words[call][strcspn(words[call], ",")] = 0;
        names[call] = words[call];
    }
    STAR_Attribute_create(STAR_OVERLAP_CALLS, values, names, "call", &made);
    return made;
}

static bool fill(struct star_fnctset *fnctset)
{
    static char *const progress_names[] = {"each", "eighth", "rarely"};
    int count = 0;
    const struct star_overlap *functions = star_overlaps_of(fnctset->name, &count);
    STAR_Attribute attributes[STAR_OVERLAP_ATTRIBUTES] = {STAR_ATTRIBUTE_NULL, STAR_ATTRIBUTE_NULL};
    attributes[STAR_BY_CALL] = call_attribute(functions, count);
    STAR_Attribute_create(3, (int[]){1, 8, 64}, progress_names, "progress", &attributes[STAR_BY_PROGRESS]);
    fnctset->attrset = star_predefined_attrset(STAR_OVERLAP_ATTRIBUTES, attributes);
    for (int i = 0; fnctset->attrset != NULL && i < count; i++)
        if (star_predefined_function(fnctset, functions[i].name, functions[i].value, true) == NULL)
            return false;
    return fnctset->attrset != NULL;
}

static int make(struct star_request *request, const char *call)
{
    int count;
    struct nonblocking *made = calloc(1, sizeof *made);
    request->state = made;
    if (made != NULL) {
        made->functions = star_overlaps_of(request->fnctset->name, &count);
        made->call = star_collective_call(request);
        made->request = MPI_REQUEST_NULL;
    }
    return star_request_agrees(request, made != NULL) ? STAR_SUCCESS : star_refuse_memory(call);
}

static int group(const struct star_function *function, int number)
{
    (void)number;
    return function->values[STAR_BY_CALL];
}

static int call_of(const struct star_request *request, int function)
{
    const struct nonblocking *state = request->state;
    return state->functions[function].value[STAR_BY_CALL];
}

/* What this rank needs to run METHOD in pieces; NULL: it cannot. */
static struct star_runner *make_runner(struct star_request *request, const char *spelling)
{
    struct nonblocking *state = request->state;
    struct star_communicator ranks = {.size = request->topology->size, .rank = request->topology->rank};
    struct star_facts facts = {.granule = 1, .commutative = true};
    const struct star_server *server = &star_servers[state->call.operation];
    struct star_method method;
    struct star_plan *plan;
    if (!server->facts(&state->call, &ranks, &facts) || facts.in_place ||
        server->buffers(&state->call, &ranks, &facts, &state->buffers) != MPI_SUCCESS ||
        star_method_parse(spelling, &method, NULL) != 0)
        return NULL;
    struct star_shape shape = star_shape_for(&ranks, state->call.operation, &facts);
    if (star_method_applies(&method, &shape, NULL) != 0 ||
        star_method_plan(&method, &shape, star_memory_most(), &plan, NULL) != 0)
        return NULL;
    struct star_runner *made = star_runner_new(plan);
    if (made != NULL && !star_execute_in_pieces(made)) {
        star_runner_free(made);
        return NULL;
    }
    return made;
}

static int prepare(struct star_request *request, int function)
{
    struct nonblocking *state = request->state;
    const char *method = state->functions[function].method;
    if (method == NULL)
        return STAR_SUCCESS;
    struct star_runner **runner = &state->runners[call_of(request, function) - STAR_FIRST_PLAN];
    if (*runner != NULL)
        return STAR_SUCCESS;
    *runner = make_runner(request, method);
    if (star_request_agrees(request, *runner != NULL))
        return STAR_SUCCESS;
    star_runner_free(*runner);
    *runner = NULL;
    return STAR_ERR_INTERN;
}

static int begin(const struct star_call *c, MPI_Comm comm, MPI_Request *request)
{
    switch (c->operation) {
    case STAR_BCAST:
        return STAR_BEGIN_BCAST(c->recvbuf, (int)c->recvcount, c->recvtype, c->root, comm, request);
    case STAR_ALLTOALL:
        return STAR_BEGIN_ALLTOALL(c->sendbuf, (int)c->sendcount, c->sendtype, c->recvbuf, (int)c->recvcount,
                                   c->recvtype, comm, request);
    case STAR_ALLGATHER:
        return STAR_BEGIN_ALLGATHER(c->sendbuf, (int)c->sendcount, c->sendtype, c->recvbuf, (int)c->recvcount,
                                    c->recvtype, comm, request);
    default:
        return STAR_BEGIN_REDUCE(c->sendbuf, c->recvbuf, (int)c->recvcount, c->recvtype, c->op, c->root, comm,
                                 request);
    }
}

static int init(struct star_request *request, int function, const char *call)
{
    struct nonblocking *state = request->state;
    int way = call_of(request, function), error;
    const struct star_route route = star_route_alone(request->comm);
    bool done;
    if (way == STAR_BLOCKING)
        error = star_collective_run(&state->call);
    else if (way == STAR_NONBLOCKING)
        error = begin(&state->call, request->comm, &state->request);
    else
        error = star_execute_begin(&state->run, state->runners[way - STAR_FIRST_PLAN], &state->buffers,
                                   &route, &done);
    return star_collective_result(request, error, call);
}

static int progress(struct star_request *request, int function, bool *done)
{
    struct nonblocking *state = request->state;
    int way = call_of(request, function), flag = way == STAR_BLOCKING, error = MPI_SUCCESS;
    bool due = request->asked % state->functions[function].value[STAR_BY_PROGRESS] == 0, over = false;
    if (due && way == STAR_NONBLOCKING)
        error = PMPI_Test(&state->request, &flag, MPI_STATUS_IGNORE);
    else if (due && way >= STAR_FIRST_PLAN)
        error = star_execute_progress(&state->run, &over);
    *done = flag || over;
    return error == MPI_SUCCESS ? STAR_SUCCESS : STAR_ERR_INTERN;
}

static int wait_for(struct star_request *request, int function, const char *call)
{
    struct nonblocking *state = request->state;
    int error = call_of(request, function) >= STAR_FIRST_PLAN ? star_execute_finish(&state->run)
                                                              : PMPI_Wait(&state->request, MPI_STATUS_IGNORE);
    return star_collective_result(request, error, call);
}

static void free_state(struct star_request *request)
{
    struct nonblocking *state = request->state;
    for (int i = 0; i < PLANS; i++)
        star_runner_free(state->runners[i]);
    free(state);
}

const struct star_pattern star_pattern_nonblocking = {.fill = fill,
                                                      .check = star_collective_check,
                                                      .make = make,
                                                      .group = group,
                                                      .prepare = prepare,
                                                      .init = init,
                                                      .progress = progress,
                                                      .wait = wait_for,
                                                      .free = free_state};

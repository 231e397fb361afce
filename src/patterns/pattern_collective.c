/* SPDX-License-Identifier: BSD-3-Clause
 * MPI's blocking collective operations as function-sets: a request is a call by its STAR_ name, which is
 * tuned where all such calls are; so what one request learnt, others with the same bytes know too. It shows
 * one function: what startune runs now. */
#include "algorithms/method.h"
#include "patterns/agrees.h"
#include "patterns/collective.h"
#include "patterns/fill.h"
#include "patterns/patterns.h"
#include "patterns/refuse.h"
#include "runtime/call.h"
#include "runtime/communicator.h"
#include "runtime/operations.h"
#include "runtime/session.h"
#include "runtime/siblings.h"
#include "runtime/state.h"

#include <stdio.h>
#include <stdlib.h>

static bool fill(struct star_fnctset *fnctset)
{
    return star_predefined_function(fnctset, fnctset->name, NULL, false) != NULL;
}

static int make(struct star_request *request, const char *call)
{
    struct star_call *made = malloc(sizeof *made);
    request->state = made;
    if (made != NULL)
        *made = star_collective_call(request);
    return star_request_agrees(request, made != NULL) ? STAR_SUCCESS : star_refuse_memory(call);
}

static int init(struct star_request *request, int function, const char *call)
{
    (void)function;
    return star_collective_result(request, star_collective_run(request->state), call);
}

static int progress(struct star_request *request, int function, bool *done)
{
    (void)request, (void)function;
    *done = true;
    return STAR_SUCCESS;
}

static void free_state(struct star_request *request)
{
    free(request->state);
}

/* The context that its calls have; NULL: the MPI library's own runs. */
static const struct star_context *context_of(const struct star_call *call)
{
    struct star_communicator *state = NULL;
    struct star_facts facts = {.granule = 1, .commutative = true};
    if (!star_active_by_name || star_communicator_of(call->comm, &state) != MPI_SUCCESS || state == NULL ||
        state->native_only || !state->tuned || !star_servers[call->operation].facts(call, state, &facts))
        return NULL;
    return star_contexts_find(&state->contexts, call->operation, &facts, 0);
}

static void describe(const struct star_request *request, char *name)
{
    char text[STAR_METHOD_TEXT];
    const struct star_context *context = context_of(request->state);
    struct star_method method = star_native_of(request->fnctset->operation);
    if (context != NULL)
        method = context->candidates.at[context->subject.now];
    snprintf(name, STAR_MAX_NAME, "%s", star_method_format(&method, text, sizeof text));
}

const struct star_pattern star_pattern_collective = {.fill = fill,
                                                     .check = star_collective_check,
                                                     .make = make,
                                                     .init = init,
                                                     .progress = progress,
                                                     .free = free_state,
                                                     .describe = describe};

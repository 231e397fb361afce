/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/beginning.h"
#include "algorithms/methods.h"
#include "algorithms/operations.h"
#include "exec/general.h"
#include "runtime/backlog.h"
#include "runtime/begun.h"
#include "runtime/nodes.h"
#include "runtime/notice.h"
#include "runtime/opening.h"
#include "runtime/operations.h"
#include "runtime/policy.h"
#include "runtime/samples.h"
#include "runtime/serve.h"
#include "runtime/session.h"
#include "runtime/shown.h"
#include "runtime/sound.h"
#include "util/clock.h"

#include <stdlib.h>
#include <string.h>

/* Which calls. All of this is the same on all ranks. */

/* Those that no rank can end before all have begun them, of whose lengths all know. */
static bool is_of_kind(const struct star_call *call)
{
    return star_operation_awaits_all(call->operation) && call->operation != STAR_ALLTOALLV;
}

/* Without a block from some rank there is no need to wait for it. */
static bool has_all_blocks(const struct star_call *call, int size)
{
    bool lists = call->operation == STAR_ALLGATHERV || call->operation == STAR_REDUCE_SCATTER;
    for (int k = 0; lists && k < size; k++)
        if (star_count_at(call->large, call->recvcounts, k) == 0)
            return false;
    return true;
}

static bool is_left_alone(enum star_operation operation)
{
    return star_operations[operation].expected.reduces &&
           star_runtime.settings.reproducible != STAR_REPRODUCIBLE_OFF;
}

/* Nodes: else short calls may go by a board. */
static bool is_of_several(struct star_communicator *state, MPI_Comm comm)
{
    if (!state->counted)
        state->several = star_nodes_differ(comm, state->size);
    state->counted = true;
    return state->several;
}

static bool is_served(const struct star_call *call, struct star_communicator *state, struct star_facts *facts)
{
    *facts = (struct star_facts){.granule = 1, .commutative = true};
    return !is_left_alone(call->operation) && star_servers[call->operation].facts(call, state, facts) &&
           has_all_blocks(call, state->size) && !facts->own_operator &&
           !(facts->in_place && call->operation == STAR_ALLTOALL) &&
           (!star_notice_fits(call->operation, facts->bytes, state->size) ||
            star_runtime.settings.nonblocking == STAR_NONBLOCKING_TURNS || is_of_several(state, call->comm));
}

/* Collectives of neighbours, which are not put off, would begin in another order. */
static bool has_neighbours(MPI_Comm comm)
{
    int topology;
    return PMPI_Topo_test(comm, &topology) != MPI_SUCCESS || topology != MPI_UNDEFINED;
}

static bool is_possible(const struct star_communicator *state, MPI_Comm comm)
{
    const struct star_settings *settings = &star_runtime.settings;
    return settings->nonblocking != STAR_NONBLOCKING_NATIVE &&
           settings->nonblocking != STAR_NONBLOCKING_SHARED && !settings->verify && !state->checked &&
           star_runtime.messages != MPI_COMM_NULL && state->id > 0 && state->size > 1 &&
           star_general_begin(star_backlog_poll, star_runtime.messages, star_runtime.crowded,
                              star_runtime.threads) &&
           star_general_hook(star_backlog_poll) && !has_neighbours(comm);
}

/* What a rank gets, and gives. */
static int64_t bytes_of_all(const struct star_background_context *context, int size)
{
    return context->facts.bytes * star_operation_blocks(context->operation, size);
}

static struct star_turns_pace pace_of(const struct star_background_context *context, int size)
{
    enum { LONG = 64 << 10 };
    bool forced = star_methods_first(&star_runtime.force, context->operation) != NULL;
    if (forced || star_runtime.settings.nonblocking == STAR_NONBLOCKING_TURNS)
        return (struct star_turns_pace){.before = 2, .length = 3, .visit = 2};
    if (bytes_of_all(context, size) >= LONG)
        return (struct star_turns_pace){.before = 8, .length = 8, .visit = 3};
    return (struct star_turns_pace){.before = 128, .length = 32, .visit = 4};
}

/* Has this rank what it needs? The ranks' list outlives the communicator. */
static bool open(struct star_background *of, MPI_Comm comm)
{
    struct star_communicator *state = of->state;
    size_t bytes = (size_t)of->size * sizeof *of->ranks;
    star_communicator_open(state, comm);
    of->opened = true;
    of->route = state->route;
    if (of->route.ranks != NULL && of->ranks == NULL && (of->ranks = malloc(bytes)) != NULL)
        memcpy(of->ranks, of->route.ranks, bytes);
    bool has_ranks = of->route.ranks == NULL || of->ranks != NULL;
    of->route.ranks = of->ranks;
    return has_ranks && state->able && !state->devices && of->route.tag >= 0;
}

static struct star_background_context *new_context(struct star_background *of, const struct star_call *call,
                                                   const struct star_facts *facts)
{
    struct star_background_context *made = star_backlog_context(of);
    if (made == NULL)
        return NULL;
    made->operation = call->operation;
    made->facts = *facts;
    made->facts.wrong = false;
    made->ended = -1;
    made->began = star_now();
    made->telling = MPI_REQUEST_NULL;
    const struct star_turns_pace pace = pace_of(made, of->size);
    star_turns_begin(&made->turns, 1, &pace);
    made->turns.rotates = star_runtime.settings.nonblocking == STAR_NONBLOCKING_TURNS;
    return made;
}

/* The one that came last stands first. */
static struct star_background_context *context_of(struct star_background *of, const struct star_call *call,
                                                  const struct star_facts *facts)
{
    struct star_background_context **link = &of->contexts, *context;
    while ((context = *link) != NULL &&
           (context->operation != call->operation || context->facts.bytes != facts->bytes ||
            context->facts.granule != facts->granule || context->facts.in_place != facts->in_place ||
            context->facts.commutative != facts->commutative))
        link = &context->next;
    if (context == NULL)
        return new_context(of, call, facts);
    *link = context->next;
    context->next = of->contexts;
    of->contexts = context;
    return context;
}

/* MPI error code, raised nowhere. */
static int put_off(struct star_background *of, struct star_background_context *context, int64_t number,
                   int candidate, const struct star_call *call, const struct star_facts *facts,
                   MPI_Request *request)
{
    int error = star_backlog_add(of, context, number, candidate, call, facts, request);
    if (candidate == STAR_TURN_NONE && of->first != NULL && context->tuned != NULL) /* it has not begun */
        star_samples_forget(context->tuned->sampled, STAR_TURNS_MOST);
    star_samples_began();
    return error;
}

static enum star_beginning serve(struct star_background *of, const struct star_call *call,
                                 const struct star_facts *facts, MPI_Request *request, int *error)
{
    struct star_background_context *context = context_of(of, call, facts);
    int candidate = STAR_TURN_NONE;
    bool timed = false;
    if (context == NULL)
        return STAR_NOT_SERVED;
    int64_t number = context->calls++;
    if (number == context->turns.pace.before && !of->opened)
        of->able = open(of, call->comm);
    if (of->first == NULL)
        candidate = star_background_candidate(of, context, number, &timed);
    if (timed && context->tuned != NULL)
        star_samples_try(&context->tuned->sampled[candidate], false);
    if (candidate == 0)
        return STAR_IS_NATIVES;
    *error = put_off(of, context, number, candidate, call, facts, request);
    if (*error != STAR_BACKLOG_FULL)
        return STAR_HAS_BEGUN;
    if (candidate == STAR_TURN_NONE)
        candidate = star_backlog_await(of, context, number);
    else
        of->plans++;
    *error = candidate == 0 ? MPI_SUCCESS : MPI_ERR_NO_MEM;
    return candidate == 0 ? STAR_IS_NATIVES : STAR_HAS_BEGUN;
}

enum star_beginning star_beginning_serve(const struct star_call *call, struct star_communicator *state,
                                         MPI_Request *request, int *error)
{
    struct star_facts facts;
    enum star_beginning way = STAR_NOT_SERVED;
    *error = MPI_SUCCESS;
    bool by_board = state->begun != NULL && state->begun->fits; /* it may go, and does natively now */
    if (request == NULL || state->background_natively || by_board || !is_of_kind(call))
        return way;
    star_notices_lock();
    if (!state->background_found)
        state->background_natively = !is_possible(state, call->comm);
    state->background_found = true;
    if (state->background_natively || !is_served(call, state, &facts)) {
        star_notices_unlock();
        return way;
    }
    star_samples_end();
    if (state->background == NULL)
        state->background = star_backlog_new(state, call->comm);
    state->background_natively = state->background == NULL;
    if (state->background != NULL)
        way = serve(state->background, call, &facts, request, error);
    star_notices_unlock();
    star_raise(call, *error); /* to a handler of the program's, which may never return */
    return way;
}

static bool is_refused(const struct star_call *call, const struct star_communicator *state)
{
    return (int)call->operation != STAR_ERRAND_IDUP && !star_call_is_sound(call, state);
}

bool star_beginning_joins(const struct star_call *call, struct star_communicator *state, MPI_Request *request,
                          int *error)
{
    star_notices_lock();
    struct star_background *of = state->background;
    bool joins = of != NULL && of->first != NULL && request != NULL && !is_refused(call, state);
    *error = joins ? star_backlog_add(of, NULL, 0, STAR_TURN_NONE, call, NULL, request) : MPI_SUCCESS;
    if (*error == STAR_BACKLOG_FULL) {
        joins = star_backlog_await(of, NULL, 0) != 0;
        *error = MPI_SUCCESS;
    }
    star_notices_unlock();
    star_raise(call, *error);
    return joins;
}

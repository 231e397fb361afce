/* SPDX-License-Identifier: BSD-3-Clause */
#include "patterns/exchange.h"
#include "algorithms/method.h"
#include "exec/library.h"
#include "halo/script.h"
#include "patterns/border.h"
#include "patterns/placing.h"
#include "patterns/transfer.h"
#include "patterns/transfer_messages.h"
#include "patterns/transfer_neighbors.h"
#include "patterns/transfer_parted.h"
#include "patterns/transfer_windows.h"
#include "runtime/agree.h"
#include "util/why.h"

#include <stdio.h>
#include <stdlib.h>

static star_doing *const doings[STAR_DEEDS] = {
    [STAR_DO_MAKE_RECEIVE] = star_do_make_receive,
    [STAR_DO_MAKE_SEND] = star_do_make_send,
    [STAR_DO_MAKE_NEIGHBORS] = star_do_make_neighbors,
    [STAR_DO_MAKE_OPEN] = star_do_make_open,
    [STAR_DO_MAKE_READABLE] = star_do_make_readable,
    [STAR_DO_PACK] = star_do_pack,
    [STAR_DO_UNPACK] = star_do_unpack,
    [STAR_DO_BEGIN_RECEIVE] = star_do_begin_receive,
    [STAR_DO_BEGIN_SEND] = star_do_begin_send,
    [STAR_DO_SEND] = star_do_send,
    [STAR_DO_RECEIVE] = star_do_receive,
    [STAR_DO_SENDRECV] = star_do_sendrecv,
    [STAR_DO_START] = star_do_start,
    [STAR_DO_NEIGHBORS] = star_do_neighbors,
    [STAR_DO_BEGIN_NEIGHBORS] = star_do_begin_neighbors,
    [STAR_DO_FENCE] = star_do_fence,
    [STAR_DO_POST] = star_do_post,
    [STAR_DO_ACCESS] = star_do_access,
    [STAR_DO_PUT] = star_do_put,
    [STAR_DO_GET] = star_do_get,
    [STAR_DO_WAIT] = star_do_wait,
    [STAR_DO_LAST_FENCE] = star_do_last_fence,
    [STAR_DO_COMPLETE] = star_do_complete,
    [STAR_DO_WAIT_EXPOSED] = star_do_wait_exposed,
#if MPI_VERSION >= 4 /* else star_exchange_make refuses the methods that need these */
    [STAR_DO_MAKE_PARTED_RECEIVE] = star_do_make_parted_receive,
    [STAR_DO_MAKE_PARTED_SEND] = star_do_make_parted_send,
    [STAR_DO_READY] = star_do_ready,
#endif
};

/* Those that can be tried; the others that may be put off can only be waited for. */
static star_trying *const tryings[STAR_DEEDS] = {
    [STAR_DO_WAIT] = star_try_wait,
    [STAR_DO_WAIT_EXPOSED] = star_try_wait_exposed,
};

/* What loses values in such messages here; NULL: nothing does. */
static const char *loses_by(const struct star_neighborhood *method)
{
    const struct star_dialect *dialect = star_dialect_here();
    int transfer = method->value[STAR_BY_TRANSFER];
    if (star_transfers[transfer].one_sided && star_library_says(dialect->loses_one_sided.sign))
        return dialect->loses_one_sided.name;
    if (transfer == STAR_PARTITIONED && star_library_says(dialect->loses_partitioned.sign))
        return dialect->loses_partitioned.name;
    return NULL;
}

int star_neighborhood_applies(const struct star_neighborhood *method, int ranks, struct star_why *why)
{
    char name[STAR_METHOD_TEXT];
    const struct star_transfer *transfer = &star_transfers[method->value[STAR_BY_TRANSFER]];
    star_neighborhood_format(method, name, sizeof name);
    if (transfer->least_mpi > MPI_VERSION)
        return star_because(why, STAR_ENEEDS, "%s needs MPI %d: this library has MPI %d.%d", name,
                            transfer->least_mpi, MPI_VERSION, MPI_SUBVERSION);
    const char *loser = loses_by(method);
    if (loser != NULL)
        return star_because(why, STAR_ENEEDS, "%s is not used with %s, which loses values", name, loser);
    if (ranks < transfer->least_ranks)
        return star_because(why, STAR_ENEEDS, "%s needs %d ranks or more", name, transfer->least_ranks);
    return 0;
}

/* A blocking send waits until the other end has begun to receive. Progress waits for nobody, and nobody waits
 * for another's progress: pair by pair, too, the messages of send_irecv are all begun in init. */
static int first_pause(const struct star_script *script, const struct star_neighborhood *method)
{
    int after = script->count;
    if (method->value[STAR_BY_TRANSFER] != STAR_SEND_IRECV)
        return script->prepared;
    while (after > script->prepared && script->act[after - 1].deed != STAR_DO_SEND &&
           script->act[after - 1].deed != STAR_DO_BEGIN_RECEIVE)
        after--;
    return after;
}

/* The border's BUFFER, which is there from its first use on. */
static char *buffer_of(char **buffer, int64_t bytes)
{
    if (*buffer == NULL)
        *buffer = calloc((size_t)bytes + 1, 1);
    return *buffer;
}

/* The buffers for packed messages; some of them are windows instead. */
static bool find_buffers(struct star_exchange *exchange)
{
    const struct star_border *border = exchange->border;
    struct star_shared *shared = border->shared;
    const struct star_script *script = exchange->script;
    enum star_deed first = script->prepared ? script->act[0].deed : STAR_DEEDS;
    if (!exchange->packs)
        return true;
    if (first != STAR_DO_MAKE_READABLE)
        exchange->sent_buffer = buffer_of(&shared->sent_buffer, border->sent_bytes);
    if (first != STAR_DO_MAKE_OPEN)
        exchange->received_buffer = buffer_of(&shared->received_buffer, border->received_bytes);
    return (exchange->sent_buffer || first == STAR_DO_MAKE_READABLE) &&
           (exchange->received_buffer || first == STAR_DO_MAKE_OPEN);
}

/* Local. Whatever comes of it, the exchange can be freed. */
static int allocate(struct star_exchange *made, struct star_why *why)
{
    size_t sides = (size_t)made->border->vectors.halo->sides;
    made->window = MPI_WIN_NULL;
    made->packs = made->method->value[STAR_BY_DATA] == STAR_PACK;
    made->sent = calloc(sides, sizeof *made->sent);
    made->received = calloc(sides, sizeof *made->received);
    int error = star_script_make(made->border->vectors.halo, made->method, &made->script, why);
    if (error)
        return error;
    made->request = malloc(((size_t)made->script->requests + 1) * sizeof(MPI_Request));
    for (int r = 0; made->request && r < made->script->requests; r++)
        made->request[r] = MPI_REQUEST_NULL;
    if (!made->sent || !made->received || !made->request || !find_buffers(made))
        return star_because(why, STAR_EMEMORY, "out of memory for the messages of %zu sides", sides);
    star_place_messages(made);
    made->at = made->script->count;
    made->pauses_from = first_pause(made->script, made->method);
    return 0;
}

/* Do all ranks prepare it together, for a window or a communicator? */
static bool prepares_together(const struct star_neighborhood *method)
{
    int transfer = method->value[STAR_BY_TRANSFER];
    return star_transfers[transfer].one_sided || transfer == STAR_NEIGHBOR_ALLTOALLW ||
           transfer == STAR_INEIGHBOR_ALLTOALLW;
}

static int prepare(struct star_exchange *exchange, struct star_why *why)
{
    char name[STAR_METHOD_TEXT], what[STAR_METHOD_TEXT + 20];
    const struct star_script *script = exchange->script;
    int error = 0;
    for (int a = 0; a < script->prepared && !error; a++)
        error = doings[script->act[a].deed](exchange, &script->act[a]);
    snprintf(what, sizeof what, "%s cannot be made",
             star_neighborhood_format(exchange->method, name, sizeof name));
    return star_border_failed(error, what, why);
}

/* Each agreement takes as long as some small exchanges: one will do where nothing is done together. */
int star_exchange_make(const struct star_border *border, const struct star_neighborhood *method,
                       struct star_exchange **exchange, struct star_why *why)
{
    int error = star_neighborhood_applies(method, border->ranks, why);
    if (error)
        return error;
    struct star_exchange *made = calloc(1, sizeof *made);
    if (made == NULL) {
        error = star_because(why, STAR_EMEMORY, "out of memory for an exchange");
    } else {
        made->border = border;
        made->method = method;
        error = allocate(made, why);
    }
    if (prepares_together(method))
        error = star_agree_error(border->vectors.comm, error, why);
    if (!error)
        error = prepare(made, why);
    error = star_agree_error(border->vectors.comm, error, why);
    if (error)
        star_exchange_free(made);
    else
        *exchange = made;
    return error;
}

void star_exchange_free(struct star_exchange *exchange)
{
    if (exchange == NULL)
        return;
    if (exchange->script) {
        star_free_requests(exchange);
        star_free_window(exchange);
        star_free_neighbors(exchange);
    }
    star_script_free(exchange->script);
    free(exchange->request);
    free(exchange->received);
    free(exchange->sent);
    free(exchange);
}

int star_exchange_progress(struct star_exchange *exchange)
{
    const struct star_script *script = exchange->script;
    bool done = true;
    int error = 0;
    while (done && !error && exchange->at < script->count) {
        const struct star_act *act = &script->act[exchange->at];
        if (!star_may_pause(act->deed))
            error = doings[act->deed](exchange, act);
        else if (tryings[act->deed])
            error = tryings[act->deed](exchange, act, &done);
        else
            done = false;
        exchange->at += done && !error;
    }
    return error;
}

int star_exchange_init(struct star_exchange *exchange)
{
    const struct star_script *script = exchange->script;
    int error = 0, at = script->prepared;
    for (; !error && at < script->count; at++) {
        if (at >= exchange->pauses_from && star_may_pause(script->act[at].deed))
            break;
        error = doings[script->act[at].deed](exchange, &script->act[at]);
    }
    exchange->at = at;
    return error;
}

int star_exchange_wait(struct star_exchange *exchange)
{
    const struct star_script *script = exchange->script;
    int error = 0;
    for (int at = exchange->at; !error && at < script->count; at++)
        error = doings[script->act[at].deed](exchange, &script->act[at]);
    exchange->at = script->count;
    return error;
}

bool star_exchange_is_over(const struct star_exchange *exchange)
{
    return exchange->at == exchange->script->count;
}

bool star_exchange_is_untold(const struct star_exchange *exchange)
{
    return !star_exchange_is_over(exchange) && !tryings[exchange->script->act[exchange->at].deed];
}

int star_exchange_run(struct star_exchange *exchange)
{
    int error = star_exchange_init(exchange);
    return error ? error : star_exchange_wait(exchange);
}

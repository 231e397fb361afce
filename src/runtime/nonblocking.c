/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/nonblocking.h"
#include "algorithms/operations.h"
#include "exec/board.h"
#include "exec/general.h"
#include "runtime/begun.h"
#include "runtime/call.h"
#include "runtime/nodes.h"
#include "runtime/notice.h"
#include "runtime/opening.h"
#include "runtime/pause.h"
#include "runtime/peers.h"
#include "runtime/promise.h"
#include "runtime/samples.h"
#include "runtime/serve.h"
#include "runtime/session.h"
#include "runtime/shown.h"
#include "runtime/state.h"

#include <stdlib.h>

/* Setting up: rank 0 makes the board and tells the others. Until one is told, its calls are native's. */

/* Not on several nodes, nor where messages do not reach all, or buffers may lie in a device's memory. Facts
 * that all ranks find alike, or else one of them never comes to the board. */
static bool is_possible(struct star_communicator *state, MPI_Comm comm)
{
    if (!star_runtime.settings.shared_memory || !star_nodes_are_known() ||
        star_runtime.settings.nonblocking == STAR_NONBLOCKING_NATIVE ||
        star_runtime.settings.nonblocking == STAR_NONBLOCKING_TURNS ||
        star_runtime.messages == MPI_COMM_NULL || state->id <= 0 ||
        (int64_t)star_board_bytes(state->size) > star_memory_most())
        return false;
    star_communicator_open(state, comm);
    bool here = state->able && !state->devices && state->route.tag >= 0;
    for (int r = 0; here && state->node != NULL && r < state->size; r++)
        here = state->node[r] == state->node[0];
    return here;
}

/* Are there requests that end when they are told to? Asked at the first call that needs one, as from then on
 * all that waits in the MPI library looks at them. */
static bool can_request(void)
{
    return star_general_begin(star_notices_poll, star_runtime.messages, star_runtime.crowded,
                              star_runtime.threads);
}

bool star_nonblocking_is_possible(struct star_communicator *state, MPI_Comm comm)
{
    star_notices_lock();
    bool possible = is_possible(state, comm) && can_request();
    star_notices_unlock();
    return possible;
}

static struct star_begun *begun_of(struct star_communicator *state, MPI_Comm comm)
{
    if (state->begun != NULL || state->begins_natively)
        return state->begun;
    state->begins_natively = !is_possible(state, comm);
    if (state->begins_natively)
        return NULL;
    state->begun = star_begun_new(state->size, state->rank);
    state->begins_natively = state->begun == NULL;
    return state->begun;
}

static void tell(const struct star_communicator *state, struct star_begun *begun)
{
    begun->notices.board = star_board_make(begun->notices.size, begun->number, &begun->key);
    for (int r = 1; r < begun->notices.size; r++)
        if (star_peer_isend(state, r, STAR_BOARD_KEY, &begun->key, sizeof begun->key,
                            &begun->telling[begun->tellings]) == MPI_SUCCESS)
            begun->tellings++;
}

static void begin_telling(const struct star_communicator *state, struct star_begun *begun)
{
    begun->telling = calloc((size_t)begun->notices.size, sizeof *begun->telling);
    if (begun->telling == NULL)
        return; /* then there is never a board */
    if (begun->notices.rank == 0)
        tell(state, begun);
    else if (star_peer_irecv(state, 0, STAR_BOARD_KEY, &begun->key, sizeof begun->key, begun->telling) ==
             MPI_SUCCESS)
        begun->tellings = 1;
}

/* All that is under way, as far as it has come. */
static void go_on_telling(struct star_begun *begun)
{
    int error = MPI_SUCCESS;
    while (begun->tellings > 0 &&
           star_peer_is_done(&begun->telling[begun->tellings - 1], MPI_STATUS_IGNORE, &error))
        begun->tellings--;
    if (begun->tellings == 0 && begun->notices.rank > 0 && error == MPI_SUCCESS)
        begun->notices.board =
            star_board_open(begun->notices.size, begun->notices.rank, begun->number, &begun->key);
}

/* Beginning. */

static bool is_wanted(enum star_samples_want want)
{
    bool wants = want == STAR_WANT_SHARED || want == STAR_TRY_SHARED;
    return star_runtime.settings.nonblocking == STAR_NONBLOCKING_SHARED || (wants && !star_is_paused());
}

static bool is_same(const struct star_call *one, const struct star_call *other)
{
    return one->operation == other->operation && one->sendbuf == other->sendbuf &&
           one->recvbuf == other->recvbuf && one->sendcount == other->sendcount &&
           one->recvcount == other->recvcount && one->sendtype == other->sendtype &&
           one->recvtype == other->recvtype && one->op == other->op && one->root == other->root;
}

/* False: the board cannot serve it. */
static bool find(struct star_begun *begun, const struct star_communicator *state,
                 const struct star_call *call, bool blocks, struct star_notice **notice)
{
    struct star_known_call *known = &begun->known[call->operation % STAR_CALLS_KNOWN];
    *notice = &known->notice;
    if (known->stays && known->blocks == blocks && is_same(&known->call, call))
        return true;
    known->call = *call;
    known->blocks = blocks;
    bool served = star_notice_describe(*notice, &begun->notices, call, state, false,
                                       blocks ? STAR_BOARD_WIDE : STAR_BOARD_MOST);
    known->stays = served && star_notice_stays(*notice);
    return served;
}

/* The first rank to come may have said that the operation's next calls rest. All ranks see it, whether they
 * can make the call by the board or not. Trials, which are of eight calls in turn, come again in slots whose
 * memory was used before. */
static void see_rest(struct star_begun *begun, struct star_communicator *state, enum star_operation operation,
                     bool blocks, int kind)
{
    enum { SKIPPED = 7 };
    if (!blocks || !star_board_rests(begun->notices.board))
        return;
    state->rests[operation] = STAR_CALLS_RESTED;
    begun->number += SKIPPED;
    begun->resting[operation] = kind;
    if (kind >= 0)
        begun->samples.kinds[kind].calls += STAR_CALLS_RESTED;
}

/* To look at a call takes a rank about as long as a few readings of the clock. */
static uint64_t looking(const struct star_communicator *state)
{
    enum { READINGS = 3 };
    return (uint64_t)state->size * READINGS * (uint64_t)star_runtime.reading / 1000;
}

/* What the call is, if it goes by the board, and nothing of it is wrong; NULL: it is the MPI library's. ABLE:
 * this rank can make it by the board. */
static struct star_notice *way_of(struct star_begun *begun, struct star_communicator *state,
                                  const struct star_call *call, bool blocks, bool able)
{
    struct star_notices *notices = &begun->notices;
    struct star_notice *notice;
    begun->fits = able && find(begun, state, call, blocks, &notice);
    if (!begun->fits) {
        if (star_board_pass(notices->board, begun->number))
            star_notice_refuse(notices, begun->number);
        else
            see_rest(begun, state, call->operation, blocks, -1);
        return NULL;
    }
    notice->number = begun->number;
    int kind = star_begun_kind(notice, blocks);
    enum star_samples_want want =
        star_samples_begin(&begun->samples, notices->board, kind, blocks ? looking(state) : 0);
    bool wanted = notice->right && is_wanted(want), wide = notice->most > STAR_BOARD_MOST;
    if (wanted && blocks)
        star_board_linger(notices->board, begun->number, wide, star_runtime.crowded);
    wanted = wanted && (!wide || star_board_is_wide(notices->board, begun->number));
    bool goes_on = want == STAR_WANT_SHARED || want == STAR_WANT_NATIVE;
    bool rests = blocks && !wanted && star_samples_are_quiet(&begun->samples.kinds[kind]);
    bool shared = star_board_begin(notices->board, begun->number, wanted,
                                   rests     ? STAR_BOARD_REST
                                   : goes_on ? STAR_BOARD_AHEAD
                                             : STAR_BOARD_ONCE);
    star_samples_way(&begun->samples, kind, shared);
    if (!shared)
        see_rest(begun, state, call->operation, blocks, kind);
    if (shared && !notice->right)
        star_notice_refuse(notices, begun->number);
    return shared && notice->right ? notice : NULL;
}

/* The board of a communicator on which a call comes; NULL: it has none yet, and the call is native's. */
static struct star_begun *board_of(struct star_communicator *state, const struct star_call *call)
{
    struct star_begun *begun = begun_of(state, call->comm);
    if (begun == NULL)
        return NULL;
    if (begun->number == STAR_BOARD_FIRST)
        begin_telling(state, begun);
    if (begun->tellings > 0)
        go_on_telling(begun);
    if (begun->notices.board != NULL)
        return begun;
    begun->number++;
    return NULL;
}

/* Communicators that live shortly are not worth a board. A call that blocks is worth less. */
static bool is_too_early(struct star_communicator *state, bool blocks)
{
    enum { ENOUGH = 512, NONBLOCKING = 64 };
    bool early = state->begins < ENOUGH && star_runtime.settings.nonblocking != STAR_NONBLOCKING_SHARED;
    if (early)
        state->begins += blocks ? 1 : NONBLOCKING;
    return early;
}

bool star_nonblocking_begin(const struct star_call *call, struct star_communicator *state,
                            MPI_Request *request, int *error)
{
    *error = MPI_SUCCESS;
    if (state->begins_natively || is_too_early(state, false))
        return false;
    star_notices_lock();
    struct star_begun *begun = board_of(state, call);
    struct star_notice *notice = NULL;
    if (begun != NULL) {
        begun->requests = begun->requests || can_request();
        notice = way_of(begun, state, call, false, request != NULL && begun->requests);
        begun->number++;
    }
    if (notice != NULL) {
        *error = star_notice_begin(notice, call->comm, state, request);
        star_samples_began();
    }
    star_notices_unlock();
    star_raise(call, *error); /* to a handler of the program's, which may never return */
    return notice != NULL;
}

/* Blocking. */

bool star_short_is_served(const struct star_communicator *state, enum star_operation operation,
                          const struct star_facts *facts)
{
    return star_runtime.settings.nonblocking != STAR_NONBLOCKING_NATIVE &&
           star_runtime.settings.shared_memory && !star_operation_awaits_all(operation) &&
           star_promise_is_asked(operation) && star_notice_fits(operation, facts->bytes, state->size) &&
           !facts->own_operator && star_runtime.messages != MPI_COMM_NULL && state->id > 0 &&
           star_nodes_are_one();
}

static void ended(const struct star_notice *notice)
{
    if (notice == NULL && !star_samples_open)
        return;
    star_notices_lock();
    if (notice != NULL)
        star_notice_left(notice);
    star_samples_began();
    star_samples_end();
    star_notices_unlock();
}

int star_short_run(const struct star_call *call, struct star_communicator *state)
{
    struct star_notice own, *notice = NULL;
    if (state->rests[call->operation] > 0) {
        state->rests[call->operation]--;
        return star_run_natively(state, call);
    }
    if (is_too_early(state, true) || state->begins_natively)
        return star_run_natively(state, call);
    star_notices_lock();
    struct star_begun *begun = board_of(state, call);
    if (begun != NULL) {
        notice = way_of(begun, state, call, true, true);
        begun->number++;
    }
    if (notice != NULL && star_runtime.threads) { /* another of them may need the place */
        own = *notice;
        notice = &own;
    }
    star_notices_unlock();
    int64_t begin = star_runtime.price.open ? star_now() : 0;
    int error = notice != NULL ? star_notice_run(notice, call->comm) : star_run_natively(state, call);
    if (notice != NULL && star_runtime.price.open)
        star_price_served(begin);
    ended(notice);
    return notice != NULL ? star_raise(call, error) : error;
}

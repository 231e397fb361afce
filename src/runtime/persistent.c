/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/persistent.h"
#include "exec/board.h"
#include "exec/library.h"
#include "exec/native.h"
#include "runtime/agree.h"
#include "runtime/communicator.h"
#include "runtime/lasting.h"
#include "runtime/ledger.h"
#include "runtime/nonblocking.h"
#include "runtime/notice.h"
#include "runtime/opening.h"
#include "runtime/operations.h"
#include "runtime/pause.h"
#include "runtime/peers.h"
#include "runtime/samples.h"
#include "runtime/session.h"
#include "runtime/shown.h"
#include "runtime/watch.h"
#include "util/clock.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct star_persistent {
    struct star_notices notices; /* the first member */
    struct star_notice notice;   /* what each start begins */
    MPI_Request handle, active; /* ACTIVE: of what has been started by the board; MPI_REQUEST_NULL: nothing */
    bool natively;              /* the last start was */
    bool listed;
    bool always; /* every start is to go by the board */
    MPI_Datatype kept[2];
    void *lists[4];
    struct star_kept_types kept_types[2];
    struct star_sampled sampled;
    int at;                         /* in the array that the program waits for; */
    struct star_persistent *behind; /* and those that stand there, too. Else the next one of its bucket */
    struct star_persistent *next;
};

/* Buckets by handle. Whoever has the lock calls nothing of the MPI library; the lock of notices may be held.
 * What is in each is the business of the thread that uses the request. */
static struct {
    struct star_persistent **buckets;
    size_t room;
} all;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
atomic_int star_persistents;

static void lock_all(void)
{
    if (star_runtime.threads)
        pthread_mutex_lock(&lock);
}

static void unlock_all(void)
{
    if (star_runtime.threads)
        pthread_mutex_unlock(&lock);
}

static struct star_persistent **bucket_of(MPI_Request request)
{
    uint64_t key = 0;
    memcpy(&key, &request, sizeof request);
    key *= 0x9e3779b97f4a7c15u;
    return &all.buckets[key >> 32 & (all.room - 1)];
}

static void insert(struct star_persistent *persistent)
{
    struct star_persistent **bucket = bucket_of(persistent->handle);
    persistent->next = *bucket;
    *bucket = persistent;
}

static void grow(void)
{
    enum { FIRST = 64 };
    size_t before = all.room, room = before == 0 ? FIRST : 2 * before;
    struct star_persistent **old = all.buckets, **buckets = calloc(room, sizeof *buckets);
    if (buckets == NULL)
        return;
    all.buckets = buckets;
    all.room = room;
    for (size_t i = 0; i < before; i++)
        for (struct star_persistent *next, *here = old[i]; here != NULL; here = next) {
            next = here->next;
            insert(here);
        }
    free(old);
}

/* For one more. Buckets are few where there is no memory for more. */
static bool has_room(void)
{
    lock_all();
    if ((size_t)star_persistents >= all.room)
        grow();
    bool some = all.room > 0;
    unlock_all();
    return some;
}

static struct star_persistent *find(MPI_Request request)
{
    if (all.room == 0)
        return NULL;
    struct star_persistent *here = *bucket_of(request);
    while (here != NULL && here->handle != request)
        here = here->next;
    return here;
}

struct star_persistent *star_persistent_find(MPI_Request request)
{
    lock_all();
    struct star_persistent *found = find(request);
    unlock_all();
    return found;
}

/* What is the program's may be gone when it is started: types, and arrays. */

static void *copy_of(const void *array, int size, size_t each)
{
    void *copy = malloc((size_t)size * each);
    if (copy != NULL)
        memcpy(copy, array, (size_t)size * each);
    return copy;
}

static bool keep_type(struct star_side *side, bool needed, MPI_Datatype *kept)
{
    if (side->named || !needed)
        return true;
    if (star_type_keep(side->type, kept) != MPI_SUCCESS)
        return false;
    side->type = *kept;
    return true;
}

static bool keep_arrays(struct star_persistent *persistent)
{
    struct star_notice *notice = &persistent->notice;
    const void **const lists[] = {&notice->counts, &notice->displs, &notice->blocks.counts,
                                  &notice->blocks.displs};
    size_t count = notice->large ? sizeof(MPI_Count) : sizeof(int),
           displ = notice->large ? sizeof(MPI_Aint) : sizeof(int);
    int size = notice->of->size;
    bool kept = true;
    for (int i = 0; i < 4; i++)
        if (*lists[i] != NULL) {
            persistent->lists[i] = copy_of(*lists[i], size, i % 2 == 0 ? count : displ);
            *lists[i] = persistent->lists[i];
            kept = kept && *lists[i] != NULL;
        }
    return kept;
}

/* Where each block has one of its own. */
static bool keep_types(struct star_persistent *persistent)
{
    struct star_notice *notice = &persistent->notice;
    struct star_blocks got = {notice->of->size, notice->large, notice->counts,
                              notice->displs,   notice->types, INT64_MAX};
    if (notice->types == NULL)
        return true;
    bool kept = star_blocks_keep(&notice->blocks, true, &persistent->kept_types[0]) == MPI_SUCCESS &&
                star_blocks_keep(&got, true, &persistent->kept_types[1]) == MPI_SUCCESS;
    notice->types = got.types;
    return kept;
}

static void dispose(struct star_notices *notices)
{
    struct star_persistent *persistent = (struct star_persistent *)notices;
    star_samples_forget(&persistent->sampled, 1);
    if (notices->board != NULL)
        star_board_free(notices->board);
    for (int i = 0; i < 2; i++)
        if (persistent->kept[i] != MPI_DATATYPE_NULL)
            PMPI_Type_free(&persistent->kept[i]);
    for (int i = 0; i < 4; i++)
        free(persistent->lists[i]);
    for (int i = 0; i < 2; i++)
        star_kept_types_free(&persistent->kept_types[i]);
    free(persistent);
}

/* NULL: the board cannot serve it, or there is no memory. */
static struct star_persistent *describe(const struct star_call *call, struct star_communicator *state)
{
    struct star_persistent *persistent = calloc(1, sizeof *persistent);
    if (persistent == NULL)
        return NULL;
    persistent->notices = (struct star_notices){.size = state->size, .rank = state->rank, .ended = dispose};
    persistent->active = MPI_REQUEST_NULL;
    bool wrongly = star_library_says(star_dialect_here()->persists_wrongly);
    persistent->always = wrongly || star_runtime.settings.nonblocking == STAR_NONBLOCKING_SHARED;
    persistent->kept[0] = persistent->kept[1] = MPI_DATATYPE_NULL;
    struct star_notice *notice = &persistent->notice;
    if (star_notice_describe(notice, &persistent->notices, call, state, true, STAR_BOARD_MOST) &&
        notice->right && keep_type(&notice->send, star_notice_sends(notice), &persistent->kept[0]) &&
        keep_type(&notice->recv, star_notice_receives(notice), &persistent->kept[1]) &&
        keep_arrays(persistent) && keep_types(persistent)) {
        notice->meets = star_operation_awaits_all(call->operation);
        notice->leaves_room = wrongly && !notice->meets; /* then no start is ever native for want of it */
        notice->number = notice->meets ? 0 : STAR_BOARD_FIRST - 1; /* of the last start */
        return persistent;
    }
    dispose(&persistent->notices);
    return NULL;
}

/* Rank 0 makes the board, and the others open it. MEETS: no rank can end a start before all have begun it. */
static struct star_board *open_board(const struct star_communicator *state, int64_t most, bool meets)
{
    struct star_nameless_key key = {.made = 0};
    struct star_board *board = NULL;
    if (state->rank == 0)
        board = (meets ? star_board_make_step : star_board_make_narrow)(state->size, most, &key);
    for (int r = 1; state->rank == 0 && r < state->size; r++)
        if (star_peer_send(state, r, STAR_PERSISTENT_KEY, &key, sizeof key) != MPI_SUCCESS)
            key.made = 0;
    if (state->rank > 0 && star_peer_recv(state, 0, STAR_PERSISTENT_KEY, &key, sizeof key) == MPI_SUCCESS)
        board = (meets ? star_board_open_step : star_board_open_narrow)(state->size, state->rank, most, &key);
    return board;
}

static bool is_wanted(struct star_communicator *state, MPI_Comm comm)
{
    bool wanted = star_runtime.settings.nonblocking == STAR_NONBLOCKING_SHARED || !star_is_paused();
    return state != NULL && !state->native_only && wanted && star_nonblocking_is_possible(state, comm);
}

/* Together with all other ranks, which find the same. A rank without a state begins here: the others hear in
 * their first agreement, on a number or here, that it serves nothing, and that ends it. */
static bool agree(struct star_persistent *persistent, const struct star_call *call,
                  const struct star_communicator *state)
{
    int64_t most = persistent != NULL ? persistent->notice.most : 0, opened = 0;
    if (!star_agree_most(call->comm, persistent != NULL, &most) || persistent == NULL)
        return false;
    struct star_board *board = open_board(state, most, persistent->notice.meets);
    bool there = star_agree_most(call->comm, board != NULL && has_room(), &opened);
    if (board != NULL)
        star_board_opened(board);
    persistent->notices.board = board;
    return there;
}

struct star_persistent *star_persistent_prepare(const char *function, const struct star_call *call)
{
    int64_t begin = star_now();
    struct star_communicator *state;
    struct star_persistent *persistent = NULL;
    if (star_runtime.settings.nonblocking == STAR_NONBLOCKING_NATIVE ||
        !star_runtime.settings.shared_memory || !star_communicator_meets(call->comm, &state))
        return NULL;
    star_watch_enter(function, call->comm);
    bool numbered = star_runtime.messages != MPI_COMM_NULL &&
                    (state == NULL || star_communicator_numbered(state, call->comm));
    if (numbered && is_wanted(state, call->comm))
        persistent = describe(call, state);
    if (numbered && !agree(persistent, call, state) && persistent != NULL) {
        dispose(&persistent->notices);
        persistent = NULL;
    }
    star_spent(begin);
    return persistent;
}

void star_persistent_made(struct star_persistent *persistent, MPI_Request request)
{
    if (request == MPI_REQUEST_NULL) {
        dispose(&persistent->notices);
        return;
    }
    persistent->handle = request;
    lock_all();
    insert(persistent);
    star_persistents++;
    unlock_all();
}

/* Starting. Ways are tried in turn, as in samples.c. What is decided must be the same on all ranks: after
 * each trial one start goes by the board whatever is better. Before that, each rank tells what it found;
 * behind it, all ranks have told, and none tells anything else before all have looked. Where a rank may end a
 * start before others have begun it, the first one to come decides (exec/board.h). */
enum { BLOCK = 4, TRIAL = 32, ROUND = 4096, JUDGED = 64 };

static bool judge(const struct star_board *board)
{
    uint64_t natively = star_board_sum(board, 0, false), shared = star_board_sum(board, 0, true);
    return natively > 0 && shared > 0 && shared < natively;
}

static void tell(const struct star_persistent *persistent)
{
    for (int shared = 0; shared < 2; shared++)
        star_board_tell(persistent->notices.board, 0, shared,
                        star_samples_mean(&persistent->sampled, shared));
}

static bool choose(struct star_persistent *persistent)
{
    struct star_sampled *sampled = &persistent->sampled;
    uint32_t number = sampled->calls++ % ROUND;
    star_samples_end();
    if (persistent->always)
        return true;
    if (number == TRIAL)
        tell(persistent);
    bool later = !persistent->notice.meets && number % JUDGED == 0; /* some ranks tell behind others */
    if (number == TRIAL + 1 || (number > TRIAL && later))
        sampled->better = judge(persistent->notices.board);
    if (number >= TRIAL)
        return number == TRIAL || sampled->better;
    bool shared = number / BLOCK % 2 != 0;
    if (number % BLOCK != 0)
        star_samples_try(sampled, shared);
    return shared;
}

bool star_persistent_start(struct star_persistent *persistent, int *error)
{
    struct star_notice *notice = &persistent->notice;
    star_notices_lock();
    bool shared = choose(persistent);
    if (!notice->meets || shared)
        notice->number++;
    if (!notice->meets) { /* the first rank that comes decides; one that is far ahead has no room */
        bool wanted = shared;
        shared = star_board_begin(persistent->notices.board, notice->number, wanted, false);
        if (shared != wanted) /* no sample of what was to be tried */
            star_samples_forget(&persistent->sampled, 1);
    }
    persistent->natively = !shared;
    if (shared) {
        persistent->sampled.shared++;
        *error = star_notice_begin(&persistent->notice, MPI_COMM_NULL, NULL, &persistent->active);
        star_samples_began();
    }
    star_notices_unlock();
    return shared;
}

MPI_Request star_persistent_now(const struct star_persistent *persistent)
{
    return persistent->natively ? persistent->handle : persistent->active;
}

static void take_away(struct star_persistent *persistent)
{
    lock_all();
    struct star_persistent **here = bucket_of(persistent->handle);
    while (*here != persistent)
        here = &(*here)->next;
    *here = persistent->next;
    star_persistents--;
    unlock_all();
}

void star_persistent_free(struct star_persistent *persistent)
{
    take_away(persistent);
    if (persistent->active != MPI_REQUEST_NULL) /* which is a mistake; it goes on */
        star_native.Request_free(&persistent->active);
    star_notices_lock();
    struct star_balance balance = star_lasting_add(&persistent->notice, &persistent->sampled);
    star_ledger_add_balance(&balance);
    persistent->notices.over = true;
    if (persistent->notices.open == 0)
        dispose(&persistent->notices);
    star_notices_unlock();
}

/* Waiting. */

struct star_persistent *star_persistents_take_out(int count, MPI_Request *requests)
{
    struct star_persistent *list = NULL;
    lock_all();
    for (int i = 0; i < count && requests != NULL; i++) {
        struct star_persistent *found = find(requests[i]);
        if (found == NULL || found->natively || found->listed)
            continue;
        found->listed = true;
        found->at = i;
        found->behind = list;
        list = found;
        requests[i] = found->active;
    }
    unlock_all();
    return list;
}

void star_persistents_put_back(struct star_persistent *list, MPI_Request *requests)
{
    for (struct star_persistent *here = list; here != NULL; here = here->behind) {
        here->listed = false;
        here->active = requests[here->at];
        requests[here->at] = here->handle;
    }
}

void star_persistents_leave(void)
{
    for (size_t i = 0; i < all.room; i++)
        while (all.buckets[i] != NULL)
            star_persistent_free(all.buckets[i]);
    free(all.buckets);
    all.buckets = NULL;
    all.room = 0;
}

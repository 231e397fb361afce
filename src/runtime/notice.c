/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/notice.h"
#include "exec/execute.h"
#include "exec/native.h"
#include "exec/patience.h"
#include "runtime/operations.h"
#include "runtime/policy.h"
#include "runtime/session.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { NOTHING = -1 }; /* is what a rank shows whose call is wrong */

/* Which ranks show something, and which get it: the root alone, all others, or all; of a prefix sum each rank
 * gets what the ranks up to itself, or before itself, have shown. */
enum part { ALL, ROOT, OTHERS, UP_TO_SELF, BEFORE_SELF };
struct parts {
    bool served;
    enum part show, get;
    bool blocks; /* each rank shows a block for each rank */
    bool differ; /* as it does here, but others do not know their lengths */
    bool meets;  /* ranks must have agreed on how much they show: nobody knows it of all others */
    bool sparse; /* whom a rank has no block from it does not wait for */
    bool folds;
};
static const struct parts parts_of[STAR_OPERATIONS] = {
    [STAR_BARRIER] = {.served = true},
    [STAR_ALLREDUCE] = {.served = true, .folds = true},
    [STAR_REDUCE] = {.served = true, .get = ROOT, .folds = true},
    [STAR_SCAN] = {.served = true, .get = UP_TO_SELF, .folds = true},
    [STAR_EXSCAN] = {.served = true, .get = BEFORE_SELF, .folds = true},
    [STAR_REDUCE_SCATTER_BLOCK] = {.served = true, .blocks = true, .folds = true},
    [STAR_BCAST] = {.served = true, .show = ROOT, .get = OTHERS},
    [STAR_SCATTER] = {.served = true, .show = ROOT, .blocks = true},
    [STAR_GATHER] = {.served = true, .get = ROOT},
    [STAR_ALLGATHER] = {.served = true},
    [STAR_ALLGATHERV] = {.served = true},
    [STAR_REDUCE_SCATTER] = {.served = true, .folds = true},
    [STAR_ALLTOALL] = {.served = true, .blocks = true},
    [STAR_ALLTOALLV] = {.served = true, .differ = true, .meets = true},
    [STAR_ALLTOALLW] = {.served = true, .differ = true, .meets = true, .sparse = true},
    [STAR_GATHERV] = {.served = true, .get = ROOT, .meets = true},
    [STAR_SCATTERV] = {.served = true, .show = ROOT, .differ = true, .meets = true},
};

static struct star_notice *opened; /* all of this process: the last one */
static atomic_int outstanding;     /* so many */
static struct star_notice *unused; /* of a process in which one thread at a time communicates */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void star_notices_lock(void)
{
    if (star_runtime.threads)
        pthread_mutex_lock(&lock);
}

void star_notices_unlock(void)
{
    if (star_runtime.threads)
        pthread_mutex_unlock(&lock);
}

/* With the lock; others read it without. */
static void count(int more)
{
    int before = atomic_load_explicit(&outstanding, memory_order_relaxed);
    atomic_store_explicit(&outstanding, before + more, memory_order_relaxed);
}

static void link_notice(struct star_notice *notice)
{
    notice->behind = opened;
    if (opened != NULL)
        opened->before = notice;
    opened = notice;
    count(1);
    notice->of->open++;
}

static void unlink_notice(struct star_notice *notice)
{
    struct star_notices *of = notice->of;
    *(notice->before != NULL ? &notice->before->behind : &opened) = notice->behind;
    if (notice->behind != NULL)
        notice->behind->before = notice->before;
    count(-1);
    of->open--;
    if (of->over && of->open == 0)
        of->ended(of);
}

static struct star_blocks got_by(const struct star_notice *notice)
{
    return (struct star_blocks){notice->of->size, notice->large, notice->counts,
                                notice->displs,   notice->types, notice->limit};
}

/* What RANK shows. */
static int64_t shown_by(const struct star_notice *notice, int rank)
{
    if (notice->types != NULL) {
        const struct star_blocks got = got_by(notice);
        return star_blocks_length_of(&got, rank, 0);
    }
    return notice->counts != NULL ? star_count_at(notice->large, notice->counts, rank) * notice->recv.size
           : parts_of[notice->operation].differ ? notice->bytes
                                                : notice->shown;
}

static int take_own(const struct star_notice *notice, int rank, const char *shown)
{
    const struct star_blocks got = got_by(notice);
    struct star_side to = {0}, from = star_side_packed((void *)(uintptr_t)shown);
    int64_t bytes = shown_by(notice, rank);
    int error = bytes > 0 ? star_blocks_side(&got, &notice->recv, rank, &to) : MPI_SUCCESS;
    return bytes > 0 && error == MPI_SUCCESS ? star_side_copy(to, 0, from, 0, bytes, star_alone()) : error;
}

/* Takes what RANK shows. */
static int take(const struct star_notice *notice, int rank, const char *shown)
{
    if (notice->counts != NULL)
        return take_own(notice, rank, shown);
    const struct parts *parts = &parts_of[notice->operation];
    const struct star_side *recv = &notice->recv;
    const char *block = parts->differ ? shown : shown + notice->at;
    if (parts->folds && rank != notice->first)
        return PMPI_Reduce_local(block, recv->base, (int)(notice->bytes / recv->size), recv->type,
                                 notice->op);
    int64_t at = parts->folds || parts->show == ROOT ? 0 : rank * notice->bytes;
    struct star_side from = star_side_packed((void *)(uintptr_t)block);
    return notice->bytes > 0 ? star_side_copy(*recv, at, from, 0, notice->bytes, star_alone()) : MPI_SUCCESS;
}

/* Is there nothing of RANK, which may come at any time? */
static bool is_needless(const struct star_notice *notice, int rank)
{
    return parts_of[notice->operation].sparse && shown_by(notice, rank) == 0;
}

/* From all whom it needs. */
static int take_all(const struct star_notice *notice)
{
    int error = notice->failed;
    int64_t bytes = 0;
    for (int r = notice->first; r < notice->last && notice->operation != STAR_BARRIER; r++) {
        if (is_needless(notice, r))
            continue;
        const char *shown = star_board_look(notice->of->board, notice->number, r, &bytes);
        if (parts_of[notice->operation].differ && bytes > 0)
            shown = star_blocks_find(shown, notice->of->size, notice->of->rank, &bytes);
        int64_t expected = shown_by(notice, r);
        if (bytes >= 0 && expected > notice->limit)
            continue; /* it has come by a letter */
        int taken = bytes == expected ? take(notice, r, shown) : MPI_ERR_TRUNCATE;
        error = error != MPI_SUCCESS ? error : taken;
    }
    return error;
}

static void free_types(struct star_notice *notice)
{
    if (notice->kept != MPI_DATATYPE_NULL)
        PMPI_Type_free(&notice->kept);
    if (notice->kept_types.all != NULL)
        star_kept_types_free(&notice->kept_types);
}

static void finish(struct star_notice *notice)
{
    int error = take_all(notice);
    star_board_end(notice->of->board, notice->number);
    free(notice->letters.all);
    free_types(notice);
    unlink_notice(notice);
    star_general_end(&notice->general, error); /* whoever is told may free it at once */
}

/* Those to or from a rank whose call is wrong will never be. */
static bool letters_are_over(struct star_notice *notice)
{
    int64_t bytes;
    while (notice->letters.count > 0) {
        if (star_letters_end_one(&notice->letters, &notice->failed))
            continue;
        int rank = notice->letters.all[notice->letters.count - 1].rank;
        if (star_board_look(notice->of->board, notice->number, rank, &bytes) == NULL || bytes >= 0)
            return false;
        notice->failed = MPI_ERR_OTHER;
        star_letters_drop_one(&notice->letters);
    }
    return true;
}

/* Have all come that it needs? */
static bool is_ready(struct star_notice *notice)
{
    int64_t bytes;
    int last = notice->meets ? notice->of->size : notice->last;
    while (notice->next < last &&
           (star_board_look(notice->of->board, notice->number, notice->next, &bytes) != NULL ||
            is_needless(notice, notice->next)))
        notice->next++;
    return notice->next == last && letters_are_over(notice) &&
           (!notice->leaves_room || star_board_is_free(notice->of->board, notice->number + 1));
}

static bool polls; /* the MPI library may make progress in what is called of it meanwhile */

static int poll(void)
{
    int ended = 0;
    if (polls)
        return 0;
    polls = true;
    for (struct star_notice *next, *notice = opened; notice != NULL; notice = next) {
        next = notice->behind;
        if (is_ready(notice)) {
            finish(notice);
            ended++;
        }
    }
    polls = false;
    return ended;
}

int star_notices_poll(void)
{
    if (atomic_load_explicit(&outstanding, memory_order_relaxed) == 0)
        return 0;
    if (!star_runtime.threads)
        return poll();
    if (pthread_mutex_trylock(&lock) != 0)
        return 0;
    int ended = poll();
    pthread_mutex_unlock(&lock);
    return ended;
}

/* What all ranks have found to go by the board does, on a rank without memory too. */
enum { SPARE = 64 };
static struct star_notice spare[SPARE];
static atomic_bool spare_taken[SPARE];

static struct star_notice *take_spare(void)
{
    for (int i = 0; i < SPARE; i++)
        if (!atomic_exchange(&spare_taken[i], true))
            return &spare[i];
    return NULL;
}

static void dispose(struct star_notice *notice)
{
    uintptr_t place = (uintptr_t)notice - (uintptr_t)spare;
    if (place < sizeof spare)
        atomic_store(&spare_taken[place / sizeof *spare], false);
    else
        free(notice);
}

static void forget(struct star_general *general)
{
    struct star_notice *notice = (struct star_notice *)general;
    if (star_runtime.threads) { /* it is told in any of them */
        dispose(notice);
        return;
    }
    notice->behind = unused;
    unused = notice;
}

static struct star_notice *new_notice(void)
{
    struct star_notice *notice = unused;
    if (notice == NULL) {
        notice = malloc(sizeof *notice);
        return notice != NULL ? notice : take_spare();
    }
    unused = notice->behind;
    return notice;
}

static bool gets(const struct parts *parts, const struct star_notices *of, int root)
{
    return parts->get == ROOT ? of->rank == root : parts->get != OTHERS || of->rank != root;
}

/* Which ranks it needs. */
static void find_range(struct star_notice *notice, const struct parts *parts)
{
    const struct star_notices *of = notice->of;
    notice->first = parts->show == ROOT ? notice->root : 0;
    notice->last = parts->show == ROOT         ? notice->root + 1
                   : parts->get == UP_TO_SELF  ? of->rank + 1
                   : parts->get == BEFORE_SELF ? of->rank
                                               : of->size;
    if (!gets(parts, of, notice->root))
        notice->last = notice->first;
    notice->next = notice->first;
}

static bool shows(const struct star_notice *notice)
{
    return parts_of[notice->operation].show == ALL || notice->of->rank == notice->root;
}

bool star_notice_sends(const struct star_notice *notice)
{
    return shows(notice) && notice->gives > 0;
}

bool star_notice_receives(const struct star_notice *notice)
{
    return notice->last > notice->first && notice->gets > 0;
}

static bool are_right(const struct star_blocks *blocks, const struct star_side *side)
{
    struct star_side block = {0};
    bool right = true;
    for (int r = 0; right && r < blocks->ranks; r++)
        if (star_blocks_length_of(blocks, r, 0) > 0)
            right = star_blocks_side(blocks, side, r, &block) == MPI_SUCCESS &&
                    star_side_check(&block, star_alone()) == MPI_SUCCESS;
    return right;
}

/* What is wrong with its own buffers the MPI library says. */
static bool is_right(const struct star_notice *notice)
{
    MPI_Comm comm = star_alone();
    const struct star_blocks got = got_by(notice);
    if (notice->types != NULL)
        return are_right(&notice->blocks, &notice->send) && are_right(&got, &notice->recv);
    return (!star_notice_sends(notice) || star_side_check(&notice->send, comm) == MPI_SUCCESS) &&
           (!star_notice_receives(notice) || star_side_check(&notice->recv, comm) == MPI_SUCCESS);
}

static int show(const struct star_notice *notice)
{
    struct star_board *board = notice->of->board;
    char *own = star_board_own(board, notice->number, notice->shown);
    int error = MPI_SUCCESS;
    if (parts_of[notice->operation].differ)
        error = star_blocks_write(&notice->blocks, &notice->send, own);
    else if (notice->shown > 0)
        error = star_side_copy(star_side_packed(own), 0, notice->send, 0, notice->shown, star_alone());
    star_board_show(board, notice->number, error == MPI_SUCCESS ? notice->shown : NOTHING);
    return error;
}

/* The program may free a type of its own as soon as the call has begun. */
static int keep_type(struct star_notice *notice)
{
    if (notice->types != NULL) {
        struct star_blocks got = got_by(notice);
        int error = star_blocks_keep(&got, false, &notice->kept_types);
        notice->types = got.types;
        return error;
    }
    if (notice->recv.named || notice->meets || !star_notice_receives(notice))
        return MPI_SUCCESS;
    int error = star_type_keep(notice->recv.type, &notice->kept);
    notice->recv.type = notice->kept;
    return error;
}

/* NULL: there is no memory. */
static struct star_notice *make_notice(const struct star_notice *described)
{
    struct star_notice *notice = new_notice();
    if (notice == NULL)
        return NULL;
    *notice = *described;
    notice->general.forget = forget;
    if (keep_type(notice) == MPI_SUCCESS && star_general_start(&notice->general) == MPI_SUCCESS)
        return notice;
    free_types(notice);
    forget(&notice->general);
    return NULL;
}

void star_notice_refuse(const struct star_notices *of, int64_t number)
{
    star_board_show(of->board, number, NOTHING);
    star_board_end(of->board, number);
}

static void tell_fetched(const struct star_notice *notice, MPI_Comm comm)
{
    for (int r = notice->first; r < notice->last; r++)
        if (r != notice->of->rank)
            star_execute_fetched(comm, r, notice->counts != NULL ? shown_by(notice, r) : notice->bytes, 1);
}

static int begin_meeting(struct star_notice *notice, int error)
{
    if (!shows(notice))
        star_board_show(notice->of->board, notice->number, 0);
    notice->failed = error;
    notice->next = 0;
    if (error != MPI_SUCCESS)
        notice->last = notice->first;
    if (is_ready(notice))
        finish(notice);
    return MPI_SUCCESS;
}

static int begin_letters(struct star_notice *notice, const struct star_communicator *state)
{
    const struct star_notices *of = notice->of;
    struct star_letters *letters = &notice->letters;
    const struct star_blocks received = got_by(notice);
    bool receives = notice->counts != NULL && notice->last > notice->first;
    int error = MPI_SUCCESS, skipped = notice->in_place ? of->rank : -1;
    if (receives)
        error = star_letters_add_all(letters, state, false, &notice->recv, &received, skipped);
    else if (notice->last > notice->first && notice->gets > notice->limit)
        error = star_letters_add(letters, state, notice->root, false, &notice->elements);
    if (error == MPI_SUCCESS && notice->blocks.counts != NULL)
        return star_letters_add_all(letters, state, true, &notice->send, &notice->blocks, skipped);
    if (error == MPI_SUCCESS && notice->operation == STAR_GATHERV && notice->gives > notice->limit &&
        of->rank != skipped)
        return star_letters_add(letters, state, notice->root, true, &notice->elements);
    return error;
}

static int begin(struct star_notice *notice, MPI_Comm comm, const struct star_communicator *state,
                 MPI_Request *request)
{
    int error = shows(notice) ? show(notice) : MPI_SUCCESS;
    *request = notice->general.request;
    link_notice(notice);
    if (notice->meets)
        return begin_meeting(notice, error);
    if (error == MPI_SUCCESS && parts_of[notice->operation].meets)
        error = begin_letters(notice, state);
    if (star_execute_fetched != NULL && comm != MPI_COMM_NULL)
        tell_fetched(notice, comm);
    if (error != MPI_SUCCESS)
        notice->last = notice->next; /* it gets nothing, and nobody waits for it */
    if (is_ready(notice))
        finish(notice);
    if (error != MPI_SUCCESS)
        star_native.Request_free(request); /* it is none of persistent.c */
    return error;
}

int star_notice_begin(const struct star_notice *described, MPI_Comm comm,
                      const struct star_communicator *state, MPI_Request *request)
{
    struct star_notice *notice = make_notice(described);
    if (notice == NULL) {
        star_notice_refuse(described->of, described->number);
        return MPI_ERR_NO_MEM;
    }
    bool nested = polls;
    polls = true;
    int error = begin(notice, comm, state, request);
    polls = nested;
    return error;
}

int star_notice_run(struct star_notice *notice, MPI_Comm comm)
{
    int error = shows(notice) ? show(notice) : MPI_SUCCESS, turns = 0;
    if (star_execute_fetched != NULL)
        tell_fetched(notice, comm);
    notice->next = notice->first;
    while (error == MPI_SUCCESS && !is_ready(notice))
        error = star_wait(star_runtime.crowded, &turns, star_runtime.messages);
    return error == MPI_SUCCESS ? take_all(notice) : error;
}

void star_notice_left(const struct star_notice *notice)
{
    star_board_end(notice->of->board, notice->number);
}

bool star_notice_fits(enum star_operation operation, int64_t bytes, int size)
{
    const struct parts *parts = &parts_of[operation];
    return parts->served && bytes >= 0 && bytes <= STAR_BOARD_WIDE / (parts->blocks ? size : 1);
}

/* Operations with a count for each rank, which all know: the most that one shows. */
static int64_t find_counts(struct star_notice *notice, const struct star_call *call)
{
    int64_t most = 0, before = 0, size = notice->recv.size;
    for (int r = 0; r < notice->of->size; r++) {
        int64_t bytes = star_count_at(call->large, call->recvcounts, r) * size;
        before += r < notice->of->rank ? bytes : 0;
        most = bytes > most ? bytes : most;
    }
    notice->bytes = star_count_at(call->large, call->recvcounts, notice->of->rank) * size;
    if (call->operation == STAR_REDUCE_SCATTER) {
        notice->at = before;
        return notice->shown; /* all blocks */
    }
    notice->counts = call->recvcounts;
    notice->displs = call->recvdispls;
    notice->shown = notice->bytes;
    return most;
}

/* Operations whose lengths not all ranks know, but those of a block both its ranks. */

static void find_given(struct star_notice *notice, const struct star_call *call)
{
    const struct star_notices *of = notice->of;
    bool leads = of->rank == notice->root, in_place = call->sendbuf == MPI_IN_PLACE;
    struct star_blocks given = {of->size,         call->large,     call->sendcounts,
                                call->senddispls, call->sendtypes, INT64_MAX};
    if (call->operation == STAR_GATHERV) {
        int64_t count = in_place ? star_count_at(call->large, call->recvcounts, of->rank) : call->sendcount;
        notice->gives = star_blocks_length(count, notice->send.size);
        notice->shown = notice->gives <= notice->limit ? notice->gives : 0;
        notice->elements = (struct star_elements){notice->send.base, count, notice->send.type};
    } else if (leads || parts_of[call->operation].show == ALL) {
        notice->gives = star_blocks_bytes(&given, notice->send.size);
        notice->blocks = given;
        notice->blocks.most = notice->limit;
        notice->shown = star_blocks_shown(of->size, star_blocks_bytes(&notice->blocks, notice->send.size));
    } else
        notice->shown = 0;
}

static void find_got(struct star_notice *notice, const struct star_call *call)
{
    struct star_blocks got = {notice->of->size, call->large,     call->recvcounts,
                              call->recvdispls, call->recvtypes, INT64_MAX};
    if (call->operation == STAR_SCATTERV) {
        notice->gets = notice->bytes = star_blocks_length(call->recvcount, notice->recv.size);
        notice->elements = (struct star_elements){notice->recv.base, call->recvcount, notice->recv.type};
    } else if (notice->last > notice->first) {
        notice->counts = call->recvcounts;
        notice->displs = call->recvdispls;
        notice->types = call->recvtypes;
        notice->gets = star_blocks_bytes(&got, notice->recv.size);
    }
}

/* False: ranks are too many. */
static bool find_blocks(struct star_notice *notice, const struct star_call *call, bool agreed)
{
    enum { LEAST = 8 };
    int64_t size = notice->of->size, room = STAR_BOARD_MOST - star_blocks_shown((int)size, 0);
    if (!agreed)
        notice->limit = call->operation == STAR_GATHERV ? STAR_BOARD_MOST : room / size;
    find_given(notice, call);
    find_got(notice, call);
    notice->in_place = call->sendbuf == MPI_IN_PLACE || call->recvbuf == MPI_IN_PLACE;
    if (call->recvbuf == MPI_IN_PLACE) /* the root has its block */
        notice->last = notice->first;
    notice->most = agreed ? notice->shown : STAR_BOARD_MOST;
    return notice->limit >= LEAST;
}

static bool has_counts(enum star_operation operation)
{
    return operation == STAR_ALLGATHERV || operation == STAR_REDUCE_SCATTER;
}

bool star_notice_describe(struct star_notice *notice, struct star_notices *of, const struct star_call *call,
                          const struct star_communicator *state, bool agreed, int64_t most)
{
    const struct parts *parts = &parts_of[call->operation];
    const struct star_server *server = &star_servers[call->operation];
    struct star_facts facts = {.granule = 1, .commutative = true};
    struct star_buffers buffers = {.op = MPI_OP_NULL};
    bool sums = has_counts(call->operation); /* their bytes are those of all ranks together */
    /* Which way a call goes differs from run to run, and so would the bits. */
    bool fixed = parts->folds && star_runtime.settings.reproducible != STAR_REPRODUCIBLE_OFF;
    if (!parts->served || fixed || !server->facts(call, state, &facts) || facts.wrong || facts.own_operator ||
        facts.bytes > most * (sums ? of->size : 1) ||
        server->buffers(call, state, &facts, &buffers) != MPI_SUCCESS)
        return false;
    bool one_buffer = call->operation == STAR_BCAST || (call->operation == STAR_ALLTOALL && facts.in_place);
    *notice = (struct star_notice){.of = of,
                                   .operation = call->operation,
                                   .bytes = facts.bytes,
                                   .shown = facts.bytes * (parts->blocks ? state->size : 1),
                                   .at = parts->blocks ? of->rank * facts.bytes : 0,
                                   .large = call->large,
                                   .root = facts.root,
                                   .limit = INT64_MAX,
                                   .send = one_buffer ? buffers.recv : buffers.send,
                                   .recv = buffers.recv,
                                   .op = call->op,
                                   .kept = MPI_DATATYPE_NULL};
    find_range(notice, parts);
    notice->most = sums ? find_counts(notice, call) : notice->shown;
    notice->gets = notice->most;
    notice->gives = notice->shown;
    if (parts->meets && !find_blocks(notice, call, agreed))
        return false;
    notice->right = is_right(notice);
    return notice->most <= most && (!parts->folds || notice->send.dense);
}

bool star_notice_stays(const struct star_notice *notice)
{
    bool receives = notice->last > notice->first;
    if (has_counts(notice->operation) ||
        parts_of[notice->operation].meets) /* arrays may hold other counts the next time */
        return false;
    return notice->shown == 0 ||
           ((!shows(notice) || notice->send.named) && (!receives || notice->recv.named));
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/notice.h"
#include "exec/execute.h"
#include "exec/native.h"
#include "exec/patience.h"
#include "runtime/session.h"
#include "runtime/shown.h"
#include "util/spare.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static struct star_notice *opened; /* all of this process: the last one */
static atomic_int outstanding;     /* so many */
static struct star_notice *unused; /* of a process in which one thread at a time communicates */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void star_notices_lock(void)
{
    if (star_runtime.threads)
        pthread_mutex_lock(&lock);
}

bool star_notices_trylock(void)
{
    return !star_runtime.threads || pthread_mutex_trylock(&lock) == 0;
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

static void free_types(struct star_notice *notice)
{
    if (notice->kept != MPI_DATATYPE_NULL)
        PMPI_Type_free(&notice->kept);
    if (notice->kept_types.all != NULL)
        star_kept_types_free(&notice->kept_types);
}

static void finish(struct star_notice *notice)
{
    int error = star_notice_take(notice);
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
            star_notice_is_needless(notice, notice->next)))
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
    if (!star_notices_trylock())
        return 0;
    int ended = poll();
    star_notices_unlock();
    return ended;
}

/* What all ranks have found to go by the board does, on a rank without memory, too. */
STAR_SPARES(struct star_notice, spare, 64);

static void forget(struct star_general *general)
{
    struct star_notice *notice = (struct star_notice *)general;
    if (star_runtime.threads) { /* it is told in any of them */
        star_spare_free(&spare, notice);
        return;
    }
    notice->behind = unused;
    unused = notice;
}

static struct star_notice *new_notice(void)
{
    struct star_notice *notice = unused;
    if (notice == NULL)
        return star_spare_new(&spare);
    unused = notice->behind;
    return notice;
}

/* The program may free a type of its own as soon as the call has begun. */
static int keep_type(struct star_notice *notice)
{
    if (notice->types != NULL) {
        struct star_blocks got = star_notice_blocks(notice);
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
    star_board_show(of->board, number, STAR_SHOWS_NOTHING);
    star_board_end(of->board, number);
}

static void tell_fetched(const struct star_notice *notice, MPI_Comm comm)
{
    for (int r = notice->first; r < notice->last; r++)
        if (r != notice->of->rank)
            star_execute_fetched(comm, r,
                                 notice->counts != NULL ? star_notice_length(notice, r) : notice->bytes, 1);
}

static int begin_meeting(struct star_notice *notice, int error)
{
    if (!star_notice_shows(notice))
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
    const struct star_blocks received = star_notice_blocks(notice);
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
    int error = star_notice_shows(notice) ? star_notice_show(notice) : MPI_SUCCESS;
    *request = notice->general.request;
    link_notice(notice);
    if (notice->meets)
        return begin_meeting(notice, error);
    if (error == MPI_SUCCESS && star_notice_has_letters(notice))
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
    int error = star_notice_shows(notice) ? star_notice_show(notice) : MPI_SUCCESS, turns = 0;
    if (star_execute_fetched != NULL)
        tell_fetched(notice, comm);
    notice->next = notice->first;
    while (error == MPI_SUCCESS && !is_ready(notice))
        error = star_wait(star_runtime.crowded, &turns, star_runtime.messages);
    return error == MPI_SUCCESS ? star_notice_take(notice) : error;
}

void star_notice_left(const struct star_notice *notice)
{
    star_board_end(notice->of->board, notice->number);
}

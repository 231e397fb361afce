/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/shown.h"
#include "exec/execute.h"
#include "runtime/operations.h"
#include "runtime/policy.h"
#include "runtime/session.h"

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

struct star_blocks star_notice_blocks(const struct star_notice *notice)
{
    return (struct star_blocks){notice->of->size, notice->large, notice->counts,
                                notice->displs,   notice->types, notice->limit};
}

/* What RANK shows. */
int64_t star_notice_length(const struct star_notice *notice, int rank)
{
    if (notice->types != NULL) {
        const struct star_blocks got = star_notice_blocks(notice);
        return star_blocks_length_of(&got, rank, 0);
    }
    return notice->counts != NULL ? star_count_at(notice->large, notice->counts, rank) * notice->recv.size
           : parts_of[notice->operation].differ ? notice->bytes
                                                : notice->shown;
}

static int take_own(const struct star_notice *notice, int rank, const char *shown)
{
    const struct star_blocks got = star_notice_blocks(notice);
    struct star_side to = {0}, from = star_side_packed((void *)(uintptr_t)shown);
    int64_t bytes = star_notice_length(notice, rank);
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
bool star_notice_is_needless(const struct star_notice *notice, int rank)
{
    return parts_of[notice->operation].sparse && star_notice_length(notice, rank) == 0;
}

/* From all whom it needs. */
int star_notice_take(const struct star_notice *notice)
{
    int error = notice->failed;
    int64_t bytes = 0;
    for (int r = notice->first; r < notice->last && notice->operation != STAR_BARRIER; r++) {
        if (star_notice_is_needless(notice, r))
            continue;
        const char *shown = star_board_look(notice->of->board, notice->number, r, &bytes);
        if (parts_of[notice->operation].differ && bytes > 0)
            shown = star_blocks_find(shown, notice->of->size, notice->of->rank, &bytes);
        int64_t expected = star_notice_length(notice, r);
        if (bytes >= 0 && expected > notice->limit)
            continue; /* it has come by a letter */
        int taken = bytes == expected ? take(notice, r, shown) : MPI_ERR_TRUNCATE;
        error = error != MPI_SUCCESS ? error : taken;
    }
    return error;
}

static bool receives(const struct parts *parts, const struct star_notices *of, int root)
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
    if (!receives(parts, of, notice->root))
        notice->last = notice->first;
    notice->next = notice->first;
}

bool star_notice_shows(const struct star_notice *notice)
{
    return parts_of[notice->operation].show == ALL || notice->of->rank == notice->root;
}

bool star_notice_has_letters(const struct star_notice *notice)
{
    return parts_of[notice->operation].meets;
}

bool star_notice_sends(const struct star_notice *notice)
{
    return star_notice_shows(notice) && notice->gives > 0;
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
    const struct star_blocks got = star_notice_blocks(notice);
    if (notice->types != NULL)
        return are_right(&notice->blocks, &notice->send) && are_right(&got, &notice->recv);
    return (!star_notice_sends(notice) || star_side_check(&notice->send, comm) == MPI_SUCCESS) &&
           (!star_notice_receives(notice) || star_side_check(&notice->recv, comm) == MPI_SUCCESS);
}

int star_notice_show(const struct star_notice *notice)
{
    struct star_board *board = notice->of->board;
    char *own = star_board_own(board, notice->number, notice->shown);
    int error = MPI_SUCCESS;
    if (parts_of[notice->operation].differ)
        error = star_blocks_write(&notice->blocks, &notice->send, own);
    else if (notice->shown > 0)
        error = star_side_copy(star_side_packed(own), 0, notice->send, 0, notice->shown, star_alone());
    star_board_show(board, notice->number, error == MPI_SUCCESS ? notice->shown : STAR_SHOWS_NOTHING);
    return error;
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
           ((!star_notice_shows(notice) || notice->send.named) && (!receives || notice->recv.named));
}

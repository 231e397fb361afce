/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/nonblocking.h"
#include "exec/board.h"
#include "exec/execute.h"
#include "exec/general.h"
#include "runtime/call.h"
#include "runtime/nodes.h"
#include "runtime/opening.h"
#include "runtime/operations.h"
#include "runtime/pause.h"
#include "runtime/peers.h"
#include "runtime/samples.h"
#include "runtime/serve.h"
#include "runtime/session.h"
#include "runtime/state.h"

#include <stdlib.h>

/* Which ranks show something, and which get it. */
enum { NOTHING = -1 }; /* is what a rank shows whose call is wrong */
enum part { ALL, ROOT, OTHERS, LATER, BEHIND };
struct parts {
    bool served;
    enum part show, get;
    bool blocks; /* each rank shows a block for each rank */
    bool folds;
};
static const struct parts parts_of[STAR_OPERATIONS] = {
    [STAR_BARRIER] = {.served = true},
    [STAR_ALLREDUCE] = {.served = true, .folds = true},
    [STAR_REDUCE] = {.served = true, .get = ROOT, .folds = true},
    [STAR_SCAN] = {.served = true, .get = LATER, .folds = true},
    [STAR_EXSCAN] = {.served = true, .get = BEHIND, .folds = true},
    [STAR_REDUCE_SCATTER_BLOCK] = {.served = true, .blocks = true, .folds = true},
    [STAR_BCAST] = {.served = true, .show = ROOT, .get = OTHERS},
    [STAR_SCATTER] = {.served = true, .show = ROOT, .blocks = true},
    [STAR_GATHER] = {.served = true, .get = ROOT},
    [STAR_ALLGATHER] = {.served = true},
    [STAR_ALLTOALL] = {.served = true, .blocks = true},
};

/* A call that has begun. */
struct notice {
    struct star_general general; /* the first member */
    struct star_begun *begun;
    int64_t number;
    enum star_operation operation;
    int root, first, next, last; /* it needs what ranks FIRST to LAST − 1 show; those before NEXT have come */
    int64_t bytes, shown;        /* of a block; and what each of them shows */
    struct star_side recv;
    MPI_Op op;
    MPI_Datatype kept; /* a type that the program may free before */
    struct notice *before, *behind;
};
/* A call as it came last, and what it is: programs begin the same one again and again. */
enum { KNOWN = 4 };
struct known {
    struct star_call call;
    struct notice notice;
    struct star_side send;
    bool right;
};

/* Of a communicator. */
struct star_begun {
    struct star_board *board; /* NULL: not yet, or never */
    int64_t number;           /* of the next call */
    int size, rank;
    bool over;    /* nothing new begins */
    int64_t open; /* so many calls have begun and not ended */
    struct star_nameless_key key;
    MPI_Request *telling; /* rank 0's to all others, or what this rank waits to be told; NULL: nothing */
    int tellings;
    struct known known[KNOWN]; /* by operation */
    struct star_samples samples;
};

static struct notice *opened; /* all of this process: the last one */
static struct notice *unused;

static void link_notice(struct notice *notice)
{
    notice->behind = opened;
    if (opened != NULL)
        opened->before = notice;
    opened = notice;
    notice->begun->open++;
}

static void dispose(struct star_begun *begun)
{
    if (begun->board != NULL)
        star_board_free(begun->board);
    free(begun);
}

static void unlink_notice(struct notice *notice)
{
    struct star_begun *begun = notice->begun;
    *(notice->before != NULL ? &notice->before->behind : &opened) = notice->behind;
    if (notice->behind != NULL)
        notice->behind->before = notice->before;
    begun->open--;
    if (begun->over && begun->open == 0)
        dispose(begun);
}

/* Takes what RANK shows. */
static int take(const struct notice *notice, int rank, const char *shown)
{
    const struct parts *parts = &parts_of[notice->operation];
    const struct star_side *recv = &notice->recv;
    const char *block = shown + (parts->blocks ? notice->begun->rank * notice->bytes : 0);
    if (parts->folds && rank != notice->first)
        return PMPI_Reduce_local(block, recv->base, (int)(notice->bytes / recv->size), recv->type,
                                 notice->op);
    int64_t at = parts->folds || parts->show == ROOT ? 0 : rank * notice->bytes;
    struct star_side from = star_side_packed((void *)(uintptr_t)block);
    return notice->bytes > 0 ? star_side_copy(*recv, at, from, 0, notice->bytes, star_alone()) : MPI_SUCCESS;
}

static void finish(struct notice *notice)
{
    struct star_board *board = notice->begun->board;
    int error = MPI_SUCCESS;
    int64_t bytes = 0;
    for (int r = notice->first; r < notice->last && notice->operation != STAR_BARRIER; r++) {
        const char *shown = star_board_look(board, notice->number, r, &bytes);
        int taken = bytes == notice->shown ? take(notice, r, shown) : MPI_ERR_TRUNCATE;
        error = error != MPI_SUCCESS ? error : taken;
    }
    star_board_end(board, notice->number);
    if (notice->kept != MPI_DATATYPE_NULL)
        PMPI_Type_free(&notice->kept);
    unlink_notice(notice);
    star_general_end(&notice->general, error); /* whoever is told may free it at once */
}

/* Have all come that it needs? */
static bool is_ready(struct notice *notice)
{
    int64_t bytes;
    while (notice->next < notice->last &&
           star_board_look(notice->begun->board, notice->number, notice->next, &bytes) != NULL)
        notice->next++;
    return notice->next == notice->last;
}

int star_nonblocking_poll(void)
{
    static bool polls; /* should the MPI library make progress in what finishing calls of it */
    int ended = 0;
    if (opened == NULL || polls)
        return 0;
    polls = true;
    for (struct notice *next, *notice = opened; notice != NULL; notice = next) {
        next = notice->behind;
        if (is_ready(notice)) {
            finish(notice);
            ended++;
        }
    }
    polls = false;
    return ended;
}

static void forget(struct star_general *general)
{
    struct notice *notice = (struct notice *)general;
    notice->behind = unused;
    unused = notice;
}

static struct notice *new_notice(void)
{
    struct notice *notice = unused;
    if (notice == NULL)
        return malloc(sizeof *notice);
    unused = notice->behind;
    return notice;
}

/* Setting up: rank 0 makes the board and tells the others. Until one is told, its calls are native's. */

/* Not on several nodes, nor where messages do not reach all. Facts that all ranks find alike, or else one of
 * them never comes to the board. */
static bool is_possible(struct star_communicator *state, MPI_Comm comm)
{
    if (star_runtime.threads || !star_runtime.settings.shared_memory || !star_nodes_are_known() ||
        star_runtime.settings.nonblocking == STAR_NONBLOCKING_NATIVE ||
        star_runtime.messages == MPI_COMM_NULL || state->id <= 0 ||
        (int64_t)star_board_bytes(state->size) > star_memory_most())
        return false;
    star_communicator_open(state, comm);
    bool here = state->able && state->route.tag >= 0;
    for (int r = 0; here && state->node != NULL && r < state->size; r++)
        here = state->node[r] == state->node[0];
    return here && star_general_begin(star_nonblocking_poll, star_runtime.messages, star_runtime.crowded);
}

static struct star_begun *begun_of(struct star_communicator *state, MPI_Comm comm)
{
    if (state->begun != NULL || state->begins_natively)
        return state->begun;
    state->begins_natively = !is_possible(state, comm);
    if (state->begins_natively)
        return NULL;
    state->begun = calloc(1, sizeof *state->begun);
    if (state->begun == NULL)
        state->begins_natively = true;
    else
        *state->begun =
            (struct star_begun){.number = STAR_BOARD_FIRST, .size = state->size, .rank = state->rank};
    return state->begun;
}

static void tell(const struct star_communicator *state, struct star_begun *begun)
{
    begun->board = star_board_make(begun->size, begun->number, &begun->key);
    for (int r = 1; r < begun->size; r++)
        if (star_peer_isend(state, r, STAR_BOARD_KEY, &begun->key, sizeof begun->key,
                            &begun->telling[begun->tellings]) == MPI_SUCCESS)
            begun->tellings++;
}

static void begin_telling(const struct star_communicator *state, struct star_begun *begun)
{
    begun->telling = calloc((size_t)begun->size, sizeof *begun->telling);
    if (begun->telling == NULL)
        return; /* then there is never a board */
    if (begun->rank == 0)
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
    if (begun->tellings == 0 && begun->rank > 0 && error == MPI_SUCCESS)
        begun->board = star_board_open(begun->size, begun->rank, begun->number, &begun->key);
}

static void set_up(const struct star_communicator *state, struct star_begun *begun)
{
    enum { PATIENCE = 8 };
    int64_t first = star_runtime.settings.nonblocking == STAR_NONBLOCKING_SHARED ? 0 : PATIENCE;
    if (begun->number == STAR_BOARD_FIRST + first)
        begin_telling(state, begun);
    if (begun->tellings > 0)
        go_on_telling(begun);
}

void star_nonblocking_leave(struct star_communicator *state)
{
    struct star_begun *begun = state->begun;
    if (begun == NULL)
        return;
    state->begun = NULL;
    state->begins_natively = true;
    star_samples_forget(&begun->samples);
    begun->over = true;
    if (begun->rank > 0 && begun->tellings > 0)
        star_peer_cancel(begun->telling);
    if (begun->rank > 0 || begun->tellings == 0)
        free(begun->telling);
    else
        begun->open++; /* what is sent lies in this memory, which stays */
    if (begun->open == 0)
        dispose(begun);
}

/* Beginning. */

static bool gets(const struct parts *parts, const struct star_begun *begun, int root)
{
    return parts->get == ROOT ? begun->rank == root : parts->get != OTHERS || begun->rank != root;
}

/* Which ranks it needs. */
static void find_range(struct notice *notice, const struct parts *parts)
{
    const struct star_begun *begun = notice->begun;
    notice->first = parts->show == ROOT ? notice->root : 0;
    notice->last = parts->show == ROOT    ? notice->root + 1
                   : parts->get == LATER  ? begun->rank + 1
                   : parts->get == BEHIND ? begun->rank
                                          : begun->size;
    if (!gets(parts, begun, notice->root))
        notice->last = notice->first;
    notice->next = notice->first;
}

/* Is it one that the board can serve? All ranks find the same, but one that is wrong. */
static bool describe(const struct star_call *call, const struct star_communicator *state,
                     struct star_buffers *buffers, struct notice *notice)
{
    const struct parts *parts = &parts_of[call->operation];
    struct star_facts facts = {.granule = 1, .commutative = true};
    if (!parts->served || !star_servers[call->operation].facts(call, state, &facts) || facts.wrong ||
        facts.own_operator || facts.bytes > STAR_BOARD_MOST ||
        star_servers[call->operation].buffers(call, state, &facts, buffers))
        return false;
    notice->operation = call->operation;
    notice->bytes = facts.bytes;
    notice->shown = facts.bytes * (parts->blocks ? state->size : 1);
    notice->root = facts.root;
    notice->recv = buffers->recv;
    notice->op = call->op;
    notice->kept = MPI_DATATYPE_NULL;
    if (call->operation == STAR_BCAST || (call->operation == STAR_ALLTOALL && facts.in_place))
        buffers->send = buffers->recv;
    return notice->shown <= STAR_BOARD_MOST && (!parts->folds || buffers->send.dense);
}

static bool shows(const struct notice *notice)
{
    return parts_of[notice->operation].show == ALL || notice->begun->rank == notice->root;
}

/* What is wrong with its own buffers the MPI library says. */
static bool is_right(const struct notice *notice, const struct star_buffers *buffers)
{
    MPI_Comm comm = star_alone();
    bool sends = shows(notice) && notice->shown > 0,
         receives = notice->last > notice->first && notice->bytes > 0;
    return (!sends || star_side_check(&buffers->send, comm) == MPI_SUCCESS) &&
           (!receives || star_side_check(&buffers->recv, comm) == MPI_SUCCESS);
}

static int show(const struct notice *notice, const struct star_side *send)
{
    struct star_board *board = notice->begun->board;
    int error = MPI_SUCCESS;
    if (notice->shown > 0) {
        struct star_side own = star_side_packed(star_board_own(board, notice->number, notice->shown));
        error = star_side_copy(own, 0, *send, 0, notice->shown, star_alone());
    }
    star_board_show(board, notice->number, notice->shown);
    return error;
}

/* The program may free a type of its own as soon as the call has begun. */
static int keep_type(struct notice *notice)
{
    if (notice->recv.named || notice->last == notice->first || notice->bytes == 0)
        return MPI_SUCCESS;
    int error = PMPI_Type_dup(notice->recv.type, &notice->kept);
    notice->recv.type = notice->kept;
    return error;
}

/* NULL: there is no memory. */
static struct notice *make_notice(const struct notice *described)
{
    struct notice *notice = new_notice();
    if (notice == NULL)
        return NULL;
    *notice = *described;
    notice->general.forget = forget;
    if (keep_type(notice) == MPI_SUCCESS && star_general_start(&notice->general) == MPI_SUCCESS)
        return notice;
    if (notice->kept != MPI_DATATYPE_NULL)
        PMPI_Type_free(&notice->kept);
    forget(&notice->general);
    return NULL;
}

/* The others learn that this rank shows nothing. */
static void refuse(struct star_begun *begun)
{
    star_board_show(begun->board, begun->number, NOTHING);
    star_board_end(begun->board, begun->number);
}

static void tell_fetched(const struct notice *notice, MPI_Comm comm)
{
    for (int r = notice->first; r < notice->last; r++)
        if (r != notice->begun->rank)
            star_execute_fetched(comm, r, notice->bytes, 1);
}

/* The call goes by the board. */
static int open_notice(const struct notice *described, const struct star_call *call,
                       const struct star_side *send, MPI_Request *request)
{
    struct notice *notice = make_notice(described);
    if (notice == NULL) {
        refuse(described->begun);
        return MPI_ERR_NO_MEM;
    }
    int error = shows(notice) ? show(notice, send) : MPI_SUCCESS;
    *request = notice->general.request;
    link_notice(notice);
    if (star_execute_fetched != NULL)
        tell_fetched(notice, call->comm);
    if (error != MPI_SUCCESS)
        notice->last = notice->next; /* it gets nothing */
    if (is_ready(notice))
        finish(notice);
    return error;
}

static int kind_of(const struct notice *notice)
{
    enum { SHORT = 48, MIDDLE = 256, CLASSES = 3 };
    int class = notice->shown <= SHORT ? 0 : notice->shown <= MIDDLE ? 1 : 2;
    _Static_assert(STAR_OPERATIONS * CLASSES <= STAR_BOARD_KINDS, "each operation has figures");
    return (int)notice->operation * CLASSES + class;
}

/* WANTS: what is known speaks for the board. */
static bool is_wanted(bool wants)
{
    return star_runtime.settings.nonblocking == STAR_NONBLOCKING_SHARED || (wants && !star_is_paused());
}

static bool is_same(const struct star_call *one, const struct star_call *other)
{
    return one->operation == other->operation && one->sendbuf == other->sendbuf &&
           one->recvbuf == other->recvbuf && one->sendcount == other->sendcount &&
           one->recvcount == other->recvcount && one->sendtype == other->sendtype &&
           one->recvtype == other->recvtype && one->op == other->op && one->root == other->root;
}

/* What is known of it holds as long as types and operators do: of MPI's own, always. */
static bool is_known(const struct known *known, const struct star_call *call)
{
    const struct notice *notice = &known->notice;
    bool named =
        notice->shown == 0 || (known->send.named && (notice->last == notice->first || notice->recv.named));
    return notice->begun != NULL && named && is_same(&known->call, call);
}

/* False: the board cannot serve it. */
static bool find(struct star_begun *begun, struct star_communicator *state, const struct star_call *call,
                 struct known **found)
{
    struct known *known = *found = &begun->known[call->operation % KNOWN];
    struct star_buffers buffers = {.op = MPI_OP_NULL};
    if (is_known(known, call))
        return true;
    known->notice = (struct notice){.begun = NULL};
    if (!describe(call, state, &buffers, &known->notice))
        return false;
    known->call = *call;
    known->notice.begun = begun;
    known->send = buffers.send;
    find_range(&known->notice, &parts_of[call->operation]);
    known->right = is_right(&known->notice, &buffers);
    return true;
}

static bool begin(struct star_begun *begun, struct star_communicator *state, const struct star_call *call,
                  MPI_Request *request, int *error)
{
    struct known *known;
    if (!find(begun, state, call, &known)) {
        if (star_board_pass(begun->board, begun->number))
            refuse(begun);
        return false;
    }
    known->notice.number = begun->number;
    bool wants = star_samples_begin(&begun->samples, begun->board, kind_of(&known->notice));
    bool shared = star_board_begin(begun->board, begun->number, known->right && is_wanted(wants));
    star_samples_way(shared);
    if (shared && !known->right)
        refuse(begun);
    if (!shared || !known->right)
        return false;
    *error = star_raise(call, open_notice(&known->notice, call, &known->send, request));
    star_samples_began();
    return true;
}

bool star_nonblocking_begin(const struct star_call *call, struct star_communicator *state,
                            MPI_Request *request, int *error)
{
    struct star_begun *begun = begun_of(state, call->comm);
    if (begun == NULL || request == NULL)
        return false;
    if (begun->board == NULL)
        set_up(state, begun);
    bool served = begun->board != NULL && begin(begun, state, call, request, error);
    begun->number++;
    return served;
}

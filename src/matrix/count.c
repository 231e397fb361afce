/* SPDX-License-Identifier: BSD-3-Clause
 * Counts what the ranks send to each other: a library of its own, which `startune run --matrix` preloads
 * behind startune. Each function here calls the MPI library's first, with the program's arguments, and counts
 * once that has succeeded.
 *
 * As in interpose/mpi.c each stands there under both names, PMPI_X for Fortran bindings and startune's own
 * messages; where a tool is behind, MPI_X hands on to it, and PMPI_X counts what comes back. Of operations
 * that startune stands in front of there is PMPI_X alone: that is what startune calls natively. */
#include "matrix/count.h"
#include "matrix/peers.h"
#include "matrix/started.h"
#include "place/guess.h"
#include "runtime/call.h"
#include "util/behind.h"
#include "util/export.h"

#include <dlfcn.h>
#include <link.h>
#include <mpi.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ------ What is counted */

/* Calls of a collective operation that the MPI library does in its own way: expanded at the end. */
struct guessed {
    struct star_guess guess;
    const struct star_peers *peers;   /* NULL: the place is free */
    int64_t calls, early[STAR_EARLY]; /* as struct star_tally_peer has it */
};
enum { GUESSES = 4096 }; /* a power of two; not more than half of them are used */

/* The addresses of a library. */
struct range {
    uintptr_t begin, end;
};

static struct {
    pthread_mutex_t lock;
    bool on, threads; /* THREADS: several may communicate at once */
    int rank;         /* this process's own in MPI_COMM_WORLD */
    struct range startune, mpi;
    struct star_tally tally;
    struct guessed *guessed;
    int guesses;
} matrix = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void lock(void)
{
    if (matrix.threads)
        pthread_mutex_lock(&matrix.lock);
}

static void unlock(void)
{
    if (matrix.threads)
        pthread_mutex_unlock(&matrix.lock);
}

static void add_guessed(int peer, int64_t bytes, int64_t messages, void *into)
{
    const struct guessed *of = into;
    int world = star_peer_in_world(of->peers, peer);
    if (world < 0)
        return;
    star_tally_add(&matrix.tally, STAR_TALK_GUESSED, world, false, bytes * of->calls, messages * of->calls);
    star_tally_add_early(&matrix.tally, world, (int64_t[]){bytes * of->early[0], bytes * of->early[1]});
}

/* Something was counted. The lock is held. */
static void note_event(void)
{
    if (!star_tally_event(&matrix.tally))
        return;
    for (int i = 0; matrix.guessed && i < GUESSES; i++) {
        matrix.guessed[i].early[1] = matrix.guessed[i].early[0];
        matrix.guessed[i].early[0] = matrix.guessed[i].calls;
    }
}

/* Adds what the calls are likely to have sent: all, or those of PEERS. */
static void expand(const struct star_peers *peers)
{
    static const struct star_peers none, *const gone = &none;
    int left = 0;
    for (int i = 0; matrix.guessed && i < GUESSES; i++) {
        struct guessed *one = &matrix.guessed[i];
        if (one->calls == 0)
            continue;
        if (peers != NULL && one->peers != peers) {
            left++;
            continue;
        }
        if (star_guess_sends(&one->guess, add_guessed, one))
            matrix.tally.failed = true;
        one->calls = one->early[0] = one->early[1] = 0;
        one->peers = gone; /* the place stays taken, so that others are found behind it */
    }
    if (left == 0 && matrix.guessed != NULL && matrix.guesses > 0) {
        memset(matrix.guessed, 0, GUESSES * sizeof *matrix.guessed);
        matrix.guesses = 0;
    }
}

/* A communicator or window goes. */
static void forget(const struct star_peers *peers)
{
    lock();
    expand(peers);
    unlock();
}

struct search {
    uintptr_t address;
    struct range found;
};

static int find_in(struct dl_phdr_info *info, size_t size, void *state)
{
    struct search *search = state;
    struct range range = {UINTPTR_MAX, 0};
    (void)size;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_LOAD) {
            uintptr_t at = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr, to = at + info->dlpi_phdr[i].p_memsz;
            range.begin = at < range.begin ? at : range.begin;
            range.end = to > range.end ? to : range.end;
        }
    if (search->address < range.begin || search->address >= range.end)
        return 0;
    search->found = range;
    return 1;
}

/* Of the library that holds FUNCTION; empty without one. */
static struct range range_of(const void *function)
{
    struct search search = {.address = (uintptr_t)function};
    if (function != NULL)
        dl_iterate_phdr(find_in, &search);
    return search.found;
}

static bool is_in(struct range range, const void *caller)
{
    return (uintptr_t)caller >= range.begin && (uintptr_t)caller < range.end;
}

static void begin(void)
{
    int ready = 0, level = MPI_THREAD_MULTIPLE; /* in a program of sessions each may have its own */
    if (PMPI_Initialized(&ready) == MPI_SUCCESS && ready)
        PMPI_Query_thread(&level);
    matrix.startune = range_of(dlsym(RTLD_DEFAULT, "STAR_Is_active"));
    matrix.mpi = range_of(dlsym(RTLD_NEXT, "PMPI_Initialized"));
    matrix.threads = level == MPI_THREAD_MULTIPLE;
    matrix.on = star_peers_begin(forget, &matrix.rank);
}

/* Is anything counted? */
static bool is_counting(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    static atomic_bool begun;
    if (!atomic_load_explicit(&begun, memory_order_acquire)) {
        pthread_once(&once, begin);
        atomic_store_explicit(&begun, true, memory_order_release);
    }
    return matrix.on;
}

/* Asking for the size of a datatype takes as long as all the rest, so those that are sent most are known. */
static int64_t size_of(MPI_Datatype type)
{
    MPI_Count bytes = 0;
    if (type == MPI_DOUBLE)
        return sizeof(double);
    if (type == MPI_BYTE || type == MPI_CHAR)
        return 1;
    if (type == MPI_INT)
        return sizeof(int);
    return PMPI_Type_size_x(type, &bytes) == MPI_SUCCESS && bytes > 0 ? (int64_t)bytes : 0;
}

static int64_t bytes_of(int64_t count, MPI_Datatype type)
{
    return count > 0 ? count * size_of(type) : 0;
}

static enum star_talk_kind kind_of(const void *caller)
{
    return is_in(matrix.startune, caller) ? STAR_TALK_METHODS : STAR_TALK_PROGRAM;
}

/* Locks are held where nobody calls MPI: an MPI library may hold its own while it calls forget(). Startune's
 * messages of a rank to itself only copy. */
static void add(const struct star_peers *peers, enum star_talk_kind kind, int rank, bool came, int64_t bytes)
{
    int world = peers ? star_peer_in_world(peers, rank) : -1;
    if (world < 0 || (kind == STAR_TALK_METHODS && world == matrix.rank))
        return;
    lock();
    star_tally_add(&matrix.tally, kind, world, came, bytes, 1);
    note_event();
    unlock();
}

static void sent(MPI_Comm comm, int to, int64_t count, MPI_Datatype type, const void *caller)
{
    if (to != MPI_PROC_NULL)
        add(star_peers_of(comm), kind_of(caller), to, false, bytes_of(count, type));
}

/* Open MPI's MPI_Sendrecv_replace calls PMPI_Sendrecv, by which it would count twice. */
static void sent_unless_inside(MPI_Comm comm, int to, int64_t count, MPI_Datatype type, const void *caller)
{
    if (!is_in(matrix.mpi, caller))
        sent(comm, to, count, type, caller);
}

static void moved(MPI_Win window, int with, int64_t count, MPI_Datatype type, bool came, const void *caller)
{
    if (with != MPI_PROC_NULL)
        add(star_peers_of_window(window), kind_of(caller), with, came, bytes_of(count, type));
}

/* OUT bytes to the other rank, which sends what was there, IN bytes. With MPI_NO_OP they only come. */
static void swapped(MPI_Win window, int with, int64_t out, int64_t in, MPI_Op op, const void *caller)
{
    const struct star_peers *peers = with != MPI_PROC_NULL ? star_peers_of_window(window) : NULL;
    if (op != MPI_NO_OP)
        add(peers, kind_of(caller), with, false, out);
    add(peers, kind_of(caller), with, true, in);
}

static void prepared(MPI_Comm comm, int to, int64_t count, MPI_Datatype type, MPI_Request request)
{
    int64_t bytes = bytes_of(count, type);
    const struct star_peers *peers = star_peers_of(comm);
    int world = peers ? star_peer_in_world(peers, to) : -1;
    lock();
    if (world >= 0)
        star_started_add(request, world, bytes);
    else
        star_started_remove(request);
    unlock();
}

static void started(int count, const MPI_Request *requests, const void *caller)
{
    lock();
    for (int i = 0; i < count; i++) {
        const struct star_started *one = star_started_find(requests[i]);
        if (one == NULL)
            continue;
        star_tally_add(&matrix.tally, kind_of(caller), one->peer, false, one->bytes, 1);
        note_event();
    }
    unlock();
}

/* As many to each of those that the communicator's topology leads to. */
static void sent_near(MPI_Comm comm, int64_t count, MPI_Datatype type, const void *caller)
{
    int64_t bytes = bytes_of(count, type);
    const struct star_peers *peers = star_peers_next(comm);
    for (int i = 0; peers && i < peers->nexts; i++)
        add(peers, kind_of(caller), peers->next[i], false, bytes);
}

static int64_t number_at(const void *counts_of, bool large, int i)
{
    return large ? (int64_t)((const MPI_Count *)counts_of)[i] : ((const int *)counts_of)[i];
}

/* The I-th of COUNTS of TYPES[I × STEP], to the I-th of those that the topology leads to. */
struct each {
    const void *counts;
    bool large; /* they are MPI_Count */
    const MPI_Datatype *types;
    int step;
};

static void sent_each(MPI_Comm comm, const struct each *each, const void *caller)
{
    const struct star_peers *peers = star_peers_next(comm);
    for (int i = 0; peers != NULL && i < peers->nexts; i++) {
        int64_t count = number_at(each->counts, each->large, i);
        if (count > 0)
            add(peers, kind_of(caller), peers->next[i], false,
                bytes_of(count, each->types[(size_t)i * (size_t)each->step]));
    }
}

/* ------ Collective operations of the MPI library */

static int64_t mean_bytes(const struct star_call *call, int size)
{
    int64_t sum = 0;
    for (int i = 0; i < size; i++)
        sum += number_at(call->recvcounts, call->large, i);
    return size > 0 ? bytes_of(sum, call->recvtype) / size : 0;
}

/* The bytes of the operation, as struct star_guess has them. */
static int64_t block_of(const struct star_call *call, const struct star_peers *peers)
{
    switch (call->operation) {
    case STAR_ALLTOALL:
    case STAR_ALLGATHER:
        return call->sendbuf == MPI_IN_PLACE ? bytes_of(call->recvcount, call->recvtype)
                                             : bytes_of(call->sendcount, call->sendtype);
    case STAR_ALLGATHERV:
    case STAR_REDUCE_SCATTER:
        return mean_bytes(call, peers->size);
    case STAR_GATHER:
        return peers->rank == call->root ? bytes_of(call->recvcount, call->recvtype)
                                         : bytes_of(call->sendcount, call->sendtype);
    case STAR_SCATTER:
        return peers->rank == call->root ? bytes_of(call->sendcount, call->sendtype)
                                         : bytes_of(call->recvcount, call->recvtype);
    case STAR_BARRIER:
        return 0;
    default:
        return bytes_of(call->recvcount, call->recvtype);
    }
}

/* Where each block goes straight to whom it is for; false: the operation is another one. */
static bool add_straight(const struct star_call *call, const struct star_peers *peers)
{
    bool in_place = call->sendbuf == MPI_IN_PLACE;
    const void *lengths = in_place ? call->recvcounts : call->sendcounts;
    MPI_Datatype type = in_place ? call->recvtype : call->sendtype;
    if (call->operation == STAR_GATHERV) {
        if (peers->rank != call->root)
            add(peers, STAR_TALK_GUESSED, call->root, false, bytes_of(call->sendcount, call->sendtype));
        return true;
    }
    const MPI_Datatype *types = in_place ? call->recvtypes : call->sendtypes;
    bool exchanges = call->operation == STAR_ALLTOALLV || call->operation == STAR_ALLTOALLW;
    if (!exchanges && call->operation != STAR_SCATTERV)
        return false;
    if (call->operation == STAR_SCATTERV && peers->rank != call->root)
        return true;
    if (call->operation == STAR_SCATTERV)
        lengths = call->sendcounts, type = call->sendtype;
    for (int r = 0; r < peers->size; r++) {
        int64_t number = number_at(lengths, call->large, r);
        if (r != peers->rank && number > 0)
            add(peers, STAR_TALK_GUESSED, r, false, bytes_of(number, types != NULL ? types[r] : type));
    }
    return true;
}

static bool are_same(const struct star_guess *a, const struct star_guess *b)
{
    return a->operation == b->operation && a->root == b->root && a->block == b->block;
}

/* The place of such calls, taken where there is none yet; NULL without memory. */
static struct guessed *place_of(const struct star_peers *peers, const struct star_guess *guess)
{
    uint64_t key = (uint64_t)(uintptr_t)peers ^ (uint64_t)guess->block << 20 ^ (uint64_t)guess->root << 8 ^
                   (uint64_t)guess->operation;
    if (matrix.guessed == NULL && (matrix.guessed = calloc(GUESSES, sizeof *matrix.guessed)) == NULL)
        return NULL;
    if (2 * matrix.guesses >= GUESSES)
        expand(NULL);
    size_t at = (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 40) % GUESSES;
    while (matrix.guessed[at].peers != NULL &&
           (matrix.guessed[at].peers != peers || !are_same(&matrix.guessed[at].guess, guess)))
        at = (at + 1) % GUESSES;
    struct guessed *place = &matrix.guessed[at];
    if (place->peers == NULL) {
        *place = (struct guessed){*guess, peers, 0, {0}};
        matrix.guesses++;
    }
    return place;
}

static void called(const struct star_call *call)
{
    const struct star_peers *peers = star_peers_of(call->comm);
    if (peers == NULL || peers->inter || peers->size < 2 || add_straight(call, peers))
        return;
    const struct star_guess guess = {call->operation, peers->size, peers->rank, call->root,
                                     block_of(call, peers)};
    lock();
    struct guessed *place = place_of(peers, &guess);
    if (place != NULL)
        place->calls++;
    else
        matrix.tally.failed = true;
    note_event();
    unlock();
}

/* ------ The functions */

/* This thread is sending what startune itself has to say: on what the ranks agree. */
static _Thread_local bool aside __attribute__((tls_model("initial-exec")));

/* NOLINTNEXTLINE(bugprone-macro-parentheses): NAME is declared */
#define STAR_FIELD(name) __typeof__(PMPI_##name) *name;
/* Those that are not counted, but tell what goes. */
#if MPI_VERSION >= 4
#define OTHERS(X) X(Request_free) X(Session_init) X(Session_finalize)
#else
#define OTHERS(X) X(Request_free)
#endif
#define NOTE_CALL(which, ...) called(&(const struct star_call){.operation = (which), __VA_ARGS__})

/* The MPI library's functions, and those of a tool behind. */
static struct {
#define STAR_ENTRY(name, parameters, arguments, note) STAR_FIELD(name)
#include "matrix/entries.def"
#define STAR_FUNCTION(name, ...)  STAR_FIELD(name)
#define STAR_BEGINNING(name, ...) STAR_FIELD(name)
#include "plan/functions.def"
#include "plan/nonblocking.def"
    OTHERS(STAR_FIELD)
#undef STAR_BEGINNING
#undef STAR_FUNCTION
#undef STAR_ENTRY
} native, tool;

__attribute__((constructor)) static void find_all(void)
{
#define FIND_NATIVE(name) *(void **)(void *)&native.name = dlsym(RTLD_NEXT, "PMPI_" #name);
#define FIND_BOTH(name)                                                                                      \
    FIND_NATIVE(name)                                                                                        \
    *(void **)(void *)&tool.name = star_tool_behind("MPI_" #name, "PMPI_" #name);
#define STAR_ENTRY(name, parameters, arguments, note) FIND_BOTH(name)
#include "matrix/entries.def"
#define STAR_FUNCTION(name, ...)  FIND_NATIVE(name)
#define STAR_BEGINNING(name, ...) FIND_BOTH(name)
#include "plan/functions.def"
#include "plan/nonblocking.def"
    OTHERS(FIND_BOTH)
#undef STAR_BEGINNING
#undef STAR_FUNCTION
#undef STAR_ENTRY
}

#define COUNTED(name, arguments, note)                                                                       \
    {                                                                                                        \
        const void *caller = __builtin_return_address(0);                                                    \
        int error = native.name arguments;                                                                   \
        (void)caller;                                                                                        \
        if (error == MPI_SUCCESS && !aside && is_counting()) {                                               \
            note;                                                                                            \
        }                                                                                                    \
        return error;                                                                                        \
    }
#define STAR_ENTRY(name, parameters, arguments, note)                                                        \
    STAR_EXPORT int PMPI_##name parameters COUNTED(name, arguments, note)                                    \
    STAR_EXPORT int MPI_##name parameters                                                                    \
    {                                                                                                        \
        if (tool.name != NULL)                                                                               \
            return tool.name arguments;                                                                      \
        COUNTED(name, arguments, note)                                                                       \
    }
#include "matrix/entries.def"
#define STAR_FUNCTION(name, parameters, arguments, which, ...)                                               \
    STAR_EXPORT int PMPI_##name parameters COUNTED(name, arguments, NOTE_CALL(which, __VA_ARGS__))
#include "plan/functions.def"
/* The parameters are the same, and a request. */
#define STAR_BEGINNING(name, parameters, arguments, which, ...)                                              \
    STAR_ENTRY(name, (STAR_OPEN parameters, MPI_Request * request), (STAR_OPEN arguments, request),          \
               NOTE_CALL(which, __VA_ARGS__))
#include "plan/nonblocking.def"

/* Of those that are not counted, what OWN does. */
#define TOLD(name, parameters, arguments, own)                                                               \
    STAR_EXPORT int PMPI_##name parameters                                                                   \
    {                                                                                                        \
        return own arguments;                                                                                \
    }                                                                                                        \
    STAR_EXPORT int MPI_##name parameters                                                                    \
    {                                                                                                        \
        return tool.name != NULL ? tool.name arguments : own arguments;                                      \
    }

static int request_free(MPI_Request *request)
{
    if (is_counting()) {
        lock();
        star_started_remove(*request);
        unlock();
    }
    return native.Request_free(request);
}

TOLD(Request_free, (MPI_Request * request), (request), request_free)

#if MPI_VERSION >= 4
static int session_init(MPI_Info info, MPI_Errhandler handler, MPI_Session *session)
{
    int error = native.Session_init(info, handler, session);
    if (error == MPI_SUCCESS)
        star_peers_session(*session);
    return error;
}

TOLD(Session_init, (MPI_Info info, MPI_Errhandler handler, MPI_Session *session), (info, handler, session),
     session_init)

/* Who is who is not known any more. */
static int session_finalize(MPI_Session *session)
{
    if (session != NULL && star_peers_session_ends(*session)) {
        lock();
        matrix.on = false;
        unlock();
    }
    return native.Session_finalize(session);
}

TOLD(Session_finalize, (MPI_Session * session), (session), session_finalize)
#endif

STAR_EXPORT void STAR_Matrix_leave_out(bool own)
{
    aside = own;
}

STAR_EXPORT void STAR_Matrix_fetched(MPI_Comm comm, int rank, int64_t bytes, int64_t messages)
{
    if (!is_counting())
        return;
    const struct star_peers *peers = star_peers_of(comm);
    int world = peers ? star_peer_in_world(peers, rank) : -1;
    if (world < 0)
        return;
    lock();
    star_tally_add(&matrix.tally, STAR_TALK_METHODS, world, true, bytes, messages);
    unlock();
}

STAR_EXPORT void STAR_Matrix_take(int ranks, const char *host, struct star_text *text)
{
    if (!is_counting())
        return;
    lock();
    matrix.on = false;
    expand(NULL);
    star_tally_tell(&matrix.tally, matrix.rank, host, star_tally_most(ranks), text);
    star_tally_free(&matrix.tally);
    unlock();
}

/* SPDX-License-Identifier: BSD-3-Clause
 * The MPI functions that begin collectives, and those that wait for requests, as startune takes them over:
 * see mpi.c. */
#include "exec/native.h"
#include "interpose/serve.h"
#include "interpose/tool.h"
#include "runtime/beginning.h"
#include "runtime/nonblocking.h"
#include "runtime/notice.h"
#include "runtime/persistent.h"
#include "runtime/samples.h"
#include "runtime/session.h"
#include "runtime/site.h"
#include "util/clock.h"
#include "util/module.h"

#include <stdlib.h>

/* What comes from the MPI library itself, where it makes one operation of others, stays there. */
static bool begins(const struct star_call *call, MPI_Request *request, int *error)
{
    struct star_communicator *state = star_communicator_seen(call->comm);
    *error = state == NULL ? star_communicator_of(call->comm, &state) : MPI_SUCCESS;
    if (*error != MPI_SUCCESS)
        return true;
    if (state == NULL || star_is_natives(state) || (state->begins_natively && state->background_natively) ||
        star_is_internal(call->site))
        return false;
    if (star_nonblocking_begin(call, state, request, error))
        return true;
    enum star_beginning way = star_beginning_serve(call, state, request, error);
    if (way != STAR_NOT_SERVED)
        return way == STAR_HAS_BEGUN;
    return star_backlog_holds() && star_beginning_joins(call, state, request, error);
}

static void begun_natively(void)
{
    if (!star_samples_open)
        return;
    star_notices_lock();
    star_samples_began();
    star_notices_unlock();
}

#define STAR_OPEN(...) __VA_ARGS__
#define STAR_BEGIN(name, arguments, which, ...)                                                              \
    {                                                                                                        \
        const void *caller = __builtin_return_address(0);                                                    \
        int error;                                                                                           \
        if (!star_active)                                                                                    \
            return star_native.name arguments;                                                               \
        const struct star_call call = {STAR_CALL_OF(which, __VA_ARGS__)};                                    \
        if (begins(&call, request, &error))                                                                  \
            return error;                                                                                    \
        error = star_native.name arguments;                                                                  \
        begun_natively();                                                                                    \
        return error;                                                                                        \
    }
#define STAR_WITH_REQUEST(name, parameters, arguments, which, ...)                                           \
    STAR_BOTH_SEEING(name, parameters, arguments, STAR_BEGIN(name, arguments, which, __VA_ARGS__))
#define STAR_BEGINNING(name, parameters, arguments, which, ...)                                              \
    STAR_WITH_REQUEST(name, (STAR_OPEN parameters, MPI_Request * request), (STAR_OPEN arguments, request),   \
                      which, __VA_ARGS__)
#include "plan/nonblocking.def"

#if MPI_VERSION >= 4
static struct star_persistent *prepare(const char *function, const struct star_call *call)
{
    if (!star_active || star_is_internal(call->site))
        return NULL;
    star_settle_on(call->comm);
    return star_persistent_prepare(function, call);
}

#define STAR_INIT(name, arguments, which, ...)                                                               \
    {                                                                                                        \
        const void *caller = __builtin_return_address(0);                                                    \
        const struct star_call call = {STAR_CALL_OF(which, __VA_ARGS__)};                                    \
        struct star_persistent *persistent = prepare("MPI_" #name, &call);                                   \
        int error = star_native.name arguments;                                                              \
        if (persistent != NULL)                                                                              \
            star_persistent_made(persistent, error == MPI_SUCCESS ? *request : MPI_REQUEST_NULL);            \
        return error;                                                                                        \
    }
#define STAR_WITH_INFO(name, parameters, arguments, which, ...)                                              \
    STAR_BOTH_SEEING(name, parameters, arguments, STAR_INIT(name, arguments, which, __VA_ARGS__))
#define STAR_PERSISTENT(name, parameters, arguments, which, ...)                                             \
    STAR_WITH_INFO(name, (STAR_OPEN parameters, MPI_Info info, MPI_Request * request),                       \
                   (STAR_OPEN arguments, info, request), which, __VA_ARGS__)
#include "plan/persistent.def"
#endif

/* Natively; what waits for it is timed while a sample is taken. */
static int start_one(MPI_Request *request)
{
    struct star_persistent *persistent = request != NULL ? star_persistent_find(*request) : NULL;
    int error;
    if (persistent != NULL && star_persistent_start(persistent, &error))
        return error;
    error = star_native.Start(request);
    if (persistent != NULL)
        begun_natively();
    return error;
}

static int start(MPI_Request *request)
{
    return star_persistents == 0 ? star_native.Start(request) : start_one(request);
}
STAR_BOTH_NAMES(Start, (MPI_Request * request), (request), start)

static int startall(int count, MPI_Request requests[])
{
    if (star_persistents == 0 || requests == NULL || count < 1)
        return star_native.Startall(count, requests);
    int error = MPI_SUCCESS;
    for (int i = 0; i < count && error == MPI_SUCCESS; i++)
        error = start_one(&requests[i]);
    return error;
}
STAR_BOTH_NAMES(Startall, (int count, MPI_Request requests[]), (count, requests), startall)

static int request_free(MPI_Request *request)
{
    struct star_persistent *persistent =
        star_persistents != 0 && request != NULL ? star_persistent_find(*request) : NULL;
    if (persistent != NULL)
        star_persistent_free(persistent);
    return star_native.Request_free(request);
}
STAR_BOTH_NAMES(Request_free, (MPI_Request * request), (request), request_free)

static bool is_own(const void *address)
{
    return star_module_of(address) == star_module_of(&star_native);
}

static void waited(int64_t begin)
{
    star_notices_lock();
    star_samples_waited(begin);
    star_notices_unlock();
}

/* While a sample is taken, what the program waits; startune's own waits are no part of it. Where there are
 * persistent collectives of startune's, the MPI library is asked for what stands for them. */
#define STAR_WAIT(name, arguments, count, requests)                                                          \
    {                                                                                                        \
        bool some = star_persistents != 0;                                                                   \
        bool timed = star_samples_open && !is_own(__builtin_return_address(0));                              \
        if (!some && !timed)                                                                                 \
            return star_native.name arguments;                                                               \
        int64_t begin = timed ? star_now() : 0;                                                              \
        struct star_persistent *list = some ? star_persistents_take_out(count, requests) : NULL;             \
        int error = star_native.name arguments;                                                              \
        if (list != NULL)                                                                                    \
            star_persistents_put_back(list, requests);                                                       \
        if (timed)                                                                                           \
            waited(begin);                                                                                   \
        return error;                                                                                        \
    }
#define STAR_WAITING_FOR(name, parameters, arguments, count, requests)                                       \
    STAR_BOTH_SEEING(name, parameters, arguments, STAR_WAIT(name, arguments, count, requests))
#define STAR_WAITING(name, parameters, arguments)                                                            \
    STAR_WAITING_FOR(name, parameters, arguments, count, requests)

STAR_WAITING_FOR(Wait, (MPI_Request * request, MPI_Status *status), (request, status), 1, request)
STAR_WAITING(Waitall, (int count, MPI_Request requests[], MPI_Status *statuses), (count, requests, statuses))
STAR_WAITING(Waitany, (int count, MPI_Request requests[], int *index, MPI_Status *status),
             (count, requests, index, status))
STAR_WAITING(Waitsome,
             (int count, MPI_Request requests[], int *outcount, int indices[], MPI_Status statuses[]),
             (count, requests, outcount, indices, statuses))
STAR_WAITING_FOR(Test, (MPI_Request * request, int *flag, MPI_Status *status), (request, flag, status), 1,
                 request)
STAR_WAITING(Testall, (int count, MPI_Request requests[], int *flag, MPI_Status statuses[]),
             (count, requests, flag, statuses))
STAR_WAITING(Testany, (int count, MPI_Request requests[], int *index, int *flag, MPI_Status *status),
             (count, requests, index, flag, status))
STAR_WAITING(Testsome,
             (int count, MPI_Request requests[], int *outcount, int indices[], MPI_Status statuses[]),
             (count, requests, outcount, indices, statuses))

/* MPICH does not ask there whether a request of startune's is over. */
static int request_get_status(MPI_Request request, int *flag, MPI_Status *status)
{
    struct star_persistent *persistent = star_persistents != 0 ? star_persistent_find(request) : NULL;
    if (persistent != NULL)
        request = star_persistent_now(persistent);
    star_notices_poll();
    return star_native.Request_get_status(request, flag, status);
}
STAR_BOTH_NAMES(Request_get_status, (MPI_Request request, int *flag, MPI_Status *status),
                (request, flag, status), request_get_status)

#if MPI_VERSION > 4 || (MPI_VERSION == 4 && MPI_SUBVERSION >= 1)
/* Where these functions' array of requests is the standard's, it is const. That of MPICH 4.2 is not. */
typedef __typeof__(_Generic(&PMPI_Request_get_status_all, int (*)(int, MPI_Request *, int *, MPI_Status *)
                            : (MPI_Request *)NULL, default
                            : (const MPI_Request *)NULL)) asked_requests;

/* The same of several: the array is the program's. NULL: nothing in it is startune's, or no memory. */
static MPI_Request *asked_about(int count, const MPI_Request *requests)
{
    star_notices_poll();
    if (star_persistents == 0 || count < 1 || requests == NULL)
        return NULL;
    MPI_Request *asked = malloc((size_t)count * sizeof *asked);
    for (int i = 0; asked != NULL && i < count; i++) {
        struct star_persistent *persistent = star_persistent_find(requests[i]);
        asked[i] = persistent != NULL ? star_persistent_now(persistent) : requests[i];
    }
    return asked;
}

#define STAR_ASKING(name, parameters, before, after)                                                         \
    static int asked_by_##name parameters                                                                    \
    {                                                                                                        \
        MPI_Request *asked = asked_about(count, requests);                                                   \
        int error = star_native.name(count, asked != NULL ? asked : requests, STAR_OPEN after);              \
        free(asked);                                                                                         \
        return error;                                                                                        \
    }                                                                                                        \
    STAR_BOTH_NAMES(name, parameters, before, asked_by_##name)

STAR_ASKING(Request_get_status_all, (int count, asked_requests requests, int *flag, MPI_Status statuses[]),
            (count, requests, flag, statuses), (flag, statuses))
STAR_ASKING(Request_get_status_any,
            (int count, asked_requests requests, int *index, int *flag, MPI_Status *status),
            (count, requests, index, flag, status), (index, flag, status))
STAR_ASKING(Request_get_status_some,
            (int count, asked_requests requests, int *outcount, int indices[], MPI_Status statuses[]),
            (count, requests, outcount, indices, statuses), (outcount, indices, statuses))
#endif

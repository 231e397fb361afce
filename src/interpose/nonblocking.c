/* SPDX-License-Identifier: BSD-3-Clause
 * The MPI functions that begin collectives, and those that wait for requests, as startune takes them over:
 * see mpi.c. */
#include "exec/native.h"
#include "interpose/serve.h"
#include "interpose/tool.h"
#include "runtime/nonblocking.h"
#include "runtime/notice.h"
#include "runtime/samples.h"
#include "runtime/session.h"
#include "runtime/site.h"
#include "util/clock.h"
#include "util/export.h"
#include "util/module.h"

/* What comes from the MPI library itself, where it makes one operation of others, stays there. */
static bool begins(const struct star_call *call, MPI_Request *request, int *error)
{
    struct star_communicator *state = star_communicator_seen(call->comm);
    *error = state == NULL ? star_communicator_of(call->comm, &state) : MPI_SUCCESS;
    if (*error != MPI_SUCCESS)
        return true;
    if (state == NULL || star_is_natives(state) || state->begins_natively || star_is_internal(call->site))
        return false;
    return star_nonblocking_begin(call, state, request, error);
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
    STAR_EXPORT int PMPI_##name parameters STAR_BEGIN(name, arguments, which, __VA_ARGS__)                   \
    STAR_EXPORT int MPI_##name parameters                                                                    \
    {                                                                                                        \
        if (star_tool.name != NULL)                                                                          \
            return star_tool.name arguments;                                                                 \
        STAR_BEGIN(name, arguments, which, __VA_ARGS__)                                                      \
    }
#define STAR_BEGINNING(name, parameters, arguments, which, ...)                                              \
    STAR_WITH_REQUEST(name, (STAR_OPEN parameters, MPI_Request * request), (STAR_OPEN arguments, request),   \
                      which, __VA_ARGS__)
#include "plan/nonblocking.def"

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

/* While a sample is taken, what the program waits; startune's own waits are no part of it. */
#define STAR_WAIT(name, arguments)                                                                           \
    {                                                                                                        \
        if (!star_samples_open || is_own(__builtin_return_address(0)))                                       \
            return star_native.name arguments;                                                               \
        int64_t begin = star_now();                                                                          \
        int error = star_native.name arguments;                                                              \
        waited(begin);                                                                                       \
        return error;                                                                                        \
    }
#define STAR_WAITING(name, parameters, arguments)                                                            \
    STAR_EXPORT int PMPI_##name parameters STAR_WAIT(name, arguments)                                        \
    STAR_EXPORT int MPI_##name parameters                                                                    \
    {                                                                                                        \
        if (star_tool.name != NULL)                                                                          \
            return star_tool.name arguments;                                                                 \
        STAR_WAIT(name, arguments)                                                                           \
    }

STAR_WAITING(Wait, (MPI_Request * request, MPI_Status *status), (request, status))
STAR_WAITING(Waitall, (int count, MPI_Request requests[], MPI_Status *statuses), (count, requests, statuses))
STAR_WAITING(Waitany, (int count, MPI_Request requests[], int *index, MPI_Status *status),
             (count, requests, index, status))
STAR_WAITING(Waitsome,
             (int count, MPI_Request requests[], int *outcount, int indices[], MPI_Status statuses[]),
             (count, requests, outcount, indices, statuses))
STAR_WAITING(Test, (MPI_Request * request, int *flag, MPI_Status *status), (request, flag, status))
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
    star_notices_poll();
    return star_native.Request_get_status(request, flag, status);
}
STAR_EXPORT int PMPI_Request_get_status(MPI_Request request, int *flag, MPI_Status *status)
{
    return request_get_status(request, flag, status);
}
STAR_EXPORT int MPI_Request_get_status(MPI_Request request, int *flag, MPI_Status *status)
{
    return star_tool.Request_get_status != NULL ? star_tool.Request_get_status(request, flag, status)
                                                : request_get_status(request, flag, status);
}

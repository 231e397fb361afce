/* SPDX-License-Identifier: BSD-3-Clause
 * Preloaded into the ranks of an emulated cluster: lets MPI_Finalize of MPICH over UCX end. There, each rank
 * closes its connections and then waits for its process manager, in read; but a rank that is still closing
 * needs its peers, which no longer look at their connections, and so all wait for ever. Here they go on
 * looking. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct ucp_worker *worker_handle;
typedef struct ucp_ep *endpoint_handle;

unsigned ucp_worker_progress(worker_handle worker);
void ucp_worker_destroy(worker_handle worker);
void *ucp_disconnect_nb(endpoint_handle endpoint);

static worker_handle used, closing; /* CLOSING is USED once connections are being closed */

/* The function that would be called without this library. Python's programs have UCX out of everybody's
 * sight. */
static void *next_of(const char *function)
{
    void *found = dlsym(RTLD_NEXT, function);
    if (found == NULL)
        found = dlsym(dlopen("libucp.so.0", RTLD_LAZY | RTLD_NOLOAD), function);
    return found;
}

unsigned ucp_worker_progress(worker_handle worker)
{
    static unsigned (*next)(worker_handle);
    if (next == NULL)
        *(void **)&next = next_of("ucp_worker_progress");
    used = worker;
    return next(worker);
}

void *ucp_disconnect_nb(endpoint_handle endpoint)
{
    void *(*next)(endpoint_handle);
    *(void **)&next = next_of("ucp_disconnect_nb");
    closing = used;
    return next(endpoint);
}

void ucp_worker_destroy(worker_handle worker)
{
    void (*next)(worker_handle);
    *(void **)&next = next_of("ucp_worker_destroy");
    closing = NULL;
    next(worker);
}

static int readable(int file)
{
    struct pollfd wait = {.fd = file, .events = POLLIN};
    static const struct timespec none;
    return ppoll(&wait, 1, &none, NULL) != 0;
}

ssize_t read(int file, void *bytes, size_t most)
{
    static ssize_t (*next)(int, void *, size_t);
    if (next == NULL)
        *(void **)&next = next_of("read");
    const char *manager = closing != NULL ? getenv("PMI_FD") : NULL;
    if (manager != NULL && atoi(manager) == file)
        while (!readable(file))
            ucp_worker_progress(closing);
    return next(file, bytes, most);
}

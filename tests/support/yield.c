/* SPDX-License-Identifier: BSD-3-Clause
 * For tests only, preloaded: MPICH over UCX never yields the core while it polls, so more ranks than cores
 * crawl. Yields when a poll finds nothing. Open MPI has mpi_yield_when_idle for this. */
#include <dlfcn.h>
#include <sched.h>

unsigned ucp_worker_progress(void *worker);

__attribute__((visibility("default"))) unsigned ucp_worker_progress(void *worker)
{
    static unsigned (*real)(void *);
    if (real == NULL)
        *(void **)&real = dlsym(RTLD_NEXT, "ucp_worker_progress");
    unsigned events = real(worker);
    if (events == 0)
        sched_yield();
    return events;
}

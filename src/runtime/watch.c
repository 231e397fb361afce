/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/watch.h"
#include "runtime/session.h"
#include "util/clock.h"
#include "util/voice.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Where a thread is. */
struct star_watched {
    const char *function;
    MPI_Comm comm;
};

static struct star_watched *here(void)
{
    static _Thread_local struct star_watched watched;
    return &watched;
}

void star_watch_enter(const char *function, MPI_Comm comm)
{
    *here() = (struct star_watched){function, comm};
}

/* "MPI_COMM_WORLD (16 ranks)". */
static void name_communicator(char *text, size_t room)
{
    char name[MPI_MAX_OBJECT_NAME] = "";
    int length, size = 0;
    if (here()->function == NULL || PMPI_Comm_get_name(here()->comm, name, &length) != MPI_SUCCESS ||
        name[0] == 0)
        snprintf(name, sizeof name, "a communicator without a name");
    if (here()->function != NULL)
        PMPI_Comm_size(here()->comm, &size);
    snprintf(text, room, "%s (%d ranks)", name, size);
}

static void bark(int64_t seconds)
{
    char communicator[MPI_MAX_OBJECT_NAME + 32], host[64] = "";
    name_communicator(communicator, sizeof communicator);
    gethostname(host, sizeof host - 1);
    fprintf(star_voice(),
            "startune: warning: rank %d on %s has waited %lld s in %s on %s for the others to agree; does "
            "startune run stand before every program of the job? --checked finds calls that differ, "
            "STARTUNE=off turns it off\n",
            star_runtime.world_rank, host, (long long)seconds,
            here()->function ? here()->function : "startune", communicator);
}

#ifdef STAR_SIMULATED
/* Simulated ranks share one thread, and asking takes simulated time. */
static bool is_watched(void)
{
    return false;
}
#else
static bool is_watched(void)
{
    return star_runtime.settings.watchdog > 0;
}
#endif

/* By itself, so that what it takes to look again can be told from all else. */
__attribute__((noinline)) int star_watch_wait(MPI_Request *request)
{
    enum { LOOKS = 256 }; /* between two looks at the clock */
    int64_t began = 0, most = star_runtime.settings.watchdog;
    int done = 0, error;
    bool said = false;
    if (!is_watched())
        return PMPI_Wait(request, MPI_STATUS_IGNORE);
    for (int looks = 1;; looks++) {
        error = PMPI_Test(request, &done, MPI_STATUS_IGNORE);
        if (error != MPI_SUCCESS || done)
            return error;
        sched_yield();
        if (said || looks % LOOKS != 0)
            continue;
        if (began == 0)
            began = star_now();
        said = star_since(began) > most * INT64_C(1000000000);
        if (said)
            bark(most);
    }
}

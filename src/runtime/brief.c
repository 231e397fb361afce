/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/brief.h"
#include "algorithms/methods.h"
#include "runtime/maps.h"
#include "runtime/policy.h"
#include "runtime/session.h"
#include "runtime/site.h"

/* Of one thread at a time. A communicator whose place is taken is none: it may be one on other ranks. */
enum { BITS = 7, PLACES = 1 << BITS };
static struct {
    MPI_Comm comm;
    bool taken;
    int64_t calls;
} briefs[PLACES];
static bool suited;

/* Nothing happens at a call that is not counted as worth tuning. */
static bool is_plain(enum star_operation operation)
{
    return star_methods_first(&star_runtime.force, operation) == NULL && !star_keeps_rank_order(operation) &&
           !star_maps_know(operation);
}

void star_briefs_begin(void)
{
    const struct star_settings *settings = &star_runtime.settings;
    suited = !star_runtime.threads && settings->tune_after < 0 && !settings->checked && !settings->sites;
    for (int i = 0; i < STAR_OPERATIONS; i++)
        suited = suited && is_plain((enum star_operation)i);
}

static int place_of(MPI_Comm comm)
{
    return (int)((uint64_t)(uintptr_t)comm * UINT64_C(0x9e3779b97f4a7c15) >> (64 - BITS));
}

bool star_is_brief(MPI_Comm comm)
{
    int place = place_of(comm);
    return briefs[place].taken && briefs[place].comm == comm;
}

bool star_brief_put(MPI_Comm comm)
{
    int place = place_of(comm);
    if (!suited || briefs[place].taken || comm == MPI_COMM_NULL)
        return false;
    briefs[place].comm = comm;
    briefs[place].taken = true;
    briefs[place].calls = 0;
    return true;
}

bool star_brief_passes(MPI_Comm comm, const void *site)
{
    int64_t *calls = &briefs[place_of(comm)].calls;
    if (!star_is_brief(comm))
        return false;
    if (star_is_internal(site)) /* which nobody counts */
        return true;
    if (*calls == STAR_BRIEF_CALLS)
        return false;
    ++*calls;
    return true;
}

int64_t star_brief_take(MPI_Comm comm)
{
    int place = place_of(comm);
    if (!star_is_brief(comm))
        return -1;
    briefs[place].taken = false;
    return briefs[place].calls;
}

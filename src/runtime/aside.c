/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/aside.h"
#include "runtime/state.h"

#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct star_communicator *first;
static atomic_int count; /* hardly ever more than 0: then nothing is locked */

void star_aside_put(MPI_Comm comm, struct star_communicator *state)
{
    pthread_mutex_lock(&lock);
    state->of = comm;
    state->aside = first;
    first = state;
    atomic_fetch_add(&count, 1);
    pthread_mutex_unlock(&lock);
}

static struct star_communicator *find(MPI_Comm comm, bool takes)
{
    if (atomic_load(&count) == 0)
        return NULL;
    pthread_mutex_lock(&lock);
    struct star_communicator **link = &first;
    while (*link != NULL && (*link)->of != comm)
        link = &(*link)->aside;
    struct star_communicator *found = *link;
    if (found != NULL && takes) {
        *link = found->aside;
        atomic_fetch_sub(&count, 1);
    }
    pthread_mutex_unlock(&lock);
    return found;
}

struct star_communicator *star_aside_find(MPI_Comm comm)
{
    return find(comm, false);
}

struct star_communicator *star_aside_take(MPI_Comm comm)
{
    return find(comm, true);
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "exec/general.h"
#include "dialect/handles.h"
#include "exec/library.h"
#include "exec/look.h"

#include <dlfcn.h>
#include <sched.h>
#include <stddef.h>

/* A hook that is called whenever the library makes progress; or a request that whoever waits for it polls,
 * and a thing that is called whenever the library makes progress, until it is done. */
typedef int hook(int (*poll)(void));
typedef int thing_start(int (*poll)(void *thing), void *state, int stream);
typedef int polled_start(MPI_Grequest_query_function *query, MPI_Grequest_free_function *released,
                         MPI_Grequest_cancel_function *cancel, int (*poll)(void *, MPI_Status *),
                         int (*wait)(int, void **, double, MPI_Status *), void *self, MPI_Request *request);

enum { POLLS = 2 };
static struct {
    int (*polls[POLLS])(void);
    int count; /* of POLLS */
    bool begun;
    polled_start *start; /* NULL: the hook is there */
    thing_start *to_thing;
    int (*is_over)(MPI_Request request);
    int (*hooked)(void); /* which the thing calls; */
    bool lives, within;  /* the thing, and its call */
    MPI_Comm comm;
    bool crowded, able;
    atomic_uint turns; /* since something has ended */
} general;
atomic_int star_general_held;

static void *find(const char *name)
{
    return name != NULL ? dlsym(RTLD_DEFAULT, name) : NULL;
}

static int poll_all(void)
{
    int ended = 0;
    for (int i = 0; i < general.count; i++)
        ended += general.polls[i]();
    return ended;
}

static void add(int (*poll)(void))
{
    for (int i = 0; i < general.count; i++)
        if (general.polls[i] == poll)
            return;
    general.polls[general.count++] = poll;
}

/* Where MPICH has one lock for all, its MPI_Waitall keeps that while it waits for a polled request, and other
 * threads never come in. */
bool star_general_begin(int (*poll)(void), MPI_Comm comm, bool crowded, bool threads)
{
    const struct star_dialect *dialect = star_dialect_here();
    hook *to_hook;
    add(poll);
    if (general.begun)
        return general.able;
    general.begun = true;
    general.comm = comm;
    general.crowded = crowded;
    *(void **)&to_hook = find(dialect->progress_hook);
    *(void **)&general.start = to_hook == NULL && !threads ? find(dialect->polled_start) : NULL;
    general.able = to_hook != NULL ? to_hook(poll_all) == 0 : general.start != NULL;
    return general.able;
}

bool star_general_hook(int (*poll)(void))
{
    const struct star_things *things = &star_dialect_here()->things;
    if (general.start == NULL || !STAR_IS_NUMBER(MPI_Comm) || !star_library_says(things->sign))
        return general.able && general.start == NULL;
    general.hooked = poll;
    *(void **)&general.to_thing = find(things->start);
    *(void **)&general.is_over = find(things->is_over);
    return general.to_thing != NULL && general.is_over != NULL;
}

/* A long copy between datatypes with gaps makes progress within it, which calls it again. */
static int poll_thing(void *thing)
{
    (void)thing;
    if (general.within)
        return 0;
    general.within = true;
    star_look_within(general.is_over);
    general.hooked();
    star_look_within(NULL);
    general.within = false;
    general.lives = general.begun && star_general_held > 0;
    return general.lives ? 0 : star_dialect_here()->things.done;
}

void star_general_hold(int more)
{
    const struct star_things *things = &star_dialect_here()->things;
    star_general_held += more;
    if (more > 0 && general.to_thing != NULL && !general.lives)
        general.lives = general.to_thing(poll_thing, NULL, things->stream) == MPI_SUCCESS;
}

void star_general_leave(void)
{
    general.begun = false;
}

static int query(void *state, MPI_Status *status)
{
    const struct star_general *self = state;
    PMPI_Status_set_elements(status, MPI_BYTE, 0);
    PMPI_Status_set_cancelled(status, 0);
    status->MPI_SOURCE = MPI_ANY_SOURCE;
    status->MPI_TAG = MPI_ANY_TAG;
    return self->error;
}

static int released(void *state)
{
    struct star_general *self = state;
    self->forget(self);
    return MPI_SUCCESS;
}

/* Of a collective it is a mistake. */
static int cancel(void *state, int complete)
{
    (void)state, (void)complete;
    return MPI_ERR_REQUEST;
}

/* The library makes no progress of its own while somebody waits for such a request. */
static int poll_once(void *state, MPI_Status *status)
{
    enum { PROBE = 8, YIELD = 64 };
    int flag;
    (void)state, (void)status;
    if (poll_all() > 0) {
        general.turns = 0;
        return MPI_SUCCESS;
    }
    unsigned turns = ++general.turns;
    if (turns % PROBE == 0)
        PMPI_Iprobe(MPI_ANY_SOURCE, 0, general.comm, &flag, MPI_STATUS_IGNORE);
    if (turns % YIELD == 0 || (general.crowded && turns > YIELD))
        sched_yield();
    return MPI_SUCCESS;
}

static int wait(int count, void **states, double timeout, MPI_Status *status)
{
    (void)timeout;
    for (int i = 0; i < count; i++)
        for (const struct star_general *self = states[i]; !self->over;)
            poll_once(NULL, status);
    return MPI_SUCCESS;
}

int star_general_start(struct star_general *self)
{
    self->over = false;
    self->error = MPI_SUCCESS;
    return general.start != NULL
               ? general.start(query, released, cancel, poll_once, wait, self, &self->request)
               : PMPI_Grequest_start(query, released, cancel, self, &self->request);
}

int star_general_end(struct star_general *self, int error)
{
    MPI_Request request = self->request; /* whoever sees that it is over may forget it */
    self->error = error;
    self->over = true;
    return PMPI_Grequest_complete(request);
}

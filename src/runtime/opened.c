/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/opened.h"
#include "runtime/repeat.h"
#include "runtime/warn.h"

#include <pthread.h>

/* Those that live, for the end of the program. */
static struct star_communicator *opened;
static pthread_mutex_t opened_lock = PTHREAD_MUTEX_INITIALIZER;

void star_communicator_link(struct star_communicator *state)
{
    if (state->listed)
        return;
    state->listed = true;
    pthread_mutex_lock(&opened_lock);
    state->previous = NULL;
    state->next = opened;
    if (opened != NULL)
        opened->previous = state;
    opened = state;
    pthread_mutex_unlock(&opened_lock);
}

void star_communicator_unlink(struct star_communicator *state)
{
    if (!state->listed)
        return;
    state->listed = false;
    pthread_mutex_lock(&opened_lock);
    if (state->next != NULL)
        state->next->previous = state->previous;
    if (state->previous != NULL)
        state->previous->next = state->next;
    else
        opened = state->next;
    pthread_mutex_unlock(&opened_lock);
}

void star_communicator_forget_sites(struct star_communicator *state)
{
    state->site_mismatch = true;
    star_repeats_forget(state);
    star_warn(STAR_WARN_SITES, state->rank,
              "ranks call from different places: call sites are not told apart");
}

void star_communicator_tuned(struct star_communicator *state)
{
    state->tuned = true;
    if (state->repeats == NULL)
        star_repeats_begin(state);
}

void star_communicators_each(void (*visit)(const struct star_communicator *state, void *into), void *into)
{
    pthread_mutex_lock(&opened_lock);
    for (const struct star_communicator *state = opened; state; state = state->next)
        visit(state, into);
    pthread_mutex_unlock(&opened_lock);
}

void star_communicators_hold(bool held)
{
    if (held)
        pthread_mutex_lock(&opened_lock);
    else
        pthread_mutex_unlock(&opened_lock);
}

struct star_communicator *star_communicators_first(void)
{
    return opened;
}

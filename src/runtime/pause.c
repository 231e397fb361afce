/* SPDX-License-Identifier: BSD-3-Clause
 * MPI_Pcontrol(0) switches tuning off, and MPI_Pcontrol(1) on again. A rank may call it by itself, so that it
 * must not change at once what the rank runs: the others would not know. It is a wish that ranks tell each
 * other where they agree on something anyway: while one of them is paused, nothing new is tuned, and what is
 * being measured is left at the best that is known until all want tuning again. */
#include "runtime/pause.h"

static atomic_bool paused;

void star_pause(bool off)
{
    atomic_store(&paused, off);
}

bool star_is_paused(void)
{
    return atomic_load(&paused);
}

/* An agreement at every call would cost more than it could find. */
void star_pause_found(struct star_communicator *state, bool awake)
{
    enum { LEAST = 8, MOST = 1024 };
    if (awake) {
        state->wait = 0;
        return;
    }
    state->wait = state->wait == 0 ? LEAST : state->wait < MOST ? 2 * state->wait : MOST;
    state->again = state->calls + state->wait;
}

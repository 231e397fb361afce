/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/number.h"
#include "runtime/agree.h"
#include "runtime/ids.h"
#include "runtime/session.h"

bool star_communicator_number(struct star_communicator *state, MPI_Comm comm, bool able)
{
    enum { TRIES = 8 };
    bool threads = star_runtime.threads, taken = false, all = true, same;
    int64_t id = STAR_NO_ID;
    for (int i = 0; i < TRIES && all && !taken; i++) {
        id = star_id_offer(threads);
        all = star_agree_most(comm, able && state != NULL, &id);
        taken = all && star_id_take(id, threads);
        if (all && threads)
            taken = star_agree(comm, taken, 0, &same);
    }
    if (state != NULL)
        state->id = taken ? id : STAR_NO_ID;
    return taken;
}

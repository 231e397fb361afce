/* SPDX-License-Identifier: BSD-3-Clause
 * startune's messages and the program's never meet. */
#include "laws.h"
#include "check.h"
#include "runtime/session.h"

#include <stdio.h>

/* startune's messages travel where the program has no part, and those of communicators that live at
 * the same time have different tags. */
static void messages_are_private(void)
{
    enum { CYCLES = 20, ALIVE = 4 };
    MPI_Comm comm[ALIVE];
    star_runtime.settings.tune_after = 1;
    for (int cycle = 0; cycle < CYCLES; cycle++) {
        int alike;
        for (int i = 0; i < ALIVE; i++) {
            PMPI_Comm_dup(MPI_COMM_WORLD, &comm[i]);
            exchange(comm[i], 2, cycle);
            CHECK(!state_of(comm[i])->tuned, "it is tuned after one call");
            exchange(comm[i], 2, cycle);
            const struct star_communicator *state = state_of(comm[i]);
            PMPI_Comm_compare(comm[i], state->route.comm, &alike);
            CHECK(state->tuned && alike == MPI_CONGRUENT, "its messages have no communicator of their own");
            for (int k = 0; k < i; k++)
                CHECK(state_of(comm[k])->route.tag != state->route.tag, "two have one tag");
        }
        CHECK(star_runtime.tuned_communicators == ALIVE, "%d tuned", star_runtime.tuned_communicators);
        for (int i = 0; i < ALIVE; i++)
            PMPI_Comm_free(&comm[i]);
        CHECK(star_runtime.tuned_communicators == 0, "%d tuned after the end",
              star_runtime.tuned_communicators);
    }
}

const struct law message_laws[] = {
    {"messages-are-private", messages_are_private},
    {NULL, NULL},
};

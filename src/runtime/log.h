/* SPDX-License-Identifier: BSD-3-Clause
 * Decisions, said as they are made. */
#ifndef STAR_RUNTIME_LOG_H
#define STAR_RUNTIME_LOG_H

#include "runtime/state.h"

/* Say, from rank 0 of the communicator and where the setting log asks for it, what was decided, before
 * it is noted in the context; and that CANDIDATE is left out. */
enum { STAR_LOG_NOTHING, STAR_LOG_DECISIONS }; /* of the setting */
void star_log_decision(const struct star_communicator *state, const struct star_context *context,
                       const struct star_decision *decision);
void star_log_left_out(const struct star_communicator *state, const struct star_context *context,
                       int candidate, enum star_reason reason);
/* The same of what is no context; rank RANK of the communicator asks whether it is to. */
struct star_said {
    char about[128];  /* "alltoall 64K bytes" */
    const char *kind; /* of what is measured: "methods" */
    int ranks;
    int64_t calls;
    const char *name, *before; /* what is chosen, or measured, and what was chosen before */
    int measured;              /* so many; 0: it is chosen */
    double seconds, against;   /* of both, as far as they are known */
    enum star_reason reason;
};
bool star_log_is_wanted(int rank);
void star_log_say(const struct star_said *said);
void star_log_say_left_out(const struct star_said *said);

#endif

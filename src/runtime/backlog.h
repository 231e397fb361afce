/* SPDX-License-Identifier: BSD-3-Clause
 * Nonblocking calls that are put off, and those under way in the background. A rank that comes to a call
 * before it knows what all have told puts that off, and all further collectives of the communicator behind
 * it: so they begin in the same order on all ranks. */
#pragma once

#include "runtime/background.h"
#include "runtime/errand.h"

/* Of a communicator; a context of it, with zeros. NULL: there is no memory left at all; or there are contexts
 * enough, on all ranks alike. */
struct star_background *star_backlog_new(struct star_communicator *state, MPI_Comm comm);
struct star_background_context *star_backlog_context(struct star_background *of);
/* Puts CALL off, or, where the CANDIDATE is known that runs it, a plan, lets it wait for a lane; and begins
 * what can. The lock of notices is held. CONTEXT NULL: it is the MPI library's. MPI error code, raised
 * nowhere; or STAR_BACKLOG_FULL: there is no memory left at all, and nothing is put off. */
enum { STAR_BACKLOG_FULL = -1 };
int star_backlog_add(struct star_background *of, struct star_background_context *context, int64_t number,
                     int candidate, const struct star_call *call, const struct star_facts *facts,
                     MPI_Request *request);
/* Then, with the lock, which others may take meanwhile: waits until nothing is put off and it is known what
 * runs call NUMBER of CONTEXT, if that is not NULL, and counts that call. */
int star_backlog_await(struct star_background *of, struct star_background_context *context, int64_t number);
/* Goes on with all that is under way; returns how many calls have ended. */
int star_backlog_poll(void);

/* So many are put off in this process. */
extern atomic_int star_backlog_held;
static inline bool star_backlog_holds(void)
{
    return __builtin_expect(atomic_load_explicit(&star_backlog_held, memory_order_relaxed) > 0, 0);
}
/* Before a collective of all ranks that is no such call: what was put off there begins. */
void star_backlog_settle(const struct star_communicator *state);
/* The communicator ends. */
void star_backlog_leave(struct star_communicator *state);
/* MPI ends: all ranks have told what they told. */
void star_backlogs_end(void);

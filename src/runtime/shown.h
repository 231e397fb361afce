/* SPDX-License-Identifier: BSD-3-Clause
 * What a rank shows on a board in a call, and what it gets of the others there: which of them, how much, and
 * where it belongs in the program's buffers. notice.h has when. */
#pragma once

#include "runtime/notice.h"

enum { STAR_SHOWS_NOTHING = -1 }; /* bytes that a rank shows whose call is wrong */

/* What the call is. AGREED: ranks will not begin it unless all of them have room for what they show. False:
 * no board can serve it, on which a rank shows MOST bytes. All ranks find the same, but one whose call is
 * wrong. */
bool star_notice_describe(struct star_notice *notice, struct star_notices *of, const struct star_call *call,
                          const struct star_communicator *state, bool agreed, int64_t most);
/* Does it hold for all calls with the same arguments? Where datatypes are MPI's own. */
bool star_notice_stays(const struct star_notice *notice);
/* Is the one side, the other, needed? */
bool star_notice_sends(const struct star_notice *notice);
bool star_notice_receives(const struct star_notice *notice);
/* Do calls of the operation in which each rank has BYTES fit on the board of SIZE ranks? */
bool star_notice_fits(enum star_operation operation, int64_t bytes, int size);
/* Does this rank show anything? */
bool star_notice_shows(const struct star_notice *notice);
/* May blocks be longer than a board has room for, so that they go by messages of their own? */
bool star_notice_has_letters(const struct star_notice *notice);
/* Is there nothing of RANK that is needed? It may come at any time. */
bool star_notice_is_needless(const struct star_notice *notice, int rank);
/* Of operations with a length for each rank: the blocks that it gets. */
struct star_blocks star_notice_blocks(const struct star_notice *notice);
/* Bytes of what RANK shows this one. */
int64_t star_notice_length(const struct star_notice *notice, int rank);

/* Shows what this rank gives. MPI error code, raised nowhere. */
int star_notice_show(const struct star_notice *notice);
/* Takes what it needs, all of which is shown, into the receive buffer. MPI error code, raised nowhere. */
int star_notice_take(const struct star_notice *notice);

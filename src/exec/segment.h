/* SPDX-License-Identifier: BSD-3-Clause
 * Memory that the ranks of each node share, for plans that hand over by it (plan.h): an area of each rank and
 * a count for each call.
 *
 * Areas come in a few sizes. Each rank has some of each size, which calls take in turn, so that whoever has
 * nothing to wait for may run ahead: an area is taken again when all ranks have left the call that had it
 * last. Calls in which all wait for all need two. Counts never go back: that of a call begins above those of
 * all calls before it.
 *
 * What one rank posts another one acquires: C11's release and acquire on the count, and nothing else. */
#pragma once

#include "exec/nameless.h"
#include "exec/run.h"
#include "exec/window.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes of address space for each rank; memory is taken as calls use it. */
size_t star_segment_room(void);
/* Where a rank runs, which it tells the others: its locality (util/locality.h); CROWDED: not each rank has a
 * processor. */
struct star_seat {
    uint64_t locality;
    bool crowded;
};
/* This process's, for a segment of SIZE ranks: two, and those that take turns, need no locality. */
struct star_seat star_seat_here(int size, bool crowded);
/* Collective over the ranks of ROUTE. NODE has the node of each; NULL: all are on one. NULL, on all ranks
 * alike: some rank is not ABLE, or cannot have it. Nothing of it has a name, so that nothing stays when
 * processes are killed. */
struct star_segment *star_segment_make(const struct star_route *route, const int *node, bool able,
                                       struct star_seat seat);
/* The same where all are on one node, and nobody waits: the first rank makes it and tells the others the KEY,
 * which then join it. NULL: it cannot be had here. */
struct star_segment *star_segment_lead(int size, struct star_seat seat, struct star_nameless_key *key);
struct star_segment *star_segment_join(int size, int rank, struct star_seat seat,
                                       const struct star_nameless_key *key);
/* All others have, or never will. */
void star_segment_joined(struct star_segment *segment);
/* What others still read of it stays until they free it, too. NULL is let pass. */
void star_segment_free(struct star_segment *segment);

/* The levels of the node where it has all ranks, as all ranks see them; NULL: there are none, or not known.
 */
const struct star_levels *star_segment_levels(struct star_segment *segment);
/* Can this rank read the memory of all others on its node? It tries once. */
bool star_segment_reads(struct star_segment *segment);
/* Can all ranks, as far as all of them know? */
bool star_segment_may_read(const struct star_segment *segment);

/* The program's next call on the communicator is its NUMBERth: numbers grow, and a call has the same on all
 * ranks. NATIVELY: this rank makes it without the segment. */
void star_segment_number(struct star_segment *segment, int64_t number, bool natively);
/* The next call, whose areas have BYTES. MEET: no rank can leave it before all have come. False: others may
 * still read where this rank would write; wait, and ask again. */
bool star_segment_enter(struct star_segment *segment, int64_t bytes, bool meet);
/* In place of a call that this rank finds wrong: the others learn that it has left, and has shown nothing. */
void star_segment_skip(struct star_segment *segment, int64_t bytes, bool meet);
/* This rank has left the call. MET: after all had come, in a call in which all meet. */
void star_segment_leave(struct star_segment *segment, bool met);

/* In a call: the area of RANK. */
char *star_segment_area(const struct star_segment *segment, int rank);
/* RANK's window; this rank's own. */
struct star_window *star_segment_window(const struct star_segment *segment, int rank);
struct star_window *star_segment_own_window(const struct star_segment *segment);
/* Of what RANK shows in its window: see there. */
void star_segment_ask(const struct star_segment *segment, int rank, const struct star_shown *shown,
                      int64_t offset, int64_t length);
bool star_segment_take(const struct star_segment *segment, int rank, void *to);
/* True: somebody asked, and this rank has answered. */
bool star_segment_answer(const struct star_segment *segment);
/* BYTES are those of this rank's vector or block; STAR_SEGMENT_NOTHING: it has not got what it should show,
 * as others have left the call. */
#define STAR_SEGMENT_NOTHING INT64_MAX
void star_segment_post(const struct star_segment *segment, int32_t count, int64_t bytes);
/* Has RANK posted COUNT, or more? Then *BYTES are its. */
bool star_segment_has(const struct star_segment *segment, int rank, int32_t count, int64_t *bytes);
/* What RANK does that has not posted, perhaps: */
enum star_segment_peer {
    STAR_PEER_COMES, /* or is on its way */
    STAR_PEER_LEFT,  /* the call: what it has not posted by now never comes */
    STAR_PEER_APART, /* makes the call without the segment, or with areas of another size */
};
enum star_segment_peer star_segment_look(const struct star_segment *segment, int rank);
/* Ranks are apart: no rank is to use the segment for this call, nor any later one. */
void star_segment_part(struct star_segment *segment);
/* They are, in this call or an earlier one. Is to be asked after star_segment_look, as whoever parts leaves.
 */
bool star_segment_is_parted(const struct star_segment *segment);
/* Waits a while, and longer each time: drives the MPI library, of which somebody else may wait for a message.
 * *TURNS is 0 at first. MPI error code, raised nowhere. */
int star_segment_wait(const struct star_segment *segment, int *turns, MPI_Comm comm);

/* SPDX-License-Identifier: BSD-3-Clause
 * A board: memory that the ranks of a communicator share on one node, where each shows what it gives to calls
 * that it begins and ends later, in any order. Nobody ever waits.
 *
 * Not all calls go by it. Whoever comes to a call first says whether this one does, where all others look
 * when they come: so all do the same, and no rank waits to be told. There is room for a call where all ranks
 * have ended the one that had its slot before. */
#pragma once

#include "exec/nameless.h"

#include <stdbool.h>
#include <stdint.h>

/* Calls that may be open at once; bytes that a rank shows in one, or in a wide one, of which half as many may
 * be open; and the number of the first call, as all ranks count. */
enum {
    STAR_BOARD_SLOTS = 64,
    STAR_BOARD_MOST = 1024,
    STAR_BOARD_WIDE = 16384,
    STAR_BOARD_FIRST = STAR_BOARD_SLOTS
};
struct star_board;

/* Bytes that SIZE ranks share. */
size_t star_board_bytes(int size);
/* Of SIZE ranks, of which this is RANK, from its call NUMBER on. The first one makes it, the others open it
 * by its KEY. NULL: not here; then no call of the communicator ever goes by it. */
struct star_board *star_board_make(int size, int64_t number, struct star_nameless_key *key);
struct star_board *star_board_open(int size, int rank, int64_t number, const struct star_nameless_key *key);
/* For calls 1, 2, … that all go by it, of MOST bytes at most. Each rank ends one only when all have begun it:
 * then nobody needs the one before any more, and there is always room. */
size_t star_board_step_bytes(int size, int64_t most);
struct star_board *star_board_make_step(int size, int64_t most, struct star_nameless_key *key);
struct star_board *star_board_open_step(int size, int rank, int64_t most,
                                        const struct star_nameless_key *key);
/* For calls of MOST bytes at most that need not end together; the first is STAR_BOARD_FIRST. */
struct star_board *star_board_make_narrow(int size, int64_t most, struct star_nameless_key *key);
struct star_board *star_board_open_narrow(int size, int rank, int64_t most,
                                          const struct star_nameless_key *key);
/* All ranks have opened it, or never will. */
void star_board_opened(struct star_board *board);
/* All calls of this rank have ended. */
void star_board_free(struct star_board *board);

/* What the first rank says of a call holds for it alone; for the next few, too; or, where it does not go by
 * the board, all ranks are told that they may leave the board alone for a while. */
enum star_board_term { STAR_BOARD_ONCE, STAR_BOARD_AHEAD, STAR_BOARD_REST };
/* This rank begins its call NUMBER; its calls have rising numbers. True: it goes by the board, as the first
 * rank that came WANTED. False: by the MPI library. */
bool star_board_begin(struct star_board *board, int64_t number, bool wanted, enum star_board_term term);
/* Was that said of this rank's last call? */
bool star_board_rests(const struct star_board *board);
/* Have all ranks ended what had the room of call NUMBER before? */
bool star_board_is_free(struct star_board *board, int64_t number);
/* Is there room for a wide one, of up to STAR_BOARD_WIDE bytes? Whoever wants one must know. */
bool star_board_is_wide(struct star_board *board, int64_t number);
/* Before this rank begins its call NUMBER: where others are so far behind that there is no room for it, waits
 * for some, but never long: then the call is the MPI library's, and the next ones wait less often. CROWDED:
 * others may be waiting for this rank's processor. */
void star_board_linger(struct star_board *board, int64_t number, bool wide, bool crowded);
/* A call that the board cannot serve. True: another came first, and all others make it by the board. */
bool star_board_pass(struct star_board *board, int64_t number);
/* In a call that goes by it: where this rank writes what it shows; and shows it, and that it has come. */
char *star_board_own(const struct star_board *board, int64_t number, int64_t bytes);
void star_board_show(struct star_board *board, int64_t number, int64_t bytes);
/* What RANK shows, and its *BYTES; NULL: it has not come yet. */
const char *star_board_look(const struct star_board *board, int64_t number, int rank, int64_t *bytes);
/* This rank needs nothing more of the call. */
void star_board_end(struct star_board *board, int64_t number);

/* What calls of some KIND take this rank, in nanoseconds, natively and not: for all to see. 0: not known. */
enum { STAR_BOARD_KINDS = 170 };
void star_board_tell(struct star_board *board, int kind, bool shared, uint32_t nanoseconds);
/* Of all ranks; 0: some have not told. */
uint64_t star_board_sum(const struct star_board *board, int kind, bool shared);

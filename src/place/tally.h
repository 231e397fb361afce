/* SPDX-License-Identifier: BSD-3-Clause
 * What one rank sends to each other: a sparse counter, of as many places as the rank has partners. */
#pragma once

#include "util/text.h"

#include <stdbool.h>
#include <stdint.h>

/* Who sent it: the program by its own calls; startune, for methods of its own; the MPI library for its
 * collective operations, of which only a likely method is known (place/guess.h). */
enum star_talk_kind { STAR_TALK_PROGRAM, STAR_TALK_METHODS, STAR_TALK_GUESSED, STAR_TALK_KINDS };

/* To see whether a pattern changes with time: a counter turns after 1, 2, 4, 8 … events, messages or calls,
 * and keeps what it had the last two times. One of them is not far from the half of all. */
enum { STAR_EARLY = 2 };

struct star_tally_peer {
    int peer;  /* in MPI_COMM_WORLD; −1: the place is free */
    bool came; /* from the peer to this rank, which fetched it: MPI_Get */
    int64_t bytes, messages;
    int64_t early[STAR_EARLY]; /* bytes, when the counter last turned, and the time before */
};

struct star_tally {
    struct star_tally_peer *at;
    size_t count, room; /* ROOM is 0 or a power of two */
    struct {
        int64_t bytes, messages;
    } sum[STAR_TALK_KINDS];
    bool failed;            /* for want of memory some are missing */
    int64_t events, turned; /* TURNED: how many there were at the last turn */
};

bool star_tally_turn(struct star_tally *tally);
/* Another event; true: the counter has turned. */
static inline bool star_tally_event(struct star_tally *tally)
{
    return ++tally->events >= 2 * tally->turned && star_tally_turn(tally);
}

/* BYTES of what was added came before each of the last turns. */
void star_tally_add_early(struct star_tally *tally, int peer, const int64_t bytes[STAR_EARLY]);
/* Adds MESSAGES of BYTES together, to PEER; or from it, where they CAME. */
void star_tally_add(struct star_tally *tally, enum star_talk_kind kind, int peer, bool came, int64_t bytes,
                    int64_t messages);
/* Of as many partners a rank tells at most where RANKS have to be told of. */
size_t star_tally_most(int ranks);
/* Appends a JSON object behind a comma: the rank, its HOST, the sums, and the MOST partners with most bytes,
 * in the order of their ranks. Sorts the counter, to which nothing can be added then. */
void star_tally_tell(struct star_tally *tally, int rank, const char *host, size_t most,
                     struct star_text *text);
void star_tally_free(struct star_tally *tally);

/* By this name the library that counts gives startune's what this rank has counted, as star_tally_tell. */
#define STAR_MATRIX_TAKE "STAR_Matrix_take"
typedef void star_matrix_take(int ranks, const char *host, struct star_text *text);

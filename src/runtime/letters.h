/* SPDX-License-Identifier: BSD-3-Clause
 * Blocks of a call that are too long for a board: messages that both sides begin when they begin the call. */
#pragma once

#include "runtime/blocks.h"
#include "runtime/peers.h"
#include "runtime/state.h"

struct star_letter {
    MPI_Request request;
    int rank; /* to it, or from it */
    bool sent;
};
/* Those that are under way. */
struct star_letters {
    struct star_letter *all;
    int count;
};

/* Begins one. MPI error code, raised nowhere; so is the next one's. */
int star_letters_add(struct star_letters *letters, const struct star_communicator *state, int rank, bool sent,
                     const struct star_elements *elements);
/* Those of BLOCKS of SIDE that are not shown, but for that of rank SKIPPED. */
int star_letters_add_all(struct star_letters *letters, const struct star_communicator *state, bool sent,
                         const struct star_side *side, const struct star_blocks *blocks, int skipped);
/* The last one: is it over? Then there is one less. */
bool star_letters_end_one(struct star_letters *letters, int *error);
/* Its peer does not take part: it is given up. */
void star_letters_drop_one(struct star_letters *letters);

/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/letters.h"
#include "exec/native.h"
#include "runtime/operations.h"

#include <stdlib.h>

int star_letters_add(struct star_letters *letters, const struct star_communicator *state, int rank, bool sent,
                     const struct star_elements *elements)
{
    if (letters->all == NULL)
        letters->all = malloc(2 * (size_t)state->size * sizeof *letters->all);
    if (letters->all == NULL)
        return MPI_ERR_NO_MEM;
    struct star_letter *letter = &letters->all[letters->count];
    *letter = (struct star_letter){.rank = rank, .sent = sent};
    int error = sent ? star_peer_isend_elements(state, rank, STAR_BLOCK, elements, &letter->request)
                     : star_peer_irecv_elements(state, rank, STAR_BLOCK, elements, &letter->request);
    letters->count += error == MPI_SUCCESS;
    return error;
}

int star_letters_add_all(struct star_letters *letters, const struct star_communicator *state, bool sent,
                         const struct star_side *side, const struct star_blocks *blocks, int skipped)
{
    struct star_side block = {0};
    int error = MPI_SUCCESS;
    for (int r = 0; r < blocks->ranks && error == MPI_SUCCESS; r++) {
        int64_t count = star_count_at(blocks->large, blocks->counts, r);
        if (r == skipped || star_blocks_length_of(blocks, r, side->size) <= blocks->most)
            continue;
        error = star_blocks_side(blocks, side, r, &block);
        if (error == MPI_SUCCESS)
            error = star_letters_add(letters, state, r, sent,
                                     &(struct star_elements){block.base, count, block.type});
    }
    return error;
}

bool star_letters_end_one(struct star_letters *letters, int *error)
{
    int found;
    if (!star_peer_is_done(&letters->all[letters->count - 1].request, MPI_STATUS_IGNORE, &found))
        return false;
    *error = *error != MPI_SUCCESS ? *error : found;
    letters->count--;
    return true;
}

void star_letters_drop_one(struct star_letters *letters)
{
    struct star_letter *letter = &letters->all[--letters->count];
    if (letter->sent)
        star_native.Request_free(&letter->request);
    else
        star_peer_cancel(&letter->request);
}

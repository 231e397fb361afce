/* SPDX-License-Identifier: BSD-3-Clause
 * What the MPI library is likely to send for a collective operation of its own: nobody sees it. Estimated
 * from a method of the repository that MPI libraries commonly use for so many bytes. */
#pragma once

#include "algorithms/operations.h"

/* One call of an operation on a rank; BLOCK as operations measure bytes, of those whose blocks differ the
 * mean. */
struct star_guess {
    enum star_operation operation;
    int size, rank, root;
    int64_t block;
};

/* Gives SEND each message that the rank is likely to send in one call. STAR_EMEMORY. */
int star_guess_sends(const struct star_guess *guess,
                     void (*send)(int peer, int64_t bytes, int64_t messages, void *into), void *into);

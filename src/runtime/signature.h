/* SPDX-License-Identifier: BSD-3-Clause
 * The numbers that an element's packed bytes are. */
#pragma once

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

/* The numbers that an element's packed bytes are: runs of floating-point numbers, and of other bytes. */
struct star_numbers_run {
    int64_t count;
    int32_t width; /* bytes of each */
    bool floating;
};
enum { STAR_SIGNATURE_MOST = 256 };
struct star_signature {
    struct star_numbers_run run[STAR_SIGNATURE_MOST];
    int runs;
    int64_t bytes, numbers; /* of all runs; floating-point numbers */
};
/* The same for types of equal signature. False: it is not known, or of more runs. */
bool star_signature_of(MPI_Datatype type, struct star_signature *signature);
